"""Direct access to a database, to fill old schemas and to read query plans."""

from __future__ import annotations

import contextlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
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
                file.execute(statement.sql, _named(statement.values)).fetchall()
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


async def fill(url: str, rows: Iterable[tuple[str, Sequence[object]]]) -> None:
    """Run statements many times: pairs of a statement and its values, grouped by the statement."""
    groups = defaultdict(list)
    for sql, values in rows:
        groups[sql].append(values)
    if url.startswith("sqlite"):
        with contextlib.closing(sqlite3.connect(sqlite_path(url))) as file, file:
            for sql, many in groups.items():
                file.executemany(sql, map(_named, many))
        return
    connection = await asyncpg.connect(url)
    for sql, many in groups.items():
        await connection.executemany(sql, many)
    await connection.close()


def _named(values: Sequence[object]) -> dict[str, object]:
    return {str(number): value for number, value in enumerate(values, 1)}
