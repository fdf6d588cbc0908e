"""PostgreSQL may go down and come back: what is retried, and what isn't."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg
import pytest
from tests.server.servers import Postgres, free_port
from tests.server.store.writer import append_at

from watermeet.server.errors import StoreUnavailable, Unsupported
from watermeet.server.store.factory import open_store
from watermeet.server.store.postgres import MAX_ATTEMPTS, PostgresStore

pytestmark = pytest.mark.anyio


async def test_the_error_for_a_missing_server_hides_the_password() -> None:
    url = f"postgresql://ann:secret@127.0.0.1:{free_port()}/matches"
    with pytest.raises(StoreUnavailable) as caught:
        await open_store(url)
    assert "127.0.0.1" in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.slow
async def test_a_missing_database_is_an_error(postgres: Postgres) -> None:
    url = f"postgresql://watermeet@127.0.0.1:{postgres.port}/nowhere"
    with pytest.raises(StoreUnavailable, match="nowhere"):
        await open_store(url)


@pytest.mark.slow
async def test_the_pool_reconnects_to_a_restarted_server(postgres: Postgres) -> None:
    tasks = asyncio.all_tasks()
    store = await open_store(await asyncio.to_thread(postgres.new_database))
    with pytest.raises(Unsupported, match="pg_dump"):
        await store.backup("backup.db")
    await asyncio.gather(*(store.append(append_at(f"m{n}", 0)) for n in range(30)))
    await asyncio.to_thread(postgres.stop)
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await store.append(append_at("m0", 2))
    await asyncio.to_thread(postgres.start)
    await asyncio.gather(*(store.append(append_at(f"m{n}", 2)) for n in range(30)))
    await asyncio.to_thread(postgres.stop)
    await asyncio.to_thread(postgres.start)
    assert len(await store.read("m0")) == 4, "reading is repeated on a new connection"
    await asyncio.to_thread(postgres.kill)
    await asyncio.wait_for(store.close(), 10)
    assert asyncio.all_tasks() == tasks


class Pool:
    """Raises the given errors, then returns rows."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    async def fetch(self, *_: Any) -> list[Any]:
        if self.errors:
            raise self.errors.pop()
        return []


def store_of(pool: Any) -> PostgresStore:
    return PostgresStore(pool, "'postgresql://test'")


LOST = [
    asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
    asyncpg.InterfaceError("connection is closed"),
    asyncpg.AdminShutdownError("terminating connection"),
    ConnectionResetError("reset"),
]


@pytest.mark.parametrize("error", LOST, ids=lambda error: type(error).__name__)
async def test_reads_are_retried_and_writes_are_not(error: Exception) -> None:
    assert await store_of(Pool(error)).read("m") == []
    pool = Pool(error, error)
    with pytest.raises(StoreUnavailable):
        await store_of(pool).append(append_at("m", 0))
    assert len(pool.errors) == 1


async def test_a_rolled_back_write_is_retried() -> None:
    await store_of(Pool(asyncpg.DeadlockDetectedError("deadlock"))).append(append_at("m", 0))
    always = Pool(*[asyncpg.DeadlockDetectedError("deadlock")] * 9)
    with pytest.raises(StoreUnavailable):
        await store_of(always).append(append_at("m", 0))
    assert len(always.errors) == 9 - MAX_ATTEMPTS


async def test_a_timeout_is_not_retried() -> None:
    pool = Pool(TimeoutError(), TimeoutError())
    with pytest.raises(StoreUnavailable, match="TimeoutError"):
        await store_of(pool).read("m")
    assert len(pool.errors) == 1


async def test_a_bug_of_ours_is_not_an_unavailable_store() -> None:
    with pytest.raises(asyncpg.UndefinedTableError):
        await store_of(Pool(asyncpg.UndefinedTableError("no table"))).read("m")
