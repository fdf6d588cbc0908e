"""When a topic counts as subscribed; the test plays the server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from watermeet.server.bus.bus import Message
from watermeet.server.bus.valkey import ValkeyBus

pytestmark = pytest.mark.anyio


class Mute:
    """A connection that accepts commands and replies to none."""

    is_connected = True

    def __init__(self) -> None:
        self.sent: list[tuple[Any, ...]] = []

    async def send_command(self, *command: Any) -> None:
        self.sent.append(command)


def connected() -> tuple[ValkeyBus, Mute]:
    bus, connection = ValkeyBus("valkey://127.0.0.1"), Mute()
    bus._connection = connection  # type: ignore[assignment]
    return bus, connection


async def is_done(task: asyncio.Future[None]) -> bool:
    for _ in range(5):
        await asyncio.sleep(0)
    return task.done()


CONFIRMED = [b"subscribe", b"watermeet:t", 1]


async def test_a_topic_is_added_once_the_server_confirms_it() -> None:
    bus, connection = connected()
    one, two = bus.subscribe(), bus.subscribe()
    adding = [asyncio.ensure_future(each.add("t")) for each in (one, two)]
    assert not await is_done(adding[0])
    assert not await is_done(adding[1])
    assert connection.sent == [("SUBSCRIBE", "watermeet:t")]
    bus._handle(CONFIRMED)
    await asyncio.gather(*adding)
    bus._handle([b"message", b"watermeet:t", b"1"])
    assert await anext(aiter(one)) == Message("t", b"1")
    await bus.close()


async def test_an_earlier_confirmation_does_not_count() -> None:
    bus, _ = connected()
    one, two = bus.subscribe(), bus.subscribe()
    first = asyncio.ensure_future(one.add("t"))
    assert not await is_done(first)
    await one.remove("t")
    await first
    second = asyncio.ensure_future(two.add("t"))
    assert not await is_done(second)
    bus._handle(CONFIRMED)
    bus._handle([b"unsubscribe", b"watermeet:t", 0])
    assert not await is_done(second)
    bus._handle(CONFIRMED)
    await second
    await bus.close()


async def test_nobody_waits_for_a_server_that_is_down() -> None:
    bus, _ = connected()
    adding = asyncio.ensure_future(bus.subscribe().add("t"))
    assert not await is_done(adding)
    bus._on_down()
    assert await is_done(adding)
    await bus.close()
