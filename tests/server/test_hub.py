"""The hub: followers receive everything once, whatever happens to the store and the bus."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.server.inside import until

from watermeet.server.api import hub as hubs
from watermeet.server.api.connection import QueuedConnection
from watermeet.server.api.hub import Follower, Hub
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.documents import Documents
from watermeet.server.errors import StoreUnavailable
from watermeet.server.fair_threads import FairThreads
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches.commands import Join, Play
from watermeet.server.matches.errors import PlayersOnly
from watermeet.server.matches.match import Match
from watermeet.server.matches.projection import MatchDocument
from watermeet.server.matches.service import Matches, topic_of
from watermeet.server.matches.setup import MatchSetup, SeatPlan
from watermeet.server.metrics import Metrics
from watermeet.server.store.rows import LogRow
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


class FakeSocket:
    """A socket that records what is sent."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []

    async def send_text(self, data: str) -> None:
        self.received.append(json.loads(data))

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """There is nothing to close."""


class FlakyStore:
    """A store in which the reads of some matches, or of all, can fail."""

    def __init__(self, store: Store) -> None:
        self._store, self.is_away = store, False
        self.errors: dict[str, Exception] = {}

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def read(self, match: str, after: int = 0) -> list[LogRow]:
        if self.is_away:
            raise StoreUnavailable("away", "")
        if match in self.errors:
            raise self.errors[match]
        return await self._store.read(match, after)


class Node:
    """A node: its matches, its hub, and its followers."""

    def __init__(self, store: Any, bus: MemoryBus) -> None:
        self.matches = Matches(store, bus, Metrics(), lambda: 1_000_000)
        self._publish = self.matches._publish
        self.documents = Documents(FairThreads("test", 1))
        self.hub = Hub(self.matches, bus, lambda: 1_000_000, self.documents)

    def publish_numbers_only(self) -> None:
        """Publish no entries, as if some had been lost: other nodes have to read them."""
        self.matches._publish = lambda live, news=(): self._publish(live)  # type: ignore[method-assign]

    async def follow(
        self, match: str, seat: int | None = None, after: int | None = None
    ) -> tuple[Follower, FakeSocket]:
        socket = FakeSocket()
        connection = QueuedConnection(socket, 64)
        connection.start()
        return await self.hub.follow(connection, match, seat, after), socket


Nodes = tuple[Node, Node, FlakyStore]


@pytest.fixture
async def nodes(
    file_store: Store, memory_bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Nodes]:
    monkeypatch.setattr(hubs, "RETRY_S", 0.02)
    flaky = FlakyStore(file_store)
    here, there = Node(flaky, memory_bus), Node(file_store, memory_bus)
    for side in (here, there):
        side.hub.start()
    yield here, there, flaky
    for side in (here, there):
        await side.hub.close()
        await side.matches.close()


async def new_match(side: Node) -> LiveMatch:
    plans = (SeatPlan(), SeatPlan())
    live = await side.matches.create(MatchSetup(game=GAME, seats=plans), lambda _: [])
    for seat in (0, 1):
        await side.matches.do(live.match.id, seat, Join(user=f"u{seat}", name=f"U{seat}"))
    return live


async def move(side: Node, live: LiveMatch) -> int:
    state = live.match.state
    play = Play(state.legal_actions[0])
    await side.matches.do(live.match.id, state.to_move, play, client_id=f"m{live.match.seq}")
    return live.match.seq


def last_seq(socket: FakeSocket) -> int:
    return max((message.get("seq", 0) for message in socket.received), default=0)


async def wait_for_seq(socket: FakeSocket, seq: int) -> None:
    await until(lambda: last_seq(socket) == seq)


async def test_entries_of_another_node_are_received_and_not_read_again(nodes: Nodes) -> None:
    here, there, flaky = nodes
    live = await new_match(there)
    _, socket = await here.follow(live.match.id, 0)
    flaky.is_away = True
    await wait_for_seq(socket, await move(there, live))
    assert here.matches.cached(live.match.id).match == live.match  # type: ignore[union-attr]


@pytest.mark.parametrize("entry", [b"{}", b"", b'{"kind":"played","at":1,"seat":9,"action":0}'])
async def test_unreadable_entries_on_the_bus_are_read_from_the_log(
    nodes: Nodes, memory_bus: MemoryBus, entry: bytes
) -> None:
    here, there, _ = nodes
    live = await new_match(there)
    _, socket = await here.follow(live.match.id, 0)
    there.matches._publish = lambda live, news=(): memory_bus.publish(  # type: ignore[method-assign]
        topic_of(live.match.id), b"%d\n%b" % (live.match.seq, entry)
    )
    await wait_for_seq(socket, await move(there, live))
    assert here.matches.cached(live.match.id).match == live.match  # type: ignore[union-attr]


async def test_unfollowing_while_another_follows_loses_nothing(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, _ = nodes
    live = await new_match(there)
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
    _, socket = await coming
    await wait_for_seq(socket, await move(there, live))


async def test_failed_reads_are_retried_and_other_matches_continue(nodes: Nodes) -> None:
    here, there, flaky = nodes
    there.publish_numbers_only()
    live, other = await new_match(there), await new_match(there)
    _, socket = await here.follow(live.match.id, 0)
    _, unharmed = await here.follow(other.match.id, 0)
    flaky.errors[live.match.id] = ValueError("unexpected")
    seq = await move(there, live)
    await wait_for_seq(unharmed, await move(there, other))
    assert last_seq(socket) < seq
    flaky.errors.clear()
    flaky.is_away = True
    seq = await move(there, live)
    await asyncio.sleep(0.05)
    assert last_seq(socket) < seq
    flaky.is_away = False
    await wait_for_seq(socket, seq)


async def test_unpublished_moves_of_a_dead_node_are_found(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, _ = nodes
    monkeypatch.setattr(hubs, "RECHECK_S", 0.05)
    live = await new_match(there)
    _, socket = await here.follow(live.match.id, 0)

    async def dead(_: LiveMatch, __: object = ()) -> None:
        """It wrote the move, but doesn't publish it."""

    monkeypatch.setattr(there.matches, "_publish", dead)
    await wait_for_seq(socket, await move(there, live))


async def test_a_follower_that_failed_to_start_is_forgotten(
    nodes: Nodes,
) -> None:
    here, there, flaky = nodes
    live = await new_match(there)
    flaky.is_away = True
    with pytest.raises(StoreUnavailable):
        await here.follow(live.match.id, 0)
    assert not here.hub.has_seat(live.match.id, 0)


async def test_whoever_has_missed_much_gets_a_snapshot(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events of a long match would take seconds, and nobody else would be served."""
    here, _, _ = nodes
    live = await new_match(here)
    last = live.match.seq
    monkeypatch.setattr(hubs, "MAX_MISSED", last - 2)
    for after, wanted in ((1, "snapshot"), (2, "changes")):
        _, socket = await here.follow(live.match.id, 0, after)
        await wait_for_seq(socket, last)
        assert socket.received[0]["type"] == wanted


async def test_a_closed_match_that_begins_meanwhile_is_not_shown(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _, _ = nodes
    setup = MatchSetup(game=GAME, seats=(SeatPlan(), SeatPlan()), spectators="none")
    match = (await here.matches.create(setup, lambda _: [])).match.id
    current = here.matches.current

    async def begun(match: str) -> LiveMatch:
        for seat in (0, 1):
            await here.matches.do(match, seat, Join(user=f"u{seat}", name=f"U{seat}"))
        return await current(match)

    monkeypatch.setattr(here.matches, "current", begun)
    with pytest.raises(PlayersOnly):
        await here.follow(match)
    assert match not in here.hub.followed()


async def test_what_is_played_while_a_document_is_made_is_sent(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _, _ = nodes
    live, make = await new_match(here), here.documents.of
    first = live.match.seq

    async def slow(match: Match, seat: int | None, address: str) -> MatchDocument:
        found = await make(match, seat, address)
        await move(here, live)
        return found

    monkeypatch.setattr(here.documents, "of", slow)
    _, socket = await here.follow(live.match.id)
    await wait_for_seq(socket, live.match.seq)
    news = [(each["type"], each["seq"]) for each in socket.received if "seq" in each]
    assert news == [("snapshot", first), ("changes", live.match.seq)]
