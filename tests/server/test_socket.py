"""Sockets: numbered events, reconnecting, resending, and misbehaving clients."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.driving import Client, Person, http_client, plain_server, seated
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    with plain_server(folder, idle_timeout_seconds=30.0) as found:
        yield found


async def mover(clients: list[Client], match: str) -> tuple[int, list[Any]]:
    """The seat to move and its actions; following again gives the current position."""
    for seat, client in enumerate(clients):
        position = (await client.follow(match))["document"]
        if position["view"]["to_move"] == seat:
            return seat, [each["action"] for each in position["view"]["legal"]]
    raise AssertionError("nobody is to move")


async def connect_all(address: str, people: list[Person]) -> list[Client]:
    return [await Client.open(address, person.token) for person in people]


async def test_a_reconnecting_client_gets_exactly_what_it_missed(address: str) -> None:
    match, people = await seated(address, GAME, 2)
    clients = await connect_all(address, people)
    seat, actions = await mover(clients, match)
    seen = (await clients[1 - seat].follow(match))["seq"]
    await clients[1 - seat].close()
    done = await clients[seat].do(match, {"type": "play", "move": actions[0]})
    back = await Client.open(address, people[1 - seat].token)
    missed = await back.follow(match, after=seen)
    assert missed["type"] == "changes"
    assert [event["seq"] for event in missed["events"]] == list(range(seen + 1, missed["seq"] + 1))
    assert missed["events"][0]["seq"] == done["seq"]
    for client in (clients[seat], back):
        await client.close()


async def test_every_action_comes_with_its_own_position(address: str) -> None:
    """Also those that somebody has missed, so that a page can show them one by one."""
    match, people = await seated(address, GAME, 2)
    spectator = await Client.open(address)
    seen = (await spectator.follow(match))["seq"]
    await spectator.close()
    for _ in range(2):
        clients = await connect_all(address, people)
        seat, actions = await mover(clients, match)
        await clients[seat].do(match, {"type": "play", "move": actions[0]})
        for client in clients:
            await client.close()
    back = await Client.open(address)
    await back.send({"type": "follow", "match": match, "after": seen})
    for _ in range(2):
        changes = await back.receive("changes")
        assert [event["kind"] for event in changes["events"]].count("played") == 1
        assert changes["after"] == seen
        seen = changes["seq"]
    document = (await back.follow(match))["document"]
    assert (document["seq"], document["view"]) == (seen, changes["position"]["view"])
    await back.close()


async def test_a_resent_move_is_played_once(address: str) -> None:
    match, people = await seated(address, GAME, 2)
    clients = await connect_all(address, people)
    seat, actions = await mover(clients, match)
    first = await clients[seat].do(match, {"type": "play", "move": actions[0]}, id="same")
    second = await clients[seat].do(match, {"type": "play", "move": actions[0]}, id="same")
    other = await Client.open(address, people[seat].token)
    await other.follow(match)
    third = await other.do(match, {"type": "play", "move": actions[-1]}, id="same")
    assert first == second == third
    document = (await other.follow(match))["document"]
    assert [move["seat"] for move in document["moves"]].count(seat) == 1
    for client in (*clients, other):
        await client.close()


async def test_every_client_receives_every_event_once_and_in_order(address: str) -> None:
    match, people = await seated(address, GAME, 2)
    clients = await connect_all(address, people)
    spectator = await Client.open(address)
    starts = [(await client.follow(match))["seq"] for client in (*clients, spectator)]
    assert len(set(starts)) == 1
    while True:
        others = await connect_all(address, people)
        seat, actions = await mover(others, match)
        for other in others:
            await other.close()
        await clients[seat].do(match, {"type": "play", "move": actions[0]})
        async with http_client(address) as http:
            stage = (await http.get(f"/api/matches/{match}")).json()
        if stage["stage"] == "finished":
            break
    for client in (*clients, spectator):
        while all(message.get("seq") != stage["seq"] for message in client.received):
            await client.receive("changes")
        received = [
            event["seq"]
            for message in client.received
            if message["type"] == "changes"
            for event in message["events"]
        ]
        assert received == list(range(starts[0] + 1, stage["seq"] + 1))
        await client.close()


async def test_a_refusal_says_why_and_changes_nothing(address: str) -> None:
    match, people = await seated(address, GAME, 2)
    clients = await connect_all(address, people)
    seat, _ = await mover(clients, match)
    await clients[1 - seat].follow(match)
    before = (await clients[seat].follow(match))["document"]
    refused = await clients[1 - seat].do(match, {"type": "play", "move": 0})
    assert (refused["type"], refused["code"]) == ("error", "not_your_turn")
    refused = await clients[seat].do(match, {"type": "play", "move": "nonsense"})
    assert refused["type"] == "error"
    assert refused["hint"]
    assert (await clients[seat].follow(match))["document"] == before
    for client in clients:
        await client.close()


async def test_spectators_cannot_play(address: str) -> None:
    match, _ = await seated(address, GAME, 2)
    spectator = await Client.open(address)
    document = (await spectator.follow(match))["document"]
    assert document["seat"] is None
    refused = await spectator.do(match, {"type": "resign"})
    assert refused["code"] == "forbidden"
    await spectator.close()


@pytest.mark.parametrize(
    "text",
    [
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
    ],
)
async def test_an_invalid_message_is_refused_and_the_socket_stays_open(
    address: str, text: str
) -> None:
    client = await Client.open(address)
    await client.connection.send(text)
    assert (await client.receive("error"))["code"] == "bad_request"
    await client.send({"type": "ping", "sent": 5.5})
    assert (await client.receive("pong"))["sent"] == 5.5
    await client.close()


async def closing_code(client: Client) -> int | None:
    try:
        async with asyncio.timeout(20):
            while True:
                await client.connection.recv()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


async def test_the_first_message_is_a_hello_in_our_protocol(address: str) -> None:
    for first in ({"type": "ping"}, {"type": "hello", "protocol": 99}):
        client = Client(await connect(f"ws://{address}/api/socket"))
        await client.send(first)
        assert (await client.receive("bye"))["hint"]
        assert await closing_code(client) == 4005


async def test_an_unknown_token_is_refused(address: str) -> None:
    client = await Client.open(address, "A" * 43)
    assert client.received[-1]["code"] == "unauthorized"
    await client.close()


async def test_a_flooding_client_is_dropped_and_may_reconnect(tmp_path: Path) -> None:
    with plain_server(tmp_path, messages_per_second=5) as address:
        client = await Client.open(address)
        with contextlib.suppress(ConnectionClosed):
            for _ in range(60):
                await client.send({"type": "ping"})
        assert await closing_code(client) == 4004
        again = await Client.open(address)
        await again.close()


@pytest.mark.slow
async def test_a_silent_client_is_dropped(tmp_path: Path) -> None:
    with plain_server(tmp_path, idle_timeout_seconds=1.0) as address:
        client = await Client.open(address)
        assert await closing_code(client) == 4003


async def test_a_message_that_is_too_large_closes_the_socket(tmp_path: Path) -> None:
    with plain_server(tmp_path, max_request_bytes=2000) as address:
        client = await Client.open(address)
        await client.connection.send(json.dumps({"type": "ping", "sent": 1, "more": "x" * 3000}))
        assert await closing_code(client) in (4006, 1009)


async def test_other_origins_get_no_socket(address: str) -> None:
    with pytest.raises(InvalidStatus):
        await connect(f"ws://{address}/api/socket", origin="https://evil.example")  # type: ignore[arg-type]
    own = await connect(f"ws://{address}/api/socket", origin=f"http://{address}")  # type: ignore[arg-type]
    await own.close()


async def test_a_former_player_does_not_see_the_next_ones_hand(address: str) -> None:
    async with http_client(address) as http:
        people = [await Person(http).begin() for _ in range(4)]
        setup = {"game": "qwirkle", "options": {"seats": 3}, "seats": [{}] * 3, "seat": 0}
        match = (await people[0].post("/api/matches", setup)).json()["match"]
        await people[1].post(f"/api/matches/{match}/seats/1", {})
        leaver = await Client.open(address, people[1].token)
        assert (await leaver.follow(match))["document"]["seat"] == 1
        assert (await leaver.do(match, {"type": "leave"}))["type"] == "ack"
        for person, seat in ((2, 1), (3, 2)):
            joined = await people[person].post(f"/api/matches/{match}/seats/{seat}", {})
            assert joined.status_code == 201, joined.text
        own = (await http.get(f"/api/matches/{match}", headers=people[2].headers)).json()
        watched = (await http.get(f"/api/matches/{match}")).json()
    while (news := await leaver.receive("changes"))["seq"] != own["seq"]:
        pass
    received = news["position"]
    assert own["view"] != watched["view"], "seat 1 holds something that a spectator does not see"
    assert received["view"] == watched["view"]
    refused = await leaver.do(match, {"type": "resign"})
    assert refused["code"] == "forbidden"
    await leaver.close()


async def test_clients_are_disconnected_when_the_server_stops_and_resume_later(
    tmp_path: Path,
) -> None:
    with plain_server(tmp_path) as address:
        match, people = await seated(address, GAME, 2)
        clients = await connect_all(address, people)
        seat, actions = await mover(clients, match)
        done = await clients[seat].do(match, {"type": "play", "move": actions[0]})
    for client in clients:
        assert await closing_code(client) in (4002, 1012)
    with plain_server(tmp_path) as address:
        clients = await connect_all(address, people)
        document = (await clients[seat].follow(match))["document"]
        assert document["seq"] >= done["seq"]
        assert any(move["seq"] == done["seq"] for move in document["moves"])
        again = await clients[seat].do(match, {"type": "play", "move": actions[0]}, id="c1")
        assert again["seq"] == done["seq"], "the same id is the same move, after a restart too"
        for client in clients:
            await client.close()
