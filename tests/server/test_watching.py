"""Who may watch a match, and how late; presence, phrases, and signals between partners."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.inside import Clock, Inside, Socket, call

import watermeet as wm
from watermeet.server.api.socket import BURST_S, SIGNALS_PER_SECOND
from watermeet.server.app import PHRASES_AT_ONCE

pytestmark = pytest.mark.anyio

GAME = "flume"
SMALL = {"size": 3, "pie": False}
PARTNERS = next(name for name in wm.games() if max(map(len, wm.game(name).teams)) == 2)


async def received(socket: Socket, *kinds: str) -> list[dict[str, Any]]:
    """All messages of some kinds received so far."""
    await socket.send({"type": "ping", "sent": 0})
    found: list[dict[str, Any]] = []
    while (message := await socket.receive("pong", *kinds))["type"] != "pong":
        found.append(message)
    return found


async def connect_all(server: Inside, match: str, tokens: list[str]) -> list[Socket]:
    """All players, and a spectator."""
    sockets = [await server.socket(token) for token in (*tokens, "")]
    for socket in sockets:
        await socket.follow(match)
    return sockets


# ---- who may watch ------------------------------------------------------------------------------


@pytest.mark.parametrize("is_over", [False, True])
async def test_a_private_match_is_visible_only_to_its_players(
    server: Inside, is_over: bool
) -> None:
    closed = {"spectators": "none", "is_public": True, "options": SMALL}
    match, tokens = await server.seated(GAME, 2, **closed)
    if is_over:
        await server.command(match, tokens[0], "r", type="resign")
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
    start = {"match": match, "ply": 0}
    asked = {"game": GAME, "seats": [{}, {"who": "bot", "level": "random"}], "start": start}
    assert (await call(server, stranger, "POST", "/matches", asked))["code"] == "players_only"
    assert (await call(server, stranger, "GET", "/matches?stage=playing"))["matches"] == []


async def test_spectators_of_the_waiting_room_lose_sight_of_a_private_match(server: Inside) -> None:
    host, guest = await server.guest(), await server.guest()
    asked = {"game": GAME, "seats": [{}, {}], "seat": 0, "spectators": "none", "is_public": True}
    match = (await call(server, host, "POST", "/matches", asked))["match"]
    listed = (await call(server, host, "GET", "/matches"))["matches"]
    assert [each["match"] for each in listed] == [match], "it waits for players"
    spectator = await server.socket()
    assert (await spectator.follow(match))["type"] == "snapshot"
    await call(server, guest, "POST", f"/matches/{match}/seats/1", {}, 201)
    player = await server.socket(host)
    assert (await player.follow(match))["document"]["stage"] == "playing"
    await player.send({"type": "say", "match": match, "what": "hello"})
    assert (await player.receive("said"))["what"] == "hello"
    assert await received(spectator, "changes", "said") == []


async def test_an_unlisted_match_is_not_listed(server: Inside) -> None:
    match, _ = await server.seated(GAME, 2, spectators="link", is_public=True)
    assert (await call(server, "", "GET", "/matches?stage=playing"))["matches"] == []
    assert (await server.document(match))["stage"] == "playing"


async def test_spectators_see_moves_late_and_the_end_at_once(clock: Clock, server: Inside) -> None:
    late = {"spectator_delay_s": 60, "is_public": True}
    match, tokens = await server.seated(GAME, 2, options=SMALL, **late)
    clock.now += 60_000
    spectator = await server.socket()
    await spectator.follow(match)

    async def headline(token: str = "") -> Any:
        path = "/me/matches" if token else "/matches?stage=playing"
        return (await call(server, token, "GET", path))["matches"][0]["headline"]

    await server.command(match, tokens[0], "m", type="play", move="a1")
    clock.now += 59_990
    assert await received(spectator, "changes") == []
    assert (await server.document(match))["moves"] == []
    assert (await call(server, "", "GET", f"/matches/{match}/record"))["status"] == 403
    shown = await headline()
    assert shown["to_move"] == 0, "as it was a minute ago"
    assert (await headline(tokens[1]))["to_move"] == 1, "a player"
    await server.command(match, tokens[1], "o", type="offer", what="pause")  # A timer is set.
    clock.now += 10
    events = (await spectator.receive("changes"))["events"]
    assert [event["kind"] for event in events] == ["played"]
    clock.now += 60_000
    assert (await headline())["to_move"] == 1
    await server.command(match, tokens[1], "p", type="play", move="b2")
    await server.command(match, tokens[0], "r", type="resign")
    kinds: list[str] = []
    while "ended" not in kinds:
        news = await spectator.receive("changes")
        kinds += [event["kind"] for event in news["events"]]
    assert [kind for kind in kinds if kind in ("played", "resigned")] == ["played", "resigned"]


async def test_lists_say_what_a_page_shows_of_a_match(server: Inside) -> None:
    control = {"type": "real_time", "initial_ms": 60_000, "increment_ms": 2_000}
    match, tokens = await server.seated(GAME, 2, options=SMALL, time_control=control)
    await server.command(match, tokens[0], "m", type="play", move="a1")
    listed = (await call(server, tokens[1], "GET", "/me/matches"))["matches"]
    [headline] = [each["headline"] for each in listed]
    assert (listed[0]["seat"], headline["to_move"]) == (1, 1)
    assert (headline["time_control"], headline["options"]["size"]) == (control, 3)
    assert "users" not in headline
    async with server.http(tokens[1]) as http:
        path = f"/api/matches/{match}/picture?seq="
        current = await http.get(f"{path}{headline['seq']}")
        assert "immutable" in current.headers["cache-control"]
        assert (await http.get(f"{path}1")).headers["cache-control"] == "no-store"
    await server.command(match, tokens[0], "r", type="resign")
    headline = (await call(server, tokens[1], "GET", "/me/matches"))["matches"][0]["headline"]
    assert headline["outcome"]["winners"] == [1]
    assert headline["outcome"]["left"] == ["resigned", ""]
    made = await call(
        server, tokens[0], "POST", "/matches", {"game": GAME, "seats": [{}, {}], "seat": 0}
    )
    await server.command(made["match"], tokens[0], "l", type="leave")
    mine = (await call(server, tokens[0], "GET", "/me/matches"))["matches"]
    assert [each["match"] for each in mine] == [match], "what one cancelled is not listed"


# ---- presence, phrases, signals -----------------------------------------------------------------


@pytest.mark.slow
async def test_presence_is_sent_to_everybody(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    first, spectator = await server.socket(tokens[0]), await server.socket()
    await first.follow(match)
    await spectator.follow(match)
    said = await spectator.receive("presence")
    assert said == {"type": "presence", "match": match, "seats": [0]}
    second = await server.socket(tokens[1])
    await second.follow(match)
    assert (await spectator.receive("presence"))["seats"] == [0, 1]
    assert (await second.receive("presence"))["seats"] == [0, 1]
    await first.close()
    assert (await second.receive("presence"))["seats"] == [1]


async def test_phrases_reach_everybody_and_are_not_stored(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    first, second, spectator = sockets = await connect_all(server, match, tokens)
    seq = (await server.document(match))["seq"]
    await first.send({"type": "say", "match": match, "what": "good_luck"})
    for each in sockets:
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
    assert (await server.document(match))["seq"] == seq


async def test_only_partners_see_a_signal_and_the_log_does_not(server: Inside) -> None:
    for game in (PARTNERS, "kuhn_poker"):
        match, tokens = await server.seated(game, 2)
        first, second, spectator = await connect_all(server, match, tokens)
        seq = (await server.document(match))["seq"]
        signal = {"type": "signal", "match": match, "what": "c4"}
        await first.send(signal)
        assert await received(first, "signal") + await received(spectator, "signal") == []
        seen = [{**signal, "seat": 0}] if game == PARTNERS else []
        assert await received(second, "signal") == seen
        assert (await server.document(match))["seq"] == seq


async def test_only_players_who_follow_may_signal(server: Inside) -> None:
    match, tokens = await server.seated(PARTNERS, 2)
    first, second, spectator = await connect_all(server, match, tokens)
    signal = {"type": "signal", "match": match, "what": "c4"}
    await spectator.send(signal)
    assert (await spectator.receive("error"))["code"] == "forbidden"
    for what in ("", "x" * 33, "two words"):
        await first.send(signal | {"what": what})
        assert (await first.receive("error"))["code"] == "bad_request"
    count = int(SIGNALS_PER_SECOND * BURST_S)
    for _ in range(count * 3):
        await first.send(signal)
    await received(first)
    assert count <= len(await received(second, "signal")) < count * 2, "they are rate-limited"
    await second.send({"type": "unfollow", "match": match})
    await second.send(signal)
    assert (await second.receive("error"))["code"] == "bad_request"
