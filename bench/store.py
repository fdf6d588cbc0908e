"""Durable appends a second, on SQLite and PostgreSQL, beside bare inserts into a SQLite file.

Each writer appends to its own match, one entry after another, and waits for each: one writer shows
how long an append takes, a hundred show how many are made durable together. The bare inserts are a
row of the same size and a commit each, with the same journal and syncs.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.server.servers import Postgres, ServerMissing

from bench import report
from bench.report import ROOT, Missing, Row, progress
from watermeet.server.store.factory import open_store
from watermeet.server.store.rows import Append, MatchRow
from watermeet.server.store.store import Store

TITLE = "The store"
ABOUT = (
    "Appends to match logs a second, by the wall clock, each durable before it is acknowledged; "
    "and bare inserts of the same bytes into a SQLite file, each committed and synced."
)
COLUMNS = {
    "": "database",
    "1 writer": "1 writer",
    "10 writers": "10 writers",
    "100 writers": "100 writers",
    "p99": "99 of 100 within, 100 writers, ms",
}
WRITERS = (1, 10, 100)
ROUNDS = 3
BODY = b'{"kind":"played","at":1763200000000,"seat":1,"action":1234,"client_id":"0123456789ab"}'
HEADLINE = b'{"seats":["Ann","Bob"],"to_move":1,"options":{"size":9}}'


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """SQLite beside bare inserts, by turns; then PostgreSQL, if it is installed."""
    del games  # An entry is an entry.
    with tempfile.TemporaryDirectory(dir=ROOT / "bench") as folder:  # /tmp may be in memory.
        rounds = [
            (asyncio.run(_measure(f"sqlite:///{folder}/{number}.db", seconds)),
             _bare(f"{folder}/bare{number}.db", seconds))
            for number in range(ROUNDS)
        ]  # fmt: skip
    with _postgres() as url:
        others = [] if url is None else [asyncio.run(_measure(url, seconds)) for _ in range(ROUNDS)]
    rows = _rows("SQLite", [each for each, _ in rounds])
    bare = [each for _, each in rounds]
    ones = [each[1][0] for each, _ in rounds]
    rows[0] = report.versus("SQLite", "1 writer", "appends/s", ones, "bare inserts", bare)
    return [*rows, *_rows("PostgreSQL", others)]


def _rows(name: str, rounds: list[dict[int, tuple[float, float]]]) -> list[Row]:
    """The medians of rounds; each has appends a second and the p99 by writers."""
    if not rounds:
        return []
    middle = statistics.median
    found = [
        Row(name, f"{count} writer{'s' if count > 1 else ''}",
            middle(each[count][0] for each in rounds), "appends/s",
            f"p99 {middle(each[count][1] for each in rounds):.2f} ms")
        for count in WRITERS
    ]  # fmt: skip
    p99 = middle(each[WRITERS[-1]][1] for each in rounds)
    return [*found, Row(name, "p99", p99, "ms", f"{WRITERS[-1]} writers")]


@contextmanager
def _postgres() -> Iterator[str | None]:
    try:
        server = Postgres()
    except ServerMissing as missing:
        if report.is_strict:
            raise Missing(str(missing)) from missing
        progress(f"PostgreSQL skipped: {missing}")
        yield None
        return
    try:
        server.start()
        yield server.new_database()
    finally:
        server.remove()


async def _measure(url: str, seconds: float) -> dict[int, tuple[float, float]]:
    """One database: by the number of writers, appends a second and the p99 in milliseconds."""
    store = await open_store(url)
    found = {}
    try:
        await _append(store, 10, min(seconds, 1.0))  # Warm up connections, statements and files.
        for writers in WRITERS:
            took, elapsed = await _append(store, writers, seconds)
            found[writers] = len(took) / elapsed, 1000 * sorted(took)[int(0.99 * len(took))]
    finally:
        await store.close()
    return found


async def _append(store: Store, writers: int, seconds: float) -> tuple[list[float], float]:
    """The latencies of acknowledged appends, and the elapsed time."""
    took: list[float] = []
    begin = time.perf_counter()

    async def write() -> None:
        match, seq = uuid.uuid4().hex[:12], 0
        while (now := time.perf_counter()) < begin + seconds:
            seq += 1
            row = MatchRow(match, "toy", "playing", True, 0, seq, seq, HEADLINE)
            await store.append(Append(match, seq, [BODY], row))
            took.append(time.perf_counter() - now)

    await asyncio.gather(*(write() for _ in range(writers)))
    return took, time.perf_counter() - begin


def _bare(file: str, seconds: float) -> float:
    """Inserts a second, each committed."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE log (match, seq, body, PRIMARY KEY (match, seq))")
    begin, count = time.perf_counter(), 0
    while time.perf_counter() < begin + seconds:
        count += 1
        connection.execute("INSERT INTO log VALUES ('match', ?, ?)", (count, BODY))
    connection.close()
    return count / (time.perf_counter() - begin)
