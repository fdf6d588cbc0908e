"""Commands become entries durably and exactly once, whoever else writes."""

from __future__ import annotations

import asyncio
import random
import threading
from typing import Any

import pytest
from tests.server.inside import Clock

from watermeet.core.errors import Conflict, IllegalMove, InvalidNotation, NotYourTurn
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.errors import Forbidden, NotFound, StoreUnavailable
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches import service
from watermeet.server.matches.commands import Join, Leave, Play, Resign
from watermeet.server.matches.entries import Played, decode
from watermeet.server.matches.match import FINISHED, OPEN, PLAYING, Match
from watermeet.server.matches.service import Matches
from watermeet.server.matches.setup import MatchSetup, SeatPlan
from watermeet.server.metrics import Metrics
from watermeet.server.store.rows import Append, Job
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"  # An installed game: the server knows none by name.


@pytest.fixture
def nodes(file_store: Store, memory_bus: MemoryBus, nodes: list[Matches]) -> list[Matches]:
    """Several that share a store and a bus."""
    return [Matches(file_store, memory_bus, Metrics(), Clock()) for _ in range(4)]


async def new_match(node: Matches, *plans: SeatPlan) -> LiveMatch:
    seats = plans or (SeatPlan(), SeatPlan())
    return await node.create(MatchSetup(game=GAME, seats=seats, is_public=True), lambda _: [])


async def full_match(node: Matches) -> str:
    match = (await new_match(node)).match.id
    for seat, name in enumerate(("Ada", "Bob")):
        await node.do(match, seat, Join(user=f"user-{name}", name=name))
    return match


async def first_play(node: Matches, match: str) -> tuple[int, Play]:
    """The seat to move, and its first legal move."""
    state = (await node.load(match)).match.state
    return state.to_move, Play(state.legal_actions[0])


async def count_played(store: Store, match: str) -> int:
    kinds = [type(decode(row.body)) for row in await store.read(match)]
    return kinds.count(Played)


async def stored(store: Store, match: str) -> Match:
    return Match.of([decode(row.body) for row in await store.read(match)])


async def test_two_nodes_play_a_match_to_the_end(file_store: Store, nodes: list[Matches]) -> None:
    """Each learns of the other's moves only from the log."""
    rng, match = random.Random(3), await full_match(nodes[0])
    for number in range(99):
        node = nodes[rng.randrange(2)]
        await node.catch_up(match)
        found = (await node.load(match)).match
        if found.stage == FINISHED:
            break
        move = rng.choice(found.state.legal_actions)
        await node.do(match, found.state.to_move, Play(move=move), client_id=f"c{number}")
    assert found == await stored(file_store, match)
    assert found.secret, "it is revealed"
    moves = sum(step.mover >= 0 for step in found.steps())
    metrics = [node._metrics for node in nodes]
    assert sum(each.moves.labels(GAME)._value.get() for each in metrics) == moves > 0
    ending = found.reason or found.stage
    assert sum(each.endings.labels(GAME, ending)._value.get() for each in metrics) == 1
    started = sum(each.endings.labels(GAME, PLAYING)._value.get() for each in metrics)
    assert started == 0, "only ends are counted"


async def test_many_readers_share_a_look_at_the_log(
    file_store: Store, nodes: list[Matches], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command waits for one of them at most; and nobody misses what was written before."""
    match = await full_match(nodes[0])
    await nodes[1].load(match)
    seat, play = await first_play(nodes[0], match)
    read, reads = file_store.read, 0

    async def counted(match: str, after: int = 0) -> Any:
        nonlocal reads
        reads += 1
        return await read(match, after=after)

    monkeypatch.setattr(file_store, "read", counted)
    live = await nodes[1].load(match)
    async with live.lock:
        asked = [asyncio.create_task(nodes[1].current(match)) for _ in range(50)]
        await asyncio.sleep(0)
        await nodes[0].do(match, seat, play)
    seen = await asyncio.gather(*asked)
    assert reads == 1
    assert {found.match.seq for found in seen} == {(await nodes[0].load(match)).match.seq}


async def test_a_node_waits_until_the_game_can_be_played(
    file_store: Store, memory_bus: MemoryBus
) -> None:
    waited: list[str] = []

    async def ready(game: str) -> None:
        waited.append(game)

    first, second = (
        Matches(file_store, memory_bus, Metrics(), Clock(), ready=ready) for _ in range(2)
    )
    live = await new_match(first)
    assert waited == [GAME], "before it creates a match"
    await second.load(live.match.id)
    assert waited == [GAME, GAME], "and before it reads one"


async def test_an_outdated_node_reads_on_and_decides_again(
    nodes: list[Matches],
) -> None:
    """The second node hasn't seen the first one's move: its append conflicts, and it reads on."""
    first, second, *_ = nodes
    match = await full_match(first)
    live = await second.load(match)
    seat = live.match.state.to_move
    move = live.match.state.legal_actions[0]
    await first.do(match, seat, Play(move=move), client_id="one")
    with pytest.raises(NotYourTurn):
        await second.do(match, seat, Play(move=move), client_id="two")
    assert second._metrics.conflicts._value.get() == 1
    assert live.match == (await first.load(match)).match


async def test_a_resent_command_is_not_repeated(
    file_store: Store, memory_bus: MemoryBus, nodes: list[Matches]
) -> None:
    """A retry notifies all nodes: the one that did it may have died before publishing it."""
    first, second, *_ = nodes
    match = await full_match(first)
    seat, play = await first_play(first, match)
    done = await first.do(match, seat, play, client_id="same")
    assert done == await first.do(match, seat, play, client_id="same")
    subscription = memory_bus.subscribe()
    await subscription.add(f"match:{match}")
    assert done == await second.do(match, seat, play, client_id="same")
    assert await published(subscription) >= done
    assert await count_played(file_store, match) == 1


async def published(subscription: Any) -> int:
    """The number in the next message on a match."""
    async with asyncio.timeout(10):
        async for note in subscription:
            return int(getattr(note, "body", b"0").split(b"\n")[0])
    raise AssertionError("it ended")


async def test_one_of_many_concurrent_commands_wins(nodes: list[Matches]) -> None:
    match = await full_match(nodes[0])
    state = (await nodes[0].load(match)).match.state
    plays = [
        node.do(match, state.to_move, Play(move=state.legal_actions[0]), client_id=f"c{i}")
        for i, node in enumerate(nodes * 3)
    ]
    done = await asyncio.gather(*plays, return_exceptions=True)
    assert sum(not isinstance(each, Exception) for each in done) == 1
    assert all(isinstance(each, NotYourTurn) for each in done if isinstance(each, Exception))


async def test_a_refused_command_changes_nothing(file_store: Store, nodes: list[Matches]) -> None:
    node = nodes[0]
    match = await full_match(node)
    live = await node.load(match)
    before, rows = live.match, await file_store.read(match)
    with pytest.raises((IllegalMove, InvalidNotation)):
        await node.do(match, before.state.to_move, Play(move=10_000), client_id="x")
    assert live.match is before
    assert await file_store.read(match) == rows


async def test_an_unknown_match_is_not_found(nodes: list[Matches]) -> None:
    for name in ("nothing", "", "x" * 10_000, "'; DROP TABLE log; --"):
        with pytest.raises(NotFound):
            await nodes[0].load(name)


async def test_a_long_log_is_folded_in_another_thread(
    nodes: list[Matches], monkeypatch: pytest.MonkeyPatch
) -> None:
    live, others = await new_match(nodes[0]), iter(nodes[1:])
    folded, places = service._folded, []

    def note(*rest: Any) -> LiveMatch:
        places.append(threading.current_thread() is threading.main_thread())
        return folded(*rest)

    monkeypatch.setattr(service, "_folded", note)
    for limit in (100, 0):
        monkeypatch.setattr(service, "LONG_LOG", limit)
        again = await next(others).load(live.match.id)
        assert again.match == live.match
    assert places == [True, False]


async def test_concurrent_loads_read_the_log_once(nodes: list[Matches]) -> None:
    match = await full_match(nodes[0])
    node = nodes[1]
    lives = await asyncio.gather(*(node.load(match) for _ in range(20)))
    assert len({id(live) for live in lives}) == 1


class FlakyStore:
    """A store whose connection breaks after the commit."""

    def __init__(self, store: Store) -> None:
        self._store, self.is_away = store, False

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def append(self, append: Append) -> None:
        await self._store.append(append)
        if self.is_away:
            raise StoreUnavailable("the connection broke", "")


async def test_a_write_whose_response_was_lost_is_found_by_a_retry(
    file_store: Store, memory_bus: MemoryBus
) -> None:
    store = FlakyStore(file_store)
    node = Matches(store, memory_bus, Metrics(), Clock())  # type: ignore[arg-type]
    match = await full_match(node)
    seat, play = await first_play(node, match)
    store.is_away = True
    with pytest.raises(StoreUnavailable):
        await node.do(match, seat, play, client_id="same")
    store.is_away = False
    await node.do(match, seat, play, client_id="same")
    assert await count_played(file_store, match) == 1
    assert (await node.load(match)).match == await stored(file_store, match)


async def test_a_write_whose_response_was_lost_is_published_without_a_retry(
    file_store: Store, memory_bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("watermeet.server.matches.service.RECHECK_S", 0.01)
    store = FlakyStore(file_store)
    node = Matches(store, memory_bus, Metrics(), Clock())  # type: ignore[arg-type]
    match = await full_match(node)
    live = await node.load(match)
    subscription = memory_bus.subscribe()
    await subscription.add(f"match:{match}")
    seq, state = live.match.seq, live.match.state
    store.is_away = True
    with pytest.raises(StoreUnavailable):
        await node.do(match, state.to_move, Play(move=state.legal_actions[0]), client_id="x")
    assert await published(subscription) > seq
    assert live.match == await stored(file_store, match)
    await node.close()


async def test_a_cancelled_command_is_still_published(
    file_store: Store, nodes: list[Matches]
) -> None:
    node = nodes[0]
    match = await full_match(node)
    live = await node.load(match)
    published: list[int] = []
    node.listen(lambda each: published.append(each.match.seq))
    state = live.match.state
    seat, play = state.to_move, Play(state.legal_actions[0])
    pending = asyncio.create_task(node.do(match, seat, play, client_id="same"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    pending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pending
    await node.close()
    assert live.match == await stored(file_store, match)
    assert published == [live.match.seq]


async def test_a_former_player_cannot_act_for_the_new_one_through_another_node(
    file_store: Store, nodes: list[Matches]
) -> None:
    first, second, *_ = nodes
    setup = MatchSetup(game="qwirkle", options={"seats": 3}, seats=(SeatPlan(),) * 3)
    match = (await first.create(setup, lambda _: [])).match.id
    for seat, user in enumerate(("ada", "bob")):
        await first.do(match, seat, Join(user=user, name=user))
    await second.load(match)
    await first.do(match, 0, Leave(), client_id="l")
    await first.do(match, 0, Join(user="cyd", name="cyd"))
    with pytest.raises(Forbidden):
        await second.do(match, 0, Leave(), client_id="again", user="ada")
    assert (await stored(file_store, match)).seats[0].user == "cyd"


async def test_lists_show_the_stage_of_a_match(file_store: Store, nodes: list[Matches]) -> None:
    node = nodes[0]
    match = (await new_match(node)).match.id
    assert [row.id for row in await file_store.public_matches("open", game=None, limit=9)] == [
        match
    ]
    for seat in (0, 1):
        await node.do(match, seat, Join(user=f"u{seat}", name=f"U{seat}"))
    row = await file_store.match_row(match)
    assert row is not None
    assert row.stage == PLAYING != OPEN
    assert [each.id for each in await file_store.matches_of("u1", before=None, limit=9)] == [match]
    await node.do(match, 0, Resign(), client_id="r")
    row = await file_store.match_row(match)
    assert row is not None
    assert row.stage == FINISHED


async def test_a_bot_that_is_to_move_gets_one_job(file_store: Store, nodes: list[Matches]) -> None:
    node = nodes[0]
    plans = (SeatPlan(who="bot", level="drop"), SeatPlan())
    match = (await new_match(node, *plans)).match.id
    assert await file_store.lease(["choose"], "w", 10**12, 10**12 + 1) is None, (
        "not before it began"
    )
    await node.do(match, 1, Join(user="u", name="U"))
    found = (await node.load(match)).match
    jobs: list[Job] = []
    while job := await file_store.lease(["choose"], "w", 10**12, 10**13):
        jobs.append(job)
    expected = [(match, 0, found.seq)] if found.state.to_move == 0 else []
    assert [(job.match, job.seat, job.seq) for job in jobs] == expected


async def test_commands_are_published(memory_bus: MemoryBus, nodes: list[Matches]) -> None:
    node = nodes[0]
    received: list[int] = []
    node.listen(lambda live: received.append(live.match.seq))
    match = (await new_match(node)).match.id
    subscription = memory_bus.subscribe()
    await subscription.add(f"match:{match}")
    await node.do(match, 0, Join(user="u", name="U"))
    assert received == [1, 2], "creating a match is published too"
    async for note in subscription:
        seq, *entries = getattr(note, "body", b"").split(b"\n")
        assert (seq, len(entries)) == (b"2", 1)
        assert decode(entries[0]) == node.cached(match).entries[1]  # type: ignore[union-attr]
        break
    await subscription.close()


async def test_repeated_conflicts_are_reported(
    file_store: Store, nodes: list[Matches], monkeypatch: pytest.MonkeyPatch
) -> None:
    node = nodes[0]
    match = (await new_match(node)).match.id

    async def lost(_: Append) -> None:
        raise Conflict("taken", "")

    monkeypatch.setattr(file_store, "append", lost)
    with pytest.raises(Conflict, match="always faster"):
        await node.do(match, 0, Join(user="u", name="U"))
