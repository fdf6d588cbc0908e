"""Turns: each is sent once, however often it is announced, even if it never is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Inside, inside

from watermeet.server.api import turns as feed
from watermeet.server.api.turns import Turns
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches.commands import Play, Resign
from watermeet.server.matches.service import Matches, topic_of
from watermeet.server.metrics import Metrics

pytestmark = pytest.mark.anyio

GAME = "flume"  # No chance: one move after the other.
TIMEOUT_S = 60.0


@pytest.fixture
async def server(
    tmp_path: Path, store_url: str, bus_url: str | None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Inside]:
    monkeypatch.setattr(feed, "SWEEP_S", 0.01)
    async with inside(tmp_path, store_url=store_url, bus_url=bus_url or "") as found:
        yield found


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


async def wait_for_lookups(lookups: list[int]) -> None:
    """Return when a lookup has started and ended from now on."""
    before = len(lookups)
    async with asyncio.timeout(TIMEOUT_S):
        while len(lookups) < before + 3:
            await asyncio.sleep(0.005)


async def test_a_turn_is_sent_once_however_often_it_is_announced(
    server: Inside, lookups: list[int]
) -> None:
    match, tokens = await server.seated(GAME, 2, options={"size": 3})
    matches: Matches = server.app.state.services.matches
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
    await wait_for_lookups(lookups)
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


async def elsewhere(server: Inside, match: str) -> tuple[Matches, LiveMatch]:
    """A node that announces nothing here."""
    ours: Matches = server.app.state.services.matches
    other = Matches(ours._store, MemoryBus(), Metrics(), ours._now)
    return other, await other.load(match)


async def test_an_unannounced_turn_is_still_sent(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2, options={"size": 3})
    other, live = await elsewhere(server, match)
    mover = live.match.state.to_move
    turns = await server.stream("/api/me/turns", tokens[1 - mover])
    server.app.state.streams.heartbeat_s = TIMEOUT_S
    action = live.match.state.legal_actions[0]
    done = await other.do(match, mover, Play(move=action), client_id="c")
    assert (await turns.receive("turn"))["seq"] == done
    await other.do(match, mover, Resign(), client_id="d")
    assert (await turns.receive("finished"))["match"] == match
    await turns.close()
    await other.close()
