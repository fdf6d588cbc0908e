"""Both buses, in memory and with a real server; and what is in memory alone doesn't pile up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from watermeet.server.bus.bus import Bus, Gap, Message, Subscription
from watermeet.server.bus.factory import open_bus
from watermeet.server.bus.memory import MemoryBus

pytestmark = pytest.mark.anyio
SOON = 10.0


@pytest.fixture
async def bus(bus_url: str | None) -> AsyncIterator[Bus]:
    opened = await open_bus(bus_url)
    yield opened
    await opened.close()


async def received(subscription: Subscription, count: int) -> list[Message | Gap]:
    iterator = aiter(subscription)
    return [await asyncio.wait_for(anext(iterator), SOON) for _ in range(count)]


async def rest(subscription: Subscription) -> list[Message | Gap]:
    return [message async for message in subscription]


async def test_a_subscription_receives_its_topics_in_order(bus: Bus) -> None:
    one, both, none = bus.subscribe(), bus.subscribe(), bus.subscribe()
    await one.add("a")
    await both.add("a")
    await both.add("b")
    await none.add("c")
    await bus.publish("a", b"1")
    await bus.publish("b", b"\x00\xff")
    await bus.publish("a", b"3")
    await bus.publish("c", b"last")
    assert await received(one, 2) == [Message("a", b"1"), Message("a", b"3")]
    assert await received(both, 3) == [
        Message("a", b"1"),
        Message("b", b"\x00\xff"),
        Message("a", b"3"),
    ]
    assert await received(none, 1) == [Message("c", b"last")]


async def test_everything_published_after_adding_a_topic_arrives(bus: Bus) -> None:
    """Also if the topic was added and removed before, or somebody else is just removing it."""
    other = bus.subscribe()
    for number in range(30):
        subscription, topic = bus.subscribe(), f"t{number % 3}"
        adding = asyncio.ensure_future(other.add(topic))
        await asyncio.sleep(0)
        await other.remove(topic)
        await subscription.add(topic)
        await bus.publish(topic, b"%d" % number)
        assert await received(subscription, 1) == [Message(topic, b"%d" % number)]
        await subscription.close()
        await adding


async def test_a_removed_topic_is_silent(bus: Bus) -> None:
    leaver, stayer = bus.subscribe(), bus.subscribe()
    for subscription in (leaver, stayer):
        await subscription.add("a")
        await subscription.add("b")
    await leaver.remove("a")
    await leaver.remove("a")
    await leaver.remove("never added")
    await bus.publish("a", b"1")
    await bus.publish("b", b"2")
    assert await received(leaver, 1) == [Message("b", b"2")]
    assert await received(stayer, 2) == [Message("a", b"1"), Message("b", b"2")]


async def test_a_slow_subscriber_gets_one_gap_and_then_new_messages(bus: Bus) -> None:
    slow, quick = bus.subscribe(), bus.subscribe()
    await slow.add("a")
    await quick.add("b")
    for number in range(1001):
        await bus.publish("a", b"%d" % number)
    await bus.publish("a", b"new")
    await bus.publish("b", b"quick")
    assert await received(quick, 1) == [Message("b", b"quick")]
    assert await received(slow, 2) == [Gap(), Message("a", b"new")]


async def test_presence_expires(bus: Bus) -> None:
    assert not await bus.is_present("ann")
    await bus.touch("ann", 60)
    await bus.touch("bob", 0.05)
    assert await bus.is_present("ann")
    await asyncio.sleep(0.1)
    assert not await bus.is_present("bob")
    await bus.touch("bob", 60)
    assert await bus.is_present("bob")
    await bus.forget("bob")
    await bus.forget("nobody")
    assert not await bus.is_present("bob")


async def test_closing_a_bus_ends_iterations_and_leaves_no_tasks_or_threads(
    bus_url: str | None,
) -> None:
    tasks, threads = asyncio.all_tasks(), threading.active_count()
    bus = await open_bus(bus_url)
    subscription, other = bus.subscribe(), bus.subscribe()
    await subscription.add("a")
    waiting = asyncio.ensure_future(rest(other))
    await bus.publish("a", b"1")
    assert await received(subscription, 1) == [Message("a", b"1")]
    await other.close()
    assert await asyncio.wait_for(waiting, SOON) == []
    await other.add("a")
    await bus.publish("a", b"2")
    assert await rest(other) == []
    await bus.close()
    await bus.close()
    assert await rest(subscription) == []
    assert asyncio.all_tasks() == tasks
    assert threading.active_count() == threads


# ---- in memory -----------------------------------------------------------------------------------


async def test_expired_keys_and_topics_without_subscribers_do_not_pile_up() -> None:
    now = 0.0
    bus = MemoryBus(clock=lambda: now)
    for number in range(1_000):
        now = float(number)
        await bus.touch(f"key {number}", 10)
    assert len(bus._expiry) < 100
    assert await bus.is_present("key 999")
    assert not await bus.is_present("key 900")
    subscription = bus.subscribe()
    for number in range(100):
        await subscription.add(f"topic {number}")
        await bus.publish(f"unheard {number}", b"")
    await subscription.close()
    assert not bus._subscribers
    assert not bus._open
