"""A crash loses nothing that was acknowledged, and leaves nothing half-written."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.server.servers import Postgres
from tests.server.store import writer

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store.factory import open_store
from watermeet.server.store.rows import LogRow
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio


async def check(store: Store, acknowledged: dict[str, int]) -> int:
    """Every log is complete, holds what was acknowledged, and agrees with its row."""
    count = 0
    for match in writer.MATCHES:
        log = await store.read(match)
        found = [LogRow(each.seq, each.body.rstrip(b".")) for each in log]
        assert found == [LogRow(seq, b"entry %d" % seq) for seq in range(1, len(log) + 1)]
        assert len(log) >= acknowledged.get(match, 0)
        assert len(log) % 2 == 0, "an append was written by half"
        row = await store.match_row(match)
        assert (row.headline if row else b"0") == b"%d" % len(log)
        count += len(log)
    return count


@pytest.mark.parametrize(
    "rounds",
    [pytest.param(2, marks=pytest.mark.slow), pytest.param(20, marks=pytest.mark.nightly)],
)
async def test_sqlite_keeps_what_it_acknowledged_when_its_process_is_killed(
    tmp_path: Path, rounds: int
) -> None:
    """From outside at some moment, or by itself right after an acknowledgement, in turn."""
    url, counts = f"sqlite:///{tmp_path}/matches.db", [0]
    for number in range(rounds):
        count, size = (30, 30_000) if number % 2 else (10**9, 0)
        command = [sys.executable, writer.__file__, url, str(random.randint(1, count)), str(size)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline()]
            if not size:
                time.sleep(random.uniform(0.0, 0.2))
                process.send_signal(signal.SIGKILL)
            lines += process.stdout.readlines()
        assert process.returncode == -signal.SIGKILL
        words = [line.decode().strip().rpartition(" ") for line in lines]
        store = await open_store(url)
        counts.append(await check(store, {match: int(seq) for match, _, seq in words}))
        await store.close()
    assert counts == sorted(set(counts)), "a round wrote nothing"


@pytest.mark.nightly
async def test_postgresql_keeps_what_it_acknowledged_when_it_is_killed(
    own_postgres: Postgres,
) -> None:
    url = await asyncio.to_thread(own_postgres.new_database)
    counts = [0]
    store = await open_store(url)  # One for all rounds: it reconnects automatically.
    for _ in range(5):
        acknowledged: dict[str, int] = {}
        tasks = [
            asyncio.ensure_future(write(store, match, acknowledged)) for match in writer.MATCHES
        ]
        async with asyncio.timeout(30):  # Everybody has begun, also on a busy machine.
            while len(acknowledged) < len(writer.MATCHES):
                await asyncio.sleep(0.01)
        await asyncio.sleep(random.uniform(0.0, 0.3))
        await asyncio.to_thread(own_postgres.kill)
        await asyncio.gather(*tasks)
        with pytest.raises(StoreUnavailable, match="check that the server runs"):
            await store.read("match 0")
        await asyncio.to_thread(own_postgres.start)
        counts.append(await check(store, acknowledged))
    await store.close()
    assert counts == sorted(set(counts)), "a round wrote nothing"


async def write(store: Store, match: str, acknowledged: dict[str, int]) -> None:
    """Append as the program does, until the database is unavailable."""
    seq = len(await store.read(match))
    while True:
        try:
            await store.append(writer.append_at(match, seq))
        except StoreUnavailable:
            return
        seq += 2
        acknowledged[match] = seq
