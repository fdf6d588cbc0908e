"""A crowd of clients that play randomly over real sockets, and record all that they receive.

Each client is well behaved: it numbers its commands, resends unacknowledged ones with the same id,
says after a reconnect which entry it saw last, and pings when nothing happens.
It trusts nothing: whatever the server must not do is a fault, and ends the whole run.
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
"""Between attempts; random, or all clients would reconnect at the same moment."""
LATER = ("store_unavailable", "conflict")
"""Errors after which a command is resent."""

Game = tuple[str, Mapping[str, bool | int | str]]


class Fault(AssertionError):
    """The server did something it must never do."""


@dataclass(frozen=True)
class Sent:
    """A move that a client has sent, at least once."""

    id: str
    action: int


@dataclass
class Seat:
    """What a client knows and has received about its seat; outlives its sockets."""

    match: str
    number: int
    token: str
    first: int = 0
    """The entry of its first snapshot."""
    seen: int = 0
    """The last entry it has received."""
    events: list[dict[str, Any]] = field(default_factory=list)
    sent: dict[str, Sent] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    """The entry of each command, by id."""
    position: dict[str, Any] = field(default_factory=dict)
    waiting: Sent | None = None
    """The command that isn't acknowledged yet."""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended and no command is pending."""
        return self.waiting is None and self.position.get("stage") in ("finished", "aborted")

    @property
    def may_move(self) -> bool:
        """Whether it is this seat's turn, as far as the client knows."""
        if self.waiting is not None or self.position.get("stage") != "playing":
            return False
        if max(self.acknowledged.values(), default=0) > self.seen:
            return False  # Our move is acknowledged, but its event is still on its way.
        return bool(self.position["view"]["to_move"] == self.number)

    def receive_snapshot(self, message: dict[str, Any]) -> None:
        """A snapshot: only for a new client, and first."""
        self._check(self.seen == 0, f"a snapshot at {message['seq']} after {self.seen}")
        self.first = self.seen = message["seq"]
        self.position = message["document"]

    def receive_changes(self, message: dict[str, Any]) -> None:
        """Events: all that follow the last one, in order."""
        events, numbers = message["events"], range(message["after"] + 1, message["seq"] + 1)
        self._check(message["after"] == self.seen, f"received events after {message['after']}")
        self._check([event["seq"] for event in events] == list(numbers), "events with a gap")
        self._check(message["position"]["seq"] == message["seq"], "a position of another entry")
        self.events += events
        self.seen = message["seq"]
        self.position = message["position"]

    def receive_ack(self, message: dict[str, Any]) -> None:
        """An acknowledgement: always the same for the same id."""
        command, seq = message["id"], message["seq"]
        self._check(command in self.sent, f"{command!r} is acknowledged, but was never sent")
        known = self.acknowledged.setdefault(command, seq)
        self._check(known == seq, f"{command!r} was entry {known}, and is now {seq}")
        if self.waiting is not None and self.waiting.id == command:
            self.waiting = None

    def _check(self, holds: bool, what: str) -> None:
        if not holds:
            raise Fault(f"match {self.match}, seat {self.number}, seen {self.seen}: {what}")


class Crowd:
    """Plays many matches at once on a server."""

    def __init__(self, address: str, games: Sequence[Game]) -> None:
        self._address, self._games = address, games
        self._rng = random.Random(0)
        self.seats: list[Seat] = []
        self.counts: Counter[str] = Counter()
        self.ports: dict[tuple[str, int], int] = {}
        """The local port of each connected seat."""
        self.no_more = asyncio.Event()
        """Once set, no new matches start; running ones are played to the end."""

    async def play(self, matches: int) -> None:
        """Play this many matches at once, one after the other, until ``no_more`` is set."""
        limits = httpx2.Limits(max_connections=min(matches, 50))
        async with (
            httpx2.AsyncClient(
                base_url=f"http://{self._address}", limits=limits, timeout=CONNECT_S
            ) as http,
            asyncio.TaskGroup() as group,
        ):
            for number in range(matches):
                group.create_task(self._play_matches(http, number))

    def stuck(self) -> str:
        """Describe the seats that are stuck."""
        waiting = [seat for seat in self.seats if not seat.is_over]
        shown = [
            f"{seat.match}:{seat.number} seen {seat.seen} {seat.position.get('stage')},"
            f" waits for {seat.waiting}, connected {(seat.match, seat.number) in self.ports}"
            for seat in waiting[:20]
        ]
        return f"{len(waiting)} seats are stuck:\n" + "\n".join(shown)

    async def _play_matches(self, http: httpx2.AsyncClient, number: int) -> None:
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

    # ---- setup, over REST -------------------------------------------------------------

    async def _seated(
        self, http: httpx2.AsyncClient, name: str, options: Mapping[str, Any], tokens: list[str]
    ) -> str:
        """A match with both seats taken. One whose response was lost stays empty."""
        setup = {"game": name, "options": dict(options), "seats": [{}, {}]}
        match: str = (await self._post(http, "/api/matches", setup, tokens[0]))["match"]
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
                self.counts["requests retried"] += 1
            else:
                if answer.status_code == 201:
                    return answer.json()
                is_json = answer.headers.get("content-type") == "application/json"
                if not is_json or answer.json().get("code") not in LATER:
                    raise Fault(f"{path}: {answer.status_code} {answer.text}")
                self.counts["requests retried"] += 1
            await asyncio.sleep(self._rng.uniform(*PAUSE_S))

    # ---- play, over sockets -----------------------------------------------------------

    async def _client(self, seat: Seat, rng: random.Random) -> None:
        while not seat.is_over:
            try:
                async with connect(
                    f"ws://{self._address}/api/socket",
                    compression=None,
                    ping_interval=None,
                    open_timeout=CONNECT_S,
                    close_timeout=0.5,
                ) as connection:
                    self.ports[seat.match, seat.number] = connection.local_address[1]
                    await self._talk(connection, seat, rng)
            except (OSError, WebSocketException, TimeoutError):
                self.counts["lost connections"] += 1
            self.ports.pop((seat.match, seat.number), None)
            if not seat.is_over:
                await asyncio.sleep(rng.uniform(*PAUSE_S))

    async def _talk(self, connection: ClientConnection, seat: Seat, rng: random.Random) -> None:
        """One socket from hello to the end of the match, or until it breaks."""
        await _send(connection, {"type": "hello", "protocol": 1, "token": seat.token})
        cursor = {"after": seat.seen} if seat.seen else {}
        await _send(connection, {"type": "follow", "match": seat.match, **cursor})
        if seat.waiting is not None:
            await self._send_command(connection, seat, seat.waiting)
        while not seat.is_over:
            message = await self._receive(connection)
            if not await self._handle(message, connection, seat):
                return
            if seat.may_move:
                await self._move(connection, seat, rng)

    async def _receive(self, connection: ClientConnection) -> dict[str, Any]:
        """The next message; pings after a silence, and gives up after another."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PING_S):
                return _read(await connection.recv())
        await _send(connection, {"type": "ping"})
        async with asyncio.timeout(2 * PING_S):
            return _read(await connection.recv())

    async def _handle(
        self, message: dict[str, Any], connection: ClientConnection, seat: Seat
    ) -> bool:
        """Handle a message; False if the connection is useless."""
        kind = message["type"]
        self.counts[kind] += 1
        if kind == "snapshot":
            seat.receive_snapshot(message)
        elif kind == "changes":
            seat.receive_changes(message)
        elif kind == "ack":
            seat.receive_ack(message)
        elif kind == "error":
            if message["code"] not in LATER:
                raise Fault(f"match {seat.match}, seat {seat.number}: {message}")
            await asyncio.sleep(self._rng.uniform(*PAUSE_S))
            if message.get("id") is None or seat.waiting is None:
                return False
            await self._send_command(connection, seat, seat.waiting)
        return str(kind) != "bye"

    async def _move(self, connection: ClientConnection, seat: Seat, rng: random.Random) -> None:
        action = rng.choice(seat.position["view"]["legal"])["action"]
        seat.waiting = Sent(f"{len(seat.sent) + 1}", action)
        await self._send_command(connection, seat, seat.waiting)

    async def _send_command(self, connection: ClientConnection, seat: Seat, sent: Sent) -> None:
        if sent.id in seat.sent:
            self.counts["commands resent"] += 1
        seat.sent[sent.id] = sent
        play = {"type": "play", "move": sent.action}
        await _send(
            connection, {"type": "command", "id": sent.id, "match": seat.match, "command": play}
        )


async def _send(connection: ClientConnection, message: dict[str, Any]) -> None:
    await connection.send(json.dumps(message))


def _read(text: str | bytes) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(text)
    return message
