"""A real server in a thread, and clients that talk to it over real sockets."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from tests.server.talk import Talk
from websockets.asyncio.client import ClientConnection, connect

from watermeet.core.kernel import plain_python
from watermeet.server.app import create_app
from watermeet.server.bots import worker
from watermeet.server.serving import uvicorn_config
from watermeet.server.settings import Settings

TIMEOUT_S = 60.0
"""How long a response may take: tests share slow machines with others."""


def http_client(address: str) -> httpx2.AsyncClient:
    """An HTTP client of a server."""
    return httpx2.AsyncClient(base_url=f"http://{address}", timeout=TIMEOUT_S)


GENEROUS = {"requests_per_second": 100_000, "frames_per_second_per_address": 100_000}
"""Limits for clients that all have the same address."""


@contextmanager
def running_server(folder: Path, **changes: Any) -> Iterator[str]:
    """Run a server with a database in a folder, on a free port; yields its address.

    It compiles all games, which takes minutes without a cache; most tests want plain_server.
    """
    settings = Settings(data_dir=str(folder), **(GENEROUS | changes))
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", changes.get("port", 0)))
    server = uvicorn.Server(uvicorn_config(create_app(settings), settings))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError("the server did not start")
        time.sleep(0.005)
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(TIMEOUT_S)
        listening.close()
        assert not thread.is_alive(), "the server stops when asked to"


PLAIN = ("env", "NUMBA_DISABLE_JIT=1")
"""A prefix for commands that must compile nothing."""


@contextmanager
def plain_server(folder: Path, **changes: Any) -> Iterator[str]:
    """A server that compiles nothing, and neither do its workers."""
    changes.setdefault("creations_per_minute", 100_000)
    with pytest.MonkeyPatch.context() as patch, plain_python():
        patch.setattr(worker, "PROGRAM", (*PLAIN, *worker.PROGRAM))
        with running_server(folder, **changes) as address:
            yield address


class Client(Talk):
    """A socket, and what it has received."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.received: list[dict[str, Any]] = []

    @classmethod
    async def open(cls, address: str, token: str = "", **more: Any) -> Client:
        more.setdefault("open_timeout", TIMEOUT_S)
        connection = await connect(f"ws://{address}/api/socket", compression=None, **more)
        client = cls(connection)
        await client.send({"type": "hello", "protocol": 1, "token": token})
        await client.receive("welcome", "error")
        return client

    async def send(self, message: dict[str, Any]) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types; what comes before is kept in ``received``."""
        while True:
            async with asyncio.timeout(TIMEOUT_S):
                message: dict[str, Any] = json.loads(await self.connection.recv())
            self.received.append(message)
            if message["type"] in types:
                return message

    async def close(self) -> None:
        await self.connection.close()


class Person:
    """A guest."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http
        self.token = ""

    async def begin(self) -> Person:
        made = await self.http.post("/api/guests")
        assert made.status_code == 201, made.text
        self.token = made.json()["token"]
        return self

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def post(self, path: str, content: dict[str, Any]) -> httpx2.Response:
        return await self.http.post(path, json=content, headers=self.headers)


async def seated(address: str, game: str, seats: int, **options: Any) -> tuple[str, list[Person]]:
    """A match with a person on every seat."""
    async with http_client(address) as http:
        people = [await Person(http).begin() for _ in range(seats)]
        setup = {"game": game, "options": options, "seats": [{}] * seats, "seat": 0}
        made = await people[0].post("/api/matches", setup)
        assert made.status_code == 201, made.text
        match = made.json()["match"]
        for seat in range(1, seats):
            joined = await people[seat].post(f"/api/matches/{match}/seats/{seat}", {})
            assert joined.status_code == 201, joined.text
    return match, people
