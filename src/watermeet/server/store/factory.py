"""Open the database that a URL names."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import unquote, urlsplit

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store import files
from watermeet.server.store.files import Contents
from watermeet.server.store.store import Store

_URLS = "use sqlite:///folder/file.db, sqlite:////absolute/file.db or postgresql://host/name"


async def open_store(url: str) -> Store:
    """Open a database, and migrate its schema."""
    store = await _open(url)
    try:
        await store.fill_skeletons()
    except BaseException:
        await store.close()
        raise
    return store


async def _open(url: str) -> Store:
    scheme = urlsplit(url).scheme
    if scheme == "sqlite":
        from watermeet.server.store.sqlite import SqliteStore

        return await SqliteStore.open(sqlite_path(url))
    if scheme in ("postgresql", "postgres"):
        try:
            from watermeet.server.store.postgres import PostgresStore
        except ModuleNotFoundError as error:
            raise StoreUnavailable(
                f"PostgreSQL needs {error.name!r}, which is not installed",
                "install the extra server (docs/guides/install.md)",
            ) from error
        return await PostgresStore.open(url)
    raise StoreUnavailable(f"unknown scheme {scheme!r} in the database URL", _URLS)


def verify(url: str) -> Contents:
    """Check everything in a database; raises StoreUnavailable."""
    if urlsplit(url).scheme == "sqlite":
        return files.verify(sqlite_path(url))
    from watermeet.server.store import postgres

    return asyncio.run(postgres.verify(url))


def sqlite_path(url: str) -> Path:
    """The file of a SQLite URL: three slashes for a relative path, four for an absolute one.

    >>> sqlite_path("sqlite:///matches.db"), sqlite_path("sqlite:////srv/matches.db")
    (PosixPath('matches.db'), PosixPath('/srv/matches.db'))
    """
    parts = urlsplit(url)
    path = unquote(parts.path.removeprefix("/"))
    if parts.netloc or not path:
        raise StoreUnavailable(f"no file in the database URL {url!r}", _URLS)
    return Path(path)
