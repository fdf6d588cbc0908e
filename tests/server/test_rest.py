"""REST: commands, streams of events and turns, records and rules, without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.inside import Inside, Stream, bearer, inside

import watermeet as wm
from watermeet.server.engines import EngineFile, Engines
from watermeet.server.matches.projection import MatchDocument
from watermeet.server.precompiler import RULES, Precompiler

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


@pytest.fixture
async def server(tmp_path: Path, store_url: str, bus_url: str | None) -> AsyncIterator[Inside]:
    async with inside(tmp_path, store_url=store_url, bus_url=bus_url or "") as found:
        yield found


async def document(server: Inside, match: str, token: str = "") -> dict[str, Any]:
    async with server.http(token) as http:
        answer = await http.get(f"/api/matches/{match}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def send_command(server: Inside, match: str, token: str, command: Any, id: str = "a") -> Any:  # noqa: A002
    async with server.http(token) as http:
        return await http.post(
            f"/api/matches/{match}/commands", json={"id": id, "command": command}
        )


async def whose_turn(server: Inside, match: str, tokens: list[str]) -> tuple[int, int]:
    """The seat to move, and its first action."""
    for seat, token in enumerate(tokens):
        view = (await document(server, match, token))["view"]
        if view["to_move"] == seat:
            return seat, view["legal"][0]["action"]
    raise AssertionError("nobody is to move")


async def play_out(server: Inside, match: str, tokens: list[str]) -> None:
    number = 0
    while (await document(server, match))["stage"] == "playing":
        seat, action = await whose_turn(server, match, tokens)
        number += 1
        done = await send_command(
            server, match, tokens[seat], {"type": "play", "move": action}, f"n{number}"
        )
        assert done.status_code == 200, done.text


# ---- commands -----------------------------------------------------------------------------------


async def test_a_whole_match_without_a_socket(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    await play_out(server, match, tokens)
    over = await document(server, match)
    assert over["outcome"]["returns"]


async def test_a_resent_command_is_done_once(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    seat, action = await whose_turn(server, match, tokens)
    play = {"type": "play", "move": action}
    answers = [(await send_command(server, match, tokens[seat], play)).json() for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    socket = await server.socket(tokens[seat])
    await socket.follow(match)
    assert (await socket.do(match, play, id="a"))["seq"] == answers[0]["seq"]
    await socket.close()


async def test_a_command_acts_only_for_the_seat_of_its_token(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    stranger = await server.guest()
    resign = {"type": "resign"}
    assert (await send_command(server, match, "", resign)).json()["code"] == "unauthorized"
    assert (await send_command(server, match, "A" * 43, resign)).json()["code"] == "unauthorized"
    assert (await send_command(server, match, stranger, resign)).json()["code"] == "forbidden"
    assert (await send_command(server, "nowhere", tokens[0], resign)).json()["code"] == "not_found"
    seat, action = await whose_turn(server, match, tokens)
    other = await send_command(server, match, tokens[1 - seat], {"type": "play", "move": action})
    assert (other.status_code, other.json()["code"]) == (409, "not_your_turn")
    assert (await document(server, match))["stage"] == "playing"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[" * 5000,
        b'{"id": "a"}',
        b'{"id": "", "command": {"type": "resign"}}',
        b'{"id": "a b", "command": {"type": "resign"}}',
        b'{"id": "a", "command": {"type": "resign", "seat": 1}}',
        b'{"id": "a", "command": {"type": "fly"}}',
        b'{"id": "\xff", "command": {"type": "resign"}}',
        b'{"id": "\\ud800", "command": {"type": "resign"}}',
    ],
)
async def test_an_invalid_command_is_refused(server: Inside, body: bytes) -> None:
    match, tokens = await server.seated(GAME, 2)
    async with server.http(tokens[0]) as http:
        answer = await http.post(
            f"/api/matches/{match}/commands",
            content=body,
            headers={"content-type": "application/json"},
        )
    assert (answer.status_code, answer.json()["code"]) in (
        (400, "bad_request"),
        (422, "bad_request"),
    )


async def test_client_seeds_affect_the_draws(server: Inside) -> None:
    tokens = [await server.guest() for _ in range(2)]
    async with server.http(tokens[0]) as http:
        setup = {"game": GAME, "seats": [{}, {}]}
        match = (await http.post("/api/matches", json=setup)).json()["match"]
        for seat, token in enumerate(tokens):
            body = {"seed": f"salt-{seat}"}
            path = f"/api/matches/{match}/seats/{seat}"
            assert (await http.post(path, json=body, headers=bearer(token))).status_code == 201
        bad = await http.post(path, json={"seed": "not/salt"}, headers=bearer(tokens[0]))
    assert bad.status_code == 422
    assert (await document(server, match))["client_seeds"] == ["salt-0", "salt-1"]


# ---- events -------------------------------------------------------------------------------------


async def test_events_equal_those_of_a_socket_and_end_with_the_match(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    socket = await server.socket(tokens[0])
    await socket.follow(match)
    stream = await server.stream(f"/api/matches/{match}/events", tokens[0])
    assert (stream.status, stream.headers["content-type"]) == (200, "application/x-ndjson")
    await play_out(server, match, tokens)
    received = []
    while (message := await stream.next()) is not None:
        received.append(message["type"])
    assert received[0] == "snapshot"
    assert received[-1] == "bye"
    last = (await document(server, match))["seq"]
    while not any(f'"seq":{last}' in text for text in socket.raw):
        await socket.receive("changes")
    # Who is connected is sent now and then, to each when it is due.
    one, other = [
        [text for text in texts if '"presence"' not in text]
        for texts in (stream.raw[:-1], socket.raw[1:])
    ]
    assert one == other, "the same, to the byte, from the snapshot on"
    await socket.close()


async def test_events_resume_after_the_last_one_seen(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    await play_out(server, match, tokens)
    stream = await server.stream(f"/api/matches/{match}/events?after=2", tokens[0])
    changes = await stream.receive("changes", "snapshot")
    assert changes["type"] == "changes"
    assert [event["seq"] for event in changes["events"]] == list(range(3, changes["seq"] + 1))
    assert (await stream.receive("bye"))["code"] == "match_ended"
    assert await stream.next() is None


async def test_an_idle_stream_sends_heartbeats(server: Inside) -> None:
    match, _ = await server.seated(GAME, 2)
    server.app.state.streams.heartbeat_s = 0.01
    stream = await server.stream(f"/api/matches/{match}/events")
    assert (await stream.receive("heartbeat"))["now"] > 0
    await stream.close()
    assert not server.app.state.streams.open
    assert not server.app.state.services.hub._followers.get(match)


async def test_an_anonymous_stream_shows_what_spectators_see(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    spectator = await server.stream(f"/api/matches/{match}/events")
    player = await server.stream(f"/api/matches/{match}/events", tokens[1])
    seen = await document(server, match)
    assert seen.pop("present") == [1], "the player who has a stream"
    assert (await spectator.receive("snapshot"))["document"] == {**seen, "present": None}
    own = await document(server, match, tokens[1])
    assert (await player.receive("snapshot"))["document"] == {**own, "present": None}
    for stream in (spectator, player):
        await stream.close()


@pytest.mark.parametrize(
    ("path", "token", "status"),
    [
        ("/api/matches/nowhere/events", "", 404),
        ("/api/matches/nowhere/events", "A" * 43, 404),
        ("/api/matches/a%20b/events", "", 422),
        ("/api/me/turns", "", 401),
        ("/api/me/turns", "A" * 43, 401),
    ],
)
async def test_an_unavailable_stream_is_an_error(
    server: Inside, path: str, token: str, status: int
) -> None:
    stream = await server.stream(path.replace("%20", " "), token)
    assert stream.status == status


async def test_a_client_that_does_not_read_is_dropped(tmp_path: Path) -> None:
    async with inside(tmp_path, max_queued_messages=8) as server:
        match, tokens = await server.seated(GAME, 2)
        stream = StuckStream(server.app, f"/api/matches/{match}/events", "")
        await stream.begin()
        for number in range(10):  # Offer and withdraw: two entries each time.
            for command in ({"type": "offer"}, {"type": "respond", "accept": False}):
                id = f"{command['type']}{number}"  # noqa: A001
                done = await send_command(server, match, tokens[0], command | {"what": "pause"}, id)
                assert done.status_code == 200, done.text
        while server.app.state.streams.open:
            await asyncio.sleep(0.01)
        await play_out(server, match, tokens)
        assert stream.task is not None
        stream.task.cancel()


class StuckStream(Stream):
    """Reads the headers of a response, and nothing more."""

    def _run(self) -> None:
        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                await asyncio.Event().wait()
            self._from_app.put_nowait(message)

        self.task = asyncio.create_task(self._app(self._scope, self._to_app.get, send))


async def test_streams_end_when_the_server_stops(tmp_path: Path) -> None:
    async with inside(tmp_path) as server:
        match, _ = await server.seated(GAME, 2)
        stream = await server.stream(f"/api/matches/{match}/events")
        await stream.receive("snapshot")
    assert (await stream.receive("bye"))["code"] == "stopping"
    assert await stream.next() is None


# ---- turns --------------------------------------------------------------------------------------


async def test_a_bot_receives_its_turns_in_all_its_matches(server: Inside) -> None:
    async with server.http() as http:
        bot = (await http.post("/api/bots", json={"name": "Brook 7"})).json()["token"]
    turns = await server.stream("/api/me/turns", bot)
    assert turns.status == 200
    played = set()
    for _ in range(3):
        guest = await server.guest()
        async with server.http() as http:
            setup = {"game": GAME, "seats": [{}, {}], "seat": 0}
            made = await http.post("/api/matches", json=setup, headers=bearer(guest))
            match = made.json()["match"]
            await http.post(f"/api/matches/{match}/seats/1", json={}, headers=bearer(bot))
        number = 0
        while (await document(server, match))["stage"] == "playing":
            seat, action = await whose_turn(server, match, [guest, bot])
            number += 1
            token = (guest, bot)[seat]
            if seat == 1:
                turn = await turns.receive("turn")
                assert (turn["match"], turn["seat"]) == (match, 1)
                action = turn["position"]["view"]["legal"][0]["action"]
                played.add(match)
            await send_command(server, match, token, {"type": "play", "move": action}, f"n{number}")
        over = await turns.receive("finished", "turn")
        assert (over["type"], over["match"]) == ("finished", match)
        assert over["outcome"]["returns"]
    assert played
    await turns.close()


async def test_pending_turns_are_sent_at_once(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    seat, _ = await whose_turn(server, match, tokens)
    turns = await server.stream("/api/me/turns", tokens[seat])
    assert (await turns.receive("turn"))["match"] == match
    await turns.close()
    none = await server.stream("/api/me/turns", tokens[1 - seat])
    server.app.state.streams.heartbeat_s = 0.01
    await none.close()
    assert not none.raw


# ---- records ------------------------------------------------------------------------------------


async def finished(server: Inside) -> tuple[str, str]:
    """A finished match, and its record."""
    match, tokens = await server.seated(GAME, 2)
    async with server.http() as http:
        early = await http.get(f"/api/matches/{match}/record")
        assert (early.status_code, early.json()["code"]) == (403, "still_hidden")
        await play_out(server, match, tokens)
        return match, (await http.get(f"/api/matches/{match}/record")).text


async def test_a_record_can_be_imported(server: Inside) -> None:
    match, text = await finished(server)
    token = await server.guest()
    async with server.http(token) as http:
        made = await http.post("/api/records", json={"record": text})
        assert made.status_code == 201, made.text
        again = await http.get(f"/api/matches/{made.json()['match']}/record")
    here, there = wm.Record.parse(text), wm.Record.parse(again.text)
    assert here.moves == there.moves
    assert made.json()["moves"] == len(here.moves)
    shown = await document(server, made.json()["match"])
    assert shown["outcome"] == (await document(server, match))["outcome"]
    assert shown["info"]["commitment"] == "", "its draws prove nothing here"


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "game: nothing@1\n\n",
        f"game: {GAME}@9\n\n",
        f"game: {GAME}@1\n\n1. nonsense",
        f"game: {GAME}@1\nresult: 5 5\n\n",
        "game: \x00@1",
    ],
)
async def test_an_invalid_record_is_refused(server: Inside, text: str) -> None:
    token = await server.guest()
    async with server.http(token) as http:
        answer = await http.post("/api/records", json={"record": text})
    assert answer.status_code in (404, 422), answer.text
    assert answer.json()["message"]


async def test_names_in_a_record_are_harmless(server: Inside) -> None:
    token = await server.guest()
    text = f"game: {GAME}@1\nseats: a\x07b\u202e, {'x' * 90}\n\n"
    async with server.http(token) as http:
        answer = await http.post("/api/records", json={"record": text})
    assert answer.status_code == 201, answer.text
    names = [seat["name"] for seat in (await document(server, answer.json()["match"]))["seats"]]
    assert all(name.isprintable() and 0 < len(name) <= 40 for name in names)


async def test_a_match_can_start_from_a_finished_one(server: Inside) -> None:
    match, text = await finished(server)
    moves = len(wm.Record.parse(text).moves)
    token = await server.guest()
    setup = {"game": GAME, "seats": [{}, {}], "seat": 0}
    async with server.http(token) as http:
        for ply, status in ((moves - 1, 201), (0, 201), (moves, 409), (moves + 1, 404)):
            start = {"match": match, "ply": ply}
            made = await http.post("/api/matches", json=setup | {"start": start})
            assert made.status_code == status, made.text
            assert status != 409 or made.json()["code"] == "game_over"
    async with server.http(token) as http:
        alone = setup | {"seats": [{}, {"who": "bot", "level": "random"}]}
        running = (await http.post("/api/matches", json=alone)).json()["match"]
        start = {"match": running, "ply": 0}
        made = await http.post("/api/matches", json=setup | {"start": start})
        assert (made.status_code, made.json()["code"]) == (403, "still_hidden")
        people, _ = await server.seated("flume", 2)
        start = {"match": people, "ply": 0}
        made = await http.post("/api/matches", json=setup | {"game": "flume", "start": start})
        assert (made.status_code, made.json()["code"]) == (409, "match_running")
        start = {"match": "nowhere", "ply": 0}
        made = await http.post("/api/matches", json=setup | {"start": start})
        assert made.status_code == 404


# ---- games --------------------------------------------------------------------------------------


async def test_every_game_has_facts_and_built_in_ones_have_rules(server: Inside) -> None:
    async with server.http() as http:
        for name in wm.games():
            facts = (await http.get(f"/api/games/{name}")).json()
            assert facts["facts"] == wm.game(name).facts()
            rules = await http.get(f"/api/games/{name}/rules")
            has_rules = files(wm.game(name).package).joinpath("RULES.md").is_file()
            assert rules.status_code == (200 if has_rules else 404)
            if has_rules:
                assert rules.headers["content-type"] == "text/markdown; charset=utf-8"
                assert rules.text.startswith("# ")
        for path in ("nothing", "nothing/readiness"):
            assert (await http.get(f"/api/games/{path}")).json()["code"] == "not_found"


async def test_rules_come_in_the_requested_language_if_available(server: Inside) -> None:
    async with server.http() as http:
        responses = {
            language: await http.get("/api/games/flume/rules", params={"language": language})
            for language in ("en", "de", "fr", "pl", "xx")
        }
        wrong = await http.get("/api/games/flume/rules", params={"language": "../x"})
    found = {language: answer.headers["content-language"] for language, answer in responses.items()}
    assert found == {"en": "en", "de": "de", "fr": "fr", "pl": "pl", "xx": "en"}
    assert responses["xx"].text == responses["en"].text
    assert len({answer.text for answer in responses.values()}) == 4
    assert wrong.status_code == 422


async def test_readiness_says_whether_a_game_is_compiled(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_ready(precompiler: Precompiler, game: str, part: str = RULES) -> bool:
        return game == "flume" and part == RULES

    def find(engines: Engines, game: str) -> EngineFile | None:
        return EngineFile("0", b"", b"") if game == "flow" else None

    monkeypatch.setattr(Precompiler, "is_ready", is_ready)
    monkeypatch.setattr(Engines, "find", find)
    async with server.http() as http:
        found = [
            (await http.get(f"/api/games/{each}/readiness")).json() for each in ("flume", "flow")
        ]
    assert found == [
        {"rules": True, "bots": False, "engine": False},
        {"rules": False, "bots": False, "engine": True},
    ]


# ---- documents ----------------------------------------------------------------------------------


async def test_documents_match_their_schema(server: Inside) -> None:
    timings: tuple[dict[str, Any], ...] = (
        {},
        {"type": "correspondence", "days_per_turn": 2},
        {"type": "real_time", "initial_ms": 60_000},
    )
    for time_control in timings:
        match, tokens = await server.seated(
            GAME, 2, time_control={"type": "unlimited"} | time_control
        )
        for token in ("", *tokens):
            msgspec.convert(await document(server, match, token), MatchDocument)
        await send_command(server, match, tokens[0], {"type": "offer", "what": "pause"}, "p")
        msgspec.convert(await document(server, match), MatchDocument)
        await play_out(server, match, tokens)
        for token in ("", *tokens):
            msgspec.convert(await document(server, match, token), MatchDocument)


@pytest.mark.parametrize("query", ["befor=1:a", "=0", "before=1:a&also"])
async def test_unknown_query_parameters_are_refused(server: Inside, query: str) -> None:
    async with server.http(await server.guest()) as http:
        answer = await http.get(f"/api/me/matches?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
    assert "unknown field" in answer.json()["message"]


async def test_a_guest_cannot_sit_under_somebodys_name(server: Inside) -> None:
    ada, spoof = await server.guest(), await server.guest()
    async with server.http(ada) as http:
        assert (await http.put("/api/me/name", json={"name": "Ada"})).status_code == 200
    async with server.http(spoof) as http:
        made = await http.post("/api/matches", json={"game": GAME, "seats": [{}, {}]})
        path = f"/api/matches/{made.json()['match']}/seats/1"
        answer = await http.post(path, json={"name": "ADA"})
        assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")
        assert (await http.post(path, json={"name": "Ida"})).status_code == 201
