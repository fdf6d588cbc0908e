"""Faults from outside: what a bus, a database, a clock or a client does to a server."""

from __future__ import annotations

import asyncio
import io
import re
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Inside, bearer, inside
from tests.server.nodes import PlainNode
from tests.server.servers import environment

from watermeet.server import app as joined
from watermeet.server import heartbeat
from watermeet.server.errors import BusUnavailable
from watermeet.server.matches.service import BEAT_JOB, topic_of

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "network-bots.md"


# ---- the bus ------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [b"not a number", b"\xff", b"{}"])
async def test_a_malformed_message_does_not_end_listening(body: bytes, tmp_path: Path) -> None:
    async with inside(tmp_path) as server:
        match, _ = await server.seated(GAME, 2)
        spectator = await server.socket()
        await spectator.follow(match)
        hub = server.app.state.services.hub
        bus = hub._bus
        for topic in (topic_of(match), f"notes:{match}"):
            await bus.publish(topic, body)
        await asyncio.sleep(0.05)
        listening = [task for task in hub._tasks if "_listen" in repr(task.get_coro())]
        assert len(listening) == 1
        assert not listening[0].done()
        await spectator.close()


def test_the_bus_password_is_in_no_error() -> None:
    from watermeet.server.bus.valkey import ValkeyBus

    with pytest.raises(BusUnavailable) as caught:
        ValkeyBus("valkey://:secret@host:secret/0")
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


# ---- the database -------------------------------------------------------------------------------


async def test_clients_do_not_learn_where_the_database_is(
    tmp_path: Path, lines: io.StringIO
) -> None:
    async with inside(tmp_path) as server:
        match, tokens = await server.seated(GAME, 2)
        clients = [await server.socket(token) for token in tokens]
        views = [(await client.follow(match))["document"]["view"] for client in clients]
        mover = views[0]["to_move"]
        move = views[mover]["legal"][0]["action"]
        server.app.state.services.store._connection.execute("PRAGMA query_only = ON")
        refused = await clients[mover].do(match, {"type": "play", "move": move})
        async with server.http() as http:
            answer = await http.post("/api/guests")
        server.app.state.services.store._connection.execute("PRAGMA query_only = OFF")
        for client in clients:
            await client.close()
    assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
    assert refused["code"] == "store_unavailable"
    assert "watermeet.db" not in answer.text + str(refused)
    assert "watermeet.db" in lines.getvalue(), "the log has it"


# ---- starting -----------------------------------------------------------------------------------


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


# ---- clients ------------------------------------------------------------------------------------


def reset(address: tuple[str, int], *parts: bytes) -> None:
    """Connect, send something, and vanish without a goodbye."""
    with socket.create_connection(address, timeout=10) as connection:
        for part in parts:
            connection.sendall(part)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.slow
def test_clients_that_vanish_leave_no_traceback() -> None:
    node = PlainNode()
    try:
        node.start()
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
    finally:
        node.remove()


async def test_names_change_only_so_often(tmp_path: Path) -> None:
    async with inside(tmp_path) as server:
        token = await server.guest()
        async with server.http(token) as http:
            statuses = [
                (await http.put("/api/me/name", json={"name": f"Ada {number}"})).status_code
                for number in range(8)
            ]
            same = await http.put("/api/me/name", json={"name": "Ada 5"})
    assert statuses == [200] * 6 + [429] * 2
    assert same.status_code == 200, "it is theirs already"


# ---- spectators and clocks ----------------------------------------------------------------------


async def listed(server: Inside, token: str = "") -> dict[str, Any]:
    path = "/api/me/matches" if token else "/api/matches?stage=playing"
    async with server.http() as http:
        found = (await http.get(path, headers=bearer(token) if token else {})).json()["matches"]
    row: dict[str, Any] = found[0]
    return row


async def test_lists_show_the_mover_as_late_as_spectators_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000_000_000_000]
    monkeypatch.setattr(joined, "now_ms", lambda: now[0])
    async with inside(tmp_path) as server:
        setup = {"is_public": True, "spectator_delay_s": 60}
        _, tokens = await server.seated(GAME, 2, **setup)
        now[0] += 30_000
        shown = await listed(server)
        assert shown["headline"]["to_move"] is None
        assert shown["headline"]["seq"] == 0
        assert (await listed(server, tokens[0]))["headline"]["to_move"] is not None, "a player"
        now[0] += 31_000
        assert (await listed(server))["headline"]["to_move"] is not None


async def test_a_clock_that_was_set_back_does_not_stop_the_heartbeat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.02)
    monkeypatch.setattr(heartbeat, "STUCK_S", 0.2)
    now = [1_000_000_000_000]
    monkeypatch.setattr(joined, "now_ms", lambda: now[0])
    async with inside(tmp_path) as server:
        clock = {"type": "real_time", "initial_ms": 300_000}
        await server.seated(GAME, 2, time_control=clock)
        store = server.app.state.services.store
        await asyncio.sleep(0.2)
        assert await store.ready_at(BEAT_JOB) == now[0]
        now[0] -= 600_000
        async with asyncio.timeout(10):
            while await store.ready_at(BEAT_JOB) != now[0]:
                await asyncio.sleep(0.02)


# ---- the guide ----------------------------------------------------------------------------------


async def test_the_addresses_in_the_guide_for_bots_exist(tmp_path: Path) -> None:
    paths = re.findall(r"`(?:GET )?(/[a-z./]+)`", GUIDE.read_text(encoding="utf-8"))
    assert paths
    async with inside(tmp_path) as server, server.http(await server.guest()) as http:
        for path in set(paths) - {"/api/socket", "/api/me/turns", "/api/me/webhook"}:
            assert (await http.get(path)).status_code == 200, path
