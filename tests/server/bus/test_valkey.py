"""A bus that goes away and comes back: nobody waits for it, and who missed something is told."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import AsyncIterator

import pytest
from tests.server.servers import Valkey, free_port

from watermeet.server.bus.bus import Gap, Message
from watermeet.server.bus.factory import open_bus
from watermeet.server.bus.valkey import ValkeyBus
from watermeet.server.errors import BusUnavailable

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SOON = 15.0


@pytest.fixture
async def buses(valkey: Valkey) -> AsyncIterator[list[ValkeyBus]]:
    opened = [await ValkeyBus.open(valkey.url, ping_s=0.3) for _ in range(2)]
    yield opened
    for bus in opened:
        await bus.close()


async def until_away(*buses: ValkeyBus) -> None:
    async with asyncio.timeout(SOON):
        while any(bus._is_up.is_set() for bus in buses):
            await asyncio.sleep(0.01)


async def test_nodes_hear_each_other(buses: list[ValkeyBus]) -> None:
    here, there = buses
    listener = there.subscribe()
    await listener.add("a")
    await here.publish("a", b"1")
    await here.touch("ann", 60)
    assert await asyncio.wait_for(anext(aiter(listener)), SOON) == Message("a", b"1")
    assert await there.is_present("ann")
    await there.forget("ann")
    assert not await here.is_present("ann")


async def test_after_a_restart_all_get_a_gap_and_hear_again(
    valkey: Valkey, buses: list[ValkeyBus]
) -> None:
    here, there = buses
    listeners = [bus.subscribe() for bus in buses for _ in range(2)]
    for number, listener in enumerate(listeners):
        await listener.add("all")
        await listener.add(f"own {number}")
    valkey.kill()
    await until_away(here, there)
    begin = time.monotonic()
    await listeners[0].add("while away")
    await here.publish("all", b"dropped")
    assert time.monotonic() - begin < 1.0
    valkey.start()
    iterators = [aiter(listener) for listener in listeners]
    for iterator in iterators:
        assert await asyncio.wait_for(anext(iterator), SOON) == Gap()
    await there.publish("while away", b"0")
    await asyncio.sleep(0.3)  # The dropped note may have given a second Gap.
    await there.publish("all", b"1")
    for number, iterator in enumerate(iterators):
        found = [await asyncio.wait_for(anext(iterator), SOON)]
        while found[-1] != Message("all", b"1"):
            found.append(await asyncio.wait_for(anext(iterator), SOON))
        assert len([each for each in found if each == Gap()]) <= 1
        if number == 0 and Gap() not in found:
            assert Message("while away", b"0") in found


async def test_everybody_counts_as_present_while_nobody_can_know(
    valkey: Valkey, buses: list[ValkeyBus]
) -> None:
    here, there = buses
    await here.touch("ann", 0.5)
    assert not await here.is_present("bob")
    valkey.kill()
    await until_away(here, there)
    begin = time.monotonic()
    await here.touch("ann", 0.5)
    await here.forget("carl")
    assert await here.is_present("bob")
    assert time.monotonic() - begin < 1.0
    valkey.start()
    listener = here.subscribe()
    assert await asyncio.wait_for(anext(aiter(listener)), SOON) == Gap()
    assert await here.is_present("bob")  # A server started anew knows nobody yet,
    await asyncio.sleep(0.6)
    assert not await here.is_present("bob")  # but everybody has had the time to touch it.


async def test_a_node_that_noticed_nothing_is_told_of_another_ones_gap(
    buses: list[ValkeyBus],
) -> None:
    here, there = buses
    listener = there.subscribe()
    await listener.add("a")
    here._is_up.clear()  # As if only this node had lost the server.
    await here.publish("a", b"dropped")
    await asyncio.sleep(0.1)
    here._is_up.set()
    assert await asyncio.wait_for(anext(aiter(listener)), SOON) == Gap()


async def test_a_server_that_hangs_is_taken_for_away(
    valkey: Valkey, buses: list[ValkeyBus]
) -> None:
    here, there = buses
    listener = here.subscribe()
    await listener.add("a")
    os.kill(valkey.pid, signal.SIGSTOP)
    try:
        await until_away(here, there)
        assert await here.is_present("anybody")
    finally:
        os.kill(valkey.pid, signal.SIGCONT)
    assert await asyncio.wait_for(anext(aiter(listener)), SOON) == Gap()


async def test_a_node_may_start_while_the_bus_is_away() -> None:
    server = Valkey()
    bus = await open_bus(server.url)
    listener = bus.subscribe()
    try:
        await listener.add("a")
        await bus.publish("a", b"dropped")
        server.start()
        iterator = aiter(listener)
        assert await asyncio.wait_for(anext(iterator), SOON) == Gap()
        await asyncio.sleep(0.3)
        await bus.publish("a", b"1")
        found = await asyncio.wait_for(anext(iterator), SOON)
        assert found in (Gap(), Message("a", b"1"))
    finally:
        await bus.close()
        server.remove()


async def test_a_bus_that_is_away_can_be_closed() -> None:
    tasks = asyncio.all_tasks()
    bus = await open_bus(f"redis://127.0.0.1:{free_port()}")
    await bus.subscribe().add("a")
    await bus.close()
    assert asyncio.all_tasks() == tasks


async def test_a_bus_can_be_closed_at_any_moment(valkey: Valkey) -> None:
    tasks = asyncio.all_tasks()
    for number in range(120):
        bus = ValkeyBus(valkey.url)
        bus._start()
        for _ in range(number % 30):
            await asyncio.sleep(0)
        if number % 2:
            await asyncio.sleep(random.uniform(0.0, 0.003))
        await asyncio.wait_for(bus.close(), SOON)
    assert asyncio.all_tasks() == tasks


async def test_an_address_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(BusUnavailable, match="valkey://"):
        await open_bus("http://example.org")
