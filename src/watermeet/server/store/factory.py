"""Finds the engine for an address."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store.interface import Store

_FORMS = "there is sqlite:///folder/file.db, sqlite:////from/the/root.db and postgresql://host/name"


async def open_store(url: str) -> Store:
    """Opens a database by its address, and migrates it to this program's schema."""
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
                "pip install 'watermeet[scale]'",
            ) from error
        return await PostgresStore.open(url)
    raise StoreUnavailable(f"the database's address has an unknown scheme: {scheme!r}", _FORMS)


def sqlite_path(url: str) -> Path:
    """The file that an address names: three strokes for a path from here, four from the root.

    >>> sqlite_path("sqlite:///matches.db"), sqlite_path("sqlite:////srv/matches.db")
    (PosixPath('matches.db'), PosixPath('/srv/matches.db'))
    """
    parts = urlsplit(url)
    path = unquote(parts.path.removeprefix("/"))
    if parts.netloc or not path:
        raise StoreUnavailable(f"the address {url!r} names no file", _FORMS)
    return Path(path)
