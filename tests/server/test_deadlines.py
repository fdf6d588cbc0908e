"""Deadlines: flags, absent players, outages, and what a node that died has left undone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.server.inside import Clock, Inside, inside, until

from watermeet.core.kernel import plain_python
from watermeet.server import heartbeat
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.deadlines import Deadlines
from watermeet.server.errors import StoreUnavailable
from watermeet.server.jobs import JobRunner
from watermeet.server.matches.commands import BotPlay, Join, Offer, Resign, Respond
from watermeet.server.matches.entries import Entry, TimedOut, TimerExpired
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import BEAT_JOB, REMATCH_DELAY_MS, REMATCH_JOB, Matches
from watermeet.server.matches.setup import Absence, MatchSetup, RealTime, SeatPlan
from watermeet.server.metrics import Metrics
from watermeet.server.presence import Presence
from watermeet.server.store.rows import Append
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
SMALL: dict[str, Any] = {"game": "flume", "options": {"size": 3, "pie": False}}
STEP_MS = 10_000
"""Less than the lifetime of presence, so that no check misses a short return."""


def live(initial_ms: int) -> dict[str, Any]:
    return {"type": "real_time", "initial_ms": initial_ms}


class Table:
    """A match of two people; ``deadlines`` checks only when it is told to."""

    def __init__(self, server: Inside, match: str, tokens: list[str]) -> None:
        self.server, self.match, self.tokens = server, match, tokens
        services = server.services
        self.deadlines = Deadlines(
            services.store, services.matches, services.presence, services.now, services.hub.followed
        )

    @classmethod
    async def create(cls, server: Inside, **setup: Any) -> Table:
        """Everybody has arrived."""
        table = cls(server, *await server.seated(**(SMALL | {"seats": 2} | setup)))
        for token in table.tokens:
            await (await server.socket(token)).follow(table.match)
        await until(lambda: table.is_present(0, 1))
        return table

    async def is_present(self, *seats: int) -> bool:
        present: list[int] = (await self.server.document(self.match))["present"]
        return present == list(seats)

    async def current(self) -> Match:
        found: Match = (await self.server.services.matches.current(self.match)).match
        return found

    async def log(self) -> list[Entry]:
        return list((await self.server.services.matches.current(self.match)).entries)

    async def leave(self, seat: int) -> None:
        await self.server.services.presence.leave(self.match, seat)

    async def pass_time(self, clock: Clock, ms: int) -> None:
        await self.deadlines.sweep()  # Somebody who has just disconnected is away first.
        for _ in range(ms // STEP_MS):
            clock.now += STEP_MS
            for seat in (await self.server.document(self.match))["present"]:
                await self.server.services.presence.touch(self.match, seat)
            await self.deadlines.sweep()

    async def claim(self, **how: Any) -> Any:
        id_ = f"claim {self.server.services.now()}".replace(" ", "-")
        command = {"type": "claim", "absent": 0} | how
        return await self.server.command(self.match, self.tokens[1], id_, **command)


# ---- clocks -------------------------------------------------------------------------------------


async def test_a_flag_falls_to_the_millisecond(clock: Clock, server: Inside) -> None:
    table = await Table.create(server, time_control=live(60_000))
    falls = (await server.document(table.match))["clocks"]["flag_at"]
    assert falls == clock.now + 60_000
    clock.now = falls - 1
    await table.deadlines.sweep()
    assert (await table.current()).stage == "playing"
    clock.now = falls
    await table.deadlines.sweep()
    over = await server.document(table.match)
    assert (over["outcome"]["by"], over["outcome"]["winners"]) == ("timeout", [1])
    assert [entry.at for entry in await table.log() if isinstance(entry, TimedOut)] == [falls]


async def test_the_shared_timer_expires(clock: Clock, server: Inside) -> None:
    setup = {"game": "flow", "options": {"clock": "minute"}, "timer_percent": 50}
    table = await Table.create(server, **setup)
    clock.now = (await server.document(table.match))["clocks"]["timer_ends_at"]
    await table.deadlines.sweep()
    expired = [entry.at for entry in await table.log() if isinstance(entry, TimerExpired)]
    assert expired == [clock.now]


@pytest.mark.slow
async def test_a_timer_wakes_in_time(server: Inside) -> None:
    """Not a second later, as if somebody looked once a second."""
    table = await Table.create(server, time_control=live(1_000))
    falls = (await server.document(table.match))["clocks"]["flag_at"]
    await until(lambda: _has_ended(table))
    assert 0 <= (await table.log())[-2].at - falls <= 500


async def _has_ended(table: Table) -> bool:
    return (await table.current()).has_ended


async def test_the_clock_of_a_shared_screen_starts_immediately(server: Inside) -> None:
    """All who sit at it are present, although it follows one seat at a time (P4.9)."""
    match, people = await server.seated(seats=2, **SMALL, time_control=live(60_000))
    path = f"/api/matches/{match}/seats"
    tokens = []
    for seat, token in enumerate(people):
        async with server.http(token) as http:
            tokens.append((await http.post(f"{path}/{seat}", json={})).json()["token"])
    screen = await server.socket()
    await screen.follow(match, token=tokens[0], others=[tokens[1], "unknown"])
    for seat in (0, 1):
        held = {"token": tokens[seat], "others": [tokens[1 - seat]]}
        await screen.send({"type": "follow", "match": match, **held})
        shown = (await screen.receive("snapshot"))["document"]
        assert (shown["seat"], shown["clocks"]["running"]) == (seat, 0)
    assert (await server.document(match))["present"] == [0, 1]


async def test_time_without_a_server_does_not_count(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flag would have fallen while the server was down; it falls that much later."""
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.01)

    async def has_beaten() -> bool:
        beat: int | None = await server.services.store.ready_at(BEAT_JOB)
        return beat == clock.now

    async with inside(tmp_path) as server:
        table = await Table.create(server, time_control=live(60_000))
        falls = (await table.current()).clocks.since + 60_000
        clock.now += 2_000
        await until(has_beaten)
    clock.now += 90_000
    async with inside(tmp_path) as server:
        table = Table(server, table.match, table.tokens)
        await until(has_beaten)
        await table.deadlines.sweep()
        document = await server.document(table.match)
        assert (document["stage"], document["clocks"]["flag_at"]) == ("playing", falls + 90_000)
        while not (await table.current()).has_ended:
            assert clock.now < falls + 90_000
            clock.now += 2_000
            await until(has_beaten)
            await table.deadlines.sweep()


@pytest.mark.parametrize(
    ("fault", "lost_ms"), [("busy", 0), ("asleep", 10_000), ("without its store", 10_000)]
)
async def test_a_server_that_is_only_busy_gives_no_time_back(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, fault: str, lost_ms: int
) -> None:
    """Or whoever keeps it busy would stop all clocks."""
    awake = Clock()
    monkeypatch.setattr(heartbeat, "BEAT_S", 10**6)
    monkeypatch.setattr(heartbeat, "time", SimpleNamespace(monotonic=lambda: awake.now / 1000))
    async with inside(tmp_path) as server:
        table = await Table.create(server, time_control=live(60_000))
        falls = (await server.document(table.match))["clocks"]["flag_at"]
        store = server.services.store
        beating = heartbeat.Heartbeat(store, server.services.matches, clock)
        assert await beating.beat()
        if fault == "without its store":
            with monkeypatch.context() as patch:
                patch.setattr(store, "lease", _is_away)
                with pytest.raises(StoreUnavailable):
                    await beating.beat()
        clock.now += 10_000
        awake.now += 0 if fault == "asleep" else 10_000
        assert await beating.beat()
        assert (await server.document(table.match))["clocks"]["flag_at"] == falls + lost_ms


async def _is_away(*_: object) -> None:
    raise StoreUnavailable("away", "")


async def test_a_clock_that_was_set_back_does_not_stop_the_heartbeat(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.01)
    monkeypatch.setattr(heartbeat, "STUCK_S", 0.1)

    async def has_beaten() -> bool:
        beat: int | None = await server.services.store.ready_at(BEAT_JOB)
        return beat == clock.now

    async with inside(tmp_path) as server:
        await server.seated(GAME, 2, time_control=live(300_000))
        for change in (0, -600_000):
            clock.now += change
            await until(has_beaten)


# ---- absence ------------------------------------------------------------------------------------


def absence(rule: str) -> dict[str, Any]:
    """A match with a grace period of 30 seconds."""
    return {"time_control": live(170_000), "absence": {"rule": rule, "level": "random"}}


async def test_a_player_who_is_away_too_long_can_be_claimed(clock: Clock, server: Inside) -> None:
    table = await Table.create(server, **absence("claim"))
    assert (await table.claim())["code"] == "not_absent"
    await table.leave(0)
    await table.pass_time(clock, 20_000)
    refused = await table.claim()
    assert (refused["code"], "wait" in refused["hint"]) == ("not_absent", True)
    await server.services.presence.touch(table.match, 0)  # A short return.
    await table.leave(0)
    await table.pass_time(clock, 20_000)
    assert (await table.claim())["code"] == "not_absent"
    await table.pass_time(clock, 10_000)
    assert (await table.claim())["status"] == 200
    over = await server.document(table.match)
    assert (over["outcome"]["by"], over["outcome"]["winners"]) == ("claimed", [1])


@pytest.mark.parametrize("by", ["following", "offer", "reclaim"])
async def test_a_bot_takes_over_and_hands_the_seat_back(
    clock: Clock, server: Inside, by: str
) -> None:
    table = await Table.create(server, **absence("stand_in"))
    await table.leave(0)
    await table.pass_time(clock, 30_000)
    document = await server.document(table.match)
    assert [seat["stand_in"] for seat in document["seats"]] == ["random", ""]
    if by == "following":
        await (await server.socket(table.tokens[0])).follow(table.match)
    else:
        command = {"type": by} | ({"what": "pause"} if by == "offer" else {})
        done = await server.command(table.match, table.tokens[0], "back", **command)
        assert done["status"] == 200, done
    document = await server.document(table.match)
    assert [seat["stand_in"] for seat in document["seats"]] == ["", ""]
    assert [offer["what"] for offer in document["offers"]] == ["pause"] * (by == "offer")


async def test_bots_take_over_when_nobody_follows_the_match(clock: Clock, server: Inside) -> None:
    """The sweep finds it in the database."""
    setup = MatchSetup(
        game="flume",
        options={"size": 3},
        seats=(SeatPlan(),) * 2,
        absence=Absence("stand_in", "random"),
    )
    matches: Matches = server.services.matches
    match = (await matches.create(setup, lambda _: [])).match.id
    for seat in (0, 1):
        await matches.do(match, seat, Join(user=f"u{seat}", name=f"N{seat}"))
    table = Table(server, match, [])
    for seat in (0, 1):
        end = clock.now + 700_000
        while (found := await table.current()).seats[seat].stand_in != "random":
            assert clock.now < end
            await table.pass_time(clock, STEP_MS)
        action = int(found.state.legal_actions[0])
        await matches.do(match, seat, BotPlay(action, found.seq))


async def test_a_match_may_wait_for_absent_players(clock: Clock, server: Inside) -> None:
    table = await Table.create(server, **absence("wait"))
    await table.leave(0)
    await table.pass_time(clock, 60_000)
    assert (await table.claim())["code"] == "no_such_offer"
    assert (await table.current()).stage == "playing"


async def test_a_restart_counts_as_nobodys_absence(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "OUTAGE_MS", 10**12)  # Time leaps in this test.
    async with inside(tmp_path) as server:
        table = await Table.create(server, **absence("stand_in"))
        await table.leave(0)
        await table.pass_time(clock, 20_000)
    async with inside(tmp_path) as server:
        table = Table(server, table.match, table.tokens)
        await (await server.socket(table.tokens[1])).follow(table.match)
        await table.pass_time(clock, 20_000)
        assert (await table.current()).seats[0].stand_in == "", "40 seconds, but 20 of these"
        await table.pass_time(clock, 20_000)
        assert (await table.current()).seats[0].stand_in == "random"


# ---- several nodes ------------------------------------------------------------------------------


async def joined(matches: Matches, **setup: Any) -> str:
    """A match that two people have joined."""
    plans = (SeatPlan(), SeatPlan())
    match = (await matches.create(MatchSetup(game=GAME, seats=plans, **setup), lambda _: [])).match
    for seat in (0, 1):
        await matches.do(match.id, seat, Join(user=f"u{seat}", name=f"N{seat}"))
    return match.id


async def test_nodes_agree_on_who_is_present(file_store: Store, memory_bus: MemoryBus) -> None:
    clock = Clock()
    matches = Matches(file_store, memory_bus, Metrics(), clock)
    with plain_python():
        match = (await matches.load(await joined(matches, absence=Absence("claim")))).match
    here, there = Presence(memory_bus, clock), Presence(memory_bus, clock)
    await here.touch(match.id, 0)
    await there.touch(match.id, 1)
    assert await here.away_since(match) == await there.away_since(match) == {}
    await here.leave(match.id, 0)
    left = clock.now
    clock.now += STEP_MS
    assert await here.away_since(match) == {0: left}
    assert list(await there.away_since(match)) == [0]
    # The player returns to the other node and leaves again before this one checks.
    await there.touch(match.id, 0)
    clock.now += 6 * STEP_MS
    await there.leave(match.id, 0)
    assert await here.away_since(match) == {0: clock.now}, "what was before does not count"


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


async def agreed(matches: Matches) -> tuple[str, str]:
    """A finished match, and the id of the agreed rematch."""
    match = await joined(matches)
    await matches.do(match, 0, Resign())
    await matches.do(match, 0, Offer(what="rematch"))
    await matches.do(match, 1, Respond(what="rematch", accept=True))
    return match, (await matches.load(match)).match.rematch


async def no_job(store: Store, kind: str) -> bool:
    return await store.ready_at(kind) is None


async def test_an_agreed_rematch_is_created_despite_a_crash(
    file_store: Store, memory_bus: MemoryBus
) -> None:
    with plain_python():
        now = Clock()
        crashing = Matches(Failing(file_store), memory_bus, Metrics(), now)  # type: ignore[arg-type]
        match, new = await agreed(crashing)
        assert new
        other = Matches(file_store, memory_bus, Metrics(), now)
        runner = JobRunner(file_store, Metrics(), now, "other")
        runner.add(REMATCH_JOB, other.do_rematch, poll_s=0.01)
        runner.start()
        await asyncio.sleep(0.05)
        assert await file_store.match_row(new) is None, "who has agreed may still be at it"
        now.now += REMATCH_DELAY_MS
        await until(lambda: file_store.match_row(new))
        await until(lambda: no_job(file_store, REMATCH_JOB))
        await runner.close()
        made = (await other.load(new)).match
        assert (made.stage, made.created.rematch_of) == ("playing", match)
        assert [seat.user for seat in made.seats] == ["u1", "u0"]
        found = await file_store.matches_of("u0", before=None, limit=9)
        assert [row.id for row in found] == [new, match]


async def test_a_rematch_is_created_once(file_store: Store, memory_bus: MemoryBus) -> None:
    with plain_python():
        nodes = [Matches(file_store, memory_bus, Metrics(), Clock()) for _ in range(3)]
        match, new = await agreed(nodes[0])
        log = await file_store.read(new)
        assert log
        found = [(node, (await node.load(match)).match) for node in nodes]
        await asyncio.gather(*(node.make_rematch(each) for node, each in found))
        assert await file_store.read(new) == log
        assert await no_job(file_store, REMATCH_JOB)


async def test_the_first_clock_starts_when_all_have_arrived_on_any_node(
    file_store: Store, memory_bus: MemoryBus
) -> None:
    with plain_python():
        now = Clock()
        first, second = (Matches(file_store, memory_bus, Metrics(), now) for _ in range(2))
        match = await joined(first, time_control=RealTime(60_000))
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
        first, other = (Matches(file_store, memory_bus, Metrics(), now) for _ in range(2))
        match = await joined(first, time_control=RealTime(60_000))
        deadlines = Deadlines(file_store, other, Presence(memory_bus, now), now)
        for passed, waits in ((7_999, True), (1, False)):
            now.now += passed
            await deadlines.sweep()
            assert (await other.current(match)).match.waits is waits
