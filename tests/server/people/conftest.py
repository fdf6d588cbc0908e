"""Databases of the servers in these tests are copies of one that was migrated once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.store.migrated import new_file


@pytest.fixture(autouse=True)
def _migrated_database(tmp_path: Path) -> None:
    new_file(tmp_path / "watermeet.db")
