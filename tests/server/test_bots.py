"""The server's bots: which may be chosen, and that no process is left behind."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

import pytest
from tests.server import processes
from tests.server.driving import TIMEOUT_S, Person, http_client
from tests.server.inside import Inside, call, until
from tests.server.nodes import PlainNode, running

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
BOT = {"who": "bot", "level": "drop"}


async def test_levels_are_checked_when_a_match_is_created(server: Inside) -> None:
    setups: list[dict[str, Any]] = [
        {"seats": [{"who": "bot", "level": "ocean"}, {}]},
        {"seats": [{"who": "bot", "level": ""}, {}]},
        {"seats": [{"who": "bot", "level": "exec:sh"}, {}]},
        {"seats": [{"who": "bot", "level": "uct"}, {}]},
        {"seats": [{}, {}], "absence": {"rule": "stand_in", "level": "ocean"}},
        {"seats": [{"level": "drop"}, {}]},
    ]
    token = await server.guest()
    for setup in setups:
        refused = await call(server, token, "POST", "/matches", {"game": GAME, **setup}, 422)
        assert refused["hint"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
async def test_bots_play_and_no_process_is_left_behind(ending: signal.Signals) -> None:
    with running(PlainNode(bot_workers="1")) as [node]:
        async with http_client(node.address) as http, asyncio.timeout(TIMEOUT_S):
            person = await Person(http).begin()
            made = await person.post("/api/matches", {"game": GAME, "seats": [BOT, BOT]})
            path = f"/api/matches/{made.json()['match']}"
            while (shown := (await http.get(path)).json())["stage"] == "playing":
                await asyncio.sleep(0.05)
        assert shown["outcome"]["by"] == "rules"
        below = processes.descendants(node.pid)
        assert below, "a worker thinks in a process of its own"
        await asyncio.to_thread(node.stop, ending)
        await until(lambda: not any(map(processes.is_running, below)))
