"""Programs that attack a server from one address, and somebody who keeps playing from another."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.server.driving import Client, seated
from tests.server.nodes import PlainNode

HOSTILE = "127.0.0.2"
"""The attacker's address: another one than the player's. Only Linux has it without set-up."""
TEXT, CONTINUATION, PING, PONG = 0x1, 0x0, 0x9, 0xA
PIECE = 240_000
"""How much the attacker sends at once."""

needs_addresses = pytest.mark.skipif(sys.platform != "linux", reason="needs a second address")


class Attacked(PlainNode):
    """A server with the limits that everybody has, and this many open files."""

    files = 4096

    def __init__(self, **settings: str) -> None:
        super().__init__(**settings)
        self._settings = {"bot_workers": "0", "creations_per_minute": "100000"} | settings

    def _command(self) -> list[str]:
        limited = f'ulimit -n {self.files}; exec "$@"'
        return ["sh", "-c", limited, "sh", *super()._command()]

    def memory(self) -> int:
        """The most bytes of memory that it has had."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) * 1024


@contextmanager
def attacked(files: int = 4096, **settings: str) -> Iterator[Attacked]:
    """A server to be attacked."""
    node = Attacked(**settings)
    node.files = files
    try:
        node.start()
        yield node
    finally:
        node.remove()


def dial(node: Attacked, timeout: float = 10.0) -> socket.socket:
    """A connection from the attacker's address."""
    here = ("127.0.0.1", node.port)
    return socket.create_connection(here, timeout, source_address=(HOSTILE, 0))


def upgraded(node: Attacked, forwarded: str = "192.0.2.1") -> socket.socket:
    """A WebSocket from the attacker's address, without a library that behaves.

    It claims to come from elsewhere, which only a trusted proxy may do.
    """
    connection = dial(node)
    key = base64.b64encode(os.urandom(16)).decode()
    head = (
        f"GET /api/socket HTTP/1.1\r\nHost: {node.address}\r\nUpgrade: websocket\r\n"
        f"X-Forwarded-For: {forwarded}\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    )
    connection.sendall(head.encode())
    answer = connection.recv(4096)
    if b" 101 " not in answer.partition(b"\r\n")[0]:
        connection.close()
        raise ConnectionError(answer[:100])
    return connection


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame of a client; its mask is zero, so the payload is as it is."""
    head = struct.pack("!BB", opcode | (0x80 if fin else 0), 0x80 | len(payload))
    return head + b"\0\0\0\0" + payload


def close_code(connection: socket.socket) -> int | None:
    """The code with which the server closed a socket; None if it just went away."""
    received = b""
    with suppress(OSError):
        while part := connection.recv(65_536):
            received += part
    found = re.search(rb"\x88[\x02-\x7d](..)", received, re.DOTALL)
    return None if found is None else struct.unpack("!H", found[1])[0]


class Flood:
    """Sockets that send frames as fast as they can, and reconnect when they are closed."""

    def __init__(self, node: Attacked, frames: bytes) -> None:
        self._node, self._frames = node, frames
        self.sent = self.closed = 0
        self.codes: set[int | None] = set()

    def run(self, seconds: float) -> None:
        """Attack for this long."""
        end = time.monotonic() + seconds
        piece = self._frames * (PIECE // len(self._frames))
        while time.monotonic() < end:
            try:
                connection = upgraded(self._node)
            except OSError:
                time.sleep(0.05)
                continue
            with connection:
                connection.settimeout(1.0)
                try:
                    connection.sendall(frame(TEXT, fin=False))
                    while time.monotonic() < end:
                        connection.sendall(piece)
                        self.sent += len(piece)
                except TimeoutError:
                    continue
                except OSError:
                    self.closed += 1
                self.codes.add(close_code(connection))


async def moves(address: str, seconds: float) -> list[float]:
    """Play for a while, and measure how long each move takes until it is acknowledged.

    At least one is played, however long the machine takes to seat the players.
    """
    times: list[float] = []
    end = time.monotonic() + seconds
    while not times or time.monotonic() < end:
        match, people = await seated(address, "kuhn_poker", 2)
        clients = [await Client.open(address, person.token) for person in people]
        while not times or time.monotonic() < end:
            documents = [await _position(client, match) for client in clients]
            views = [document["view"] for document in documents]
            mover = views[0]["to_move"]
            if documents[0]["stage"] != "playing" or mover not in (0, 1):
                break
            move = views[mover]["legal"][0]["action"]
            begun = time.perf_counter()
            done = await clients[mover].do(match, {"type": "play", "move": move})
            times.append(time.perf_counter() - begun)
            assert done["type"] == "ack", done
            await asyncio.sleep(0.01)
        for client in clients:
            await client.close()
    return times


async def _position(client: Client, match: str) -> dict[str, Any]:
    await client.send({"type": "follow", "match": match})
    found: dict[str, Any] = (await client.receive("snapshot"))["document"]
    return found


def slowest(times: list[float]) -> float:
    """The 99th percentile."""
    assert times, "nobody could play at all"
    return sorted(times)[int(len(times) * 0.99)]


def bystander_during(node: Attacked, attack: threading.Thread, seconds: float) -> float:
    """How long a move takes at the 99th percentile while an attack runs."""
    asyncio.run(moves(node.address, 0.5))  # The first ones import things.
    attack.start()
    try:
        return slowest(asyncio.run(moves(node.address, seconds)))
    finally:
        attack.join(60)
        assert not attack.is_alive()
