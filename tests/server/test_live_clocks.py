"""Live clocks and the shared timer on a real server."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from tests.server.driving import Client, Person, http_client, plain_server

from watermeet.client import Client as RestClient
from watermeet.client import Connection
from watermeet.server import heartbeat

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

SMALL = {"size": 3, "pie": False}
MINUTE = {"clock": "minute"}
PROMPT_MS = 50
"""The largest delay of a flag; the best of three counts, because the machine is shared."""


async def look(client: Client, match: str) -> dict[str, Any]:
    """The match as a client sees it now."""
    await client.send({"type": "follow", "match": match})
    document: dict[str, Any] = (await client.receive("snapshot"))["document"]
    return document


class Table:
    """A match with a person on every seat, all connected."""

    def __init__(self, match: str, people: list[Person], clients: list[Client]) -> None:
        self.match, self.people, self.clients = match, people, clients
        self._read: dict[Client, int] = {}

    @classmethod
    async def create(cls, address: str, count: int = 2, **setup: Any) -> Table:
        async with http_client(address) as http:
            people = [await Person(http).begin() for _ in range(count)]
            setup = {"seats": [{}] * count, "seat": 0, **setup}
            made = await people[0].post("/api/matches", setup)
            assert made.status_code == 201, made.text
            match = made.json()["match"]
            for seat in range(1, count):
                joined = await people[seat].post(f"/api/matches/{match}/seats/{seat}", {})
                assert joined.status_code == 201, joined.text
        table = cls(match, people, [await Client.open(address, each.token) for each in people])
        for client in table.clients:
            await client.follow(match)
        return table

    async def look(self, seat: int = 0) -> dict[str, Any]:
        """The match as a seat sees it now."""
        return await look(self.clients[seat], self.match)

    async def do(self, seat: int, command: str, **more: Any) -> dict[str, Any]:
        return await self.clients[seat].do(self.match, {"type": command, **more})

    async def done(self, seat: int, command: str, **more: Any) -> int:
        answer = await self.do(seat, command, **more)
        assert answer["type"] == "ack", answer
        return int(answer["seq"])

    async def event(self, kind: str, seat: int = 0) -> dict[str, Any]:
        """The next unread event of a kind at a seat."""
        client = self.clients[seat]
        while True:
            read = self._read.get(client, 0)
            for number, message in enumerate(client.received[read:], read + 1):
                self._read[client] = number
                for event in message.get("events", ()):
                    if event["kind"] == kind:
                        found: dict[str, Any] = event
                        return found
            await client.receive("changes")

    async def close(self) -> None:
        for client in self.clients:
            await client.close()


def live(bank_ms: int, increment_ms: int = 0) -> dict[str, Any]:
    return {"type": "real_time", "initial_ms": bank_ms, "increment_ms": increment_ms}


async def test_the_clock_of_a_shared_screen_starts_immediately(address: str) -> None:
    """All who sit at it are present, although it follows one seat at a time (P4.9)."""
    live = {"type": "real_time", "initial_ms": 60_000}
    async with http_client(address) as http:
        people = [await Person(http).begin() for _ in range(2)]
        setup = {"game": "flume", "options": SMALL, "seats": [{}] * 2, "time_control": live}
        match = (await people[0].post("/api/matches", setup)).json()["match"]
        path = f"/api/matches/{match}/seats"
        tokens = [
            (await person.post(f"{path}/{seat}", {})).json()["token"]
            for seat, person in enumerate(people)
        ]
    screen = await Client.open(address)
    await screen.follow(match, token=tokens[0], others=[tokens[1], "unknown"])
    for seat in (0, 1):
        held = {"token": tokens[seat], "others": [tokens[1 - seat]]}
        await screen.send({"type": "follow", "match": match, **held})
        document = (await screen.receive("snapshot"))["document"]
        assert (document["seat"], document["clocks"]["running"]) == (seat, 0)
    assert (await screen.receive("presence"))["seats"] == [0, 1]
    await screen.close()


async def test_flags_fall_on_time(address: str) -> None:
    late = []
    for _ in range(3):
        table = await Table.create(address, game="flume", options=SMALL, time_control=live(1_000))
        falls = (await table.look())["clocks"]["flag_at"]
        late.append((await table.event("timed_out"))["at"] - falls)
        document = await table.look()
        assert document["outcome"]["by"] == "timeout"
        assert document["outcome"]["winners"] == [1]
        await table.close()
    assert min(late) >= 0
    assert min(late) <= PROMPT_MS, late


async def test_only_the_clock_of_the_player_to_move_runs_and_a_pause_stops_it(address: str) -> None:
    table = await Table.create(
        address, game="flume", options=SMALL, time_control=live(60_000, 1_000)
    )
    await table.done(0, "play", move="a1")
    left = (await table.look())["clocks"]["remaining_ms"]
    assert 59_000 < left[0] <= 61_000
    await table.done(0, "offer", what="pause")
    await table.done(1, "respond", what="pause", accept=True)
    paused = await table.look()
    assert (paused["stage"], paused["clocks"]["flag_at"]) == ("paused", None)
    assert (await table.do(1, "play", move="b2"))["code"] == "wrong_stage"
    await asyncio.sleep(0.5)
    await table.done(1, "offer", what="resume")
    await table.done(0, "respond", what="resume", accept=True)
    resumed = await table.look()
    assert resumed["stage"] == "playing"
    assert resumed["clocks"]["remaining_ms"] == paused["clocks"]["remaining_ms"], (
        "a pause is nobody's time"
    )
    await table.close()


async def test_time_without_a_server_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flag would have fallen while the server was down; it falls that much later."""
    monkeypatch.setattr(heartbeat, "OUTAGE_MS", 400)
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.1)
    with plain_server(tmp_path) as address:
        table = await Table.create(address, game="flume", options=SMALL, time_control=live(2_500))
        while (await table.look())["clocks"]["flag_at"] is None:  # Until both have arrived.
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.5)  # At least one heartbeat.
    stopped = time.monotonic()
    await table.close()
    await asyncio.sleep(3.0)
    with plain_server(tmp_path) as address:
        table.clients = [await Client.open(address, each.token) for each in table.people]
        await asyncio.sleep(0.3)
        document = await table.look()
        down = 1000 * (time.monotonic() - stopped)
        assert document["stage"] == "playing", "nobody lost by it"
        events = [each["kind"] for each in document["moves"]]
        assert events == []
        left = document["clocks"]["remaining_ms"][0]
        assert 500 < left < 2_500, "what was spent before is spent"
        assert down > 2_500
        falls = document["clocks"]["flag_at"]
        fell = (await table.event("timed_out"))["at"]
        assert 0 <= fell - falls < 500
        await table.close()


# ---- the shared timer --------------------------------------------------------------------------


async def flow(address: str, percent: int, **setup: Any) -> Table:
    return await Table.create(address, game="flow", options=MINUTE, timer_percent=percent, **setup)


async def test_the_timer_ends_by_the_servers_clock(address: str) -> None:
    late = []
    for _ in range(3):
        table = await flow(address, 2)  # 1.2 seconds.
        document = await table.look()
        assert document["info"]["timer_ms"] == 1_200
        event = await table.event("timer_expired", seat=1)
        late.append(event["at"] - document["clocks"]["timer_ends_at"])
        await table.close()
    assert min(late) >= 0
    assert min(late) <= PROMPT_MS, late


async def test_the_current_tile_may_be_placed_after_the_timer(address: str) -> None:
    table = await flow(address, 3)
    seat = (await table.look())["view"]["to_move"]
    await table.done(seat, "play", move="draw")
    await table.event("timer_expired", seat=seat)
    document = await table.look(seat)
    assert document["view"]["to_move"] == seat
    assert document["clocks"]["timer_ends_at"] is None, "nobody is hurried now"
    await asyncio.sleep(0.3)
    move = document["view"]["legal"][0]["move"]
    await table.done(seat, "play", move=move)
    assert (await table.look(seat))["clocks"]["timer_ends_at"] is not None, "the next minute runs"
    await table.close()


async def test_an_agreed_pause_stops_the_timer(address: str) -> None:
    table = await flow(address, 50)
    await table.done(0, "offer", what="pause")
    await table.done(1, "respond", what="pause", accept=True)
    paused = (await table.look())["clocks"]
    assert paused["timer_ends_at"] is None
    assert 0 < paused["timer_remaining_ms"] <= 30_000
    await asyncio.sleep(0.3)
    assert (await table.look())["clocks"]["timer_remaining_ms"] == paused["timer_remaining_ms"]
    await table.done(1, "offer", what="resume")
    await table.done(0, "respond", what="resume", accept=True)
    resumed = (await table.look())["clocks"]
    assert resumed["timer_ends_at"] - resumed["since"] == paused["timer_remaining_ms"]
    await table.close()


async def test_a_reconnecting_player_finds_the_timer_still_running(address: str) -> None:
    """The offset of the clocks gives the remaining time."""
    table = await flow(address, 50)
    ends = (await table.look(1))["clocks"]["timer_ends_at"]
    await table.clients[1].close()
    table.clients[1] = await Client.open(address, table.people[1].token)
    assert (await table.look(1))["clocks"]["timer_ends_at"] == ends
    client = RestClient(f"http://{address}", table.people[1].token)
    with Connection(client) as connection:
        connection.follow(table.match)
        position = await asyncio.to_thread(lambda: next(connection.positions()))
        assert position.deadline == ends
        while connection.clock.error_ms > 1_000:
            await asyncio.sleep(0.01)
        assert 0 < ends - connection.clock.now() <= 30_000
    await table.close()


@pytest.mark.parametrize(("percent", "minute_ms"), [(300, 180_000), (0, None)])
async def test_the_timer_can_be_extended_or_turned_off(
    address: str, percent: int, minute_ms: int | None
) -> None:
    table = await flow(address, percent)
    document = await table.look()
    assert document["info"]["timer_ms"] == minute_ms
    ends = document["clocks"]["timer_ends_at"]
    if minute_ms is None:
        assert ends is None
        await table.done(
            document["view"]["to_move"], "play", move="time"
        )  # The players announce it.
    else:
        assert ends - document["clocks"]["since"] == minute_ms
    await table.close()
