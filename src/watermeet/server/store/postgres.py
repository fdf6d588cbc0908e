"""The engine for several nodes: PostgreSQL, through a pool of connections.

All that one append writes is one statement: a single trip, and atomic without BEGIN and COMMIT. The
server itself makes the appends of many connections durable together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import asyncpg
from asyncpg import Record
from asyncpg.pool import Pool

from watermeet.server.errors import StoreUnavailable, Unsupported
from watermeet.server.store import migrate
from watermeet.server.store.migrate import Migration
from watermeet.server.store.sql import Statement, combine
from watermeet.server.store.sql_store import ConstraintViolation, Rows, SqlStore

CONNECTIONS = 20
"""Of one node: four nodes fit into what PostgreSQL allows by default. Each holds one while the disk
syncs, so more of them serve many writers faster (docs/decisions, a match is a log)."""
CONNECT_S = 5.0
COMMAND_S = 10.0
CLOSE_S = 5.0
MIGRATION_S = 3600.0
"""A large table takes its time to change, and the other nodes wait."""
TRIES = 3
MIGRATION_LOCK = 0x57A7E12  # Any number, the same for all nodes.

_AWAY = ("08", "25006", "28", "3D", "53", "57", "58")
"""Beginnings of PostgreSQL's codes for: no connection, a copy that only reads, no right to enter,
no such database, no room, shut down, a fault of the system."""


class _Connection(asyncpg.Connection):
    """Keeps nothing between two users of the pool, so nothing must be reset: a trip less."""

    def get_reset_query(self) -> str:
        return ""


class PostgresStore(SqlStore):
    """A Store in a PostgreSQL database; made by ``open``."""

    skips_locked = True

    def __init__(self, pool: Pool[Record], name: str) -> None:
        self._pool = pool
        self._name = name

    @classmethod
    async def open(cls, url: str, known: Sequence[Migration] | None = None) -> PostgresStore:
        """Connects to the database and migrates it."""
        name = _without_password(url)
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=CONNECTIONS,
                timeout=CONNECT_S,
                command_timeout=COMMAND_S,
                connection_class=_Connection,
                # Durable when it is told, whatever the server's own setting.
                server_settings={"application_name": "watermeet", "synchronous_commit": "on"},
            )
        except _ERRORS as error:
            raise _told(error, name) from error
        store = cls(pool, name)
        try:
            while await store._migrate_once(known or migrate.known_migrations()):
                pass
        except BaseException:
            await store.close()
            raise
        return store

    async def _read(self, call: Statement) -> Rows:
        return await self._fetch(call, is_reading=True)

    async def _write(self, *calls: Statement) -> Rows:
        return await self._fetch(combine(calls), is_reading=False)

    async def backup(self, path: str) -> None:
        raise Unsupported(
            f"PostgreSQL makes no backup in one file by itself, such as {path!r}",
            "use pg_dump, or the server's own archive",
        )

    async def close(self) -> None:
        try:
            await asyncio.wait_for(self._pool.close(), CLOSE_S)
        except TimeoutError:  # Whoever still holds a connection has lost the server.
            self._pool.terminate()

    async def _fetch(self, call: Statement, *, is_reading: bool) -> Rows:
        """Tries again what is safe: what the server rolled back, and reading.

        When a connection breaks under a write, nobody knows whether it was done; who asked must
        read, and decide again.
        """
        for rest in reversed(range(TRIES)):
            try:
                rows = await self._pool.fetch(call.sql, *call.values)
                return [tuple(row) for row in rows]
            except _ERRORS as error:
                told = _told(error, self._name)
                is_lost = isinstance(told, StoreUnavailable) and not isinstance(error, TimeoutError)
                is_safe = isinstance(error, _ROLLED_BACK) or (is_reading and is_lost)
                if rest == 0 or not is_safe:
                    raise told from error
        raise AssertionError("the last try returns or raises")

    async def _migrate_once(self, known: Sequence[Migration]) -> bool:
        """Applies the next migration; False when there is none. Other nodes wait at the lock."""
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                lock = f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"
                await connection.execute(lock, timeout=MIGRATION_S)
                await connection.execute(migrate.TABLE)
                applied: Any = await connection.fetch(migrate.APPLIED)
                migration = migrate.next_migration([tuple(row) for row in applied], known)
                if migration is None:
                    return False
                for statement in migration.statements:
                    await connection.execute(statement, timeout=MIGRATION_S)
                note = (migration.number, migration.name, migration.checksum)
                await connection.execute(migrate.NOTE, *note)
                return True
        except _ERRORS as error:
            raise _told(error, self._name) from error


_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # A connection that broke in the midst of something.
    OSError,
    TimeoutError,
)
_ROLLED_BACK = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)


def _told(error: Exception, name: str) -> Exception:
    """An error of the driver as the interface has it."""
    if isinstance(error, asyncpg.IntegrityConstraintViolationError):
        return ConstraintViolation(f"{error}: {error.constraint_name or error.column_name}")
    code = getattr(error, "sqlstate", None)
    if code is not None and not code.startswith(_AWAY) and not isinstance(error, _ROLLED_BACK):
        return error
    reason = str(error) or type(error).__name__
    return StoreUnavailable(
        f"the database {name} is away: {reason}",
        "look whether the server runs, and at the address, the rights and the room on its disk",
    )


def _without_password(url: str) -> str:
    """The address as it may stand in a log.

    >>> _without_password("postgresql://ann:secret@example.org:5432/watermeet")
    "'postgresql://example.org:5432/watermeet'"
    """
    parts = urlsplit(url)
    return repr(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")
