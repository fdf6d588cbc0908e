"""A program that appends until it is killed, and prints what was acknowledged: ``match seq``.

    writer.py URL COUNT SIZE

After COUNT acknowledgements it kills itself at once: what isn't on its way to the disk
by then is lost. Entries are padded to SIZE bytes, so writing them takes time.
Each append writes two entries, and their last number into the row of the match.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys

from watermeet.server.store.factory import open_store
from watermeet.server.store.rows import Append, MatchRow
from watermeet.server.store.store import Store

MATCHES = [f"match {number}" for number in range(12)]
ACKNOWLEDGED = itertools.count(1)


def append_at(match: str, seq: int, size: int = 0) -> Append:
    """The next entries of a log that ends at ``seq``."""
    bodies = [(b"entry %d" % number).ljust(size, b".") for number in (seq + 1, seq + 2)]
    row = MatchRow(match, "toy", "playing", True, 0, seq + 2, None, b"%d" % (seq + 2))
    return Append(match, seq + 1, bodies, row)


async def write(store: Store, match: str, count: int, size: int) -> None:
    """Append to one match until killed."""
    seq = len(await store.read(match))
    while True:
        await store.append(append_at(match, seq, size))
        seq += 2
        os.write(1, f"{match} {seq}\n".encode())
        if next(ACKNOWLEDGED) == count:
            os.kill(os.getpid(), signal.SIGKILL)


async def main() -> None:
    """Append to all matches concurrently."""
    url, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    store = await open_store(url)
    await asyncio.gather(*(write(store, match, count, size) for match in MATCHES))


if __name__ == "__main__":
    asyncio.run(main())
