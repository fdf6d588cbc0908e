"""Threads for what people have sent: everybody has a share, and a deadline."""

from __future__ import annotations

import asyncio
import threading

import pytest

from watermeet.server import fair_threads
from watermeet.server.errors import TooMany
from watermeet.server.fair_threads import FairThreads

pytestmark = pytest.mark.anyio


async def test_one_person_has_a_share_and_others_have_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fair_threads, "DEADLINE_S", 0.2)
    monkeypatch.setattr(fair_threads, "MAX_WAITING", 3)
    threads, release = FairThreads("test", 2), threading.Event()
    eves = [asyncio.create_task(threads.run("eve", release.wait)) for _ in range(4)]
    await asyncio.sleep(0)
    with pytest.raises(TooMany):
        await threads.run("eve", str)
    assert [await threads.run("bob", str.upper, each) for each in ("a", "b")] == ["A", "B"]
    found = await asyncio.gather(*eves, return_exceptions=True)
    assert [type(each) for each in found] == [TooMany] * 4, "their time is over"
    assert await threads.run("bob", str.upper, "c") == "C"
    release.set()
    with pytest.raises(ZeroDivisionError):
        await threads.run("eve", divmod, 1, 0)
    threads.close()


async def test_somebody_new_is_next_however_many_others_wait() -> None:
    threads, release = FairThreads("test", 1), threading.Event()
    done: list[str] = []
    crowd = [f"mallory {number}" for number in range(20)]
    running = asyncio.create_task(threads.run("mallory 0", release.wait))
    queue = [asyncio.create_task(threads.run(who, done.append, who)) for who in crowd * 30]
    await asyncio.sleep(0)
    release.set()
    while len(done) < 40:
        await asyncio.sleep(0)
    before = len(done)
    await threads.run("ada", done.append, "ada")
    assert done.index("ada") - before <= 1
    await asyncio.gather(running, *queue)
    threads.close()
