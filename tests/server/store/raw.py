"""Direct access to a database, to fill old schemas and to read query plans."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from typing import Any

import asyncpg

from watermeet.server.store.factory import sqlite_path
from watermeet.server.store.migrate import Migration
from watermeet.server.store.postgres import PostgresStore
from watermeet.server.store.sql import Statement
from watermeet.server.store.sqlite import SqliteStore
from watermeet.server.store.store import Store


async def open_at(url: str, known: Sequence[Migration]) -> Store:
    """A store, as a version with these migrations would open it."""
    if url.startswith("sqlite"):
        return await SqliteStore.open(sqlite_path(url), known)
    return await PostgresStore.open(url, known)


async def execute(url: str, statements: Sequence[Statement]) -> list[list[tuple[Any, ...]]]:
    """Run statements in one transaction, and return the rows of each."""
    if url.startswith("sqlite"):
        with contextlib.closing(sqlite3.connect(sqlite_path(url))) as file, file:
            return [
                file.execute(statement.sql, _named(statement)).fetchall()
                for statement in statements
            ]
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction():
            found = [
                await connection.fetch(statement.sql, *statement.values) for statement in statements
            ]
            return [[tuple(row) for row in rows] for rows in found]
    finally:
        await connection.close()


def _named(statement: Statement) -> dict[str, Any]:
    return {str(number): value for number, value in enumerate(statement.values, 1)}
