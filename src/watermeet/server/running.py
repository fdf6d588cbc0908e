"""Which server uses a data folder, so that a second start opens its page instead of failing.

The server holds a lock in its data folder, which the system releases however it ends, and writes
beside it where it can be reached.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

LOCK, PLACE = "server.lock", "server.json"
START_S = 20.0
"""How long to wait for a server that is starting to write its address."""


class RunningServer(msgspec.Struct, frozen=True):
    """Where a server can be reached."""

    page: str
    """The URL of its page on this machine."""
    others: list[str]
    """The URLs for other devices."""
    port: int


@contextlib.contextmanager
def data_folder_held(folder: Path | None) -> Iterator[Path | None]:
    """Hold a data folder while serving; gives the file to write the addresses to.

    None if another server holds it, or if the data is in no folder: serving works all the same.
    """
    lock = None if folder is None else _locked(folder)
    if folder is None or lock is None:
        yield None
        return
    place = folder / PLACE
    try:
        place.unlink(missing_ok=True)  # Left by a server that was killed.
        yield place
    finally:
        place.unlink(missing_ok=True)
        lock.release()


def write_place(place: Path, server: RunningServer) -> None:
    """Write where the server can be reached."""
    new = place.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(server))
    new.replace(place)


def running_server(folder: Path | None) -> RunningServer | None:
    """The server that uses a data folder, waiting for it if it is just starting."""
    end = time.monotonic() + START_S
    while folder is not None and folder.is_dir() and time.monotonic() < end:
        lock = _locked(folder)
        if lock is not None:
            lock.release()
            return None
        with contextlib.suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode((folder / PLACE).read_bytes(), type=RunningServer)
        time.sleep(0.1)
    return None


def _locked(folder: Path) -> FileLock | None:
    """The lock of a data folder, acquired; None if another process holds it."""
    lock = FileLock(folder / LOCK)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except (Timeout, OSError):
        return None
    return lock
