"""Durable appends per second, on SQLite and, if it is installed, PostgreSQL.

Each writer appends to its own match, one entry after another, and waits for each: one writer shows
how long an append takes, a hundred show how many are made durable together. ``-- URL`` measures
your own, empty database instead.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from tests.server.servers import Postgres, ServerMissing

from bench.progress import progress
from bench.report import ROOT
from watermeet.server.store.factory import open_store
from watermeet.server.store.rows import Append, MatchRow
from watermeet.server.store.store import Store
from watermeet.testing.speed import Measurement

TITLE = "Durable appends"
WRITERS = (1, 10, 100)
BODY = b'{"kind":"played","at":1763200000000,"seat":1,"action":1234,"client_id":"0123456789ab"}'
HEADLINE = b'{"seats":["Ann","Bob"],"to_move":1,"options":{"size":9}}'


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """Measure the databases."""
    found = []
    with databases(arguments) as urls:
        for url in urls:
            found += asyncio.run(measure_store(url, 3 * seconds))
    return found


@contextmanager
def databases(urls: list[str]) -> Iterator[list[str]]:
    """The databases to measure: those given, or a file and a server of our own."""
    if urls:
        yield urls
        return
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:  # On disk: /tmp may be in memory.
        here = [f"sqlite:///{folder}/matches.db"]
        try:
            server = Postgres()
        except ServerMissing as missing:
            progress(f"PostgreSQL skipped: {missing}")
            yield here
            return
        try:
            server.start()
            yield [*here, server.new_database()]
        finally:
            server.remove()


async def measure_store(url: str, seconds: float) -> list[Measurement]:
    """Measure one database."""
    name = url.partition(":")[0]
    store = await open_store(url)
    try:
        await rate(store, 10, min(seconds, 1.0))  # Warm up connections, statements and files.
        return [await measurement(store, name, writers, seconds) for writers in WRITERS]
    finally:
        await store.close()


async def measurement(store: Store, name: str, writers: int, seconds: float) -> Measurement:
    """Appends per second, with their latency."""
    count, took, elapsed = await rate(store, writers, seconds)
    quantiles = statistics.quantiles(took, n=100)
    note = f"median {1000 * quantiles[49]:.1f} ms, p99 {1000 * quantiles[98]:.1f} ms"
    what = f"{writers} writer{'s' if writers > 1 else ''}"
    return Measurement(name, what, count / elapsed, "appends/s", note)


async def rate(store: Store, writers: int, seconds: float) -> tuple[int, list[float], float]:
    """The number of acknowledged appends, their latencies, and the elapsed time."""
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
    return len(took), took, time.perf_counter() - begin
