"""Rematches, undo and delayed spectators on a real server; and rematches after a crash."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from tests.server.driving import Client, http_client
from tests.server.test_live_clocks import SMALL, Table, live, look

from watermeet.core.kernel import plain_python
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.deadlines import Deadlines
from watermeet.server.errors import StoreUnavailable
from watermeet.server.matches.commands import Join, Offer, Resign, Respond
from watermeet.server.matches.service import REMATCH_DELAY_MS, REMATCH_JOB, Matches
from watermeet.server.matches.setup import MatchSetup, RealTime, SeatPlan
from watermeet.server.metrics import Metrics
from watermeet.server.presence import Presence
from watermeet.server.store.rows import Append
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


async def test_a_rematch_rotates_the_seats(address: str) -> None:
    table = await Table.create(address, game="flume", options=SMALL, time_control=live(60_000))
    await table.done(0, "resign")
    await table.done(0, "offer", what="rematch")
    await table.done(1, "respond", what="rematch", accept=True)
    new = (await table.event("rematched"))["match"]
    old = await table.look()
    assert old["rematch"] == new
    for seat in (0, 1):
        document = await look(table.clients[seat], new)
        assert document["info"]["rematch_of"] == table.match
        assert (document["seat"], document["stage"]) == (1 - seat, "playing")
        assert document["info"]["time_control"] == old["info"]["time_control"]
        assert document["info"]["options"] == old["info"]["options"]
        assert document["clocks"]["running"] is None, "not everybody has arrived"
    started = await table.clients[0].receive("changes")
    assert [event["kind"] for event in started["events"]] == ["started"]
    assert started["position"]["clocks"]["running"] == 0
    assert (await table.do(0, "offer", what="rematch"))["code"] == "no_such_offer"
    table.match = new
    await table.done(1, "play", move="a1")
    async with http_client(address) as http:
        mine = await http.get("/api/me/matches", headers=table.people[0].headers)
    assert new in [each["match"] for each in mine.json()["matches"]]
    await table.close()


async def test_a_rematch_with_a_bot_starts_at_once(address: str) -> None:
    seats = [{}, {"who": "bot", "level": "random"}]
    table = await Table.create(address, 1, game=GAME, seats=seats)
    await table.done(0, "resign")
    await table.done(0, "offer", what="rematch")
    new = (await table.event("rematched"))["match"]
    document = await look(table.clients[0], new)
    assert document["seat"] == 1
    assert [seat["level"] for seat in document["seats"]] == ["random", ""]
    position = document
    while position["view"]["to_move"] == 0:
        message = await table.clients[0].receive("changes")
        position = message["position"]
    await table.close()


# ---- crashes ------------------------------------------------------------------------------------


class Failing:
    """A store that fails when the first entry of another match is written."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def append(self, append: Append) -> None:
        if append.row.stage == "playing" and append.first == 1:
            raise StoreUnavailable("aborted", "")
        await self._store.append(append)


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


async def agreed(matches: Matches) -> tuple[str, str]:
    """A finished match, and the id of the agreed rematch."""
    made = await matches.create(MatchSetup(game=GAME, seats=(SeatPlan(),) * 2), lambda _: [])
    match = made.match.id
    for seat in (0, 1):
        await matches.do(match, seat, Join(user=f"u{seat}", name=f"N{seat}"))
    await matches.do(match, 0, Resign())
    await matches.do(match, 0, Offer(what="rematch"))
    await matches.do(match, 1, Respond(what="rematch", accept=True))
    return match, (await matches.load(match)).match.rematch


async def test_an_agreed_rematch_is_created_despite_a_crash(
    file_store: Store, memory_bus: MemoryBus
) -> None:
    with plain_python():
        now = Clock()
        crashing = Matches(Failing(file_store), memory_bus, Metrics(), now)  # type: ignore[arg-type]
        match, new = await agreed(crashing)
        assert new
        assert await file_store.match_row(new) is None
        other = Matches(file_store, memory_bus, Metrics(), now)
        deadlines = Deadlines(file_store, other, Presence(memory_bus, now), now)
        await deadlines.create_rematches()
        assert await file_store.match_row(new) is None, "who has agreed may still be at it"
        now.now += REMATCH_DELAY_MS
        await deadlines.create_rematches()
        made = (await other.load(new)).match
        assert (made.stage, made.created.rematch_of) == ("playing", match)
        assert [seat.user for seat in made.seats] == ["u1", "u0"]
        assert [row.id for row in await file_store.matches_of("u0", before=None, limit=9)] == [
            new,
            match,
        ]
        assert await file_store.lease([REMATCH_JOB], "w", 10**15, 10**15 + 1) is None


async def test_a_rematch_is_created_once(file_store: Store, memory_bus: MemoryBus) -> None:
    with plain_python():
        now = Clock()
        nodes = [Matches(file_store, memory_bus, Metrics(), now) for _ in range(3)]
        match, new = await agreed(nodes[0])
        log = await file_store.read(new)
        found = [(await node.load(match)).match for node in nodes]
        await asyncio.gather(
            *(node.make_rematch(each) for node, each in zip(nodes, found, strict=True))
        )
        assert await file_store.read(new) == log
        assert await file_store.lease([REMATCH_JOB], "w", 10**15, 10**15 + 1) is None


# ---- arriving -----------------------------------------------------------------------------------


async def waiting(matches: Matches) -> str:
    """A match with a clock that both have joined, before either has arrived."""
    setup = MatchSetup(game=GAME, seats=(SeatPlan(),) * 2, time_control=RealTime(60_000))
    match = (await matches.create(setup, lambda _: [])).match.id
    for seat in (0, 1):
        await matches.do(match, seat, Join(user=f"u{seat}", name=f"N{seat}"))
    return match


async def test_the_first_clock_starts_when_all_have_arrived_on_any_node(
    file_store: Store, memory_bus: MemoryBus
) -> None:
    with plain_python():
        now = Clock()
        first, second = (Matches(file_store, memory_bus, Metrics(), now) for _ in range(2))
        match = await waiting(first)
        await second.load(match)
        await first.touch(match, 0)
        assert (await first.current(match)).match.waits
        now.now += 2_000
        await second.touch(match, 1)
        started = (await first.current(match)).match
        assert (started.waits, started.clocks.since) == (False, now.now)


async def test_it_starts_after_eight_seconds_although_nobody_came_and_the_node_died(
    file_store: Store, memory_bus: MemoryBus
) -> None:
    with plain_python():
        now = Clock()
        match = await waiting(Matches(file_store, memory_bus, Metrics(), now))
        other = Matches(file_store, memory_bus, Metrics(), now)
        deadlines = Deadlines(file_store, other, Presence(memory_bus, now), now)
        now.now += 7_999
        await deadlines.sweep()
        assert (await other.current(match)).match.waits
        now.now += 1
        await deadlines.sweep()
        assert not (await other.current(match)).match.waits


# ---- undo ---------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_undo_against_a_bot_includes_its_reply(address: str) -> None:
    seats = [{}, {"who": "bot", "level": "random"}]
    table = await Table.create(address, 1, game="flume", options=SMALL, seats=seats)
    before = (await table.look())["view"]
    await table.done(0, "play", move="a1")
    while (await table.look())["view"]["to_move"] != 0:
        await table.clients[0].receive("changes")
    assert len((await table.look())["moves"]) == 2
    await table.done(0, "undo")
    document = await table.look()
    assert (document["view"], document["moves"]) == (before, [])
    await table.done(0, "play", move="b2")
    while len((await table.look())["moves"]) < 2:
        await asyncio.sleep(0.02)
    await table.close()


async def test_undo_against_people_needs_consent(address: str) -> None:
    table = await Table.create(address, game="flume", options=SMALL)
    await table.done(0, "play", move="a1")
    assert (await table.do(0, "undo"))["code"] == "undo_needs_consent"
    await table.done(0, "offer", what="undo")
    assert (await table.look(1))["offers"][0]["what"] == "undo"
    await table.done(1, "respond", what="undo", accept=False)
    assert (await table.do(0, "offer", what="undo"))["code"] == "no_such_offer"
    await table.done(1, "play", move="b2")
    await table.done(1, "offer", what="undo")
    await table.done(0, "respond", what="undo", accept=True)
    document = await table.look()
    assert [move["move"] for move in document["moves"]] == ["a1"]
    await table.close()


# ---- spectators ---------------------------------------------------------------------------------


@pytest.mark.slow
async def test_spectators_see_moves_late_and_the_end_at_once(address: str) -> None:
    delay = 1
    table = await Table.create(address, game="flume", options=SMALL, spectator_delay_s=delay)
    watcher = await Client.open(address)
    first = await look(watcher, table.match)
    assert first["moves"] == []
    async with http_client(address) as http:
        document = (await http.get(f"/api/matches/{table.match}")).json()
        assert document["moves"] == []
        record = await http.get(f"/api/matches/{table.match}/record")
        assert record.status_code == 403
    await table.done(0, "play", move="a1")
    seen: dict[str, Any] = {}
    while "played" not in seen:
        message = await watcher.receive("changes")
        now = time.time_ns() // 1_000_000
        for event in message["events"]:
            assert now >= event["at"] + 1000 * delay, "not before its time"
            seen[event["kind"]] = event
    await table.done(1, "play", move="b2")
    await table.done(0, "resign")
    message = await watcher.receive("changes")
    kinds = [event["kind"] for event in message["events"]]
    assert kinds == ["played", "resigned", "ended", "revealed"], "nothing is held back now"
    await watcher.close()
    await table.close()
