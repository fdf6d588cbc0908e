"""Several buses as one."""

from __future__ import annotations

import pytest
from tests.server.bus.test_bus import received

from watermeet.server.bus.bus import Gap, Message
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.bus.sharded import ShardedBus

pytestmark = pytest.mark.anyio


async def test_a_match_stays_on_one_bus_and_gaps_come_from_each() -> None:
    parts = [MemoryBus(), MemoryBus()]
    bus = ShardedBus(parts)
    subscription = bus.subscribe()
    matches = [f"m{number}" for number in range(8)]
    for match in matches:
        await subscription.add(f"match:{match}")
        await subscription.add(f"notes:{match}")
        await bus.touch(f"here:{match}:0", 60)
    for match in matches:
        homes = [part for part in parts if f"match:{match}" in part._subscribers]
        assert len(homes) == 1
        assert f"notes:{match}" in homes[0]._subscribers
        assert await homes[0].is_present(f"here:{match}:0")
        await bus.publish(f"match:{match}", b"1")
    assert all(part._subscribers for part in parts)
    assert await received(subscription, 8) == [Message(f"match:{each}", b"1") for each in matches]
    for part in parts:
        for each in part._open:  # As a bus does that was down.
            each.put_gap()
        assert await received(subscription, 1) == [Gap()]
    await bus.forget("here:m0:0")
    assert not await bus.is_present("here:m0:0")
    await bus.close()
    assert not any(part._subscribers or part._open for part in parts)
