"""The clients of the load benchmark: two sockets per match, and moves at a fixed rate."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2
import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

GAME, OPTIONS, SHORTEST = "flume", {"size": 7}, 24
"""A cheap game without chance, and the least number of moves in a match."""
TICK_S = 0.002
AT_ONCE = 40
WARM_UP_S = 3.0
PING_S = 20.0


@dataclass(frozen=True)
class Job:
    """What one client process does."""

    address: str
    kind: str
    """watermeet or echo."""
    matches: int
    rate: float
    seconds: float

    @staticmethod
    def echo_of(job: Job) -> Job:
        """The same job against an echo server."""
        return replace(job, kind="echo")

    def share(self, address: str, number: int, of: int) -> Job:
        """One process's share."""
        matches = self.matches // of + (number < self.matches % of)
        return replace(
            self, address=address, matches=matches, rate=self.rate * matches / self.matches
        )


@dataclass
class Result:
    """What one process measured."""

    took_ms: list[float] = field(default_factory=list)
    late: int = 0


# Only the fields that the client reads.
class _Choice(msgspec.Struct):
    action: int


class _View(msgspec.Struct):
    to_move: int
    legal: list[_Choice]


class _Position(msgspec.Struct):
    stage: str
    view: _View


class _Message(msgspec.Struct):
    type: str
    id: str | None = None
    code: str = ""
    document: _Position | None = None
    position: _Position | None = None


_DECODER = msgspec.json.Decoder(_Message)
_encode = msgspec.json.encode


class Players:
    """Two sockets, and the matches they play one after another."""

    def __init__(self, job: Job, tokens: list[str], matches: list[str], result: Result) -> None:
        self._job, self._tokens, self._matches, self._result = job, tokens, matches, result
        self.sockets: list[ClientConnection] = []
        self._choices: tuple[int, list[int]] | None = None
        self._sent: tuple[str, float] | None = None
        self._count = 0
        self._match = ""
        self.is_measured = False
        self._readers: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Connect both and start the first match."""
        for seat in (0, 1):
            socket = await connect(
                f"ws://{self._job.address}/api/socket",
                compression=None,
                ping_interval=None,
                open_timeout=60,
            )
            self.sockets.append(socket)
            if self._job.kind == "watermeet":
                await _send(socket, type="hello", protocol=1, token=self._tokens[seat])
            self._readers.append(asyncio.create_task(self._read(seat, socket)))
        await self._next_match()

    async def close(self) -> None:
        """Close both."""
        for reader in self._readers:
            reader.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)
        for socket in self.sockets:
            socket.transport.abort()

    async def _next_match(self) -> None:
        if self._job.kind == "echo":
            self._choices = 0, [1]
            return
        if self._match:
            for socket in self.sockets:
                await _send(socket, type="unfollow", match=self._match)
        if not self._matches:
            return  # Ran out of matches; the others continue.
        self._match = self._matches.pop()
        for socket in self.sockets:
            await _send(socket, type="follow", match=self._match)

    async def move(self, rng: random.Random) -> bool:
        """Send a move; False if it isn't their turn yet."""
        if self._choices is None or self._sent is not None:
            return False
        seat, actions = self._choices
        self._choices = None
        self._count += 1
        self._sent = f"{self._count}", time.perf_counter()
        play = {"type": "play", "move": rng.choice(actions)}
        await _send(
            self.sockets[seat], type="command", id=self._sent[0], match=self._match, command=play
        )
        return True

    async def ping(self) -> None:
        """Keep both connections alive."""
        if self._job.kind == "watermeet":
            for socket in self.sockets:
                await _send(socket, type="ping")

    async def _read(self, seat: int, socket: ClientConnection) -> None:
        async for text in socket:
            if self._job.kind == "echo":
                self._answered()
                self._choices = 1 - seat, [1]
            else:
                await self._take(seat, _DECODER.decode(text))

    async def _take(self, seat: int, message: _Message) -> None:
        if message.type == "error":
            raise RuntimeError(f"refused: {message.code}")
        if message.type == "ack" and self._sent is not None and message.id == self._sent[0]:
            self._answered()
        position = message.document or message.position
        if position is None:
            return
        if position.stage == "playing" and position.view.to_move == seat:
            self._choices = seat, [choice.action for choice in position.view.legal]
        elif position.stage == "finished" and seat == 0:
            await self._next_match()

    def _answered(self) -> None:
        assert self._sent is not None
        if self.is_measured:
            self._result.took_ms.append(1000 * (time.perf_counter() - self._sent[1]))
        self._sent = None


async def _send(socket: ClientConnection, **message: Any) -> None:
    await socket.send(_encode(message).decode())


def drive(job: Job, ready: Any, results: Any) -> None:
    """Run one client process: connect, wait for the others, play."""
    results.put(uvloop.run(_drive(job, ready)))


async def _drive(job: Job, ready: Any) -> Result:
    result = Result()
    opened: list[Players] = []
    pinging = asyncio.create_task(_ping(opened))
    matches = await _matches(job, result, opened)
    gc.collect()
    gc.freeze()
    await _play(matches, job, WARM_UP_S, result)
    await asyncio.to_thread(ready.wait)
    for pair in matches:
        pair.is_measured = True
    result.late = 0
    await _play(matches, job, job.seconds, result)
    pinging.cancel()
    for pair in matches:
        await pair.close()
    return result


async def _play(matches: list[Players], job: Job, seconds: float, result: Result) -> None:
    """Send moves at the given rate, round robin, skipping those who can't move yet."""
    rng, number, done = random.Random(1), 0, 0
    begin = time.perf_counter()
    while (now := time.perf_counter()) < begin + seconds:
        due = int((now - begin) * job.rate)
        while done < due:
            done += 1
            for _ in range(len(matches)):
                number = (number + 1) % len(matches)
                if await matches[number].move(rng):
                    break
            else:
                result.late += 1
        await asyncio.sleep(TICK_S)


async def _ping(opened: list[Players]) -> None:
    """Keep all connections alive, also while the last ones still connect."""
    while True:
        await asyncio.sleep(PING_S)
        for pair in tuple(opened):
            await pair.ping()


async def _matches(job: Job, result: Result, opened: list[Players]) -> list[Players]:
    """Connect all players; create as many matches for each as they may need."""
    moves = job.rate * (job.seconds + WARM_UP_S) / job.matches
    each = 2 + int(moves // SHORTEST) if job.kind == "watermeet" else 0
    limits = httpx2.Limits(max_connections=AT_ONCE)
    places = asyncio.Semaphore(AT_ONCE)
    async with httpx2.AsyncClient(
        base_url=f"http://{job.address}", limits=limits, timeout=600
    ) as http:
        tokens = [await _token(http) for _ in range(2)] if each else []

        async def prepare() -> Players:
            async with places:
                matches = [await _match(http, tokens) for _ in range(each)]
                pair = Players(job, tokens, matches, result)
                await pair.open()
                opened.append(pair)
                return pair

        return await asyncio.gather(*(prepare() for _ in range(job.matches)))


async def _token(http: httpx2.AsyncClient) -> str:
    token: str = (await http.post("/api/guests")).json()["token"]
    return token


async def _match(http: httpx2.AsyncClient, tokens: list[str]) -> str:
    request = {"game": GAME, "options": OPTIONS, "seats": [{}, {}], "seat": 0}
    headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
    made = await http.post("/api/matches", json=request, headers=headers[0])
    match: str = made.json()["match"]
    joined = await http.post(f"/api/matches/{match}/seats/1", json={}, headers=headers[1])
    joined.raise_for_status()
    return match
