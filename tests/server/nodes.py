"""Our own server as a process that can be killed, and a load balancer for several of them."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

from tests.server.servers import Server, environment

GENEROUS = {
    "creations_per_minute": "1000000",
    "messages_per_second": "10000",
    "requests_per_second": "1000000",
    "bot_matches_per_user": "1000000",
    "bot_matches_per_address": "1000000",
    "frames_per_second": "20000",
    "frames_per_second_per_address": "1000000",
    "bytes_per_second": "100000000",
    "bytes_per_second_per_address": "1000000000",
    "connections_per_address": "1000000",
    "log_level": "info",
    "bot_workers": "0",
}
"""Settings for a server whose only client acts as hundreds."""


class Node(Server):
    """``watermeet serve``, by default with a database in its own folder.

    ``start`` returns when it responds.
    """

    def __init__(self, **settings: str) -> None:
        super().__init__("watermeet-node-")
        self._settings = GENEROUS | settings

    def _command(self) -> list[str]:
        serve = [sys.executable, "-m", "watermeet", "serve", "--no-open"]
        return [*serve, "--port", str(self.port), "--data-dir", str(self.folder)]

    def _environment(self) -> dict[str, str]:
        settings = {f"WATERMEET_{name.upper()}": each for name, each in self._settings.items()}
        return environment() | settings

    def run(self, *words: str) -> str:
        """What a command of ``watermeet`` prints, with the settings of this node."""
        command = [sys.executable, "-m", "watermeet", *words, "--data-dir", str(self.folder)]
        done = subprocess.run(
            command, env=self._environment(), capture_output=True, text=True, check=False
        )
        assert not done.returncode, done.stderr
        return done.stdout

    def _answers(self) -> bool:
        request = f"GET /api/health HTTP/1.1\r\nHost: {self.address}\r\nConnection: close\r\n\r\n"
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as probe:
                probe.sendall(request.encode())
                return b" 200 " in probe.recv(64)
        except OSError:
            return False

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """Everything it has logged, across restarts."""
        return (self.folder / "log").read_text(errors="replace")


N = TypeVar("N", bound=Node)


class PlainNode(Node):
    """A server that compiles nothing."""

    def _environment(self) -> dict[str, str]:
        return super()._environment() | {"NUMBA_DISABLE_JIT": "1"}


@contextlib.contextmanager
def running(*nodes: N) -> Iterator[list[N]]:
    """Nodes that are started one after the other, and removed at the end."""
    try:
        for node in nodes:
            node.start()
        yield list(nodes)
    finally:
        for node in nodes:
            node.remove()


class LoadBalancer:
    """One address for several nodes: each connection goes to the next node that responds."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._ports = [node.port for node in nodes]
        self._next = 0
        self._server: asyncio.Server | None = None
        self._forwarding: set[asyncio.Task[None]] = set()
        self.node_of: dict[int, int] = {}
        """The node of each client, by the client's port."""

    async def open(self) -> str:
        """Start listening, and return the address."""
        self._server = await asyncio.start_server(self._forward, "127.0.0.1", 0, backlog=4096)
        host, port = self._server.sockets[0].getsockname()
        return f"{host}:{port}"

    async def close(self) -> None:
        """Stop listening, and close all connections."""
        assert self._server is not None
        self._server.close()
        for task in self._forwarding:
            task.cancel()
        await asyncio.gather(*self._forwarding, return_exceptions=True)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._forwarding.add(task)
        port: int = writer.get_extra_info("peername")[1]
        streams = None
        try:
            streams = await self._connect(port)
            if streams is not None:
                await asyncio.gather(_copy(reader, streams[1]), _copy(streams[0], writer))
        finally:
            self._forwarding.discard(task)
            self.node_of.pop(port, None)
            for each in (writer, streams[1] if streams else writer):
                each.close()

    async def _connect(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Connect to the next node that is up, if any."""
        for _ in self._ports:
            node = self._next
            self._next = (node + 1) % len(self._ports)
            try:
                streams = await asyncio.open_connection("127.0.0.1", self._ports[node])
            except OSError:
                continue
            self.node_of[port] = node
            return streams
        return None


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while text := await reader.read(65536):
            writer.write(text)
            await writer.drain()
    writer.close()
