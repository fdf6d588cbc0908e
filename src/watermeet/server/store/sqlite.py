"""The default engine: one file, written by one thread of one process.

Everything that is waiting is written in one transaction, and a single sync of the disk makes it
durable (group commit). If one of them fails, all are run again, each with its own savepoint, so
that it doesn't harm the others.

One connection writes and checkpoints; the others only read. SQLite's write-ahead log (WAL) has a
rare bug with two writers, so a lock file keeps a second process out.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store import files, migrate
from watermeet.server.store.migrate import Migration
from watermeet.server.store.part import Rows
from watermeet.server.store.sql import ConstraintViolation, Statement, Value
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)

MIN_VERSION = (3, 35)
"""The first SQLite with RETURNING."""
READERS = 4
MAX_GROUP = 1000
"""Writes per transaction: the first shouldn't wait for too many others."""

_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "fullfsync = ON",  # On a Mac, a plain sync doesn't reach the disk.
    "checkpoint_fullfsync = ON",
)

R = TypeVar("R")


class _Write:
    """Statements to run all or nothing, and the future that waits for them."""

    __slots__ = ("error", "future", "rows", "statements")

    def __init__(self, statements: Sequence[Statement], future: asyncio.Future[Rows]) -> None:
        self.statements, self.future = statements, future
        self.rows: Rows = ()
        self.error: Exception | None = None


class SqliteStore(Store):
    """A store in one file; create it with ``open``, in the event loop that will use it."""

    skips_locked = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[_Write | None] = SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, "watermeet-store-reader")
        self._local = threading.local()
        self._reading: list[sqlite3.Connection] = []
        self._writer = threading.Thread(
            target=self._write_groups, name="watermeet-store-writer", daemon=True
        )
        self._is_closed = False
        self._connection: sqlite3.Connection
        self._lock = FileLock(f"{path}.lock", timeout=0, thread_local=False)

    @classmethod
    async def open(cls, path: Path, known: Sequence[Migration] | None = None) -> SqliteStore:
        """Open or create the file, and migrate it."""
        store = cls(path)
        try:
            await store._in_reader(lambda: store._open(known or migrate.known_migrations()))
        except BaseException:
            store._readers.shutdown()
            raise
        store._writer.start()
        return store

    async def _read(self, statement: Statement) -> Rows:
        return await self._in_reader(lambda: self._fetch(statement))

    async def _write(self, *statements: Statement, alone: str = "") -> Rows:  # All are.
        self._check_open()
        write = _Write(statements, self._loop.create_future())
        self._queue.put(write)
        return await write.future

    async def backup(self, path: str) -> None:
        await self._in_reader(lambda: files.back_up(self._path, Path(path)))

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._queue.put(None)
        await self._loop.run_in_executor(self._readers, self._writer.join)
        self._readers.shutdown()  # Waits for pending reads.
        for connection in self._reading:
            connection.close()
        self._connection.close()  # The last to close: it checkpoints and removes the WAL.
        files.end_session(self._path)
        self._lock.release()

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("the store is closed", "open it again")

    async def _in_reader(self, work: Callable[[], R]) -> R:
        self._check_open()
        try:
            return await self._loop.run_in_executor(self._readers, work)
        except sqlite3.Error as error:
            raise self._translate(error) from error

    # ---- in the reader threads -------------------------------------------------------------------

    def _open(self, known: Sequence[Migration]) -> None:
        if sqlite3.sqlite_version_info < MIN_VERSION:
            wanted = ".".join(map(str, MIN_VERSION))
            raise StoreUnavailable(
                f"SQLite {sqlite3.sqlite_version} is too old", f"it must be {wanted} or newer"
            )
        with contextlib.ExitStack() as undo:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._lock.acquire()
                undo.callback(self._lock.release)
                files.check_before_opening(self._path)
                if self._path.exists():
                    os.close(os.open(self._path, os.O_RDWR))  # The system's reason, if it can't.
                else:
                    self._create(known)
            except Timeout as error:
                raise StoreUnavailable(
                    f"another process is using the database {str(self._path)!r}",
                    "stop it; to run several processes, use PostgreSQL",
                ) from error
            except OSError as error:
                raise files.unwritable("database", self._path, error) from error
            self._connection = files.connect(self._path, "rw")
            undo.callback(self._connection.close)
            for pragma in _PRAGMAS:
                self._connection.execute(f"PRAGMA {pragma}")
            files.check_pages(self._connection, self._path)
            while _migrate_once(self._connection, known):
                pass
            files.begin_session(self._connection, self._path)
            undo.pop_all()

    def _create(self, known: Sequence[Migration]) -> None:
        """Create a database under another name first: an empty file is never ours.

        Only its owner may read it, because it holds the secrets of matches; the WAL inherits that.
        """
        with files.partial_file(self._path, "database") as partial:
            with contextlib.closing(files.connect(partial, "rw")) as connection:
                for pragma in _PRAGMAS:
                    connection.execute(f"PRAGMA {pragma}")
                _migrate_once(connection, known)
            partial.rename(self._path)

    def _fetch(self, statement: Statement) -> Rows:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = files.connect(self._path, "ro")
            self._reading.append(connection)
        return _execute(connection, statement)

    # ---- in the writer thread --------------------------------------------------------------------

    def _write_groups(self) -> None:
        is_open = True
        while is_open:
            queued = [self._queue.get()]
            with contextlib.suppress(Empty):
                while queued[-1] is not None and len(queued) < MAX_GROUP:
                    queued.append(self._queue.get_nowait())
            is_open = queued[-1] is not None
            group = [write for write in queued if write is not None]
            if not group:
                return
            self._commit(group)
            try:
                self._loop.call_soon_threadsafe(_deliver, group)
            except RuntimeError:  # The loop was closed first, and with it everyone who waited.
                LOG.warning("%d writes finished after the event loop had closed", len(group))

    def _commit(self, group: Sequence[_Write]) -> None:
        """Write a group; afterwards all writes without an error are durable."""
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            if not self._run_all(group):
                connection.execute("ROLLBACK")
                connection.execute("BEGIN IMMEDIATE")
                for write in group:
                    self._run(write)
            connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - passed on to all that wait.
            for write in group:
                write.error = self._translate(error)
            LOG.warning("%d writes failed: %s", len(group), self._translate(error))
            if connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):  # SQLite has rolled back already.
                    connection.execute("ROLLBACK")

    def _run_all(self, group: Sequence[_Write]) -> bool:
        """Run writes that nearly always succeed; False if one has to be rejected alone."""
        try:
            for write in group:
                for statement in write.statements:
                    write.rows = _execute(self._connection, statement)
        except Exception:
            if not self._connection.in_transaction:
                raise  # SQLite has given up the whole transaction.
            return False
        return True

    def _run(self, write: _Write) -> None:
        connection = self._connection
        connection.execute("SAVEPOINT write")
        try:
            for statement in write.statements:
                write.rows = _execute(connection, statement)
        except Exception as error:
            if not connection.in_transaction:
                raise  # SQLite has given up the whole transaction.
            connection.execute("ROLLBACK TO write")
            write.error = self._translate(error)
        connection.execute("RELEASE write")

    def _translate(self, error: Exception) -> Exception:
        if isinstance(error, sqlite3.IntegrityError):
            return ConstraintViolation(str(error), str(error).partition(" failed: ")[2])
        return files.unavailable(self._path, error)


def _execute(connection: sqlite3.Connection, statement: Statement) -> Rows:
    return connection.execute(_numbered(statement.sql), statement.values).fetchall()


@lru_cache(maxsize=256)
def _numbered(sql: str) -> str:
    """SQLite's way to write numbered parameters, which takes values in order."""
    return re.sub(r"\$(\d+)", r"?\1", sql)


def _deliver(group: Sequence[_Write]) -> None:
    """Wake up everyone who waits for a group; in the thread of the event loop."""
    for write in group:
        if write.future.done():
            continue  # The caller was cancelled; the write stands.
        if write.error is not None:
            write.future.set_exception(write.error)
        else:
            write.future.set_result(write.rows)


def _migrate_once(connection: sqlite3.Connection, known: Sequence[Migration]) -> bool:
    """Apply the next migration; False if there is none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(migrate.TABLE)
        applied: Any = connection.execute(migrate.APPLIED).fetchall()
        is_newer = len(applied) > len(known)
        compatible: Any = connection.execute(migrate.COMPATIBLE).fetchall() if is_newer else ()
        migration = migrate.next_migration(applied, known, compatible)
        if migration is not None:
            for statement in migration.statements:
                connection.execute(statement)
            record: list[Value] = [migration.number, migration.name, migration.checksum]
            _execute(connection, Statement(migrate.RECORD, record))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return migration is not None
