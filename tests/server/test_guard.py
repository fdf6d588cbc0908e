"""The guard's arithmetic; tests/server/attacks has the attacks."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from tests.server.inside import until
from websockets.asyncio.client import connect

from watermeet.server.app import create_app
from watermeet.server.errors import InvalidSettings
from watermeet.server.guard import Guard, GuardedSocket, connections_within, raise_file_limit
from watermeet.server.serving import uvicorn_config
from watermeet.server.settings import Settings


def test_settings_are_checked_against_the_limit_of_open_files(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pytest.raises(InvalidSettings, match="ulimit -n"):
        connections_within(100, Settings())
    with caplog.at_level(logging.WARNING):
        assert 800 < connections_within(1024, Settings()) < 1024
    assert "fewer connections than max_sockets" in caplog.text
    caplog.clear()
    assert connections_within(65_536, Settings()) == 20_000
    assert not caplog.text


def test_the_limit_of_open_files_is_raised_as_far_as_it_goes() -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
        raised = raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == raised > 512
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_one_address_gets_a_quarter_of_the_connections_and_gives_them_back() -> None:
    guard = Guard(Settings(), 400)
    admitted = [guard.admit("192.0.2.1") for _ in range(101)]
    assert admitted == [""] * 100 + ["connections"]
    assert guard.admit("192.0.2.2") == ""
    guard.release("192.0.2.1")
    assert guard.admit("192.0.2.1") == ""
    for number in range(299):
        guard.admit(f"10.0.{number // 50}.1")
    assert guard.admit("192.0.2.3") == "server_full"


@asynccontextmanager
async def served(folder: Path, **changes: Any) -> AsyncIterator[tuple[uvicorn.Server, int]]:
    """A server and its port; the system takes as little as possible of what it sends."""
    settings = Settings(data_dir=str(folder), bot_workers=0, **changes)
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    server = uvicorn.Server(uvicorn_config(create_app(settings), settings))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:
            await asyncio.sleep(0.05)
        yield server, listener.getsockname()[1]
    finally:
        server.should_exit = True
        await serving


@pytest.mark.anyio
async def test_nothing_of_a_closed_socket_stays(tmp_path: Path) -> None:
    """Cycles would be collected one day, but a server has few reasons to look for them."""
    async with served(tmp_path) as (_, port):
        gc.disable()
        try:
            for _ in range(5):
                async with connect(f"ws://127.0.0.1:{port}/api/socket") as client:
                    await client.send('{"type":"hello","protocol":1}')
                    await client.recv()
            for _ in range(100):
                await asyncio.sleep(0.05)
                left = [each for each in gc.get_objects() if type(each) is GuardedSocket]
                if not left:
                    break
            assert left == []
        finally:
            gc.enable()


@pytest.mark.anyio
async def test_responses_that_nobody_reads_do_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither one that the server still writes, nor the rest of what it has written."""
    loop, reasons = asyncio.get_running_loop(), list[str]()
    monkeypatch.setattr(Guard, "report", lambda _, reason: reasons.append(reason))
    async with served(tmp_path, response_timeout_seconds=0.5) as (server, port):

        async def asked(client: socket.socket, path: str, times: int, more: str = "") -> None:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.setblocking(False)
            await loop.sock_connect(client, ("127.0.0.1", port))
            request = f"GET /api/{path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n"
            await loop.sock_sendall(client, request.encode() * times)

        for path, times in (("openapi.json", 1), ("games", 6)):
            with socket.socket() as client:
                await asked(client, path, times)
                await until(lambda: server.server_state.connections)
                await until(lambda: not server.server_state.connections)
        assert reasons == ["unread", "unread"]
        with socket.socket() as client:
            await asked(client, "openapi.json", 1, "Connection: close\r\n")
            response = b""
            while part := await loop.sock_recv(client, 4_096):  # Slowly, but not too slowly.
                response += part
                await asyncio.sleep(0.01)
            headers, _, body = response.partition(b"\r\n\r\n")
            assert f"content-length: {len(body)}".encode() in headers
        assert len(reasons) == 2
