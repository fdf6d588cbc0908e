"""Streams over a real network: clients that disconnect, a server that stops, several nodes."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from tests.server.driving import TIMEOUT_S
from tests.server.inside import GENEROUS, bearer, inside
from tests.server.servers import Postgres, Valkey

from watermeet.core.kernel import plain_python
from watermeet.server.app import create_app
from watermeet.server.serving import Server, uvicorn_config
from watermeet.server.settings import Settings

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


@contextmanager
def served(folder: Path, **changes: Any) -> Iterator[tuple[Starlette, str, Server]]:
    """A server as ``watermeet serve`` runs it, in a thread."""
    settings = Settings(data_dir=str(folder), **(GENEROUS | changes))
    with plain_python(), socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        app, started = create_app(settings), threading.Event()
        server = Server(uvicorn_config(app, settings), app, started.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        assert started.wait(TIMEOUT_S)
        try:
            yield app, f"http://127.0.0.1:{listening.getsockname()[1]}", server
        finally:
            server.should_exit = True
            thread.join(TIMEOUT_S)
            assert not thread.is_alive(), "it stops although streams are open"


async def new_match(http: httpx2.AsyncClient) -> str:
    token = (await http.post("/api/guests")).json()["token"]
    setup = {"game": GAME, "seats": [{}, {}], "seat": 0}
    made = await http.post("/api/matches", json=setup, headers=bearer(token))
    match: str = made.json()["match"]
    return match


async def test_a_disconnected_client_is_cleaned_up(tmp_path: Path) -> None:
    with served(tmp_path) as (app, url, _):
        async with httpx2.AsyncClient(base_url=url, timeout=TIMEOUT_S) as http:
            match = await new_match(http)
            async with http.stream("GET", f"/api/matches/{match}/events") as answer:
                assert answer.headers["content-type"] == "application/x-ndjson"
                assert answer.headers["x-content-type-options"] == "nosniff"
                first = json.loads(await anext(answer.aiter_lines()))
                assert first["type"] == "snapshot"
                assert len(app.state.streams.open) == 1
        async with asyncio.timeout(10):
            while app.state.streams.open:
                await asyncio.sleep(0.02)
        assert not app.state.services.hub._followers.get(match)


async def test_a_stopping_server_ends_its_streams_at_once(tmp_path: Path) -> None:
    with served(tmp_path, shutdown_timeout_seconds=30.0) as (_, url, server):
        async with httpx2.AsyncClient(base_url=url, timeout=TIMEOUT_S) as http:
            match = await new_match(http)
            async with http.stream("GET", f"/api/matches/{match}/events") as answer:
                lines = answer.aiter_lines()
                await anext(lines)
                server.should_exit = True
                rest = [json.loads(line) async for line in lines]
    told = [message for message in rest if message["type"] != "presence"]
    assert [(message["type"], message["code"]) for message in told] == [("bye", "stopping")]


@pytest.fixture
def urls(postgres: Postgres, valkey: Valkey) -> dict[str, str]:
    """The database and the bus that several nodes share."""
    return {"store_url": postgres.new_database(), "bus_url": valkey.url}


@pytest.mark.slow
async def test_turns_arrive_through_any_node(tmp_path: Path, urls: dict[str, str]) -> None:
    async with inside(tmp_path / "a", **urls) as one, inside(tmp_path / "b", **urls) as other:
        bot = await one.guest()
        turns = await one.stream("/api/me/turns", bot)
        guest = await other.guest()
        async with other.http() as http:
            setup = {"game": GAME, "seats": [{}, {}], "seat": 0}
            made = await http.post("/api/matches", json=setup, headers=bearer(guest))
            match = made.json()["match"]
            await http.post(f"/api/matches/{match}/seats/1", json={}, headers=bearer(bot))
            for number in range(9):
                document = (await http.get(f"/api/matches/{match}", headers=bearer(guest))).json()
                if document["stage"] != "playing":
                    break
                token, legal = guest, document["view"]["legal"]
                if document["view"]["to_move"] == 1:
                    turn = await turns.receive("turn")
                    assert turn["match"] == match
                    token, legal = bot, turn["position"]["view"]["legal"]
                command = {"type": "play", "move": legal[0]["action"]}
                order = {"id": f"n{number}", "command": command}
                path = f"/api/matches/{match}/commands"
                done = await http.post(path, json=order, headers=bearer(token))
                assert done.status_code == 200, done.text
        assert (await turns.receive("finished"))["match"] == match
        await turns.close()
