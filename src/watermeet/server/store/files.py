"""The file of a database, apart from what is in it: checks, backups, and restoring them.

A SQLite database is two files while a server runs: the database, and its write-ahead log (WAL) with
the latest entries. SQLite can't tell whether a log that a crash left behind belongs to the file
beside it. Put a backup there, and it would write the pages of the old log all over it. So each time
a server opens a file, it writes a random number into the file's header and into a note beside it:
while there is a log, both must be the same.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from filelock import FileLock, Timeout

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store import migrate

BUSY_TIMEOUT_S = 5.0
RESTORE = "restore a backup: watermeet restore FILE"
_SUFFIXES = ("-wal", "-shm", "-session")
_MAX_PROBLEMS = 5
_WAL_FORMAT = b"\x02\x02"
_IN_USE = "another program is using the file: stop it"
_HINTS = {
    sqlite3.SQLITE_FULL: "the disk is full: free some space",
    sqlite3.SQLITE_READONLY: "the file or its folder is read-only: check the permissions",
    sqlite3.SQLITE_CANTOPEN: "the file can't be opened: check its folder and the permissions",
    sqlite3.SQLITE_PERM: "check the owner and the permissions of the file",
    sqlite3.SQLITE_IOERR: "the disk can't be read or written: check the system log",
    sqlite3.SQLITE_BUSY: _IN_USE,
    sqlite3.SQLITE_LOCKED: _IN_USE,
    sqlite3.SQLITE_PROTOCOL: _IN_USE,
    sqlite3.SQLITE_NOTADB: "the file isn't a database: choose another path",
    sqlite3.SQLITE_CORRUPT: f"the database is damaged: {RESTORE}",
    sqlite3.SQLITE_NOMEM: "the machine is out of memory",
}
"""Problems of the environment, by SQLite's primary error code. Any other error is a bug of ours."""


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open a file: ``ro`` to read, ``rw`` to write."""
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,  # We begin and commit transactions ourselves.
        check_same_thread=False,  # Another thread closes it.
        cached_statements=256,
    )
    connection.execute("PRAGMA mmap_size = 0")
    return connection


def unavailable(path: Path, error: Exception) -> Exception:
    """StoreUnavailable if the environment is at fault; otherwise the error itself."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if hint := _HINTS.get(code):
        return StoreUnavailable(f"the database {str(path)!r}: {error}", hint)
    return error


def unwritable(what: str, path: Path, error: OSError) -> StoreUnavailable:
    """A file that the system doesn't let us write."""
    return StoreUnavailable(
        f"the {what} {str(path)!r} can't be written: {error.strerror}",
        "choose a path in a folder that this user may write to",
    )


def beside(path: Path, suffix: str) -> Path:
    """A file next to a database, such as its write-ahead log."""
    return path.with_name(path.name + suffix)


# ---- before and after opening -------------------------------------------------------------------


def check_before_opening(path: Path) -> None:
    """Refuse a file that opening would damage, or that is no database any more."""
    log = beside(path, "-wal")
    has_log = log.is_file() and log.stat().st_size > 0
    if not path.exists():
        if has_log:
            raise StoreUnavailable(
                f"there is no database {str(path)!r}, but its write-ahead log",
                f"put the database back, or {RESTORE}",
            )
        return
    if path.is_file() and path.stat().st_size == 0:
        raise StoreUnavailable(
            f"the database {str(path)!r} is empty",
            f"{RESTORE}; or delete the empty file, and a new server starts",
        )
    if has_log and not _is_log_of(path):
        raise StoreUnavailable(
            f"the write-ahead log {log.name!r} belongs to another database than {str(path)!r}",
            f"use watermeet restore FILE --replace; or, if the database is a complete backup, "
            f"move {log.name!r} away",
        )


def _is_log_of(path: Path) -> bool:
    with path.open("rb") as file:
        header = file.read(100)
    if header[18:20] != _WAL_FORMAT:
        return False  # A backup: it was never used with a log.
    try:
        session = beside(path, "-session").read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return True  # Nobody knows.
    return session.strip() == str(int.from_bytes(header[60:64], "big"))


def check_pages(connection: sqlite3.Connection, path: Path, how: str = "quick_check") -> None:
    """Read every page; raises StoreUnavailable if one is damaged, or if it isn't ours."""
    problems = [str(row[0]) for row in connection.execute(f"PRAGMA {how}({_MAX_PROBLEMS})")]
    if problems != ["ok"]:
        shown = "; ".join(" ".join(problem.split()) for problem in problems)
        raise StoreUnavailable(f"the database {str(path)!r} is damaged: {shown}", RESTORE)
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    if tables and "migrations" not in tables:
        raise StoreUnavailable(
            f"{str(path)!r} is the database of another program", "choose another path"
        )


def begin_session(connection: sqlite3.Connection, path: Path) -> None:
    """Number this use of a file, as long as its write-ahead log is empty."""
    note, number = beside(path, "-session"), secrets.randbits(31)
    connection.execute(f"PRAGMA user_version = {number}")
    (is_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if is_busy:  # Somebody is making a backup.
        note.unlink(missing_ok=True)
        return
    with partial_file(note, "session") as new:
        new.write_text(f"{number}\n", encoding="ascii")
        new.replace(note)


def end_session(path: Path) -> None:
    """The log is gone, so there is nothing to compare any more."""
    if not beside(path, "-wal").exists():
        beside(path, "-session").unlink(missing_ok=True)


@contextlib.contextmanager
def partial_file(path: Path, what: str) -> Iterator[Path]:
    """A new file in the folder of another, to be renamed; it is removed if it wasn't."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise unwritable(what, path, error) from error
    os.close(handle)
    partial = Path(name)
    try:
        yield partial
    finally:
        for each in (partial, *(beside(partial, suffix) for suffix in _SUFFIXES)):
            each.unlink(missing_ok=True)


# ---- backups ------------------------------------------------------------------------------------


def back_up(database: Path, path: Path) -> None:
    """Copy a database into one new file while a server uses it; raises StoreUnavailable.

    It only reads, as the server's own readers do, so it may run in another process.
    """
    if not database.is_file():
        raise StoreUnavailable(
            f"there is no database {str(database)!r}", "pass the server's data folder"
        )
    if path.exists():
        raise StoreUnavailable(f"{str(path)!r} exists already", "choose a new file name")
    with partial_file(path, "backup") as partial:
        _copy(database, partial)
        partial.rename(path)  # An interrupted backup never looks like a complete one.


def _copy(database: Path, target: Path) -> None:
    """Copy a database with what is in its log, into one file without one."""
    try:
        with (
            contextlib.closing(connect(database, "ro")) as source,
            contextlib.closing(sqlite3.connect(target, isolation_level=None)) as copy,
        ):
            source.backup(copy)  # In one step: in several, every write would restart it.
            copy.execute("PRAGMA journal_mode = DELETE")  # One file, without a WAL.
    except sqlite3.Error as error:
        raise unavailable(database, error) from error
    with target.open("r+b") as written:  # Windows can't sync what is open for reading alone.
        os.fsync(written.fileno())


@dataclass(frozen=True)
class Contents:
    """How much a database holds."""

    matches: int
    entries: int


def verify(path: Path) -> Contents:
    """Check every page, every index and the schema; raises StoreUnavailable."""
    if not path.is_file() or path.stat().st_size == 0:
        raise StoreUnavailable(f"there is no database {str(path)!r}", "check the file name")
    check_before_opening(path)
    try:
        with contextlib.closing(connect(path, "ro")) as connection:
            check_pages(connection, path, "integrity_check")
            applied = connection.execute(migrate.APPLIED).fetchall()
            known = migrate.known_migrations()
            is_newer = len(applied) > len(known)
            compatible = connection.execute(migrate.COMPATIBLE).fetchall() if is_newer else ()
            migrate.next_migration(applied, known, compatible)
            (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
            (entries,) = connection.execute("SELECT count(*) FROM log").fetchone()
    except sqlite3.Error as error:
        raise unavailable(path, error) from error
    return Contents(matches, entries)


def restore(backup: Path, database: Path, *, replace: bool) -> tuple[Contents, Path | None]:
    """Put a backup in the place of a database; raises StoreUnavailable.

    Returns what it holds, and where the present database is kept. Whenever it is interrupted, the
    server either starts with the one, or with the other, or refuses to start.
    """
    contents = verify(backup)
    lock = FileLock(f"{database}.lock", timeout=0)
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise StoreUnavailable(
            f"a server is using the database {str(database)!r}", "stop it first"
        ) from error
    except OSError as error:
        raise unwritable("database", database, error) from error
    with contextlib.closing(contextlib.ExitStack()) as stack:
        stack.callback(lock.release)
        kept = None
        if database.exists():
            if not replace:
                raise StoreUnavailable(
                    f"there is a database {str(database)!r} already",
                    "add --replace; the present one is kept beside it",
                )
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
            kept = beside(database, f".replaced-{stamp}")
        with partial_file(database, "database") as partial:
            _copy(backup, partial)
            verify(partial)
            if kept is not None:
                for suffix in ("", *_SUFFIXES):
                    _link(beside(database, suffix), beside(kept, suffix))
            partial.replace(database)
        for suffix in _SUFFIXES:  # Until they are gone, the server refuses to start.
            beside(database, suffix).unlink(missing_ok=True)
    return contents, kept


def _link(present: Path, kept: Path) -> None:
    """Give a file a second name."""
    if not present.exists():
        return
    try:
        os.link(present, kept)
    except OSError:  # Not every file system can.
        shutil.copy2(present, kept)
