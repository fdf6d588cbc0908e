"""Our own server as a process that can be killed, and a door behind which several of them stand."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import time
from collections.abc import Sequence

from tests.server.servers import Server, environment

WARM_S = 900.0
"""Where nothing was compiled before, the first node takes minutes to be warm."""
GENEROUS = {
    "creations_per_minute": "1000000",
    "messages_per_second": "10000",
    "requests_per_second": "1000000",
    "log_level": "info",
    "bot_workers": "0",
}
"""Settings of a server whose only client pretends to be hundreds."""


class Node(Server):
    """``watermeet serve``, with its database in its folder unless told otherwise.

    A test may stand in its way: ``start`` returns when it answers, ``wait_until_warm`` when all
    games are compiled, after which a kill leaves no compiler behind.
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

    def _answers(self) -> bool:
        asked = f"GET /api/health HTTP/1.1\r\nHost: {self.address}\r\nConnection: close\r\n\r\n"
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as probe:
                probe.sendall(asked.encode())
                return b" 200 " in probe.recv(64)
        except OSError:
            return False

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What it has logged, over all its lives."""
        return (self.folder / "log").read_text(errors="replace")

    def wait_until_warm(self) -> None:
        """Returns when all games are compiled."""
        end = time.monotonic() + WARM_S
        while "all games are warm" not in self.log:
            assert self.is_running, self._complaint()
            assert time.monotonic() < end, self._complaint()
            time.sleep(0.1)


class PlainNode(Node):
    """A server that compiles nothing."""

    def _environment(self) -> dict[str, str]:
        return super()._environment() | {"NUMBA_DISABLE_JIT": "1"}


class Door:
    """One address for several nodes: each connection goes to the next node that answers."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._ports = [node.port for node in nodes]
        self._next = 0
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.Task[None]] = set()
        self.node_of: dict[int, int] = {}
        """Which node a client talks to, by the port that it comes from."""

    async def open(self) -> str:
        """Begins to listen; returns the address."""
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0, backlog=4096)
        host, port = self._server.sockets[0].getsockname()
        return f"{host}:{port}"

    async def close(self) -> None:
        """Listens no more, and ends what still passes through."""
        assert self._server is not None
        self._server.close()
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._passing.add(task)
        port: int = writer.get_extra_info("peername")[1]
        lines = None
        try:
            lines = await self._connect(port)
            if lines is not None:
                await asyncio.gather(_copy(reader, lines[1]), _copy(lines[0], writer))
        finally:
            self._passing.discard(task)
            self.node_of.pop(port, None)
            for each in (writer, lines[1] if lines else writer):
                each.close()

    async def _connect(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """The next node that can be reached; None if none can."""
        for _ in self._ports:
            node = self._next
            self._next = (node + 1) % len(self._ports)
            try:
                lines = await asyncio.open_connection("127.0.0.1", self._ports[node])
            except OSError:
                continue
            self.node_of[port] = node
            return lines
        return None


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while text := await reader.read(65536):
            writer.write(text)
            await writer.drain()
    writer.close()
