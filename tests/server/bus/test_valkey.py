"""A bus that goes down and comes back: nobody waits for it, and everyone gets a Gap."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import AsyncIterator

import pytest
from tests.server.servers import Valkey, free_port

from watermeet.server.bus import valkey as valkeys
from watermeet.server.bus.bus import Gap, Message, Subscription
from watermeet.server.bus.factory import open_bus
from watermeet.server.bus.valkey import ValkeyBus
from watermeet.server.errors import BusUnavailable

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SOON = 15.0


@pytest.fixture
async def buses(valkey: Valkey, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[ValkeyBus]]:
    """Of two nodes, which notice sooner than usual what is down."""
    monkeypatch.setattr(valkeys, "ALIVE_S", 0.2)
    monkeypatch.setattr(valkeys, "SILENT_S", 1.0)
    opened = [await ValkeyBus.open(valkey.url, ping_s=0.3) for _ in range(2)]
    yield opened
    for bus in opened:
        await bus.close()


async def until_down(*buses: ValkeyBus) -> None:
    async with asyncio.timeout(SOON):
        while any(bus._is_up.is_set() for bus in buses):
            await asyncio.sleep(0.01)


async def next_of(subscription: Subscription) -> Message | Gap:
    return await asyncio.wait_for(anext(aiter(subscription)), SOON)


async def test_nodes_receive_each_others_messages_or_a_gap(buses: list[ValkeyBus]) -> None:
    here, there = buses
    subscription = there.subscribe()
    await subscription.add("a")
    await here.publish("a", b"1")
    await here.touch("ann", 60)
    assert await next_of(subscription) == Message("a", b"1")
    assert await there.is_present("ann")
    await there.forget("ann")
    assert not await here.is_present("ann")
    here._is_up.clear()  # As if only this node had lost the server.
    await here.publish("a", b"lost")
    here._is_up.set()
    assert await next_of(subscription) == Gap()


async def test_after_a_restart_everyone_gets_a_gap_and_new_messages(
    valkey: Valkey, buses: list[ValkeyBus]
) -> None:
    here, there = buses
    subscriptions = [bus.subscribe() for bus in buses for _ in range(2)]
    for number, subscription in enumerate(subscriptions):
        await subscription.add("all")
        await subscription.add(f"own {number}")
    await here.touch("ann", 0.5)
    assert not await here.is_present("bob")
    valkey.kill()
    await until_down(here, there)
    begin = time.monotonic()
    await subscriptions[0].add("while down")
    await here.publish("all", b"lost")
    await here.touch("ann", 0.5)
    await here.forget("carl")
    assert await here.is_present("bob"), "everybody counts as present while the bus is down"
    assert time.monotonic() - begin < 1.0, "nobody waits for it"
    valkey.start()
    for subscription in subscriptions:
        assert await next_of(subscription) == Gap()
    assert await here.is_present("bob")  # A restarted server knows nobody yet,
    await asyncio.sleep(0.6)  # and the lost message may have caused a second Gap,
    assert not await here.is_present("bob")  # but by now everyone could have touched it.
    await there.publish("while down", b"0")
    await there.publish("all", b"1")
    for number, subscription in enumerate(subscriptions):
        found = [await next_of(subscription)]
        while found[-1] != Message("all", b"1"):
            found.append(await next_of(subscription))
        assert found.count(Gap()) <= 1
        if number == 0 and Gap() not in found:
            assert Message("while down", b"0") in found


async def test_a_hanging_server_counts_as_down(valkey: Valkey, buses: list[ValkeyBus]) -> None:
    subscription = buses[0].subscribe()
    await subscription.add("a")
    os.kill(valkey.pid, signal.SIGSTOP)
    try:
        await until_down(buses[0])
        assert await buses[0].is_present("anybody")
    finally:
        os.kill(valkey.pid, signal.SIGCONT)
    assert await next_of(subscription) == Gap()


async def test_a_node_can_start_and_end_while_the_bus_is_down() -> None:
    tasks = asyncio.all_tasks()
    bus = await open_bus(f"redis://127.0.0.1:{free_port()}")
    await bus.subscribe().add("a")
    await bus.close()
    server = Valkey()
    bus = await open_bus(server.url)
    subscription = bus.subscribe()
    try:
        await subscription.add("a")
        await bus.publish("a", b"lost")
        server.start()
        assert await next_of(subscription) == Gap()
        await asyncio.sleep(0.3)
        await bus.publish("a", b"1")
        assert await next_of(subscription) in (Gap(), Message("a", b"1"))
    finally:
        await bus.close()
        server.remove()
    assert asyncio.all_tasks() == tasks
    with pytest.raises(BusUnavailable, match="valkey://"):
        await open_bus("http://example.org")


async def test_a_bus_can_be_closed_at_any_moment(valkey: Valkey) -> None:
    tasks = asyncio.all_tasks()
    for number in range(60):
        bus = ValkeyBus(valkey.url)
        bus._start()
        for _ in range(number // 2):
            await asyncio.sleep(0)
        if number % 2:
            await asyncio.sleep(random.uniform(0.0, 0.003))
        await asyncio.wait_for(bus.close(), SOON)
    assert asyncio.all_tasks() == tasks


async def test_a_node_that_dies_leaves_a_gap_and_one_that_ends_none(
    buses: list[ValkeyBus], valkey: Valkey
) -> None:
    here, there = buses
    subscription = here.subscribe()
    await subscription.add("a")
    ends, dies = [await ValkeyBus.open(valkey.url) for _ in range(2)]
    async with asyncio.timeout(SOON):
        while not {there._name, ends._name, dies._name} <= set(here._alive_at):
            await asyncio.sleep(0.01)
    await ends.close()
    await asyncio.sleep(valkeys.SILENT_S + 2 * valkeys.ALIVE_S)
    await there.publish("a", b"1")
    assert await next_of(subscription) == Message("a", b"1")
    for task in dies._tasks:  # Killed: it neither sends nor says goodbye.
        task.cancel()
    assert await next_of(subscription) == Gap()
    await dies.close()
