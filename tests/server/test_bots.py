"""The server's bots on a real server: whole matches, levels, and no process left behind."""

from __future__ import annotations

import asyncio
import signal
import time
from typing import Any

import httpx2
import pytest
from tests.server import processes
from tests.server.driving import TIMEOUT_S, Client, Person, http_client
from tests.server.nodes import PlainNode

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
BOT = {"who": "bot", "level": "drop"}


async def new_match(http: httpx2.AsyncClient, person: Person, **setup: Any) -> httpx2.Response:
    return await person.post("/api/matches", {"game": GAME, **setup})


async def test_bots_play_to_the_end_and_people_watch(address: str) -> None:
    async with http_client(address) as http:
        person = await Person(http).begin()
        made = await new_match(http, person, seats=[BOT, {"who": "bot", "level": "random"}])
        assert made.status_code == 201, made.text
        match = made.json()["match"]
        spectator = await Client.open(address)
        document = (await spectator.follow(match))["document"]
        while document["stage"] == "playing":
            document = (await spectator.receive("changes"))["position"]
        assert document["stage"] == "finished"
        assert document["outcome"]["by"] == "rules"
        await spectator.close()


async def test_a_person_plays_a_bot_to_the_end(address: str) -> None:
    async with http_client(address) as http:
        person = await Person(http).begin()
        made = await new_match(http, person, seats=[BOT, {}], seat=1)
        match = made.json()["match"]
    client = await Client.open(address, person.token)
    position = (await client.follow(match))["document"]
    while position["stage"] == "playing":
        if position["view"]["to_move"] == 1:
            move = position["view"]["legal"][0]["move"]
            done = await client.do(match, {"type": "play", "move": move, "at_seq": position["seq"]})
            assert done["type"] == "ack", done
            position = (await client.follow(match))["document"]
        else:
            position = (await client.receive("changes"))["position"]
    assert position["stage"] == "finished"
    await client.close()


async def test_levels_are_checked_when_a_match_is_created(address: str) -> None:
    async with http_client(address) as http:
        person = await Person(http).begin()
        setups: list[dict[str, Any]] = [
            {"seats": [{"who": "bot", "level": "ocean"}, {}]},
            {"seats": [{"who": "bot", "level": ""}, {}]},
            {"seats": [{"who": "bot", "level": "exec:sh"}, {}]},
            {"seats": [{"who": "bot", "level": "uct"}, {}]},
            {"seats": [{}, {}], "absence": {"rule": "stand_in", "level": "ocean"}},
            {"seats": [{"level": "drop"}, {}]},
        ]
        for setup in setups:
            refused = await new_match(http, person, **setup)
            assert refused.status_code == 422, setup
            assert refused.json()["hint"]


# ---- processes ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
async def test_no_process_is_left_behind_however_the_server_ends(ending: signal.Signals) -> None:
    node = PlainNode(bot_workers="1")
    try:
        node.start()
        async with http_client(node.address) as http, asyncio.timeout(TIMEOUT_S):
            person = await Person(http).begin()
            made = await new_match(http, person, seats=[BOT, BOT])
            match = made.json()["match"]
            while (await http.get(f"/api/matches/{match}")).json()["stage"] == "playing":
                await asyncio.sleep(0.05)
        below = processes.descendants(node.pid)
        assert below, "a worker thinks in a process of its own"
        node.stop(ending)
        deadline = time.monotonic() + 20
        while any(map(processes.is_running, below)) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        assert not [pid for pid in below if processes.is_running(pid)]
    finally:
        node.remove()
