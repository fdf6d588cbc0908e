"""How many appends a second are durable, on both engines.

    python bench/store.py                        SQLite, and PostgreSQL if it is installed
    python bench/store.py --url postgresql://... a database of your own instead, which must be empty
    python bench/store.py --write                and writes RESULTS.md

Each writer appends to a match of its own, one entry after the other, and waits for each: so one
writer shows how long an append takes, and a hundred show what is made durable together.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))  # The tests know how to start a PostgreSQL of their own.

from tests.server.servers import Postgres, ServerMissing  # noqa: E402

from watermeet.bench.report import machine, markdown, table, with_section  # noqa: E402
from watermeet.bench.runner import Measurement  # noqa: E402
from watermeet.server.store.factory import open_store  # noqa: E402
from watermeet.server.store.rows import Append, MatchRow  # noqa: E402
from watermeet.server.store.store import Store  # noqa: E402

RESULTS = ROOT / "bench" / "RESULTS.md"
WRITERS = (1, 10, 100)
BODY = b'{"kind":"played","at":1763200000000,"seat":1,"action":1234,"client_id":"0123456789ab"}'
HEADLINE = b'{"seats":["Ann","Bob"],"to_move":1,"options":{"size":9}}'


def main() -> None:
    """Measures and tells."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", action="append", help="a database to measure; may be repeated")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure (3)")
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    chosen = parser.parse_args()
    measurements = []
    with databases(chosen.url) as urls:
        for url in urls:
            measurements += asyncio.run(measure(url, chosen.seconds))
    print(table(measurements))
    if chosen.write:
        heading = f"## Durable appends\n\n{machine()}."
        page = RESULTS.read_text(encoding="utf-8")
        page = with_section(page, "store", f"{heading}\n\n{markdown(measurements)}")
        RESULTS.write_text(page, encoding="utf-8")


@contextmanager
def databases(urls: list[str] | None) -> Iterator[list[str]]:
    """What is to be measured: what was asked for, else a file and a server of our own."""
    if urls:
        yield urls
        return
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:  # On a disk: /tmp may be memory.
        here = [f"sqlite:///{folder}/matches.db"]
        try:
            server = Postgres()
        except ServerMissing as missing:
            print(f"LEFT OUT: PostgreSQL: {missing}", file=sys.stderr)
            yield here
            return
        try:
            server.start()
            yield [*here, server.new_database()]
        finally:
            server.remove()


async def measure(url: str, seconds: float) -> list[Measurement]:
    """The figures of one database."""
    name = url.partition(":")[0]
    store = await open_store(url)
    try:
        await rate(store, 10, min(seconds, 1.0))  # Warms it up: connections, statements, files.
        return [await measurement(store, name, writers, seconds) for writers in WRITERS]
    finally:
        await store.close()


async def measurement(store: Store, name: str, writers: int, seconds: float) -> Measurement:
    """One figure, with how long an append takes."""
    count, took, elapsed = await rate(store, writers, seconds)
    quantiles = statistics.quantiles(took, n=100)
    note = f"median {1000 * quantiles[49]:.1f} ms, 99 of 100 in {1000 * quantiles[98]:.1f} ms"
    what = f"{writers} writer{'s' if writers > 1 else ''}"
    return Measurement(name, what, count / elapsed, "appends/s", note)


async def rate(store: Store, writers: int, seconds: float) -> tuple[int, list[float], float]:
    """How many appends were acknowledged, how long each took, and in what time."""
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


if __name__ == "__main__":
    main()
