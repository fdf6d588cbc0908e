"""Databases that were migrated once: a test gets a copy of the file, or the emptied schema."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
from tests.server.servers import Postgres
from tests.server.store.migrated import migrate, new_file

from watermeet.server.store.factory import open_store
from watermeet.server.store.store import Store


async def _delete_rows(url: str) -> None:
    connection = await asyncpg.connect(url)
    tables = await connection.fetch(
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        " AND tablename NOT IN ('migrations', 'compatible')"
    )
    for (name,) in tables:
        await connection.execute(f"DELETE FROM {name}")  # noqa: S608
    await connection.close()


@pytest.fixture(scope="session")
def _migrated_schema(_postgres: Postgres) -> str:
    if not _postgres.is_running:
        _postgres.start()
    url = _postgres.new_database()
    asyncio.run(migrate(url))
    return url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def migrated_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database with all tables and no rows, for each engine."""
    if request.param == "sqlite":
        return f"sqlite:///{new_file(tmp_path / 'matches.db')}"
    request.getfixturevalue("postgres")
    url: str = request.getfixturevalue("_migrated_schema")
    asyncio.run(_delete_rows(url))
    return url


@pytest.fixture
async def store(migrated_url: str) -> AsyncIterator[Store]:
    """An open one."""
    opened = await open_store(migrated_url)
    yield opened
    await opened.close()
