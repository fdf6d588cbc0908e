"""Turns: each is sent once, however often it is announced, even if it never is."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.inside import Inside, until

from watermeet.server.api import turns as feed
from watermeet.server.api.turns import Turns
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.matches.commands import Play, Resign
from watermeet.server.matches.service import Matches, topic_of
from watermeet.server.metrics import Metrics

pytestmark = pytest.mark.anyio

GAME = "flume"  # No chance: one move after the other.


@pytest.fixture(autouse=True)
def _quick_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "SWEEP_S", 0.01)


@pytest.fixture
def lookups(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows whenever the matches of a user are looked up."""
    counted: list[int] = []
    look = Turns._find

    async def noted(self: Turns, *rest: Any) -> None:
        await look(self, *rest)
        counted.append(1)

    monkeypatch.setattr(Turns, "_find", noted)
    return counted


async def test_a_turn_is_sent_once_however_often_it_is_announced(
    server: Inside, lookups: list[int]
) -> None:
    match, tokens = await server.seated(GAME, 2, options={"size": 3})
    matches: Matches = server.services.matches
    live = await matches.load(match)
    mover = live.match.state.to_move
    turns = await server.stream("/api/me/turns", tokens[mover])
    first = await turns.receive("turn")
    socket = await server.socket(tokens[1 - mover])
    await socket.follow(match)
    for command in (
        {"type": "offer"},
        {"type": "respond", "accept": False},
    ):  # Entries, but no new state.
        done = await socket.do(match, command | {"what": "pause"})
        assert done["type"] == "ack", done
    matches._notify(live)
    for seq in (first["seq"], live.match.seq, live.match.seq + 1):
        await matches._bus.publish(topic_of(match), str(seq).encode())
    await matches.catch_up(match)
    seen = len(lookups)
    await until(lambda: len(lookups) >= seen + 3)  # One has started and ended since.
    sent, wanted = [first["seq"]], [first["seq"]]
    while live.match.stage == "playing":
        seat = live.match.state.to_move
        if seat == mover and live.match.changed_seq > sent[-1]:
            sent.append((await turns.receive("turn"))["seq"])
            wanted.append(live.match.changed_seq)
        action = live.match.state.legal_actions[0]
        await matches.do(match, seat, Play(move=action), client_id=f"c{live.match.seq}")
        matches._notify(live)
    assert (await turns.receive("turn", "finished"))["type"] == "finished"
    assert sent == wanted
    assert len(wanted) > 2
    await socket.close()
    await turns.close()
    assert sum('"type":"turn"' in line for line in turns.raw) == len(wanted)


async def test_an_unannounced_turn_is_still_sent(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2, options={"size": 3})
    ours: Matches = server.services.matches
    other = Matches(ours._store, MemoryBus(), Metrics(), ours._now)  # It announces nothing here.
    live = await other.load(match)
    mover = live.match.state.to_move
    turns = await server.stream("/api/me/turns", tokens[1 - mover])
    server.app.state.streams.heartbeat_s = 60.0
    action = live.match.state.legal_actions[0]
    done = await other.do(match, mover, Play(move=action), client_id="c")
    assert (await turns.receive("turn"))["seq"] == done
    await other.do(match, mover, Resign(), client_id="d")
    assert (await turns.receive("finished"))["match"] == match
    await turns.close()
    await other.close()


async def test_a_stream_begins_with_a_bounded_number_of_matches(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand matches were read, and their positions made, for one request."""
    monkeypatch.setattr(feed, "PAGE", 2)
    monkeypatch.setattr(feed, "MOST", 4)
    monkeypatch.setattr(feed, "SWEEP_S", 3600)
    tokens = [await server.guest() for _ in range(2)]
    for _ in range(7):
        await server.match_of(tokens)
    stream = await server.stream("/api/me/turns", tokens[0])
    [watch] = server.services.turns._watches.values()
    assert len(watch.matches) == 4
    await stream.close()
