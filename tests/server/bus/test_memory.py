"""The bus in memory: nothing piles up."""

from __future__ import annotations

import pytest

from watermeet.server.bus.memory import MemoryBus

pytestmark = pytest.mark.anyio


async def test_expired_keys_do_not_pile_up() -> None:
    now = 0.0
    bus = MemoryBus(clock=lambda: now)
    for number in range(10_000):
        now = float(number)
        await bus.touch(f"key {number}", 10)
    assert len(bus._expiry) < 200
    assert await bus.is_present("key 9999")
    assert not await bus.is_present("key 9000")


async def test_topics_without_subscribers_do_not_pile_up() -> None:
    bus = MemoryBus()
    subscription = bus.subscribe()
    for number in range(100):
        await subscription.add(f"topic {number}")
        await bus.publish(f"unheard {number}", b"")
    await subscription.close()
    assert not bus._subscribers
    assert not bus._open
