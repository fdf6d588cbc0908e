"""The default engine: one file, written by one thread of one process.

All that waits is written in one transaction, and one sync of the disk makes it durable (group
commit). Each piece has a savepoint of its own, so that one that is refused harms no other.

One connection writes and checkpoints; the others only read. SQLite's log of old versions (WAL) has
a rare fault when two connections write, so a lock beside the file keeps a second process out.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, TypeVar
from urllib.parse import quote

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store import migrate
from watermeet.server.store.migrate import Migration
from watermeet.server.store.sql import Statement, Value
from watermeet.server.store.sql_store import ConstraintViolation, Rows, SqlStore

LOG = logging.getLogger(__name__)

OLDEST = (3, 35)
"""The first SQLite with RETURNING."""
READERS = 4
LARGEST_GROUP = 1000
"""So many pieces at most share a transaction: the first need not wait for all the others."""
LOCK_WAIT_S = 5.0

R = TypeVar("R")

_HINTS = {
    sqlite3.SQLITE_FULL: "the disk is full: make room",
    sqlite3.SQLITE_READONLY: "the file or its folder cannot be written: look at the rights",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened: look at its folder and the rights",
    sqlite3.SQLITE_PERM: "look at the file's owner and rights",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written: look at the system's log",
    sqlite3.SQLITE_BUSY: "another program holds the file: end it",
    sqlite3.SQLITE_LOCKED: "another program holds the file: end it",
    sqlite3.SQLITE_PROTOCOL: "another program holds the file: end it",
    sqlite3.SQLITE_NOTADB: "the file is no database: choose another path",
    sqlite3.SQLITE_CORRUPT: "the database is damaged: restore a backup",
    sqlite3.SQLITE_NOMEM: "the machine has no memory left",
}
"""What is wrong with the surroundings, by SQLite's primary code; all else is our own mistake."""


class _Piece:
    """Calls that are written together or not at all, and who waits for it."""

    __slots__ = ("calls", "error", "future", "rows")

    def __init__(self, calls: Sequence[Statement], future: asyncio.Future[Rows]) -> None:
        self.calls = calls
        self.future = future
        self.rows: Rows = ()
        self.error: Exception | None = None


class SqliteStore(SqlStore):
    """A Store in one file; made by ``open``, in the event loop that will use it."""

    skips_locked = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[_Piece | None] = SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, "watermeet-store-reader")
        self._local = threading.local()
        self._reading: list[sqlite3.Connection] = []
        self._writer = threading.Thread(
            target=self._write_groups, name="watermeet-store-writer", daemon=True
        )
        self._is_closed = False
        self._connection: sqlite3.Connection
        self._lock: IO[bytes]

    @classmethod
    async def open(cls, path: Path, known: Sequence[Migration] | None = None) -> SqliteStore:
        """Opens the file, or makes it, and migrates it."""
        store = cls(path)
        try:
            await store._in_reader(lambda: store._open(known or migrate.known_migrations()))
        except BaseException:
            store._readers.shutdown()
            raise
        store._writer.start()
        return store

    async def _read(self, call: Statement) -> Rows:
        return await self._in_reader(lambda: self._fetch(call))

    async def _write(self, *calls: Statement) -> Rows:
        self._check_open()
        piece = _Piece(calls, self._loop.create_future())
        self._queue.put(piece)
        return await piece.future

    async def backup(self, path: str) -> None:
        await self._in_reader(lambda: back_up(self._path, Path(path)))

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._queue.put(None)
        await self._loop.run_in_executor(self._readers, self._writer.join)
        self._readers.shutdown()  # Waits for those who still read.
        for connection in self._reading:
            connection.close()
        self._connection.close()  # The last: so it moves all into the file and removes the WAL.
        self._lock.close()

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable("the store is closed", "it is used after its end")

    async def _in_reader(self, work: Callable[[], R]) -> R:
        self._check_open()
        try:
            return await self._loop.run_in_executor(self._readers, work)
        except sqlite3.Error as error:
            raise self._told(error) from error

    # ---- in the readers' threads -----------------------------------------------------------------

    def _open(self, known: Sequence[Migration]) -> None:
        if sqlite3.sqlite_version_info < OLDEST:
            raise StoreUnavailable(
                f"SQLite {sqlite3.sqlite_version} is too old", f"it needs {OLDEST[0]}.{OLDEST[1]}"
            )
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = Path(f"{self._path}.lock").open("ab")  # noqa: SIM115 - held until close.
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            self._keep_others_out()
            self._make_file()
            self._connection = _connect(self._path, "rw")
            try:
                self._prepare(known)
            except BaseException:
                self._connection.close()
                raise
        except BaseException:
            self._lock.close()
            raise

    def _unwritable(self, error: OSError) -> StoreUnavailable:
        return StoreUnavailable(
            f"the database {str(self._path)!r} cannot be written: {error.strerror}",
            "choose a path in a folder that this user may write to",
        )

    def _make_file(self) -> None:
        """For its owner alone: secrets of matches are in it. The WAL takes the rights over.

        Behind the lock: to close a file that SQLite has open in this process would end its locks.
        """
        try:
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise self._unwritable(error) from error

    def _keep_others_out(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise StoreUnavailable(
                f"another process uses the database {str(self._path)!r}",
                "end it; for several processes at once there is PostgreSQL",
            ) from error

    def _prepare(self, known: Sequence[Migration]) -> None:
        connection = self._connection
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(
            "PRAGMA fullfsync = ON"
        )  # On a Mac, a plain sync does not reach the disk.
        connection.execute("PRAGMA checkpoint_fullfsync = ON")
        while _migrate_once(connection, known):
            pass

    def _fetch(self, call: Statement) -> Rows:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = _connect(self._path, "ro")
            self._reading.append(connection)
        return connection.execute(call.sql, _named(call.values)).fetchall()

    # ---- in the writer's thread ------------------------------------------------------------------

    def _write_groups(self) -> None:
        is_last = False
        while not is_last:
            group, is_last = self._next_group()
            if not group:
                continue
            self._commit(group)
            try:
                self._loop.call_soon_threadsafe(_deliver, group)
            except RuntimeError:  # The loop was closed without us, and with it all who waited.
                LOG.warning("%d writes were done when nobody waited any more", len(group))

    def _next_group(self) -> tuple[list[_Piece], bool]:
        """Waits for a piece, and takes along all that waits behind it; whether it is the last."""
        group: list[_Piece] = []
        piece = self._queue.get()
        while piece is not None:
            group.append(piece)
            if len(group) == LARGEST_GROUP:
                return group, False
            try:
                piece = self._queue.get_nowait()
            except Empty:
                return group, False
        return group, True

    def _commit(self, group: Sequence[_Piece]) -> None:
        """Writes a group; when it returns, all pieces without an error are durable."""
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            for piece in group:
                self._do(piece)
            connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - told to all who wait, and the thread lives on.
            told = self._told(error) if isinstance(error, sqlite3.Error) else error
            for piece in group:
                piece.error = told
            if connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):  # SQLite has rolled back by itself.
                    connection.execute("ROLLBACK")

    def _do(self, piece: _Piece) -> None:
        connection = self._connection
        connection.execute("SAVEPOINT piece")
        try:
            for call in piece.calls:
                piece.rows = connection.execute(call.sql, _named(call.values)).fetchall()
        except Exception as error:
            if not connection.in_transaction:
                raise  # Too bad for SQLite to go on: it has given up the whole transaction.
            connection.execute("ROLLBACK TO piece")
            piece.error = self._told(error) if isinstance(error, sqlite3.Error) else error
        connection.execute("RELEASE piece")

    def _told(self, error: sqlite3.Error) -> Exception:
        """An error of SQLite as the interface has it."""
        if isinstance(error, sqlite3.IntegrityError):
            return ConstraintViolation(str(error))
        return _away(self._path, error)


def _away(path: Path, error: sqlite3.Error) -> Exception:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if hint := _HINTS.get(code):
        return StoreUnavailable(f"the database {str(path)!r}: {error}", hint)
    return error


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}",
        uri=True,
        timeout=LOCK_WAIT_S,
        isolation_level=None,  # Transactions are begun and ended here, by hand.
        check_same_thread=False,  # Closed by another thread than it was used in.
        cached_statements=256,
    )
    connection.execute("PRAGMA mmap_size = 0")
    return connection


def back_up(database: Path, path: Path) -> None:
    """Writes one new file with all that a database holds, while a server goes on with it.

    It only reads, as the server's own readers do, so it may run in another process: the lock beside
    the file keeps out those who write. Raises StoreUnavailable.
    """
    if not database.is_file():
        raise StoreUnavailable(
            f"there is no database {str(database)!r}", "name the folder of the server"
        )
    if path.exists():
        raise StoreUnavailable(f"{str(path)!r} exists already", "choose the name of a new file")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise StoreUnavailable(
            f"the backup {str(path)!r} cannot be written: {error.strerror}",
            "choose a folder that this user may write to",
        ) from error
    os.close(handle)
    half = Path(name)
    try:
        with (
            contextlib.closing(_connect(database, "ro")) as source,
            contextlib.closing(sqlite3.connect(half, isolation_level=None)) as target,
        ):
            source.backup(target)  # In one step: in several, it would begin anew at each write.
            target.execute("PRAGMA journal_mode = DELETE")  # All is in one file.
        with half.open("rb") as written:
            os.fsync(written.fileno())
        half.rename(path)  # So a half backup is never taken for a whole one.
    except sqlite3.Error as error:
        raise _away(database, error) from error
    finally:
        half.unlink(missing_ok=True)


def _named(values: Sequence[Value]) -> dict[str, Value]:
    return {str(number): value for number, value in enumerate(values, 1)}


def _deliver(group: Sequence[_Piece]) -> None:
    """In the loop's thread: wakes those who wait."""
    for piece in group:
        if piece.future.done():
            continue  # Who waited was cancelled; what was written stays written.
        if piece.error is not None:
            piece.future.set_exception(piece.error)
        else:
            piece.future.set_result(piece.rows)


def _migrate_once(connection: sqlite3.Connection, known: Sequence[Migration]) -> bool:
    """Applies the next migration; False when there is none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(migrate.TABLE)
        applied: Any = connection.execute(migrate.APPLIED).fetchall()
        migration = migrate.next_migration(applied, known)
        if migration is not None:
            for statement in migration.statements:
                connection.execute(statement)
            note: list[Value] = [migration.number, migration.name, migration.checksum]
            connection.execute(migrate.NOTE, _named(note))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return migration is not None
