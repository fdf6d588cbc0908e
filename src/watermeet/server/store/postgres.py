"""The engine for several nodes: PostgreSQL, through a pool of connections.

An append is a single statement: one round trip, and atomic without BEGIN and COMMIT. The server
itself commits the appends of many connections in groups.
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
from watermeet.server.store.files import Contents
from watermeet.server.store.migrate import Migration
from watermeet.server.store.part import Rows
from watermeet.server.store.sql import ConstraintViolation, Statement, combine
from watermeet.server.store.store import Store

CONNECTIONS = 20
"""Per node: four nodes fit into PostgreSQL's default limit. A write holds one while the disk syncs,
so more connections serve many writers faster (docs/decisions, a match is a log)."""
CONNECT_S = 5.0
COMMAND_S = 10.0
CLOSE_S = 5.0
MIGRATION_S = 3600.0
"""Changing a large table takes a while, and the other nodes wait."""
MAX_ATTEMPTS = 3
MIGRATION_LOCK = 0x57A7E12  # Arbitrary, but the same for all nodes.
LOCK_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"

_UNAVAILABLE = ("08", "25006", "28", "3D", "53", "57", "58")
"""Classes of PostgreSQL's error codes: no connection, read-only replica, access denied, no such
database, out of resources, shut down, system error."""


class _Connection(asyncpg.Connection):
    """Has no session state to reset when it returns to the pool, which saves a round trip."""

    def get_reset_query(self) -> str:
        return ""


class PostgresStore(Store):
    """A store in a PostgreSQL database; create it with ``open``."""

    skips_locked = True

    def __init__(self, pool: Pool[Record], name: str) -> None:
        self._pool = pool
        self._name = name

    @classmethod
    async def open(cls, url: str, known: Sequence[Migration] | None = None) -> PostgresStore:
        """Connect to the database and migrate it."""
        name = _without_password(url)
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=CONNECTIONS,
                timeout=CONNECT_S,
                command_timeout=COMMAND_S,
                connection_class=_Connection,
                # Durable when we say so, whatever the server's default.
                server_settings={"application_name": "watermeet", "synchronous_commit": "on"},
            )
        except _ERRORS as error:
            raise _translate(error, name) from error
        store = cls(pool, name)
        try:
            while await store._migrate_once(known or migrate.known_migrations()):
                pass
        except BaseException:
            await store.close()
            raise
        return store

    async def _read(self, statement: Statement) -> Rows:
        return await self._fetch(statement, is_reading=True)

    async def _write(self, *statements: Statement, alone: str = "") -> Rows:
        return await self._fetch(combine(statements), is_reading=False, alone=alone)

    async def backup(self, path: str) -> None:
        raise Unsupported(
            f"a PostgreSQL database can't be backed up to {path!r} from here",
            "use pg_dump, or PostgreSQL's continuous archiving",
        )

    async def close(self) -> None:
        try:
            await asyncio.wait_for(self._pool.close(), CLOSE_S)
        except TimeoutError:  # A connection in use has lost its server.
            self._pool.terminate()

    async def _fetch(self, statement: Statement, *, is_reading: bool, alone: str = "") -> Rows:
        """Run a statement, and retry if that is safe: after a rollback, or if it only reads.

        If a connection breaks during a write, nobody knows whether it was committed: the caller has
        to read and decide again.
        """
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                rows = await self._run(statement, alone)
                return [tuple(row) for row in rows]
            except _ERRORS as error:
                translated = _translate(error, self._name)
                is_lost = isinstance(translated, StoreUnavailable) and not isinstance(
                    error, TimeoutError
                )
                is_safe = isinstance(error, _ROLLED_BACK) or (is_reading and is_lost)
                if attempts_left == 0 or not is_safe:
                    raise translated from error
        raise AssertionError("the last attempt returns or raises")

    async def _run(self, statement: Statement, alone: str) -> list[Record]:
        """Run a statement; with ``alone``, after a lock, since it sees what was there before it."""
        if not alone:
            return await self._pool.fetch(statement.sql, *statement.values)
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute(LOCK_ALONE, alone)
            return await connection.fetch(statement.sql, *statement.values)

    async def _migrate_once(self, known: Sequence[Migration]) -> bool:
        """Apply the next migration; False if there is none. Other nodes wait for the lock."""
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                lock = f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"
                await connection.execute(lock, timeout=MIGRATION_S)
                await connection.execute(migrate.TABLE)
                migration = await _next_migration(connection, known)
                if migration is None:
                    return False
                for statement in migration.statements:
                    await connection.execute(statement, timeout=MIGRATION_S)
                record = (migration.number, migration.name, migration.checksum)
                await connection.execute(migrate.RECORD, *record)
                return True
        except _ERRORS as error:
            raise _translate(error, self._name) from error


async def _next_migration(connection: Any, known: Sequence[Migration]) -> Migration | None:
    applied = [tuple(row) for row in await connection.fetch(migrate.APPLIED)]
    is_newer = len(applied) > len(known)
    found = await connection.fetch(migrate.COMPATIBLE) if is_newer else ()
    return migrate.next_migration(applied, known, [tuple(row) for row in found])


async def verify(url: str) -> Contents:
    """Read all matches and logs of a database, and check that none has a hole.

    Nothing is migrated or written. Raises StoreUnavailable.
    """
    name = _without_password(url)
    try:
        connection = await asyncpg.connect(url, timeout=CONNECT_S)
        try:
            await connection.execute("SET statement_timeout = 0")
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                await _next_migration(connection, migrate.known_migrations())
                matches = await connection.fetchval("SELECT count(*) FROM matches")
                # The hash makes it read what it counts.
                entries = await connection.fetchval("SELECT count(md5(body)) FROM log")
                broken = await connection.fetch(_BROKEN)
        finally:
            await connection.close()
    except _ERRORS as error:
        raise _translate(error, name) from error
    if broken:
        shown = ", ".join(row[0] for row in broken)
        raise StoreUnavailable(f"the logs of these matches are incomplete: {shown}", _RESTORE)
    return Contents(matches, entries)


_RESTORE = "restore a backup: docs/guides/backups.md"
_BROKEN = """
SELECT m.id FROM matches m LEFT JOIN (
  SELECT match_id, count(*) AS entries, max(seq) AS last FROM log GROUP BY match_id
) l ON l.match_id = m.id
WHERE l.last IS NULL OR l.entries <> l.last ORDER BY m.id LIMIT 5"""

_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # A connection broke in the middle of something.
    OSError,
    TimeoutError,
)
_ROLLED_BACK = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)


def _translate(error: Exception, name: str) -> Exception:
    """The error that a store raises for an error of the driver."""
    if isinstance(error, asyncpg.IntegrityConstraintViolationError):
        column = f"{error.table_name}.{error.column_name}"
        return ConstraintViolation(str(error), error.constraint_name or column)
    code = getattr(error, "sqlstate", None)
    if (
        code is not None
        and not code.startswith(_UNAVAILABLE)
        and not isinstance(error, _ROLLED_BACK)
    ):
        return error
    reason = str(error) or type(error).__name__
    return StoreUnavailable(
        f"the database {name} is unavailable: {reason}",
        "check that the server runs, and its URL, permissions and disk space",
    )


def _without_password(url: str) -> str:
    """The URL without credentials, for logs.

    >>> _without_password("postgresql://ann:secret@example.org:5432/watermeet")
    "'postgresql://example.org:5432/watermeet'"
    """
    parts = urlsplit(url)
    return repr(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")
