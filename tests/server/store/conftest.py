"""Fixtures of the store's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.servers import Postgres

from watermeet.server.store.factory import open_store
from watermeet.server.store.store import Store


@pytest.fixture(
    params=["sqlite", "two of sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]
)
def any_store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database for each engine, and of several together."""
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        return server.new_database()
    files = ("a", "b") if request.param == "two of sqlite" else ("a",)
    return " ".join(f"sqlite:///{tmp_path}/{name}.db" for name in files)


@pytest.fixture
async def store(any_store_url: str) -> AsyncIterator[Store]:
    """An open one."""
    opened = await open_store(any_store_url)
    yield opened
    await opened.close()
