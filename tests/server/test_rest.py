"""REST: commands, streams of events and turns, records and rules, without a socket."""

from __future__ import annotations

import asyncio
import re
import threading
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.inside import Inside, Stream, bearer, call, inside, until

import watermeet as wm
from watermeet.server.api import routes_matches
from watermeet.server.api.messages import decode_strictly
from watermeet.server.api.routes import ENDPOINTS
from watermeet.server.engines import EngineFile, Engines
from watermeet.server.matches import records
from watermeet.server.matches.match import Match
from watermeet.server.matches.projection import MatchDocument
from watermeet.server.precompiler import RULES, Precompiler

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
SETUP = {"game": GAME, "seats": [{}, {}], "seat": 0}


# ---- commands -----------------------------------------------------------------------------------


async def test_a_resent_command_is_done_once(any_server: Inside) -> None:
    match, tokens = await any_server.seated(GAME, 2)
    seat, legal = await any_server.to_move(match, tokens)
    play = {"type": "play", "move": legal[0]["action"]}
    answers = [await any_server.command(match, tokens[seat], "a", **play) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    socket = await any_server.socket(tokens[seat])
    await socket.follow(match)
    assert (await socket.do(match, play, id="a"))["seq"] == answers[0]["seq"]
    moves = (await any_server.document(match))["moves"]
    assert [move["seat"] for move in moves].count(seat) == 1


async def test_a_command_acts_only_for_the_seat_of_its_token(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    for token, where, code in (
        ("", match, "unauthorized"),
        ("A" * 43, match, "unauthorized"),
        (await server.guest(), match, "forbidden"),
        (tokens[0], "nowhere", "not_found"),
    ):
        assert (await server.command(where, token, "a", type="resign"))["code"] == code
    seat, legal = await server.to_move(match, tokens)
    play = {"type": "play", "move": legal[0]["action"]}
    refused = await server.command(match, tokens[1 - seat], "a", **play)
    assert (refused["status"], refused["code"]) == (409, "not_your_turn")
    assert (await server.document(match))["stage"] == "playing"


async def test_an_invalid_command_is_refused(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    async with server.http(tokens[0]) as http:
        for body in (
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
        ):
            head = {"content-type": "application/json"}
            answer = await http.post(f"/api/matches/{match}/commands", content=body, headers=head)
            assert answer.status_code in (400, 422), body
            assert answer.json()["code"] == "bad_request"


async def test_client_seeds_affect_the_draws(server: Inside) -> None:
    tokens = [await server.guest() for _ in range(2)]
    setup = {"game": GAME, "seats": [{}, {}]}
    match = (await call(server, tokens[0], "POST", "/matches", setup))["match"]
    for seat, token in enumerate(tokens):
        path = f"/matches/{match}/seats/{seat}"
        await call(server, token, "POST", path, {"seed": f"salt-{seat}"}, 201)
    await call(server, tokens[0], "POST", path, {"seed": "not/salt"}, 422)
    assert (await server.document(match))["client_seeds"] == ["salt-0", "salt-1"]


async def test_a_guest_cannot_sit_under_somebodys_name(server: Inside) -> None:
    await server.guest("Ada")
    spoof = await server.guest()
    made = await call(server, spoof, "POST", "/matches", {"game": GAME, "seats": [{}, {}]})
    path = f"/matches/{made['match']}/seats/1"
    answer = await call(server, spoof, "POST", path, {"name": "ADA"})
    assert (answer["status"], answer["code"]) == (409, "name_taken")
    await call(server, spoof, "POST", path, {"name": "Ida"}, 201)


# ---- events -------------------------------------------------------------------------------------


async def test_events_equal_those_of_a_socket_and_end_with_the_match(any_server: Inside) -> None:
    match, tokens = await any_server.seated(GAME, 2)
    socket = await any_server.socket(tokens[0])
    await socket.follow(match)
    path = f"/api/matches/{match}/events"
    stream = await any_server.stream(path, tokens[0])
    assert (stream.status, stream.headers["content-type"]) == (200, "application/x-ndjson")
    await any_server.play(match, tokens)
    received = []
    while (message := await stream.next()) is not None:
        received.append(message["type"])
    assert (received[0], received[-1]) == ("snapshot", "bye")
    last = (await any_server.document(match))["seq"]
    while not any(f'"seq":{last}' in text for text in socket.raw):
        await socket.receive("changes")
    # Who is connected is sent now and then, to each when it is due.
    one, other = [
        [text for text in texts if '"presence"' not in text]
        for texts in (stream.raw[:-1], socket.raw[1:])
    ]
    assert one == other, "the same, to the byte, from the snapshot on"

    stream = await any_server.stream(f"{path}?after=2", tokens[0])
    seen = []
    while (news := await stream.receive("changes", "snapshot", "bye"))["type"] == "changes":
        seen += [event["seq"] for event in news["events"]]
    assert seen == list(range(3, last + 1))
    assert (news["code"], await stream.next()) == ("match_ended", None)


async def test_an_idle_stream_sends_heartbeats(server: Inside) -> None:
    match, _ = await server.seated(GAME, 2)
    server.app.state.streams.heartbeat_s = 0.01
    stream = await server.stream(f"/api/matches/{match}/events")
    assert (await stream.receive("heartbeat"))["now"] > 0
    await stream.close()
    assert not server.app.state.streams.open
    assert not server.services.hub._followers.get(match)


async def test_an_anonymous_stream_shows_what_spectators_see(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    spectator = await server.stream(f"/api/matches/{match}/events")
    player = await server.stream(f"/api/matches/{match}/events", tokens[1])
    assert (await server.document(match))["present"] == [1], "the player who has a stream"
    for stream, token in ((spectator, ""), (player, tokens[1])):
        shown = await server.document(match, token)
        del shown["status"]
        assert (await stream.receive("snapshot"))["document"] == {**shown, "present": None}
        await stream.close()


async def test_an_unavailable_stream_is_an_error(server: Inside) -> None:
    for path, token, status in (
        ("/api/matches/nowhere/events", "", 404),
        ("/api/matches/nowhere/events", "A" * 43, 404),
        ("/api/matches/a b/events", "", 422),
        ("/api/me/turns", "", 401),
        ("/api/me/turns", "A" * 43, 401),
    ):
        assert (await server.stream(path, token)).status == status, path


class StuckStream(Stream):
    """Reads the headers of a response, and nothing more."""

    def _run(self) -> None:
        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                await asyncio.Event().wait()
            self._from_app.put_nowait(message)

        self.task = asyncio.create_task(self._app(self._scope, self._to_app.get, send))


async def test_a_client_that_does_not_read_is_dropped(tmp_path: Path) -> None:
    async with inside(tmp_path, max_queued_messages=8) as server:
        match, tokens = await server.seated(GAME, 2)
        stream = StuckStream(server.app, f"/api/matches/{match}/events", "")
        await stream.begin()
        for number in range(10):  # Offer and withdraw: two entries each time.
            for command in ({"type": "offer"}, {"type": "respond", "accept": False}):
                id_ = f"{command['type']}{number}"
                done = await server.command(match, tokens[0], id_, **command, what="pause")
                assert done["status"] == 200, done
        await until(lambda: not server.app.state.streams.open)
        await server.play(match, tokens)
        assert stream.task is not None
        stream.task.cancel()


# ---- turns --------------------------------------------------------------------------------------


async def test_a_bot_receives_its_turns_in_all_its_matches(any_server: Inside) -> None:
    server = any_server
    bot = (await call(server, "", "POST", "/bots", {"name": "Brook 7"}))["token"]
    turns = await server.stream("/api/me/turns", bot)
    played = set()
    for _ in range(3):
        tokens = [await server.guest(), bot]
        match = await server.match_of(tokens)
        while (document := await server.document(match))["stage"] == "playing":
            seat, legal = await server.to_move(match, tokens)
            if seat == 1:
                turn = await turns.receive("turn")
                assert (turn["match"], turn["seat"]) == (match, 1)
                legal = turn["position"]["view"]["legal"]
                played.add(match)
            play = {"type": "play", "move": legal[0]["action"]}
            await server.command(match, tokens[seat], f"n{document['seq']}", **play)
        over = await turns.receive("finished", "turn")
        assert (over["type"], over["match"]) == ("finished", match)
        assert over["outcome"]["returns"]
    assert played


async def test_pending_turns_are_sent_at_once(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    seat, _ = await server.to_move(match, tokens)
    turns = await server.stream("/api/me/turns", tokens[seat])
    assert (await turns.receive("turn"))["match"] == match
    server.app.state.streams.heartbeat_s = 0.01
    none = await server.stream("/api/me/turns", tokens[1 - seat])
    assert (await none.receive("turn", "heartbeat"))["type"] == "heartbeat"


# ---- records ------------------------------------------------------------------------------------


async def finished(server: Inside) -> tuple[str, str]:
    """A finished match, and its record."""
    match, tokens = await server.seated(GAME, 2)
    path = f"/matches/{match}/record"
    assert (await call(server, "", "GET", path, None, 403))["code"] == "still_hidden"
    await server.play(match, tokens)
    async with server.http() as http:
        return match, (await http.get(f"/api{path}")).text


async def test_a_record_can_be_imported(any_server: Inside) -> None:
    match, text = await finished(any_server)
    over = await any_server.document(match)
    here = wm.Record.parse(text)
    outcome = here.replay()[-1].outcome
    assert outcome is not None
    assert list(outcome.returns) == over["outcome"]["returns"]
    token = await any_server.guest()
    made = await call(any_server, token, "POST", "/records", {"record": text}, 201)
    async with any_server.http(token) as http:
        again = (await http.get(f"/api/matches/{made['match']}/record")).text
    assert here.moves == wm.Record.parse(again).moves
    assert made["moves"] == len(here.moves)
    shown = await any_server.document(made["match"])
    assert shown["outcome"] == over["outcome"]
    assert shown["info"]["commitment"] == "", "its draws prove nothing here"


async def test_imports_are_limited_by_address_and_user(server: Inside) -> None:
    """They filled 66 MB of the disk in a minute."""
    _, text = await finished(server)
    ann, bob = await server.guest(), await server.guest()
    first = await call(server, ann, "POST", "/records", {"record": text}, 201)
    limiter = server.services.imports
    limiter._buckets.clear()
    limiter._rate, limiter._capacity = 0.0, 2.5 * (await server.document(first["match"]))["seq"]
    codes = []
    for token, address in ((ann, 1), (ann, 1), (ann, 2), (bob, 1), (bob, 2)):
        async with server.http(token, f"192.0.2.{address}") as http:
            codes.append((await http.post("/api/records", json={"record": text})).status_code)
    assert codes == [201, 201, 429, 429, 201]


async def test_records_are_written_apart_from_what_answers_everybody(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long one takes a while."""
    match, _ = await finished(server)
    threads = set[int]()

    def record_of(match: Match) -> wm.Record:
        threads.add(threading.get_ident())
        return records.record_of(match)

    monkeypatch.setattr(routes_matches, "record_of", record_of)
    async with server.http() as http:
        assert (await http.get(f"/api/matches/{match}/record")).status_code == 200
    body = SETUP | {"start": {"match": match, "ply": 0}}
    await call(server, await server.guest(), "POST", "/matches", body, 201)
    assert threads
    assert threading.get_ident() not in threads


async def test_an_invalid_record_is_refused(server: Inside) -> None:
    token = await server.guest()
    for text in (
        "x",
        "game: nothing@1\n\n",
        f"game: {GAME}@9\n\n",
        f"game: {GAME}@1\n\n1. nonsense",
        f"game: {GAME}@1\nresult: 5 5\n\n",
        "game: \x00@1",
    ):
        answer = await call(server, token, "POST", "/records", {"record": text})
        assert answer["status"] in (404, 422), text
        assert answer["message"]


async def test_a_record_of_an_endless_match_is_refused(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks at a match has it replayed, as often as a node has forgotten it."""
    _, text = await finished(server)
    token, moves = await server.guest(), len(wm.Record.parse(text).entries)
    for most, wanted in ((moves - 1, "too_long"), (moves, 201)):
        monkeypatch.setattr(routes_matches, "MAX_PLIES", most)
        await call(server, token, "POST", "/records", {"record": text}, wanted)


async def test_names_in_a_record_are_harmless(server: Inside) -> None:
    text = f"game: {GAME}@1\nseats: a\x07b\u202e, {'x' * 90}\n\n"
    made = await call(server, await server.guest(), "POST", "/records", {"record": text}, 201)
    names = [seat["name"] for seat in (await server.document(made["match"]))["seats"]]
    assert all(name.isprintable() and 0 < len(name) <= 40 for name in names)


async def test_a_match_can_start_from_a_finished_one(server: Inside) -> None:
    match, text = await finished(server)
    token, moves = await server.guest(), len(wm.Record.parse(text).moves)

    async def start(match: str, ply: int = 0, **changes: Any) -> tuple[int, str]:
        body = SETUP | {"start": {"match": match, "ply": ply}} | changes
        made = await call(server, token, "POST", "/matches", body)
        return made["status"], made.get("code", "")

    assert await start(match, moves - 1) == await start(match) == (201, "")
    assert await start(match, moves) == (409, "game_over")
    assert (await start(match, moves + 1))[0] == (await start("nowhere"))[0] == 404
    alone = SETUP | {"seats": [{}, {"who": "bot", "level": "random"}]}
    running = await call(server, token, "POST", "/matches", alone)
    assert await start(running["match"]) == (403, "still_hidden")
    people, _ = await server.seated("flume", 2)
    assert await start(people, game="flume") == (409, "match_running")


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
    for name in ("flume", "flow"):
        found = await call(server, "", "GET", f"/games/{name}/readiness", None, 200)
        ready = {"rules": name == "flume", "bots": False, "engine": name == "flow"}
        assert found == ready | {"status": 200}


# ---- documents ----------------------------------------------------------------------------------


async def test_documents_match_their_schema(server: Inside) -> None:
    for control in (
        {"type": "unlimited"},
        {"type": "correspondence", "days_per_turn": 2},
        {"type": "real_time", "initial_ms": 60_000},
    ):
        match, tokens = await server.seated(GAME, 2, time_control=control)
        for step in ("begun", "offered", "over"):
            if step == "offered":
                await server.command(match, tokens[0], "p", type="offer", what="pause")
            elif step == "over":
                await server.play(match, tokens)
            for token in ("", *tokens):
                async with server.http(token) as http:
                    text = (await http.get(f"/api/matches/{match}")).content
                msgspec.json.decode(text, type=MatchDocument)


async def test_unknown_query_parameters_are_refused(server: Inside) -> None:
    async with server.http(await server.guest()) as http:
        for query in ("befor=1:a", "=0", "before=1:a&also"):
            answer = await http.get(f"/api/me/matches?{query}")
            assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
            assert "unknown field" in answer.json()["message"]


async def test_metrics_are_for_the_servers_own_machine_or_a_token(tmp_path: Path) -> None:
    """A proxy on this machine asks for somebody else, and any name may stand for 127.0.0.1."""
    proxied = {"X-Forwarded-For": "192.0.2.1"}
    far, token = "192.0.2.1", "m" * 20
    async with inside(tmp_path / "1") as server, inside(tmp_path / "2", metrics_token=token) as own:
        for app, address, headers, status in (
            (server, "127.0.0.1", {}, 200),
            (server, "127.0.0.1", proxied, 403),
            (server, "127.0.0.1", {"Host": "localhost:8765"}, 200),
            (server, "127.0.0.1", {"Host": "evil.example:8765"}, 403),
            (server, far, {}, 403),
            (own, far, {}, 403),
            (own, far, bearer("wrong"), 403),
            (own, far, bearer(token), 200),
        ):
            async with app.http(address=address) as http:
                answer = await http.get("/api/metrics", headers=headers)
            assert answer.status_code == status, (address, headers)


async def test_metrics_follow_a_move_through_the_server(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    for id_ in ("a", "b"):
        await server.command(match, tokens[0], id_, type="resign")
    async with server.http() as http:
        text = (await http.get("/api/metrics")).text
        figures = dict(
            line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")
        )
        await server.services.store.close()
        broken = (await http.get("/api/metrics")).text
    assert figures['watermeet_commands_total{result="wrong_stage"}'] == "1.0"
    assert float(figures['watermeet_commands_total{result="ok"}']) >= 1
    assert float(figures['watermeet_store_seconds_count{operation="append"}']) >= 2
    assert float(figures["watermeet_bus_publish_seconds_count"]) >= 2
    assert float(figures["watermeet_bus_delivery_seconds_count"]) >= 1, "the first probe"
    assert (figures["watermeet_ready"], figures["watermeet_bot_queue_seconds"]) == ("1.0", "0.0")
    assert "watermeet_ready 0.0" in broken


# ---- texts that no database keeps ---------------------------------------------------------------


async def test_a_text_with_nul_is_refused_wherever_it_enters(any_server: Inside) -> None:
    """PostgreSQL raises an error for it, in the middle of something."""
    nul, token = "a\0b", await any_server.guest()
    statuses: dict[str, int] = {}
    async with any_server.http(token) as http:
        for each in ENDPOINTS:
            path = re.sub(r"{(\w+)}", "%00", each.path)
            if path != each.path:
                found = await http.request(each.method, path, json={})
                statuses[f"{each.method} {path}"] = found.status_code
            if each.body is not None:
                for field in msgspec.structs.fields(each.body):
                    body = {field.name: nul}
                    found = await http.request(each.method, path.replace("%00", "x"), json=body)
                    statuses[f"{each.method} {path} {field.name}"] = found.status_code
        for query in ("/matches?game=a%00", "/users/x/matches?opponent=a%00"):
            statuses[query] = (await http.get(f"/api{query}")).status_code
    assert {key: each for key, each in statuses.items() if not 400 <= each < 500} == {}
    socket = await any_server.socket(token)
    await socket.send({"type": "follow", "match": nul})
    await socket.receive("error")


def test_what_merely_looks_like_nul_is_read() -> None:
    texts = msgspec.json.Decoder(str)
    assert decode_strictly(texts, rb'"\\u0000"') == r"\u0000"
    for written in (rb'"\u0000"', rb'"\\\u0000"', r'"\u0000"', b'"\x00"'):
        with pytest.raises(msgspec.DecodeError):
            decode_strictly(texts, written)
