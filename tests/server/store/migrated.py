"""A SQLite database with all tables and no rows, to be copied: migrating takes much longer."""

from __future__ import annotations

import asyncio
import functools
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from watermeet.server.store.factory import open_store


async def migrate(url: str) -> None:
    """Bring a database to today's schema."""
    await (await open_store(url)).close()


@functools.cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        file = Path(folder, "migrated.db")
        thread.submit(asyncio.run, migrate(f"sqlite:///{file}")).result()
        return file.read_bytes()


def new_file(path: Path) -> Path:
    """Write the database to a file, which keeps a server from migrating it."""
    path.touch(0o600)
    path.write_bytes(_migrated())
    return path
