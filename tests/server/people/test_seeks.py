"""Seeks: whoever wants the same is seated, once, and whatever happens to a node."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from watermeet.core.kernel import plain_python
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.errors import (
    BadRequest,
    Blocked,
    Forbidden,
    NotFound,
    StoreUnavailable,
    TooMany,
)
from watermeet.server.jobs import JobRunner
from watermeet.server.matches.errors import InvalidMatch
from watermeet.server.matches.match import Match
from watermeet.server.matches.plans import Plan
from watermeet.server.matches.service import PLAN_JOB, REMATCH_DELAY_MS, Matches
from watermeet.server.matches.setup import SECOND, RealTime
from watermeet.server.metrics import Metrics
from watermeet.server.people.seeks import ALIVE_MS, FRESH_MS, MOST, Seeks, Wanted
from watermeet.server.store.company import TieRow
from watermeet.server.store.factory import open_store
from watermeet.server.store.rows import RatingRow, UserRow
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio

SMALL = Wanted(game="flume", options=(("size", 3),))
START = 1_800_000_000_000


class Clock:
    """Stands still unless told otherwise."""

    now = START

    def __call__(self) -> int:
        return self.now


class Nodes:
    """Several nodes on one database; a test says when each of them pairs."""

    def __init__(self, store: Store, count: int = 1) -> None:
        self.store, self.clock = store, Clock()
        self.matches = [Matches(store, MemoryBus(), Metrics(), self.clock) for _ in range(count)]
        self.all = [Seeks(store, each, MemoryBus(), self.clock) for each in self.matches]
        self.first = self.all[0]

    async def seek(self, name: str, wanted: Wanted = SMALL, node: int = 0) -> str:
        self.clock.now += 1
        return (await self.all[node].add(person(name), wanted))[0]

    async def match(self, name: str) -> Match:
        """The match that somebody was paired for."""
        found = (await self.first.of(name)).match
        assert found, f"{name} is waiting"
        return (await self.matches[0].load(found)).match

    async def matches_of(self, name: str) -> list[str]:
        return [row.id for row in await self.store.matches_of(name, before=None, limit=9)]

    async def rate_highly(self, name: str) -> None:
        body = b'{"rating":{"value":2500.0,"deviation":50.0},"count":30,"at":%d}' % START
        rating = RatingRow("user", name, 250_000, 5_000, START, "m", body)
        assert await self.store.put_ratings(("flume", "two"), 1, 0, [rating], [])

    async def wait(self, seconds: int, *people: str) -> None:
        """Time passes, and some are heard from."""
        for _ in range(seconds):
            self.clock.now += SECOND
            await self.first.renew(people)


def person(name: str, *, is_registered: bool = True) -> UserRow:
    return UserRow(name, "named", name.title(), START, is_registered)


def users(match: Match) -> set[str]:
    return {seat.user for seat in match.seats}


@asynccontextmanager
async def nodes_on(url: str, count: int = 1) -> AsyncIterator[Nodes]:
    store = await open_store(url)
    try:
        with plain_python():
            yield Nodes(store, count)
    finally:
        await store.close()


@pytest.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[Nodes]:
    """Three on SQLite."""
    async with nodes_on(f"sqlite:///{tmp_path}/watermeet.db", 3) as found:
        yield found


@pytest.fixture
async def any_nodes(store_url: str) -> AsyncIterator[Nodes]:
    """Three on each engine."""
    async with nodes_on(store_url, 3) as found:
        yield found


async def test_p14_1_seeks_end_when_their_owner_is_gone(nodes: Nodes) -> None:
    await nodes.seek("ann")
    await nodes.wait(ALIVE_MS // SECOND - 2)
    await nodes.wait(ALIVE_MS // SECOND, "ann")
    assert [seek.name for _, seek in await nodes.first.all()] == ["Ann"]
    await nodes.wait(ALIVE_MS // SECOND)
    assert await nodes.first.all() == []
    await nodes.first.renew(["ann"])
    await nodes.seek("bob")
    await nodes.first.pair()
    assert not (await nodes.first.of("bob")).match, "nobody is revived"


async def test_p14_2_whoever_wants_the_same_is_seated_and_all_their_seeks_end(nodes: Nodes) -> None:
    blitz = Wanted(game="flume", options=(("size", 3),), time_control=RealTime(60 * SECOND))
    rated = Wanted(game="flume", options=(("size", 3),), is_rated=True)
    for name, wanted in (("ann", SMALL), ("bob", blitz), ("cleo", rated), ("dora", blitz)):
        await nodes.seek(name, wanted)
    await nodes.seek("bob", Wanted(game="flecks"))  # Ends, too, when Bob is seated.
    assert await nodes.first.pair()
    made = await nodes.match("bob")
    assert users(made) == {"bob", "dora"}
    assert (made.stage, made.setup.is_rated) == ("playing", False)
    assert made.setup.time_control == RealTime(60 * SECOND)
    assert sorted(seat.name for seat in made.seats) == ["Bob", "Dora"]
    assert [owner for owner, _ in await nodes.first.all()] == ["ann", "cleo"]


async def test_p14_3_nobody_is_seated_twice_however_many_nodes_pair(
    any_nodes: Nodes,
) -> None:
    nodes = any_nodes
    rng = random.Random(7)
    wanted = [SMALL, Wanted(game="flecks"), Wanted(game="qwirkle", options=(("seats", 3),))]
    names = [f"u{number}" for number in range(24)]
    for name in names:
        for each in rng.sample(wanted, 2):
            await nodes.seek(name, each, rng.randrange(3))

    async def change_mind() -> None:
        for name in rng.sample(names, 8):
            await nodes.all[rng.randrange(3)].withdraw(name)
            await nodes.seek(name, rng.choice(wanted), rng.randrange(3))

    for _ in range(4):
        await asyncio.gather(change_mind(), *(each.pair() for each in nodes.all))
    counts = Counter({name: len(await nodes.matches_of(name)) for name in names})
    waiting = {owner for owner, _ in await nodes.first.all()}
    assert set(counts.values()) <= {0, 1}
    assert {name for name in names if not counts[name]} == waiting
    assert sum(counts.values()) > 12
    for name in names:
        for match in await nodes.matches_of(name):
            assert name in users((await nodes.matches[0].load(match)).match)


async def test_p14_3_a_match_is_created_although_the_node_died(nodes: Nodes) -> None:
    class Dying(Matches):
        async def create_planned(self, match: str, plan: Plan) -> None:
            raise StoreUnavailable(f"killed before {match}", "")

    dying = Dying(nodes.store, MemoryBus(), Metrics(), nodes.clock)
    await nodes.seek("ann")
    await nodes.seek("bob")
    await Seeks(nodes.store, dying, MemoryBus(), nodes.clock).pair()
    await nodes.all[1].pair()
    match = (await nodes.first.of("ann")).match
    assert match
    assert await nodes.store.match_row(match) is None
    runner = JobRunner(nodes.store, Metrics(), nodes.clock, "other")
    runner.add(PLAN_JOB, nodes.matches[1].do_planned, poll_s=0.01)
    runner.start()
    await asyncio.sleep(0.05)
    assert await nodes.store.match_row(match) is None, "who has claimed it may still be at it"
    nodes.clock.now += REMATCH_DELAY_MS
    async with asyncio.timeout(20):
        while await nodes.store.ready_at(PLAN_JOB) is not None:
            await asyncio.sleep(0.01)
    await runner.close()
    assert users(await nodes.match("bob")) == {"ann", "bob"}
    assert await nodes.matches_of("ann") == [match]


async def test_p14_4_who_was_paired_a_moment_ago_gets_that_match(nodes: Nodes) -> None:
    seek = await nodes.seek("ann")
    await nodes.seek("bob")
    await nodes.first.pair()
    match = (await nodes.match("ann")).id
    assert (await nodes.first.withdraw("ann", seek)).match == match
    nodes.clock.now += FRESH_MS - 1
    assert await nodes.first.add(person("ann"), SMALL) == ("", await nodes.first.of("bob"))
    seek, seeking = await nodes.first.add(person("ann"), SMALL, known=match)
    assert [each.id for each in seeking.seeks] == [seek], "who knows that match may seek another"
    assert await nodes.first.withdraw("ann", seek) == await nodes.first.of("nobody")
    nodes.clock.now += 2
    assert await nodes.seek("bob")


async def test_p14_4_withdrawing_ends_a_seek(nodes: Nodes) -> None:
    first, _ = await nodes.seek("ann"), await nodes.seek("ann", Wanted(game="flecks"))
    assert await nodes.seek("ann") == first, "the same seek twice is one"
    left = await nodes.first.withdraw("ann", first)
    assert [each.game for each in left.seeks] == ["flecks"]
    await nodes.seek("bob")
    await nodes.first.pair()
    assert not (await nodes.first.of("bob")).match
    assert (await nodes.first.withdraw("ann")).seeks == ()


async def test_p14_5_only_people_with_an_account_seek_rated_matches(nodes: Nodes) -> None:
    rated = Wanted(game="flume", is_rated=True)
    guest = UserRow("guest", "guest", None, START)
    with pytest.raises(Forbidden):
        await nodes.first.add(guest, rated)
    seek = await nodes.seek("ann", rated)
    with pytest.raises(Forbidden):
        await nodes.first.join(guest, seek)
    await nodes.first.add(guest, SMALL, "Rain")
    assert (await nodes.first.of("guest")).seeks[0].name == "Rain"


async def test_p14_5_people_who_have_blocked_each_other_are_never_paired(nodes: Nodes) -> None:
    await nodes.store.add_tie(TieRow("ann", "block", "bob", "", START), 9)
    seek = await nodes.seek("ann")
    await nodes.seek("bob")
    await nodes.wait(60, "ann", "bob")
    await nodes.first.pair()
    with pytest.raises(Blocked):
        await nodes.first.join(person("bob"), seek)
    assert await nodes.matches_of("ann") == []


async def test_p14_6_ratings_count_by_the_pool_of_the_game(nodes: Nodes) -> None:
    await nodes.rate_highly("ann")
    await nodes.seek("ann")
    await nodes.seek("bob")
    await nodes.first.pair()
    found = (await nodes.first.of("ann")).seeks[0]
    assert (found.rating, round(found.deviation)) == (2500.0, 50)
    await nodes.wait(60, "ann", "bob")
    await nodes.first.pair()
    assert users(await nodes.match("ann")) == {"ann", "bob"}, "after a minute anybody will do"


async def test_p14_6_several_seats_and_bots(nodes: Nodes) -> None:
    three = Wanted(game="qwirkle", options=(("seats", 3),), is_rated=True, bot_after_ms=5 * SECOND)
    await nodes.seek("ann", three)
    await nodes.seek("bob", three)
    await nodes.first.pair()
    await nodes.wait(5, "ann", "bob")
    await nodes.first.pair()
    made = await nodes.match("ann")
    assert users(made) == {"ann", "bob", ""}
    (level,) = [plan.level for plan in made.setup.seats if plan.who == "bot"]
    assert level
    assert made.setup.is_rated


@pytest.mark.parametrize(("game", "seats"), [("flows", 4), ("flow", 2)])
async def test_p14_6_teams_and_cooperative_matches(nodes: Nodes, game: str, seats: int) -> None:
    names = ("ann", "bob", "cleo", "dora")[:seats]
    for name in names:
        await nodes.seek(name, Wanted(game=game, options=(("seats", seats),)))
    await nodes.first.pair()
    assert users(await nodes.match("ann")) == {*names}


async def test_p14_7_joining_a_seek_seats_both_at_once(
    any_nodes: Nodes,
) -> None:
    nodes = any_nodes
    await nodes.rate_highly("ann")
    seek = await nodes.seek("ann")
    with pytest.raises(BadRequest):
        await nodes.first.join(person("ann"), seek)
    joined = await asyncio.gather(
        *(nodes.all[node].join(person(name), seek) for node, name in enumerate(("bob", "cleo"))),
        return_exceptions=True,
    )
    assert Counter(map(type, joined))[NotFound] == 1, joined
    made = await nodes.match("ann")
    assert len(users(made) & {"bob", "cleo"}) == 1
    assert await nodes.first.all() == [], "who came too late doesn't seek"


async def test_p14_7_joining_a_seek_for_three_waits_for_the_third(nodes: Nodes) -> None:
    three = Wanted(game="qwirkle", options=(("seats", 3),))
    seek = await nodes.seek("ann", three)
    waiting = await nodes.first.join(person("bob"), seek)
    assert [each.game for each in waiting.seeks] == ["qwirkle"]
    await nodes.first.join(person("cleo"), seek)
    await nodes.first.pair()
    assert users(await nodes.match("ann")) == {"ann", "bob", "cleo"}


async def test_what_cannot_be_played_cannot_be_sought(nodes: Nodes) -> None:
    with pytest.raises(InvalidMatch):
        await nodes.seek("ann", Wanted(game="flow", options=(("clock", "minute"),),
                                       time_control=RealTime(60 * SECOND)))  # fmt: skip
    for size in range(3, 3 + 2 * MOST, 2):
        await nodes.seek("ann", Wanted(game="flume", options=(("size", size),)))
    with pytest.raises(TooMany):
        await nodes.seek("ann", Wanted(game="flecks"))
