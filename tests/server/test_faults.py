"""Faults from outside: what a bus, a database or a client does to a server."""

from __future__ import annotations

import asyncio
import io
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.inside import Inside, call
from tests.server.nodes import PlainNode, running
from tests.server.servers import environment

from watermeet.server import readiness
from watermeet.server.bus.valkey import ValkeyBus
from watermeet.server.errors import BusUnavailable
from watermeet.server.matches.service import topic_of

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"


async def test_a_malformed_message_does_not_end_listening(server: Inside) -> None:
    match, tokens = await server.seated(GAME, 2)
    spectator = await server.socket()
    await spectator.follow(match)
    bus = server.services.hub._bus
    for body in (b"not a number", b"\xff", b"{}"):
        for topic in (topic_of(match), f"notes:{match}"):
            await bus.publish(topic, body)
    player = await server.socket(tokens[0])
    await player.follow(match)
    await player.send({"type": "say", "match": match, "what": "hello"})
    assert (await spectator.receive("said"))["what"] == "hello"


def test_the_bus_password_is_in_no_error() -> None:
    with pytest.raises(BusUnavailable) as caught:
        ValkeyBus("valkey://:secret@host:secret/0")
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


# ---- the database -------------------------------------------------------------------------------


async def test_a_server_that_cannot_write_is_alive_but_not_ready(
    server: Inside, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody learns where the database is, but whoever reads the log."""
    monkeypatch.setattr(readiness, "CACHE_S", 0.0)
    match, tokens = await server.seated(GAME, 2)
    seat, legal = await server.to_move(match, tokens)
    client = await server.socket(tokens[seat])
    await client.follow(match)
    first = await call(server, "", "GET", "/status")
    assert (first["moves"], first["bots"], first["bot_wait_ms"]) == ("ok", "ok", 0)
    assert first["started_at"] <= first["moves_since"] + 1000 <= first["now"] + 1000

    async def statuses() -> list[int]:
        paths = ("/health/live", "/health/ready", "/health")
        return [(await call(server, "", "GET", path))["status"] for path in paths]

    assert await statuses() == [200, 200, 200]
    server.services.store._connection.execute("PRAGMA query_only = ON")
    assert await statuses() == [200, 503, 503]
    refusals = [
        await client.do(match, {"type": "play", "move": legal[0]["action"]}),
        await call(server, "", "POST", "/guests", None, 503),
        await call(server, "", "GET", "/health/ready", None, 503),
    ]
    assert [each["code"] for each in refusals] == ["store_unavailable"] * 3
    assert "watermeet.db" not in str(refusals)
    assert "watermeet.db" in lines.getvalue()
    last = await call(server, "", "GET", "/status", None, 200)
    assert (last["moves"], last["bots"]) == ("down", None)
    assert last["moves_since"] > first["moves_since"]
    server.services.store._connection.execute("PRAGMA query_only = OFF")
    assert await statuses() == [200, 200, 200]


async def test_many_who_ask_share_one_write(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, writes = server.services.store, []
    probe = store.probe

    async def counted() -> None:
        writes.append(1)
        await probe()

    monkeypatch.setattr(store, "probe", counted)
    async with server.http() as http:
        answers = await asyncio.gather(*(http.get("/api/health/ready") for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert len(writes) == 1


async def test_the_status_says_how_long_people_wait_for_bots(server: Inside) -> None:
    bot, token = {"who": "bot", "level": "random"}, await server.guest()
    for seats, seat in (([bot, bot], {}), ([bot, {}], {"seat": 1})):  # No bot works here.
        setup = {"game": "flume", "seats": seats, **seat}
        await call(server, token, "POST", "/matches", setup, 201)
        await asyncio.sleep(0.02)
        wait = (await call(server, "", "GET", "/status"))["bot_wait_ms"]
        assert (wait > 0) == bool(seat), "only people wait"


# ---- processes ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "settings"),
    [
        ("is empty", {}),
        ("is unavailable", {"WATERMEET_STORE_URL": "postgresql://me:secret@127.0.0.1:1/x"}),
        ("bus URL", {"WATERMEET_BUS_URL": "valkey://:secret@host:x/0"}),
    ],
)
def test_a_server_that_cannot_start_says_why_in_one_line(
    fault: str, settings: dict[str, str], tmp_path: Path
) -> None:
    if not settings:
        (tmp_path / "watermeet.db").touch()
    plain = {"NUMBA_DISABLE_JIT": "1", "WATERMEET_DATA_DIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-m", "watermeet", "serve", "--no-open", "--port", "0"],
        env=environment() | plain | settings,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    said = run.stdout + run.stderr
    assert run.returncode == 2, said
    assert fault in said
    assert "Traceback" not in said
    assert "secret" not in said
    assert len(said.splitlines()) <= 2, "the error and its hint"


def reset(address: tuple[str, int], *parts: bytes) -> None:
    """Connect, send something, and vanish without a goodbye."""
    with socket.create_connection(address, timeout=10) as connection:
        for part in parts:
            connection.sendall(part)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.slow
def test_clients_that_vanish_leave_no_traceback() -> None:
    with running(PlainNode()) as [node]:
        host = f"Host: {node.address}\r\n"
        upgrade = (
            f"GET /api/socket HTTP/1.1\r\n{host}Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ).encode()
        json = "Content-Type: application/json\r\n"
        post = f"POST /api/bots HTTP/1.1\r\n{host}{json}Content-Length: 90\r\n\r\n".encode()
        hello = b'{"type": "hello", "protocol": 1, "token": ""}'
        frame = b"\x81" + bytes([0x80 | len(hello)]) + bytes(4) + hello
        get = f"GET /api/games HTTP/1.1\r\n{host}\r\n".encode()
        for _ in range(40):
            for parts in ((upgrade,), (upgrade, frame), (upgrade, frame * 5), (post, b"{"), (get,)):
                reset(("127.0.0.1", node.port), *parts)
        reset(("127.0.0.1", node.port), b"nonsense\r\n\r\n")
        assert node._answers()
        node.stop()
        assert "Traceback" not in node.log, node.log[-3000:]
        assert "Invalid HTTP" not in node.log


async def test_names_change_only_so_often(server: Inside) -> None:
    token = await server.guest()
    for number in range(8):
        expected = 200 if number < 6 else 429
        await call(server, token, "PUT", "/me/name", {"name": f"Ada {number}"}, expected)
    await call(server, token, "PUT", "/me/name", {"name": "Ada 5"}, 200)  # It is theirs already.
