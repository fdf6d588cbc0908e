"""A crowd of clients that play at random over real sockets, and note all that they were told.

Each client behaves as a good one does: it numbers what it asks, asks again with the same id for
what was not acknowledged, says after a break which entry it saw last, and pings when nothing
happens. It believes nothing: what the server may not do is a fault, and ends the whole run.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

PING_S = 2.5
CONNECT_S = 20.0
PAUSE_S = (0.1, 1.0)
"""Between two tries: different for each, or all would come in the same moment."""
LATER = ("store_unavailable", "conflict")
"""Refusals after which the same is asked again."""

Game = tuple[str, Mapping[str, bool | int | str]]


class Fault(AssertionError):
    """The server did what it must never do."""


@dataclass(frozen=True)
class Asked:
    """A move that a client has sent, at least once."""

    id: str
    action: int


@dataclass
class Seat:
    """What a client knows and was told of its seat; outlives its sockets."""

    match: str
    number: int
    token: str
    first: int = 0
    """The entry that its first snapshot showed."""
    seen: int = 0
    """The last entry that it was told of."""
    events: list[dict[str, Any]] = field(default_factory=list)
    asked: dict[str, Asked] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    """The entry of each command, by id."""
    position: dict[str, Any] = field(default_factory=dict)
    waiting: Asked | None = None
    """What was sent and is not acknowledged."""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended and nothing waits for an answer."""
        return self.waiting is None and self.position.get("stage") in ("finished", "aborted")

    @property
    def may_move(self) -> bool:
        """Whether it is this seat's turn, as far as the server has told."""
        if self.waiting is not None or self.position.get("stage") != "playing":
            return False
        if max(self.acknowledged.values(), default=0) > self.seen:
            return False  # The own move is acknowledged, and its event still on its way.
        return bool(self.position["view"]["to_move"] == self.number)

    def told_all(self, message: dict[str, Any]) -> None:
        """A snapshot: the first thing that a new client gets, and nobody else."""
        self._check(self.seen == 0, f"a snapshot at {message['seq']} for who saw {self.seen}")
        self.first = self.seen = message["seq"]
        self.position = message["document"]

    def told(self, message: dict[str, Any]) -> None:
        """Events: those behind the last one, all of them, in order."""
        events, numbers = message["events"], range(message["after"] + 1, message["seq"] + 1)
        self._check(message["after"] == self.seen, f"told what is behind {message['after']}")
        self._check([event["seq"] for event in events] == list(numbers), "events with a hole")
        self._check(message["position"]["seq"] == message["seq"], "a position of another entry")
        self.events += events
        self.seen = message["seq"]
        self.position = message["position"]

    def told_done(self, message: dict[str, Any]) -> None:
        """An acknowledgement: the same for the same id, whenever it comes."""
        command, seq = message["id"], message["seq"]
        self._check(command in self.asked, f"{command!r} is done, and was never asked")
        known = self.acknowledged.setdefault(command, seq)
        self._check(known == seq, f"{command!r} is entry {known}, and now {seq}")
        if self.waiting is not None and self.waiting.id == command:
            self.waiting = None

    def _check(self, holds: bool, what: str) -> None:
        if not holds:
            raise Fault(f"match {self.match}, seat {self.number}, seen {self.seen}: {what}")


class Crowd:
    """Plays matches at an address, many at once."""

    def __init__(
        self, address: str, games: Sequence[Game], *, seed: int = 0, think_s: float = 0.0
    ) -> None:
        """``think_s``: how long a client thinks about a move, on average."""
        self._address, self._games, self._think_s = address, games, think_s
        self._rng = random.Random(seed)
        self.seats: list[Seat] = []
        self.counts: Counter[str] = Counter()
        self.lines: dict[tuple[str, int], int] = {}
        """The port from which a seat is connected now."""
        self.no_more = asyncio.Event()
        """Once it is set no new match is begun; those that are played are played to the end."""

    async def play(self, matches: int) -> None:
        """So many matches at once, one after the other at each table, until there are no more."""
        limits = httpx2.Limits(max_connections=min(matches, 50))
        async with (
            httpx2.AsyncClient(
                base_url=f"http://{self._address}", limits=limits, timeout=CONNECT_S
            ) as http,
            asyncio.TaskGroup() as group,
        ):
            for number in range(matches):
                group.create_task(self._table(http, number))

    def stuck(self) -> str:
        """What does not go on, in words."""
        waiting = [seat for seat in self.seats if not seat.is_over]
        told = [
            f"{seat.match}:{seat.number} seen {seat.seen} {seat.position.get('stage')},"
            f" waits for {seat.waiting}, connected {(seat.match, seat.number) in self.lines}"
            for seat in waiting[:20]
        ]
        return f"{len(waiting)} seats do not get on:\n" + "\n".join(told)

    async def _table(self, http: httpx2.AsyncClient, number: int) -> None:
        rng = random.Random(f"{self._rng.random()} {number}")
        tokens = [(await self._post(http, "/api/guests"))["token"] for _ in range(2)]
        while not self.no_more.is_set():
            name, options = self._games[self.counts["begun"] % len(self._games)]
            self.counts["begun"] += 1
            match = await self._seated(http, name, options, tokens)
            seats = [Seat(match, each, token) for each, token in enumerate(tokens)]
            self.seats += seats
            async with asyncio.TaskGroup() as group:
                for seat in seats:
                    group.create_task(self._client(seat, random.Random(rng.random())))
            self.counts["ended"] += 1

    # ---- tables: what is a document -------------------------------------------------------------

    async def _seated(
        self, http: httpx2.AsyncClient, name: str, options: Mapping[str, Any], tokens: list[str]
    ) -> str:
        """A match with both on their seats. One that nobody heard of stays empty."""
        wish = {"game": name, "options": dict(options), "seats": [{}, {}]}
        match: str = (await self._post(http, "/api/matches", wish, tokens[0]))["match"]
        for seat, token in enumerate(tokens):
            await self._post(http, f"/api/matches/{match}/seats/{seat}", {}, token)
        return match

    async def _post(
        self, http: httpx2.AsyncClient, path: str, body: Any = None, token: str = ""
    ) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        while True:
            try:
                answer = await http.post(path, json=body, headers=headers)
            except httpx2.HTTPError:
                self.counts["requests again"] += 1
            else:
                if answer.status_code == 201:
                    return answer.json()
                is_json = answer.headers.get("content-type") == "application/json"
                if not is_json or answer.json().get("code") not in LATER:
                    raise Fault(f"{path}: {answer.status_code} {answer.text}")
                self.counts["requests again"] += 1
            await asyncio.sleep(self._rng.uniform(*PAUSE_S))

    # ---- sockets: what is live ------------------------------------------------------------------

    async def _client(self, seat: Seat, rng: random.Random) -> None:
        while not seat.is_over:
            try:
                async with connect(
                    f"ws://{self._address}/api/socket",
                    compression=None,
                    ping_interval=None,
                    open_timeout=CONNECT_S,
                    close_timeout=0.5,
                ) as line:
                    self.lines[seat.match, seat.number] = line.local_address[1]
                    await self._talk(line, seat, rng)
            except (OSError, WebSocketException, TimeoutError):
                self.counts["broken lines"] += 1
            self.lines.pop((seat.match, seat.number), None)
            if not seat.is_over:
                await asyncio.sleep(rng.uniform(*PAUSE_S))

    async def _talk(self, line: ClientConnection, seat: Seat, rng: random.Random) -> None:
        """One socket from hello to the end of the match, or until it breaks."""
        await _say(line, {"type": "hello", "protocol": 1, "token": seat.token})
        cursor = {"after": seat.seen} if seat.seen else {}
        await _say(line, {"type": "follow", "match": seat.match, **cursor})
        if seat.waiting is not None:
            await self._ask(line, seat, seat.waiting)
        while not seat.is_over:
            message = await self._hear(line)
            if not await self._take(message, line, seat):
                return
            if seat.may_move:
                await self._move(line, seat, rng)

    async def _hear(self, line: ClientConnection) -> dict[str, Any]:
        """The next message; who hears nothing asks, and who then hears nothing comes anew."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PING_S):
                return _read(await line.recv())
        await _say(line, {"type": "ping"})
        async with asyncio.timeout(2 * PING_S):
            return _read(await line.recv())

    async def _take(self, message: dict[str, Any], line: ClientConnection, seat: Seat) -> bool:
        """Sees to a message; False: this line is of no use."""
        kind = message["type"]
        self.counts[kind] += 1
        if kind == "snapshot":
            seat.told_all(message)
        elif kind == "changes":
            seat.told(message)
        elif kind == "ack":
            seat.told_done(message)
        elif kind == "error":
            if message["code"] not in LATER:
                raise Fault(f"match {seat.match}, seat {seat.number}: {message}")
            await asyncio.sleep(self._rng.uniform(*PAUSE_S))
            if message.get("id") is None or seat.waiting is None:
                return False
            await self._ask(line, seat, seat.waiting)
        return str(kind) != "bye"

    async def _move(self, line: ClientConnection, seat: Seat, rng: random.Random) -> None:
        if self._think_s:
            await asyncio.sleep(rng.expovariate(1 / self._think_s))
        action = rng.choice(seat.position["view"]["legal"])["action"]
        seat.waiting = Asked(f"{len(seat.asked) + 1}", action)
        await self._ask(line, seat, seat.waiting)

    async def _ask(self, line: ClientConnection, seat: Seat, asked: Asked) -> None:
        if asked.id in seat.asked:
            self.counts["asked again"] += 1
        seat.asked[asked.id] = asked
        play = {"type": "play", "move": asked.action}
        await _say(line, {"type": "command", "id": asked.id, "match": seat.match, "command": play})


async def _say(line: ClientConnection, message: dict[str, Any]) -> None:
    await line.send(json.dumps(message))


def _read(text: str | bytes) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(text)
    return message
