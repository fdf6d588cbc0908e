"""Whole matches on a real server: REST to set up, sockets to play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.driving import Client, Person, http_client, plain_server, seated

import watermeet as wm

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    with plain_server(folder, messages_per_second=10_000) as found:
        yield found


async def play(address: str, match: str, people: list[Person]) -> list[dict[str, Any]]:
    """Play random moves from each seat's own view; return everybody's last document."""
    rng = random.Random(1)
    clients = [await Client.open(address, person.token) for person in people]
    for client in clients:
        await client.follow(match)
    documents = []
    while True:
        async with http_client(address) as http:
            found = [
                (await http.get(f"/api/matches/{match}", headers=person.headers)).json()
                for person in people
            ]
        if found[0]["stage"] != "playing":
            documents = found
            break
        seat = next(i for i, each in enumerate(found) if each["view"]["to_move"] == i)
        legal = found[seat]["view"]["legal"]
        move = rng.choice(legal)
        answer = await clients[seat].do(match, {"type": "play", "move": move["action"]})
        assert answer["type"] == "ack", answer
    for client in clients:
        await client.close()
    return documents


async def test_a_whole_match_and_its_record(address: str) -> None:
    match, people = await seated(address, "kuhn_poker", 2)
    documents = await play(address, match, people)
    assert documents[0]["stage"] == "finished"
    assert documents[0]["outcome"] == documents[1]["outcome"]
    async with http_client(address) as http:
        text = (await http.get(f"/api/matches/{match}/record")).text
    record = wm.Record.parse(text)
    outcome = record.replay()[-1].outcome
    assert outcome is not None
    assert list(outcome.returns) == documents[0]["outcome"]["returns"]
