"""Sockets: numbered events, reconnecting, and misbehaving clients; and real connections."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from tests.server.driving import TIMEOUT_S
from tests.server.inside import GENEROUS, Inside, Socket, bearer, call, inside, until
from websockets.asyncio.client import connect

from watermeet.core.kernel import plain_python
from watermeet.server.app import create_app
from watermeet.server.serving import Server, uvicorn_config
from watermeet.server.settings import Settings

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


async def test_a_reconnecting_client_gets_exactly_what_it_missed(server: Inside) -> None:
    """One message for each action, with its own position, so that a page can show them in turn."""
    match, tokens = await server.seated(GAME, 2)
    spectator = await server.socket()
    start = (await spectator.follow(match))["seq"]
    await server.play(match, tokens, 1)
    seen = (await spectator.receive("changes"))["seq"]
    await spectator.close()
    await server.play(match, tokens)
    last = await server.document(match)
    for known in (start, seen):
        after, back = known, await server.socket()
        await back.send({"type": "follow", "match": match, "after": after})
        while after < last["seq"]:
            changes = await back.receive("changes")
            numbers = [event["seq"] for event in changes["events"]]
            assert numbers == list(range(after + 1, changes["seq"] + 1))
            assert [event["kind"] for event in changes["events"]].count("played") == 1
            assert changes["after"] == after
            after = changes["seq"]
        assert changes["position"]["view"] == last["view"]


async def test_a_message_that_is_invalid_is_refused_and_the_socket_stays_open(
    server: Inside,
) -> None:
    client = await server.socket()
    for text in (
        "",
        "{",
        "null",
        "[]",
        '{"type": "what"}',
        '{"type": "follow"}',
        '{"type": "follow", "match": 3}',
        '{"type": "follow", "match": "x", "more": 1}',
        '{"type": "command", "id": "", "match": "x", "command": {"type": "resign"}}',
        '{"type": "command", "id": "a", "match": "x", "command": {"type": "play"}}',
        '{"type": "command", "id": "a", "match": "x", "command": {"type": "resign", "seat": 1}}',
        "\x00\x01",
    ):
        client.push(text)
        assert (await client.receive("error"))["code"] == "bad_request", text
        await client.send({"type": "ping", "sent": 5.5})
        assert (await client.receive("pong"))["sent"] == 5.5


async def closing_code(client: Socket) -> int | None:
    while await client.next() is not None:
        pass
    return client.code


async def test_a_client_follows_with_no_more_tokens_than_seats(server: Inside) -> None:
    """Each of them is looked up in the database."""
    match, tokens = await server.seated("kuhn_poker", 2)
    socket = await server.socket(tokens[0])
    assert (await socket.follow(match, others=["x"] * 2))["type"] == "snapshot"
    refused = await socket.follow(match, others=["x"] * 3)
    assert (refused["type"], refused["code"]) == ("error", "bad_request")


async def test_the_first_message_is_a_hello_in_our_protocol(server: Inside) -> None:
    for first in ({"type": "ping"}, {"type": "hello", "protocol": 99}):
        client = Socket(server.app)
        await client.open()
        await client.send(first)
        assert (await client.receive("bye"))["hint"]
        assert await closing_code(client) == 4005
    stranger = await server.socket("A" * 43)
    assert json.loads(stranger.raw[-1])["code"] == "unauthorized"


@pytest.mark.parametrize(
    ("settings", "messages", "code"),
    [
        ({"messages_per_second": 5}, [{"type": "ping"}] * 60, 4004),
        pytest.param({"idle_timeout_seconds": 1.0}, [], 4003, marks=pytest.mark.slow),
        ({"max_request_bytes": 2000}, [{"type": "ping", "sent": 1, "more": "x" * 3000}], 4006),
    ],
)
async def test_a_client_that_misbehaves_is_dropped_and_may_reconnect(
    tmp_path: Path, settings: dict[str, Any], messages: list[Any], code: int
) -> None:
    async with inside(tmp_path, **settings) as server:
        client = await server.socket()
        for message in messages:
            await client.send(message)
        assert await closing_code(client) == code
        await server.socket()


async def test_a_former_player_does_not_see_the_next_ones_hand(server: Inside) -> None:
    people = [await server.guest() for _ in range(4)]
    setup = {"game": "qwirkle", "options": {"seats": 3}, "seats": [{}] * 3}
    match = await server.match_of(people[:2], **setup)
    leaver = await server.socket(people[1])
    assert (await leaver.follow(match))["document"]["seat"] == 1
    assert (await leaver.do(match, {"type": "leave"}))["type"] == "ack"
    for person, seat in ((2, 1), (3, 2)):
        await call(server, people[person], "POST", f"/matches/{match}/seats/{seat}", {}, 201)
    own, watched = await server.document(match, people[2]), await server.document(match)
    while (news := await leaver.receive("changes"))["seq"] != own["seq"]:
        pass
    assert own["view"] != watched["view"], "seat 1 holds something that a spectator does not see"
    assert news["position"]["view"] == watched["view"]
    assert (await leaver.do(match, {"type": "resign"}))["code"] == "forbidden"


async def test_clients_are_disconnected_when_the_server_stops_and_resume_later(
    tmp_path: Path,
) -> None:
    async with inside(tmp_path) as server:
        match, tokens = await server.seated(GAME, 2)
        seat, legal = await server.to_move(match, tokens)
        play = {"type": "play", "move": legal[0]["action"]}
        client = await server.socket(tokens[seat])
        await client.follow(match)
        stream = await server.stream(f"/api/matches/{match}/events")
        done = await client.do(match, play, id="same")
    assert (await client.receive("bye"))["code"] == "stopping"
    assert await closing_code(client) == 4002
    assert (await stream.receive("bye"))["code"] == "stopping"
    assert await stream.next() is None
    async with inside(tmp_path) as server:
        client = await server.socket(tokens[seat])
        document = (await client.follow(match))["document"]
        assert any(move["seq"] == done["seq"] for move in document["moves"])
        again = await client.do(match, play, id="same")
        assert again["seq"] == done["seq"], "the same id is the same move, after a restart too"


# ---- real connections ---------------------------------------------------------------------------


@contextmanager
def served(folder: Path, **changes: Any) -> Iterator[tuple[Starlette, str, Server]]:
    """A server as ``watermeet serve`` runs it, in a thread."""
    settings = Settings(data_dir=str(folder), **(GENEROUS | changes))
    with plain_python(), sockets.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        app, started = create_app(settings), threading.Event()
        server = Server(uvicorn_config(app, settings), app, started.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        assert started.wait(TIMEOUT_S)
        try:
            yield app, f"127.0.0.1:{listening.getsockname()[1]}", server
        finally:
            server.should_exit = True
            thread.join(TIMEOUT_S)
            assert not thread.is_alive(), "it stops although streams are open"


async def test_a_stopping_server_ends_its_connections_at_once(tmp_path: Path) -> None:
    with served(tmp_path, shutdown_timeout_seconds=30.0) as (app, address, server):
        async with httpx2.AsyncClient(base_url=f"http://{address}", timeout=TIMEOUT_S) as http:
            token = (await http.post("/api/guests")).json()["token"]
            setup = {"game": GAME, "seats": [{}, {}], "seat": 0}
            made = await http.post("/api/matches", json=setup, headers=bearer(token))
            path = f"/api/matches/{made.json()['match']}/events"
            async with http.stream("GET", path) as answer:
                assert answer.headers["content-type"] == "application/x-ndjson"
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert json.loads(await anext(answer.aiter_lines()))["type"] == "snapshot"
                assert len(app.state.streams.open) == 1
            await until(lambda: not app.state.streams.open)  # It has disconnected.
            client = await connect(f"ws://{address}/api/socket", origin=f"http://{address}")  # type: ignore[arg-type]
            await client.send('{"type": "hello", "protocol": 1}')
            assert json.loads(await client.recv())["type"] == "welcome"
            async with http.stream("GET", path) as answer:
                lines = answer.aiter_lines()
                await anext(lines)
                server.should_exit = True
                rest = [json.loads(line) async for line in lines]
            async with asyncio.timeout(TIMEOUT_S):
                await client.wait_closed()
    said = [message for message in rest if message["type"] != "presence"]
    assert [(message["type"], message["code"]) for message in said] == [("bye", "stopping")]
    assert client.close_code in (4002, 1012)


@pytest.mark.slow
async def test_turns_arrive_through_any_node(tmp_path: Path, shared: dict[str, str]) -> None:
    async with inside(tmp_path, **shared) as one, inside(tmp_path, **shared) as other:
        tokens = [await other.guest(), await one.guest()]
        turns = await one.stream("/api/me/turns", tokens[1])
        match = await other.match_of(tokens)
        while (document := await other.document(match))["stage"] == "playing":
            seat, legal = await other.to_move(match, tokens)
            if seat == 1:
                turn = await turns.receive("turn")
                assert turn["match"] == match
                legal = turn["position"]["view"]["legal"]
            play = {"type": "play", "move": legal[0]["action"]}
            await other.command(match, tokens[seat], f"n{document['seq']}", **play)
        assert (await turns.receive("finished"))["match"] == match
