"""Absent players: claims, bots that take over and hand back, restarts, several nodes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.driving import TIMEOUT_S, Client, http_client, plain_server
from tests.server.test_live_clocks import SMALL, Table, live, look

from watermeet.server import app, deadlines, heartbeat
from watermeet.server.bus.memory import MemoryBus
from watermeet.server.matches.commands import Join
from watermeet.server.matches.service import Matches
from watermeet.server.matches.setup import Absence, MatchSetup, SeatPlan
from watermeet.server.metrics import Metrics
from watermeet.server.presence import Presence
from watermeet.server.store.store import Store

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

STEP_MS = 10_000
"""Less than the lifetime of presence, so that no check misses a short return."""


class Clock:
    def __init__(self) -> None:
        self.added = 0
        self.sweeps = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.added

    async def go(self, ms: int) -> None:
        """Advance the time while the deadline task keeps checking."""
        await self._swept()  # Somebody who has just disconnected is away first.
        for _ in range(ms // STEP_MS):
            self.added += STEP_MS
            await self._swept()

    async def _swept(self) -> None:
        """Return when the deadline task has completed two more sweeps."""
        wanted = self.sweeps + 3
        async with asyncio.timeout(TIMEOUT_S):
            while self.sweeps < wanted:
                await asyncio.sleep(0.005)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(app, "now_ms", clock)
    monkeypatch.setattr(deadlines, "SWEEP_S", 0.03)
    sweep = deadlines.Deadlines.sweep

    async def counted(self: deadlines.Deadlines) -> None:
        await sweep(self)
        clock.sweeps += 1

    monkeypatch.setattr(deadlines.Deadlines, "sweep", counted)
    monkeypatch.setattr(heartbeat, "OUTAGE_MS", 10**12)  # Time leaps in these tests.
    return clock


@pytest.fixture
def address(tmp_path: Path, clock: Clock) -> Iterator[str]:
    with plain_server(tmp_path) as found:
        yield found


def setup_with(rule: str) -> dict[str, Any]:
    """A match with a grace period of 30 seconds."""
    return {
        "game": "flume",
        "options": SMALL,
        "time_control": live(170_000),
        "absence": {"rule": rule, "level": "random"},
    }


async def test_a_player_who_is_away_too_long_can_be_claimed(address: str, clock: Clock) -> None:
    table = await Table.create(address, **setup_with("claim"))
    assert (await table.do(1, "claim", absent=0))["code"] == "not_absent"
    await table.clients[0].close()
    await clock.go(20_000)
    refused = await table.do(1, "claim", absent=0)
    assert refused["code"] == "not_absent"
    assert "wait" in refused["hint"]
    await clock.go(10_000)
    await table.done(1, "claim", absent=0)
    document = await table.look(1)
    assert document["outcome"]["by"] == "claimed"
    assert document["outcome"]["winners"] == [1]
    await table.close()


async def test_a_short_return_restarts_the_grace_period(address: str, clock: Clock) -> None:
    table = await Table.create(address, **setup_with("claim"))
    await table.clients[0].close()
    await clock.go(20_000)
    table.clients[0] = await Client.open(address, table.people[0].token)
    await table.look(0)
    await table.clients[0].close()
    await clock.go(20_000)
    assert (await table.do(1, "claim", absent=0))["code"] == "not_absent"
    await clock.go(10_000)
    await table.done(1, "claim", absent=0, how="stand_in")
    await table.close()


async def test_a_bot_takes_over_and_hands_the_seat_back(address: str, clock: Clock) -> None:
    table = await Table.create(address, **setup_with("stand_in"))
    await table.clients[0].close()
    await clock.go(30_000)
    event = await table.event("stood_in", seat=1)
    assert (event["seat"], event["level"]) == (0, "random")
    await table.event("played", seat=1)
    table.clients[0] = await Client.open(address, table.people[0].token)
    await table.look(0)
    await table.event("reclaimed", seat=1)
    document = await table.look(0)
    assert document["seats"][0]["stand_in"] == ""
    seat = -1
    while seat != 0:  # Some moves earn another turn.
        seat = (await table.look(0))["view"]["to_move"]
        await table.done(seat, "play", move=(await table.look(seat))["view"]["legal"][0]["move"])
    await table.close()


@pytest.mark.parametrize("command", [{"type": "offer", "what": "pause"}, {"type": "reclaim"}])
async def test_a_request_hands_the_seat_back_too(
    address: str, clock: Clock, command: dict[str, str]
) -> None:
    table = await Table.create(address, **setup_with("stand_in"))
    await table.clients[0].close()
    await clock.go(30_000)
    await table.event("played", seat=1)
    async with http_client(address) as http:
        answer = await http.post(
            f"/api/matches/{table.match}/commands",
            json={"id": "back", "command": command},
            headers=table.people[0].headers,
        )
    assert answer.status_code == 200, answer.text
    document = await table.look(1)
    assert document["seats"][0]["stand_in"] == ""
    assert [offer["what"] for offer in document["offers"]] == [
        what for name, what in command.items() if name == "what"
    ]
    await table.close()


async def test_bots_finish_the_match_when_everyone_is_away(address: str, clock: Clock) -> None:
    """Nobody follows the match, but the deadline task finds it in the database."""
    table = await Table.create(address, **setup_with("stand_in"))
    await table.close()
    spectator = await Client.open(address)
    stage = "playing"
    for _ in range(40):
        await clock.go(STEP_MS)
        stage = (await look(spectator, table.match))["stage"]
        if stage == "finished":
            break
    assert stage == "finished"
    await spectator.close()


async def test_a_match_may_wait_for_absent_players(address: str, clock: Clock) -> None:
    table = await Table.create(address, **setup_with("wait"))
    await table.clients[0].close()
    await clock.go(60_000)
    assert (await table.do(1, "claim", absent=0))["code"] == "no_such_offer"
    assert (await table.look(1))["stage"] == "playing"
    await table.close()


async def test_a_restart_counts_as_nobodys_absence(tmp_path: Path, clock: Clock) -> None:
    with plain_server(tmp_path) as address:
        table = await Table.create(address, **setup_with("stand_in"))
        await table.clients[0].close()
        await clock.go(20_000)
    with plain_server(tmp_path) as address:
        table.clients[1] = await Client.open(address, table.people[1].token)
        await table.look(1)
        await clock.go(20_000)
        assert (await table.look(1))["seats"][0]["stand_in"] == "", "40 seconds, but 20 of these"
        await clock.go(20_000)
        assert (await table.look(1))["seats"][0]["stand_in"] == "random"
        await table.close()


# ---- several nodes ------------------------------------------------------------------------------


async def test_nodes_agree_on_who_is_present(file_store: Store, memory_bus: MemoryBus) -> None:
    clock = Clock()
    matches = Matches(file_store, memory_bus, Metrics(), clock)
    create = MatchSetup(game="kuhn_poker", seats=(SeatPlan(),) * 2, absence=Absence("claim"))
    match = (await matches.create(create, lambda _: [])).match
    for seat in (0, 1):
        await matches.do(match.id, seat, Join(user=f"u{seat}", name="N"))
    match = (await matches.load(match.id)).match
    here, there = Presence(memory_bus, clock), Presence(memory_bus, clock)
    await here.touch(match.id, 0)
    await there.touch(match.id, 1)
    assert await here.away_since(match) == await there.away_since(match) == {}
    await here.leave(match.id, 0)
    left = clock()
    clock.added += STEP_MS
    away = await here.away_since(match)
    assert abs(away[0] - left) < 1_000
    assert list(await there.away_since(match)) == [0]
    # The player returns to the other node and leaves again before this one checks.
    await there.touch(match.id, 0)
    clock.added += 6 * STEP_MS
    await there.leave(match.id, 0)
    away = await here.away_since(match)
    assert clock() - away[0] < 1_000, "what was before does not count"
