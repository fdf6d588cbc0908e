"""What matches and sockets cost a server while nothing happens, and whether more of them cost more.

Memory: what the server's process takes more for each match that it holds, and for each socket.
Curves: the CPU for a move while ever more matches are held, and for opening a match with an ever
longer log.
"""

from __future__ import annotations

import argparse
import asyncio
import resource

import httpx2
import msgspec
import uvloop
from tests.server.servers import Server
from websockets.asyncio.client import ClientConnection, connect

from bench.load import running_server, usage
from watermeet.testing.speed import Measurement

TITLE = "Idle matches and sockets, and cost curves"
AT_ONCE = 40
MOVES = 600
_encode = msgspec.json.encode


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """One server for the memory, one for the curves."""
    parser = argparse.ArgumentParser(prog="python -m bench idle --")
    parser.add_argument("--matches", type=int, nargs="+", default=[100, 1000, 10_000, 50_000])
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--entries", type=int, nargs="+", default=[10, 100, 500, 1000])
    chosen = parser.parse_args(arguments)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    found: list[Measurement] = []
    with running_server("sqlite") as server:
        found += uvloop.run(_memory(server, chosen.sockets))
    with running_server("sqlite") as server:
        found += uvloop.run(_curves(server, chosen.matches, chosen.entries))
    return found


class _Guest:
    """Two guests of a server, and what they ask for."""

    def __init__(self, server: Server) -> None:
        self._address = f"127.0.0.1:{server.port}"
        limits = httpx2.Limits(max_connections=AT_ONCE)
        self.http = httpx2.AsyncClient(
            base_url=f"http://{self._address}/api", limits=limits, timeout=600
        )
        self.tokens: list[str] = []

    async def sign_in(self) -> None:
        """Become two guests."""
        for _ in range(2):
            self.tokens.append((await self.http.post("/guests")).json()["token"])

    async def match(self) -> str:
        """A new match between the two."""
        request = {"game": "flume", "options": {"size": 7}, "seats": [{}, {}], "seat": 0}
        made = await self.http.post("/matches", json=request, headers=self._as(0))
        match: str = made.json()["match"]
        joined = await self.http.post(f"/matches/{match}/seats/1", json={}, headers=self._as(1))
        joined.raise_for_status()
        return match

    async def matches(self, count: int) -> list[str]:
        """Several."""
        places = asyncio.Semaphore(AT_ONCE)

        async def one() -> str:
            async with places:
                return await self.match()

        return list(await asyncio.gather(*(one() for _ in range(count))))

    async def socket(self, match: str = "", seat: int = 0) -> ClientConnection:
        """A socket that has said hello, and follows a match if one is given."""
        url = f"ws://{self._address}/api/socket"
        socket = await connect(url, compression=None, ping_interval=None, open_timeout=60)
        hello = {"type": "hello", "protocol": 1, "token": self.tokens[seat]}
        await socket.send(_encode(hello).decode())
        await socket.recv()
        if match:
            follow = {"type": "follow", "match": match, "with_state": False}
            await socket.send(_encode(follow).decode())
            await socket.recv()
        return socket

    async def command(self, match: str, seat: int, number: int, **command: object) -> None:
        """Send a command over REST."""
        body = {"id": f"c{number}", "command": command}
        path = f"/matches/{match}/commands"
        (await self.http.post(path, json=body, headers=self._as(seat))).raise_for_status()

    def _as(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[seat]}"}


async def _memory(server: Server, count: int) -> list[Measurement]:
    guest = _Guest(server)
    await guest.sign_in()
    matches = await guest.matches(200)  # Whatever grows at first has grown.
    warm = [await guest.socket() for _ in range(100)]
    before = usage(server.pid)[1]
    matches = await guest.matches(count)
    held = usage(server.pid)[1]
    sockets = [await guest.socket() for _ in range(count)]
    greeted = usage(server.pid)[1]
    followers = [await guest.socket(match) for match in matches]
    followed = usage(server.pid)[1]
    for each in (*warm, *sockets, *followers):
        each.transport.abort()
    return [
        _per("an idle match", held - before, count),
        _per("an idle socket", greeted - held, count),
        _per("an idle socket that follows a match", followed - greeted, count),
    ]


def _per(name: str, megabytes: float, count: int) -> Measurement:
    return Measurement(name, "memory", 1000 * megabytes / count, "kB", f"{count:,} of them")


async def _curves(server: Server, matches: list[int], entries: list[int]) -> list[Measurement]:
    guest = _Guest(server)
    await guest.sign_in()
    found: list[Measurement] = []
    held = 0
    for count in matches:
        await guest.matches(count - held)
        held = count
        cpu = await _cpu_per_move(server, guest)
        found.append(Measurement(f"{count:,} matches", "CPU for a move", cpu, "µs", "Flume 7x7"))
    for count in entries:
        match = await guest.match()
        number = 0
        while number + 4 < count:  # Nothing is played, so only the log grows.
            for command in ({"type": "offer"}, {"type": "respond", "accept": False}):
                await guest.command(match, 0, number, **command, what="pause")
                number += 1
        begin = usage(server.pid)[0]
        for _ in range(50):
            (await guest.http.get(f"/matches/{match}")).raise_for_status()
        took = 1e6 * (usage(server.pid)[0] - begin) / 50
        found.append(Measurement(f"{count:,} entries", "CPU to show a match", took, "µs", ""))
    return found


async def _cpu_per_move(server: Server, guest: _Guest) -> float:
    """Play some matches move by move, with two sockets each."""
    matches = await guest.matches(20)
    pairs = [[await guest.socket(match, seat) for seat in (0, 1)] for match in matches]
    turns = [(0, 0)] * len(matches)  # The seat to move, and a legal action.
    begin, played = usage(server.pid)[0], 0
    while played < MOVES:
        for match, pair, (seat, action) in zip(matches, pairs, turns, strict=True):
            play = {"type": "play", "move": action}
            message = {"type": "command", "id": f"m{played}", "match": match, "command": play}
            await pair[seat].send(_encode(message).decode())
            played += 1
        turns = [(await asyncio.gather(*map(_next_turn, pair)))[0] for pair in pairs]
    took = usage(server.pid)[0] - begin
    for pair in pairs:
        for socket in pair:
            socket.transport.abort()
    return 1e6 * took / played


async def _next_turn(socket: ClientConnection) -> tuple[int, int]:
    """The seat that is to move after the next change, and the lowest free point."""
    async with asyncio.timeout(60):
        while True:
            message = msgspec.json.decode(await socket.recv())
            assert message["type"] != "error", message
            if message["type"] == "changes":
                view = message["position"]["view"]
                free = (
                    n for n, count in enumerate(view["board"]["connections"]) if count is not None
                )
                return view["to_move"], next(free)
