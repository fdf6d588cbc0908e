"""The hub: whoever follows hears everything once, whatever happens to the store and the bus."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from watermeet.server.api import hub as hubs
from watermeet.server.api.connection import Connection
from watermeet.server.api.hub import Follower, Hub
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.errors import StoreUnavailable
from watermeet.server.matches.commands import Join, Play
from watermeet.server.matches.service import LiveMatch, Matches
from watermeet.server.matches.setup import MatchSetup, SeatPlan
from watermeet.server.metrics import Metrics
from watermeet.server.store.rows import LogRow
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


class Line:
    """A socket that keeps what is sent."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    async def send_text(self, data: str) -> None:
        self.heard.append(json.loads(data))

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Nothing is to be ended."""


class Flaky:
    """A store that can be away for those who read."""

    def __init__(self, store: Store) -> None:
        self._store, self.is_away = store, False

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def read(self, match: str, after: int = 0) -> list[LogRow]:
        if self.is_away:
            raise StoreUnavailable("away", "")
        return await self._store.read(match, after)


class Side:
    """A node: its tables, its hub, and who follows there."""

    def __init__(self, store: Any, bus: MemoryBus) -> None:
        self.matches = Matches(store, bus, Metrics(), lambda: 1_000_000)
        self.hub = Hub(self.matches, bus, lambda: 1_000_000)

    async def follow(self, match: str, seat: int | None = None) -> tuple[Follower, Line]:
        line = Line()
        connection = Connection(line, 64)
        connection.start()
        return await self.hub.follow(connection, match, seat, None), line


@pytest.fixture
async def sides(
    file_store: Store, memory_bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Side, Side, Flaky]]:
    monkeypatch.setattr(hubs, "RETRY_S", 0.02)
    flaky = Flaky(file_store)
    here, there = Side(flaky, memory_bus), Side(file_store, memory_bus)
    for side in (here, there):
        side.hub.start()
    yield here, there, flaky
    for side in (here, there):
        await side.hub.close()
        await side.matches.close()


async def match_at(side: Side) -> LiveMatch:
    plans = (SeatPlan(), SeatPlan())
    live = await side.matches.create(MatchSetup(game=GAME, seats=plans), lambda _: [])
    for seat in (0, 1):
        await side.matches.do(live.match.id, seat, Join(user=f"u{seat}", name=f"U{seat}"))
    return live


async def move(side: Side, live: LiveMatch) -> int:
    state = live.match.state
    play = Play(state.legal_actions[0])
    await side.matches.do(live.match.id, state.to_move, play, client_id="m")
    return live.match.seq


async def heard(line: Line, seq: int) -> None:
    async with asyncio.timeout(10):
        while not line.heard or line.heard[-1].get("seq") != seq:
            await asyncio.sleep(0.005)


async def test_another_node_s_moves_are_heard(sides: tuple[Side, Side, Flaky]) -> None:
    here, there, _ = sides
    live = await match_at(there)
    _, line = await here.follow(live.match.id, 0)
    await heard(line, await move(there, live))


async def test_who_leaves_while_another_comes_does_not_make_it_deaf(
    sides: tuple[Side, Side, Flaky], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, _ = sides
    live = await match_at(there)
    first, _ = await here.follow(live.match.id, 0)
    reading, go_on = asyncio.Event(), asyncio.Event()
    catch_up = here.matches.catch_up

    async def slow(match: str) -> LiveMatch | None:
        reading.set()
        await go_on.wait()
        return await catch_up(match)

    monkeypatch.setattr(here.matches, "catch_up", slow)
    coming = asyncio.create_task(here.follow(live.match.id, 1))
    await reading.wait()
    await here.hub.unfollow(first)
    go_on.set()
    _, line = await coming
    await heard(line, await move(there, live))


async def test_what_could_not_be_read_is_read_later(sides: tuple[Side, Side, Flaky]) -> None:
    here, there, flaky = sides
    live = await match_at(there)
    _, line = await here.follow(live.match.id, 0)
    flaky.is_away = True
    seq = await move(there, live)
    await asyncio.sleep(0.1)
    assert line.heard[-1]["seq"] < seq
    flaky.is_away = False
    await heard(line, seq)


async def test_what_nobody_thought_of_makes_nobody_deaf(
    sides: tuple[Side, Side, Flaky], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, flaky = sides
    live, other = await match_at(there), await match_at(there)
    _, line = await here.follow(other.match.id, 0)
    await here.follow(live.match.id, 0)

    async def broken(match: str, after: int = 0) -> list[LogRow]:
        if match == live.match.id:
            raise ValueError("nobody thought of this")
        return await there.matches._store.read(match, after)

    monkeypatch.setattr(flaky, "read", broken)
    await move(there, live)
    await asyncio.sleep(0.05)
    await heard(line, await move(there, other))


async def test_a_node_that_died_before_it_told_is_found_out(
    sides: tuple[Side, Side, Flaky], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, _ = sides
    monkeypatch.setattr(hubs, "RECHECK_S", 0.05)
    live = await match_at(there)
    _, line = await here.follow(live.match.id, 0)

    async def dead(_: LiveMatch) -> None:
        """It wrote, and tells nobody."""

    monkeypatch.setattr(there.matches, "_publish", dead)
    await heard(line, await move(there, live))


async def test_a_follower_that_could_not_begin_is_forgotten(
    sides: tuple[Side, Side, Flaky],
) -> None:
    here, there, flaky = sides
    live = await match_at(there)
    flaky.is_away = True
    with pytest.raises(StoreUnavailable):
        await here.follow(live.match.id, 0)
    assert not here.hub.has_seat(live.match.id, 0)
