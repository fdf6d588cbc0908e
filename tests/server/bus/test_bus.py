"""What every bus does: that in memory, and a real server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from watermeet.server.bus.bus import Bus, Gap, Message, Subscription
from watermeet.server.bus.factory import open_bus

pytestmark = pytest.mark.anyio
SOON = 10.0


@pytest.fixture
async def bus(bus_url: str | None) -> AsyncIterator[Bus]:
    opened = await open_bus(bus_url)
    yield opened
    await opened.close()


async def heard(subscription: Subscription, count: int) -> list[Message | Gap]:
    iterator = aiter(subscription)
    return [await asyncio.wait_for(anext(iterator), SOON) for _ in range(count)]


async def test_a_listener_hears_its_topics_in_order(bus: Bus) -> None:
    one, both, none = bus.subscribe(), bus.subscribe(), bus.subscribe()
    await one.add("a")
    await both.add("a")
    await both.add("b")
    await none.add("c")
    await bus.publish("a", b"1")
    await bus.publish("b", b"\x00\xff")
    await bus.publish("a", b"3")
    await bus.publish("c", b"last")
    assert await heard(one, 2) == [Message("a", b"1"), Message("a", b"3")]
    assert await heard(both, 3) == [
        Message("a", b"1"),
        Message("b", b"\x00\xff"),
        Message("a", b"3"),
    ]
    assert await heard(none, 1) == [Message("c", b"last")]


async def test_what_is_published_after_a_topic_was_added_arrives(bus: Bus) -> None:
    for number in range(50):
        listener = bus.subscribe()
        await listener.add(f"t{number % 3}")  # Taken, left and taken again.
        await bus.publish(f"t{number % 3}", b"%d" % number)
        assert await heard(listener, 1) == [Message(f"t{number % 3}", b"%d" % number)]
        await listener.close()


async def test_a_topic_taken_again_in_a_hurry_is_up(bus: Bus) -> None:
    listener, first = bus.subscribe(), bus.subscribe()
    for number in range(20):
        adding = asyncio.ensure_future(first.add("t"))
        await asyncio.sleep(0)
        await first.remove("t")
        await listener.add("t")
        await bus.publish("t", b"%d" % number)
        assert await heard(listener, 1) == [Message("t", b"%d" % number)]
        await listener.remove("t")
        await adding


async def test_a_topic_that_was_removed_is_heard_no_more(bus: Bus) -> None:
    leaver, stayer = bus.subscribe(), bus.subscribe()
    for listener in (leaver, stayer):
        await listener.add("a")
        await listener.add("b")
    await leaver.remove("a")
    await leaver.remove("a")
    await leaver.remove("never added")
    await bus.publish("a", b"1")
    await bus.publish("b", b"2")
    assert await heard(leaver, 1) == [Message("b", b"2")]
    assert await heard(stayer, 2) == [Message("a", b"1"), Message("b", b"2")]


async def test_who_is_too_slow_gets_one_gap_and_then_what_is_new(bus: Bus) -> None:
    slow, quick = bus.subscribe(), bus.subscribe()
    await slow.add("a")
    await quick.add("b")
    for number in range(1001):
        await bus.publish("a", b"%d" % number)
    await bus.publish("a", b"new")
    await bus.publish("b", b"quick")
    assert await heard(quick, 1) == [Message("b", b"quick")]
    assert await heard(slow, 2) == [Gap(), Message("a", b"new")]


async def test_closing_ends_the_iteration_even_of_who_waits(bus: Bus) -> None:
    listener = bus.subscribe()
    await listener.add("a")

    async def listen() -> list[Message | Gap]:
        return [message async for message in listener]

    waiting = asyncio.ensure_future(listen())
    await asyncio.sleep(0.01)
    await listener.close()
    assert await asyncio.wait_for(waiting, SOON) == []
    await bus.publish("a", b"1")
    await listener.add("a")
    assert [message async for message in listener] == []
    await listener.close()


async def test_presence_lasts_as_long_as_was_said(bus: Bus) -> None:
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


async def test_nothing_is_left_when_a_bus_is_closed(bus_url: str | None) -> None:
    tasks, threads = asyncio.all_tasks(), threading.active_count()
    bus = await open_bus(bus_url)
    listener = bus.subscribe()
    await listener.add("a")
    await bus.publish("a", b"1")
    waiting = asyncio.ensure_future(heard(listener, 1))
    await waiting
    await bus.close()
    await bus.close()
    assert [message async for message in listener] == []
    assert asyncio.all_tasks() == tasks
    assert threading.active_count() == threads
