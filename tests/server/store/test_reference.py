"""The store's reference page lists exactly the tables that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.server.store.raw import execute

from watermeet.server.store.factory import open_store
from watermeet.server.store.sql import Statement

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "store.md"


@pytest.mark.anyio
async def test_every_table_is_in_the_reference(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/matches.db"
    await (await open_store(url)).close()
    tables = Statement("SELECT name FROM sqlite_master WHERE type = 'table'")
    found = {name for (name,) in (await execute(url, [tables]))[0]}
    section = PAGE.read_text(encoding="utf-8").partition("## Tables")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)`", section, flags=re.MULTILINE)) == found
