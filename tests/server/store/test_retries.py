"""After a broken connection, reads and rolled-back writes are retried; other writes are not."""

from __future__ import annotations

from typing import Any

import asyncpg
import pytest
from tests.server.store.writer import append_at

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store.postgres import MAX_ATTEMPTS, PostgresStore

pytestmark = pytest.mark.anyio


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
