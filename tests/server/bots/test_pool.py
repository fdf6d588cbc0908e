"""Bots whose workers die, hang, raise and cheat; leases, nodes, clocks and outdated jobs."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from tests.server.driving import PLAIN

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
from watermeet.server.matches.setup import MatchSetup, RealTime, SeatPlan, TimeControl, Unlimited
from watermeet.server.metrics import Metrics
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio

GAME, PASS, BET = "kuhn_poker", 3, 4
BOT = SeatPlan("bot", "random")
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

    async def ended(self, match: str) -> Match:
        return await self.until(match, lambda found: found.stage == FINISHED)

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


NewNode = Callable[..., Node]


@pytest.fixture
def now() -> Clock:
    return Clock()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compile nothing and retry soon."""
    monkeypatch.setattr(module, "RETRY_MS", 1)
    monkeypatch.setattr(module, "POLL_S", 0.05)
    with plain_python():
        yield


@pytest.fixture
async def node(file_store: Store, memory_bus: MemoryBus, now: Clock) -> AsyncIterator[NewNode]:
    nodes: list[Node] = []

    def make(name: str = "node", *how: str) -> Node:
        nodes.append(Node(file_store, memory_bus, now, name, *how))
        return nodes[-1]

    yield make
    for each in nodes:
        await each.pool.close()


def fake(how: str, folder: Path) -> tuple[str, ...]:
    return sys.executable, str(FAKE), how, str(folder / "received")


def received(folder: Path) -> list[str]:
    file = folder / "received"
    return file.read_text().split() if file.exists() else []


async def until_received(folder: Path, *types: str) -> None:
    async with asyncio.timeout(20):
        while received(folder) != [*types]:
            await asyncio.sleep(0.01)


async def bots_only(matches: Matches) -> str:
    bots = (BOT, SeatPlan("bot", "drop"))
    return (await matches.create(MatchSetup(game=GAME, seats=bots), lambda _: [])).match.id


async def with_person(
    matches: Matches,
    time_control: TimeControl = Unlimited(),  # noqa: B008
    user: str = "ada",
) -> str:
    """A person on the second seat; the bot moves first."""
    create = MatchSetup(game=GAME, seats=(BOT, SeatPlan()), time_control=time_control)
    match = (await matches.create(create, lambda _: [])).match.id
    await matches.do(match, 1, Join(user=user, name=user.title()))
    await matches.touch(match, 1)  # The person has arrived, so the clocks start.
    return match


async def against_bot(matches: Matches) -> str:
    """A person on the first seat, who moves first."""
    setup = MatchSetup(game=GAME, seats=(SeatPlan(), BOT))
    match = (await matches.create(setup, lambda _: [])).match.id
    await matches.do(match, 0, Join(user="ada", name="Ada"))
    return match


async def jobs_left(store: Store) -> int:
    far, count = 10**15, 0
    while await store.lease([BOT_JOB], "count", far, 2 * far):
        count += 1
    return count


async def test_nobody_waits_for_all_of_somebody_elses_bots(
    node: NewNode, file_store: Store, now: Clock
) -> None:
    """Everybody's first move comes before anybody's second, and those of bots alone come last."""
    matches = node().matches
    alone = [await bots_only(matches) for _ in range(3)]
    many = [await with_person(matches, user="eve") for _ in range(3)]
    one = await with_person(matches, user="ada")
    now.added += 60_000  # However long they wait.
    leased = []
    while job := await file_store.lease([BOT_JOB], "worker", now(), 2 * now()):
        leased.append(job.match)
    assert leased == [many[0], one, *many[1:], *alone]


async def test_bots_play_a_match_to_the_end(node: NewNode, file_store: Store) -> None:
    one = node()
    one.pool.start()
    assert (await one.ended(await bots_only(one.matches))).reason == "rules"
    await one.pool.close()
    assert await jobs_left(file_store) == 0


@pytest.mark.slow
@pytest.mark.parametrize("how", ["dies", "hangs", "raises", "cheats", "mumbles"])
async def test_after_repeated_failures_any_legal_move_is_played(
    node: NewNode, file_store: Store, tmp_path: Path, how: str
) -> None:
    one = node("node", *fake(how, tmp_path))
    one.pool.start()
    found = await one.has_played(await with_person(one.matches))
    assert found.last_step is not None
    assert found.last_step.action in (PASS, BET)
    assert received(tmp_path) == ["choose"] * module.MAX_ATTEMPTS
    await one.pool.close()
    assert await jobs_left(file_store) == 0


@pytest.mark.slow
async def test_a_hanging_worker_neither_blocks_the_event_loop_nor_loses_on_time(
    node: NewNode, tmp_path: Path
) -> None:
    """The worker is stopped after a quarter of the time; then any move beats losing on time."""
    one = node("node", *fake("hangs", tmp_path))
    one.pool._slots[0].worker._timeout_s = 60.0
    one.pool.start()
    match, slowest = await with_person(one.matches, RealTime(2_000)), 0.0
    while (found := (await one.matches.load(match)).match).state.to_move == 0:
        assert found.stage == PLAYING
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        slowest = max(slowest, time.perf_counter() - before)
    assert slowest < 0.4, "the event loop kept running"
    assert found.steps()[-1].spent_ms >= 500


async def test_when_a_node_dies_another_takes_over(
    node: NewNode, file_store: Store, now: Clock, tmp_path: Path
) -> None:
    dead, alive = node("dead"), node("alive", *fake("plays", tmp_path))
    match = await with_person(dead.matches)
    job = await file_store.lease([BOT_JOB], "dead-0", now(), now() + module.LEASE_MS)
    assert job is not None
    alive.pool.start()
    await asyncio.sleep(0.1)
    assert received(tmp_path) == [], "the lease hasn't expired yet"
    now.added += module.LEASE_MS
    await alive.has_played(match)
    assert received(tmp_path) == ["choose"]


async def test_two_nodes_never_both_play(
    node: NewNode, file_store: Store, now: Clock, tmp_path: Path
) -> None:
    """The first node lost its lease, so both choose; the log accepts one move."""
    first = node("first", *fake("waits", tmp_path))
    second = node("second", *fake("plays", tmp_path))
    first.pool.start()
    match = await with_person(first.matches)
    await until_received(tmp_path, "choose")
    now.added += 2 * module.LEASE_MS
    second.pool.start()
    await second.has_played(match)
    await first.matches.catch_up(match)  # It notices, and stops its worker.
    await first.is_idle()
    entries = [decode(row.body) for row in await file_store.read(match)]
    assert [type(entry) for entry in entries].count(Played) == 1
    assert received(tmp_path) == ["choose", "choose", "stop"]
    assert await jobs_left(file_store) == 0


async def test_an_outdated_job_is_completed(
    node: NewNode, file_store: Store, tmp_path: Path
) -> None:
    one = node("node", *fake("waits", tmp_path))
    one.pool.start()
    match = await with_person(one.matches)
    await until_received(tmp_path, "choose")
    await one.matches.do(match, 1, Resign())
    await one.is_idle()
    assert received(tmp_path) == ["choose", "stop"]
    assert await jobs_left(file_store) == 0


async def test_a_pause_cancels_the_job_and_resuming_creates_a_new_one(
    node: NewNode, file_store: Store, tmp_path: Path
) -> None:
    one = node("node", *fake("plays", tmp_path))
    match = await with_person(one.matches)
    await one.matches.do(match, 1, Offer(what="pause"))
    one.pool.start()
    await asyncio.sleep(0.1)
    assert received(tmp_path) == []
    await one.matches.do(match, 1, Offer(what="resume"))
    await one.has_played(match)
    await one.pool.close()
    assert await jobs_left(file_store) == 0


async def test_an_undo_discards_the_bots_choice(
    node: NewNode, file_store: Store, tmp_path: Path
) -> None:
    """Against bots an undo needs no agreement, and the choice in progress is not played."""
    one = node("node", *fake("waits", tmp_path))
    match = await against_bot(one.matches)
    one.pool.start()
    await one.matches.do(match, 0, Play(move=PASS))
    await until_received(tmp_path, "choose")
    await one.matches.do(match, 0, Undo())
    await one.is_idle()
    found = (await one.matches.load(match)).match
    assert (found.state.to_move, found.stage) == (0, PLAYING)
    await one.matches.do(match, 0, Play(move=BET))
    await until_received(tmp_path, "choose", "stop", "choose")  # The new state has a new job,
    assert await jobs_left(file_store) == 1, "and no other job"


async def test_a_worker_plays_at_once_and_loads_what_was_compiled_meanwhile(
    node: NewNode, tmp_path: Path
) -> None:
    one, compiled = node("node", *fake("plays", tmp_path)), set[str]()
    one.pool._is_compiled = compiled.__contains__
    one.pool.start()
    match = await with_person(one.matches)
    await one.has_played(match)
    assert received(tmp_path) == ["choose"]
    compiled.add(GAME)
    await one.matches.do(match, 1, Play(BET))
    await one.ended(match)
    assert received(tmp_path) == ["choose", "load", "choose"]


async def test_a_hint_gives_way_to_a_bot(node: NewNode, tmp_path: Path) -> None:
    one = node("node", *fake("waits", tmp_path))
    one.pool.start()
    live = await one.matches.load(await against_bot(one.matches))
    hint = asyncio.create_task(one.pool.think(live.match, 0))
    await until_received(tmp_path, "think")
    await bots_only(one.matches)
    with pytest.raises(CannotThink):  # This worker has found nothing when it is stopped.
        await asyncio.wait_for(hint, 20)
    await until_received(tmp_path, "think", "stop", "choose")


async def test_the_time_for_a_choice_follows_from_the_clock(node: NewNode) -> None:
    one = node()
    match = (await one.matches.load(await with_person(one.matches, RealTime(60_000)))).match
    assert time_left(match, 0, match.at + 30_000) == (30.0, module.CLOCK_SHARE)
    calm = (await one.matches.load(await with_person(one.matches))).match
    assert time_left(calm, 0, calm.at + 30_000) is None


async def test_a_node_that_stops_releases_its_job(
    node: NewNode, file_store: Store, now: Clock, tmp_path: Path
) -> None:
    one = node("one", *fake("waits", tmp_path))
    one.pool.start()
    await with_person(one.matches)
    await until_received(tmp_path, "choose")
    await one.pool.close()
    job = await file_store.lease([BOT_JOB], "next", now(), now() + 1000)
    assert job is not None, "at once, not when the lease expires"
