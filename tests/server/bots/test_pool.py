"""Bots whose workers die, hang, raise and cheat; leases, nodes, clocks and outdated jobs."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.driving import PLAIN
from tests.server.store.migrated import new_file

from watermeet.core.kernel import plain_python
from watermeet.server.bots import pool as module
from watermeet.server.bots.pool import BotPool, time_left
from watermeet.server.bots.worker import PROGRAM, BotWorker
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.errors import CannotThink
from watermeet.server.matches.commands import Join, Offer, Play, Resign, Undo
from watermeet.server.matches.entries import Played, decode
from watermeet.server.matches.match import FINISHED, PLAYING, Match
from watermeet.server.matches.service import BOT_JOB, Matches
from watermeet.server.matches.setup import MatchSetup, RealTime, SeatPlan
from watermeet.server.metrics import Metrics
from watermeet.server.store.sqlite import SqliteStore
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio

GAME, PASS, BET = "kuhn_poker", 3, 4
BOT, PERSON = SeatPlan("bot", "random"), SeatPlan()
FAKE = Path(__file__).with_name("fake_worker.py")


class Clock:
    """The real time, plus what a test adds."""

    def __init__(self) -> None:
        self.added = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.added


class Node:
    """The matches and the pool of one server."""

    def __init__(self, store: Store, bus: MemoryBus, now: Clock, name: str, *how: str) -> None:
        self.matches = Matches(store, bus, Metrics(), now)
        program = how or (*PLAIN, *PROGRAM)
        timeout_s = 1.5 if "hangs" in how else 60.0
        new_worker = lambda: BotWorker(program, timeout_s)  # noqa: E731
        self.pool = BotPool(store, self.matches, Metrics(), now, 1, name, new_worker)

    async def until(self, match: str, is_so: Callable[[Match], bool]) -> Match:
        async with asyncio.timeout(60):
            while True:
                live = await self.matches.catch_up(match) or await self.matches.load(match)
                if is_so(live.match):
                    return live.match
                await asyncio.sleep(0.01)

    async def has_played(self, match: str) -> Match:
        """The match once the bot on the first seat has moved."""
        return await self.until(match, lambda found: found.state.to_move == 1)

    async def is_idle(self) -> None:
        while self.pool._slots[0].job is not None:
            await asyncio.sleep(0.01)

    async def create(self, *seats: SeatPlan, **setup: Any) -> str:
        """The match, with a user of each of its people; they have arrived, so the clocks start."""
        user = setup.pop("user", "ada")
        plan = MatchSetup(game=GAME, seats=seats, **setup)
        match = (await self.matches.create(plan, lambda _: [])).match.id
        for seat, each in enumerate(seats):
            if each.who != "bot":
                await self.matches.do(match, seat, Join(user=user, name=user.title()))
                await self.matches.touch(match, seat)
        return match


class Nodes:
    """Several servers on one database; workers that behave as told log what they receive."""

    def __init__(self, store: Store, bus: MemoryBus, folder: Path) -> None:
        self.store, self.bus, self.log, self.now = store, bus, folder / "received", Clock()
        self.all: list[Node] = []

    def start(self, how: str = "", *, name: str = "node", starts: bool = True) -> Node:
        """A node with real workers, or those that behave like this."""
        program = (sys.executable, str(FAKE), how, str(self.log)) if how else ()
        self.all.append(Node(self.store, self.bus, self.now, name, *program))
        if starts:
            self.all[-1].pool.start()
        return self.all[-1]

    @property
    def received(self) -> list[str]:
        return self.log.read_text().split() if self.log.exists() else []

    async def until_received(self, *types: str) -> None:
        async with asyncio.timeout(20):
            while self.received != [*types]:
                await asyncio.sleep(0.01)

    async def jobs_left(self) -> int:
        far, count = 10**15, 0
        while await self.store.lease([BOT_JOB], "count", far, 2 * far):
            count += 1
        return count


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compile nothing and retry soon."""
    monkeypatch.setattr(module, "RETRY_MS", 1)
    monkeypatch.setattr(module, "POLL_S", 0.05)
    with plain_python():
        yield


@pytest.fixture
async def nodes(tmp_path: Path, memory_bus: MemoryBus) -> AsyncIterator[Nodes]:
    store = await SqliteStore.open(new_file(tmp_path / "watermeet.db"))
    found = Nodes(store, memory_bus, tmp_path)
    yield found
    for each in found.all:
        await each.pool.close()
    await store.close()


async def test_nobody_waits_for_all_of_somebody_elses_bots(nodes: Nodes) -> None:
    """Everybody's first move comes before anybody's second, and those of bots alone come last."""
    node = nodes.start(starts=False)
    alone = [await node.create(BOT, BOT) for _ in range(3)]
    many = [await node.create(BOT, PERSON, user="eve") for _ in range(3)]
    one = await node.create(BOT, PERSON, user="ada")
    nodes.now.added += 60_000  # However long they wait.
    leased = []
    while job := await nodes.store.lease([BOT_JOB], "worker", nodes.now(), 2 * nodes.now()):
        leased.append(job.match)
    assert leased == [many[0], one, *many[1:], *alone]


async def test_bots_play_a_match_to_the_end(nodes: Nodes) -> None:
    node = nodes.start()
    match = await node.create(BOT, SeatPlan("bot", "drop"))
    assert (await node.until(match, lambda found: found.stage == FINISHED)).reason == "rules"
    await node.pool.close()
    assert await nodes.jobs_left() == 0


@pytest.mark.slow
@pytest.mark.parametrize("how", ["dies", "hangs", "raises", "cheats", "mumbles"])
async def test_after_repeated_failures_any_legal_move_is_played(nodes: Nodes, how: str) -> None:
    node = nodes.start(how)
    found = await node.has_played(await node.create(BOT, PERSON))
    assert found.last_step is not None
    assert found.last_step.action in (PASS, BET)
    assert nodes.received == ["choose"] * module.MAX_ATTEMPTS
    await node.pool.close()
    assert await nodes.jobs_left() == 0


@pytest.mark.slow
async def test_a_hanging_worker_neither_blocks_the_loop_nor_loses_on_time(nodes: Nodes) -> None:
    """The worker is stopped after a quarter of the time; then any move beats losing on time."""
    node = nodes.start("hangs")
    node.pool._slots[0].worker._timeout_s = 60.0
    match, slowest = await node.create(BOT, PERSON, time_control=RealTime(2_000)), 0.0
    while (found := (await node.matches.load(match)).match).state.to_move == 0:
        assert found.stage == PLAYING
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        slowest = max(slowest, time.perf_counter() - before)
    assert slowest < 0.4, "the event loop kept running"
    assert found.steps()[-1].spent_ms >= 500


async def test_a_damaged_log_is_given_up_and_other_bots_play(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CRASH_MS", 0)
    monkeypatch.setattr(module, "MAX_CRASHES", 2)
    first = nodes.start(starts=False)
    damaged, whole = await first.create(BOT, PERSON), await first.create(BOT, PERSON)
    await nodes.store.replace_entry(damaged, 1, b"{}")
    node = nodes.start("plays", name="next")
    await node.has_played(whole)
    async with asyncio.timeout(20):
        while not await nodes.store.count_parked([BOT_JOB]):
            await asyncio.sleep(0.01)


async def test_when_a_node_dies_another_takes_over(nodes: Nodes) -> None:
    match = await nodes.start(starts=False).create(BOT, PERSON)
    now = nodes.now()
    assert await nodes.store.lease([BOT_JOB], "dead-0", now, now + module.LEASE_MS) is not None
    alive = nodes.start("plays", name="alive")
    await asyncio.sleep(0.1)
    assert nodes.received == [], "the lease hasn't expired yet"
    nodes.now.added += module.LEASE_MS
    await alive.has_played(match)
    assert nodes.received == ["choose"]


async def test_two_nodes_never_both_play(nodes: Nodes) -> None:
    """The first node lost its lease, so both choose; the log accepts one move."""
    first = nodes.start("waits", name="first")
    match = await first.create(BOT, PERSON)
    await nodes.until_received("choose")
    nodes.now.added += 2 * module.LEASE_MS
    await nodes.start("plays", name="second").has_played(match)
    await first.matches.catch_up(match)  # It notices, and stops its worker.
    await first.is_idle()
    entries = [decode(row.body) for row in await nodes.store.read(match)]
    assert [type(entry) for entry in entries].count(Played) == 1
    assert nodes.received == ["choose", "choose", "stop"]
    assert await nodes.jobs_left() == 0


async def test_an_outdated_job_is_completed(nodes: Nodes) -> None:
    node = nodes.start("waits")
    match = await node.create(BOT, PERSON)
    await nodes.until_received("choose")
    await node.matches.do(match, 1, Resign())
    await node.is_idle()
    assert nodes.received == ["choose", "stop"]
    assert await nodes.jobs_left() == 0


async def test_a_pause_cancels_the_job_and_resuming_creates_a_new_one(nodes: Nodes) -> None:
    node = nodes.start("plays", starts=False)
    match = await node.create(BOT, PERSON)
    await node.matches.do(match, 1, Offer(what="pause"))
    node.pool.start()
    await asyncio.sleep(0.1)
    assert nodes.received == []
    await node.matches.do(match, 1, Offer(what="resume"))
    await node.has_played(match)
    await node.pool.close()
    assert await nodes.jobs_left() == 0


async def test_an_undo_discards_the_bots_choice(nodes: Nodes) -> None:
    """Against bots an undo needs no agreement, and the choice in progress is not played."""
    node = nodes.start("waits")
    match = await node.create(PERSON, BOT)
    await node.matches.do(match, 0, Play(move=PASS))
    await nodes.until_received("choose")
    await node.matches.do(match, 0, Undo())
    await node.is_idle()
    found = (await node.matches.load(match)).match
    assert (found.state.to_move, found.stage) == (0, PLAYING)
    await node.matches.do(match, 0, Play(move=BET))
    await nodes.until_received("choose", "stop", "choose")  # The new state has a new job,
    assert await nodes.jobs_left() == 1, "and no other job"


async def test_a_worker_plays_at_once_and_loads_what_was_compiled_meanwhile(nodes: Nodes) -> None:
    node, compiled = nodes.start("plays", starts=False), set[str]()
    node.pool._is_compiled = compiled.__contains__
    node.pool.start()
    match = await node.create(BOT, PERSON)
    await node.has_played(match)
    assert nodes.received == ["choose"]
    compiled.add(GAME)
    await node.matches.do(match, 1, Play(BET))
    await node.until(match, lambda found: found.stage == FINISHED)
    assert nodes.received == ["choose", "load", "choose"]


async def test_a_hint_gives_way_to_a_bot(nodes: Nodes) -> None:
    node = nodes.start("waits")
    live = await node.matches.load(await node.create(PERSON, BOT))
    hint = asyncio.create_task(node.pool.think(live.match, 0))
    await nodes.until_received("think")
    await node.create(BOT, BOT)
    with pytest.raises(CannotThink):  # This worker has found nothing when it is stopped.
        await asyncio.wait_for(hint, 20)
    await nodes.until_received("think", "stop", "choose")


async def test_the_time_for_a_choice_follows_from_the_clock(nodes: Nodes) -> None:
    node = nodes.start(starts=False)
    live = await node.create(BOT, PERSON, time_control=RealTime(60_000))
    match = (await node.matches.load(live)).match
    assert time_left(match, 0, match.at + 30_000) == (30.0, module.CLOCK_SHARE)
    calm = (await node.matches.load(await node.create(BOT, PERSON))).match
    assert time_left(calm, 0, calm.at + 30_000) is None


async def test_a_node_that_stops_releases_its_job(nodes: Nodes) -> None:
    node = nodes.start("waits")
    await node.create(BOT, PERSON)
    await nodes.until_received("choose")
    await node.pool.close()
    job = await nodes.store.lease([BOT_JOB], "next", nodes.now(), nodes.now() + 1000)
    assert job is not None, "at once, not when the lease expires"
