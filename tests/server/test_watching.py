"""Who may watch a match, presence, and phrases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Inside, Socket, bearer, inside

from watermeet.server.app import PHRASES_AT_ONCE

pytestmark = pytest.mark.anyio

GAME = "flume"
SMALL = {"size": 3, "pie": False}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Inside]:
    async with inside(tmp_path) as found:
        yield found


async def received(socket: Socket, kind: str) -> list[dict[str, Any]]:
    """All messages of a kind received so far."""
    await socket.send({"type": "ping", "sent": 0})
    found: list[dict[str, Any]] = []
    while True:
        message = await socket.next()
        assert message is not None
        if message["type"] == "pong":
            return found
        if message["type"] == kind:
            found.append(message)


@pytest.mark.parametrize("is_over", [False, True])
async def test_a_private_match_is_visible_only_to_its_players(
    server: Inside, is_over: bool
) -> None:
    closed = {"spectators": "none", "is_public": True, "options": SMALL}
    match, tokens = await server.seated(GAME, 2, **closed)
    socket = await server.socket(tokens[0])
    await socket.follow(match)
    if is_over:
        await socket.do(match, {"type": "resign"})
    stranger = await server.guest()
    for path in ("", "/positions/0", "/picture", "/record", "/events"):
        for token, status in (("", 403), (stranger, 403), (tokens[1], 200)):
            if (path, status) == ("/events", 200):
                continue
            async with server.http(token) as http:
                answer = await http.get(f"/api/matches/{match}{path}")
            assert answer.status_code == status, (path, answer.text)
            assert status == 200 or answer.json()["code"] == "players_only"
    spectator = await server.socket(stranger)
    assert (await spectator.follow(match))["code"] == "players_only"
    async with server.http(stranger) as http:
        start = {"match": match, "ply": 0}
        asked = {"game": GAME, "seats": [{}, {"who": "bot", "level": "random"}], "start": start}
        assert (await http.post("/api/matches", json=asked)).json()["code"] == "players_only"
        listed = (await http.get("/api/matches?stage=playing")).json()["matches"]
    assert listed == []
    for each in (socket, spectator):
        await each.close()


async def test_spectators_of_the_waiting_room_lose_sight_of_a_private_match(server: Inside) -> None:
    host, guest = await server.guest(), await server.guest()
    asked = {"game": GAME, "seats": [{}, {}], "seat": 0, "spectators": "none", "is_public": True}
    async with server.http(host) as http:
        match = (await http.post("/api/matches", json=asked)).json()["match"]
        listed = (await http.get("/api/matches")).json()["matches"]
        assert [each["match"] for each in listed] == [match], "it waits for players"
    spectator = await server.socket()
    assert (await spectator.follow(match))["type"] == "snapshot"
    async with server.http() as http:
        await http.post(f"/api/matches/{match}/seats/1", json={}, headers=bearer(guest))
    player = await server.socket(host)
    assert (await player.follow(match))["document"]["stage"] == "playing"
    await player.send({"type": "say", "match": match, "what": "hello"})
    assert (await player.receive("said"))["what"] == "hello"
    assert await received(spectator, "changes") + await received(spectator, "said") == []
    for each in (player, spectator):
        await each.close()


async def test_an_unlisted_match_is_not_listed(server: Inside) -> None:
    match, _ = await server.seated(GAME, 2, spectators="link", is_public=True)
    async with server.http() as http:
        assert (await http.get("/api/matches?stage=playing")).json()["matches"] == []
        assert (await http.get(f"/api/matches/{match}")).status_code == 200


@pytest.mark.slow
async def test_presence_is_sent_to_everybody(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    first, spectator = await server.socket(tokens[0]), await server.socket()
    await first.follow(match)
    await spectator.follow(match)
    assert (await spectator.receive("presence")) == {
        "type": "presence",
        "match": match,
        "seats": [0],
    }
    second = await server.socket(tokens[1])
    await second.follow(match)
    assert (await spectator.receive("presence"))["seats"] == [0, 1]
    assert (await second.receive("presence"))["seats"] == [0, 1]
    await first.close()
    assert (await second.receive("presence"))["seats"] == [1]
    for each in (second, spectator):
        await each.close()


async def test_phrases_reach_everybody_and_are_not_stored(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    first, second = [await server.socket(token) for token in tokens]
    spectator = await server.socket()
    for each in (first, second, spectator):
        seq = (await each.follow(match))["seq"]
    await first.send({"type": "say", "match": match, "what": "good_luck"})
    for each in (first, second, spectator):
        said = await each.receive("said")
        assert said == {"type": "said", "match": match, "seat": 0, "what": "good_luck"}
    for _ in range(3 * PHRASES_AT_ONCE):
        await first.send({"type": "say", "match": match, "what": "hurry"})
    await received(first, "said")
    assert 0 < len(await received(second, "said")) <= PHRASES_AT_ONCE, "phrases are rate-limited"
    await second.send({"type": "say", "match": match, "what": "free text"})
    assert (await second.receive("error"))["code"] == "bad_request"
    await spectator.send({"type": "say", "match": match, "what": "wow"})
    assert (await spectator.receive("error"))["code"] == "forbidden"
    assert (await second.follow(match))["seq"] == seq
    for each in (first, second, spectator):
        await each.close()


async def test_lists_say_what_a_page_shows_of_a_match(server: Inside) -> None:
    control = {"type": "real_time", "initial_ms": 60_000, "increment_ms": 2_000}
    match, tokens = await server.seated(GAME, 2, options=SMALL, time_control=control)
    socket = await server.socket(tokens[0])
    await socket.follow(match)
    await socket.do(match, {"type": "play", "move": "a1"})
    async with server.http(tokens[1]) as http:
        listed = (await http.get("/api/me/matches")).json()["matches"]
        [headline] = [each["headline"] for each in listed]
        assert (listed[0]["seat"], headline["to_move"]) == (1, 1)
        assert (headline["time_control"], headline["options"]["size"]) == (control, 3)
        assert "users" not in headline
        path = f"/api/matches/{match}/picture?seq="
        current = await http.get(f"{path}{headline['seq']}")
        assert "immutable" in current.headers["cache-control"]
        assert (await http.get(f"{path}1")).headers["cache-control"] == "no-store"
        await socket.do(match, {"type": "resign"})
        headline = (await http.get("/api/me/matches")).json()["matches"][0]["headline"]
    assert headline["outcome"]["winners"] == [1]
    assert headline["outcome"]["left"] == ["resigned", ""]
    async with server.http(tokens[0]) as http:
        asked = {"game": GAME, "seats": [{}, {}], "seat": 0}
        made = (await http.post("/api/matches", json=asked)).json()
        left = {"id": "1", "command": {"type": "leave"}}
        await http.post(f"/api/matches/{made['match']}/commands", json=left)
        mine = (await http.get("/api/me/matches")).json()["matches"]
    assert [each["match"] for each in mine] == [match], "what one cancelled is not listed"
    await socket.close()
