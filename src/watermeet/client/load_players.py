"""The clients of the load generator: one process of them, in one event loop.

A table is a place where matches are played one after another. Its players and spectators have a
socket each. A table that can move waits in a queue; moves are sent from there at a fixed rate.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random
import signal
import sys
import time
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from watermeet.client.connection import BACKOFF_S, MAX_MESSAGE_BYTES, PROTOCOL, TRANSIENT
from watermeet.client.errors import ApiError, ServerUnreachable
from watermeet.client.load import LoadPlan, Progress, Tally
from watermeet.client.rest import Client

TICK_S = 0.002
CONNECT_S = 60.0
AT_ONCE = 40
"""How many tables are set up at the same time."""
PARTS = 10
"""Sockets are pinged in this many parts, one after another."""
SETTLE_S = 10.0
"""How long to wait for acknowledgements at the end."""
PATIENCE_S = 120.0
"""How long requests and sockets are tried again."""
OVER = ("finished", "aborted")


# Only the fields that clients of the load generator read.
class _Choice(msgspec.Struct):
    action: int


class _View(msgspec.Struct):
    to_move: int
    legal: list[_Choice] = []


class _Position(msgspec.Struct):
    stage: str
    view: _View


class _Event(msgspec.Struct):
    kind: str
    seat: int | None = None


class _Message(msgspec.Struct):
    type: str
    id: str | None = None
    match: str | None = None
    seq: int = 0
    code: str = ""
    document: _Position | None = None
    position: _Position | None = None
    events: list[_Event] = []


_DECODER = msgspec.json.Decoder(_Message)


@dataclass(frozen=True)
class Sent:
    """A move that isn't acknowledged yet."""

    id: str
    match: str
    seat: int
    action: int
    at: float
    is_measured: bool


class Player:
    """A socket of a table, which is reopened whenever it is lost; seat None is a spectator."""

    def __init__(self, table: Table, seat: int | None, token: str) -> None:
        self.table, self.seat, self.token = table, seat, token
        self._crew = table.crew
        self.socket: ClientConnection | None = None
        self._seen: int | None = None
        self.expected: deque[tuple[float, bool]] = deque()
        """When the moves of others were sent that it has no news of, and whether they count."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Disconnect for good."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self.cut()

    def cut(self) -> None:
        """Lose the connection, as a phone does."""
        if self.socket is not None:
            self.socket.transport.abort()

    async def send(self, **message: Any) -> None:
        """Send a message, if connected; connecting sends whatever matters."""
        if self.socket is not None:
            with contextlib.suppress(WebSocketException, OSError):
                await self.socket.send(msgspec.json.encode(message), text=True)

    async def ping(self) -> None:
        """Show that it is still there."""
        await self.send(type="ping")

    async def follow(self) -> None:
        """Follow the table's match from its current position."""
        self._seen = None
        self.expected.clear()
        await self.send(type="follow", match=self.table.match, with_state=False)

    async def send_command(self, sent: Sent) -> None:
        """Send a move, maybe again."""
        play = {"type": "play", "move": sent.action}
        await self.send(type="command", id=sent.id, match=sent.match, command=play)

    async def _run(self) -> None:
        attempts, lost_at = 0, time.monotonic()
        while True:
            try:
                self.socket = await connect(
                    f"{Client(self.table.url).socket_url}?match={self.table.match}",
                    compression=None,
                    ping_interval=None,
                    max_size=MAX_MESSAGE_BYTES,
                    open_timeout=CONNECT_S,
                )
                await self._greet()
                while True:
                    text = await self.socket.recv(decode=False)
                    attempts = 0
                    await self._receive(text)
            except ConnectionClosed as error:
                if error.rcvd is not None:
                    self._crew.tally.errors[f"closed: {error.rcvd.reason or error.rcvd.code}"] += 1
            except (OSError, WebSocketException, TimeoutError) as error:
                self._crew.tally.errors[f"no socket: {type(error).__name__}"] += 1
            self.socket = None
            if attempts == 0:
                lost_at = time.monotonic()
            if time.monotonic() - lost_at > PATIENCE_S:
                self._crew.give_up("sockets can't be opened")
                return
            pause = BACKOFF_S[min(attempts, len(BACKOFF_S) - 1)]
            await asyncio.sleep(pause * self._crew.rng.uniform(0.5, 1.5))
            attempts += 1
            self._crew.tally.reconnects += 1

    async def _greet(self) -> None:
        await self.send(type="hello", protocol=PROTOCOL, token=self.token)
        if self.table.match:
            follow = {"type": "follow", "match": self.table.match, "with_state": False}
            await self.send(**follow, after=self._seen)
        sent = self.table.sent
        if sent is not None and sent.seat == self.seat:
            await self.send_command(sent)

    async def _receive(self, text: bytes) -> None:
        message = _DECODER.decode(text)
        if message.type == "ack":
            self.table.on_ack(message.id, message.seq)
        elif message.type == "error":
            self._crew.tally.errors[message.code] += 1
            await self._on_error(message)
        position = message.document or message.position
        if position is None or message.match != self.table.match:
            return
        self._seen = message.seq
        for event in message.events:
            if event.kind == "played":
                self._on_move(event.seat)
        if self.seat is not None:
            self.table.on_position(self.seat, position.stage, message.seq, position.view)

    def _on_move(self, seat: int | None) -> None:
        """News of a move: of another player, of a bot, or our own."""
        if seat in self.table.bots:
            if self.seat == self.table.watching_bots:
                self.table.on_bot_move()
        elif seat != self.seat and self.expected:
            at, is_measured = self.expected.popleft()
            if is_measured and self.seat is not None:
                self._crew.tally.news_ms.append(1000 * (time.perf_counter() - at))

    async def _on_error(self, message: _Message) -> None:
        await asyncio.sleep(self._crew.rng.uniform(0.2, 0.5))
        sent = self.table.sent
        if sent is None or message.id != sent.id:
            if message.id is None:  # Following failed.
                self.cut()
        elif message.code in TRANSIENT:
            await self.send_command(sent)
        else:
            await self.table.on_refused()


class Table:
    """A place where matches are played one after another."""

    player_class: type[Player] = Player

    def __init__(self, crew: Crew, number: int) -> None:
        self.crew = crew
        plan = crew.plan
        urls = (plan.url, *plan.other_urls)
        self.url = urls[number % len(urls)]
        self._request = partial(crew.request, self.url)
        self._game = plan.games[number // len(urls) % len(plan.games)]
        people = 1 if number < plan.bot_matches else self._game.seats
        self.bots = range(people, self._game.seats)
        self.watching_bots = 0
        """The seat that measures the bots."""
        self._people = range(people)
        self._tokens: list[str] = []
        self.players: list[Player] = []
        self.match = ""
        self.sent: Sent | None = None
        self._prepared: list[str] = []
        self._turn: tuple[int, int, list[int]] | None = None
        self._is_queued = False
        self._count = 0
        self._acknowledged_seq = 0
        self._is_over = False
        self._bot_since: float | None = None
        self.acknowledged: dict[str, list[tuple[int, int, int]]] = {}
        """The seq, seat and action of each acknowledged move, by match."""
        self._changing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Create guests and matches, connect everybody, and begin."""
        for _ in self._people:
            self._tokens.append((await self._request("", "POST", "/guests"))["token"])
        self._prepared = [await self._create() for _ in range(self.crew.plan.prepared)]
        await self._begin()
        seats = [*self._people, *[None] * self.crew.plan.spectators]
        for seat in seats:
            token = "" if seat is None else self._tokens[seat]
            self.players.append(self.player_class(self, seat, token))

    async def close(self) -> None:
        """Disconnect everybody."""
        if self._changing is not None:
            self._changing.cancel()
            await asyncio.gather(self._changing, return_exceptions=True)
        for player in self.players:
            await player.close()

    async def _create(self) -> str:
        """A match with everybody seated."""
        seats: list[dict[str, str]] = [{} for _ in self._people]
        seats += [{"who": "bot", "level": self.crew.plan.level} for _ in self.bots]
        setup = {
            "game": self._game.name,
            "options": dict(self._game.options),
            "seats": seats,
            "seat": 0,
        }
        made = await self._request(self._tokens[0], "POST", "/matches", setup)
        match = str(made["match"])
        for seat in self._people[1:]:
            path = f"/matches/{match}/seats/{seat}"
            await self._request(self._tokens[seat], "POST", path, {})
        return match

    async def _begin(self) -> None:
        """Go on with the next match."""
        match = self._prepared.pop() if self._prepared else await self._create()
        old, self.match = self.match, match
        self._is_over, self._turn, self._acknowledged_seq, self._bot_since = False, None, 0, None
        self.crew.tally.matches += 1
        for player in self.players:
            await player.send(type="unfollow", match=old)
            await player.follow()

    def on_position(self, seat: int, stage: str, seq: int, view: _View) -> None:
        """A player has a new position."""
        if stage in OVER:
            self._is_over = True
            self._go_on()
            return
        if stage != "playing":
            return
        if view.to_move == seat:
            self._turn = seat, seq, [choice.action for choice in view.legal]
            self._queue_up()
        elif view.to_move in self.bots and seat == self.watching_bots and self._bot_since is None:
            self._bot_since = time.perf_counter()

    def _go_on(self) -> None:
        """Begin another match, once the last move of this one is acknowledged."""
        if self._is_over and self.sent is None and (not self._changing or self._changing.done()):
            self._changing = asyncio.create_task(self._begin())

    def on_bot_move(self) -> None:
        """A bot has moved."""
        if self._bot_since is not None and self.crew.is_measuring:
            self.crew.tally.bots_ms.append(1000 * (time.perf_counter() - self._bot_since))
        self._bot_since = None

    def on_ack(self, id_: str | None, seq: int) -> None:
        """A move is in the server's database for good."""
        sent = self.sent
        if sent is None or sent.id != id_:
            return
        self.sent = None
        self.crew.tally.moves += 1
        if sent.is_measured:
            self.crew.tally.acks_ms.append(1000 * (time.perf_counter() - sent.at))
        self.acknowledged.setdefault(sent.match, []).append((seq, sent.seat, sent.action))
        self._acknowledged_seq = seq
        self._go_on()
        self._queue_up()

    async def on_refused(self) -> None:
        """A move was refused: look at the match again."""
        sent, self.sent = self.sent, None
        assert sent is not None
        self._go_on()
        await self.players[sent.seat].follow()
        for player in self.players:
            if player.seat != sent.seat and player.expected:
                player.expected.pop()

    def _queue_up(self) -> None:
        """Wait for the time to move, after thinking, if it is known whose turn it is."""
        if self._is_queued or not self._can_move():
            return
        self._is_queued = True
        think_s = self.crew.plan.think_s
        if think_s:
            delay = self.crew.rng.expovariate(1 / think_s)
            asyncio.get_running_loop().call_later(delay, self.crew.ready.append, self)
        else:
            self.crew.ready.append(self)

    def _can_move(self) -> bool:
        turn = self._turn
        return self.sent is None and turn is not None and turn[1] >= self._acknowledged_seq

    async def move(self) -> bool:
        """Send a random move; False if it is no longer anybody's turn here."""
        self._is_queued = False
        if not self._can_move():
            return False
        assert self._turn is not None
        (seat, _, actions), self._turn = self._turn, None
        self._count += 1
        now, is_measured = time.perf_counter(), self.crew.is_measuring
        action = self.crew.rng.choice(actions)
        self.sent = Sent(str(self._count), self.match, seat, action, now, is_measured)
        for player in self.players:
            if player.seat != seat:
                player.expected.append((now, is_measured))
        await self.players[seat].send_command(self.sent)
        return True

    async def check(self) -> None:
        """Read the matches back: everything acknowledged is there, and nothing is there twice."""
        for match, moves in self.acknowledged.items():
            for seat in self._people:
                own = {seq: action for seq, each, action in moves if each == seat}
                document = await self._request(self._tokens[seat], "GET", f"/matches/{match}")
                found = {
                    move["seq"]: move["action"]
                    for move in document["moves"]
                    if move["seat"] == seat and not move["by_timer"]
                }
                sent = self.sent
                pending = sent is not None and (sent.match, sent.seat) == (match, seat)
                self.crew.tally.checked += len(own)
                self.crew.tally.faults += compare(f"{match}, seat {seat}", own, found, pending)


def compare(where: str, sent: dict[int, int], found: dict[int, int], pending: bool) -> list[str]:
    """What is wrong with a log: entries that are missing, different or too many.

    >>> compare("m, seat 0", {5: 1, 7: 2, 9: 3}, {5: 1, 9: 4, 11: 3}, pending=False)
    ['m, seat 0: entry 7 is missing', 'm, seat 0: entry 9 is 4, not 3', 'm, seat 0: 1 too many']
    """
    faults = [f"{where}: entry {seq} is missing" for seq in sent if seq not in found]
    faults += [
        f"{where}: entry {seq} is {found[seq]}, not {action}"
        for seq, action in sent.items()
        if seq in found and found[seq] != action
    ]
    extra = len(found.keys() - sent.keys()) - pending  # It may have been done all the same.
    if extra > 0:
        faults.append(f"{where}: {extra} too many")
    return faults


class Crew:
    """All tables of one process."""

    def __init__(self, plan: LoadPlan, number: int, table_class: type[Table], channel: Any) -> None:
        self.plan, self.number, self._channel = plan, number, channel
        self.tally = Tally()
        self.rng = random.Random(number)
        self.ready: deque[Table] = deque()
        """The tables that can move, the longest waiting first."""
        self.is_measuring = False
        self._stage = "setting up"
        self._failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        numbers = range(number, plan.matches, plan.processes)
        self._tables = [table_class(self, each) for each in numbers]
        self._rate = plan.rate * len(self._tables) / plan.matches

    def give_up(self, why: str) -> None:
        """End the whole run."""
        if not self._failure.done():
            self._failure.set_exception(ServerUnreachable(f"{self.plan.url}: {why}"))

    async def request(self, url: str, token: str, method: str, path: str, body: Any = None) -> Any:
        """Send a request, again and again if the server can't do it now."""
        end, pause = time.monotonic() + PATIENCE_S, 0.1
        while True:
            try:
                client = Client(url, token)
                return await asyncio.to_thread(client.request, method, path, body)
            except (ApiError, ServerUnreachable) as error:
                code = error.server_code if isinstance(error, ApiError) else error.code
                self.tally.errors[f"{method} {code}"] += 1
                is_final = isinstance(error, ApiError) and code not in TRANSIENT
                if is_final or time.monotonic() > end:
                    raise
            await asyncio.sleep(pause * self.rng.uniform(0.5, 1.5))
            pause = min(2 * pause, 5.0)

    async def run(self, begin: Any) -> None:
        """Connect, wait for the other processes, play and check."""
        helpers = [asyncio.create_task(self._keep_alive()), asyncio.create_task(self._report())]
        playing = asyncio.create_task(self._play(begin))
        try:
            await asyncio.wait({playing, self._failure}, return_when=asyncio.FIRST_COMPLETED)
            if self._failure.done():
                self._failure.result()
            await playing
        finally:
            for task in (playing, *helpers):
                task.cancel()
            await asyncio.gather(playing, *helpers, return_exceptions=True)

    async def _play(self, begin: Any) -> None:
        places = asyncio.Semaphore(AT_ONCE)

        async def set_up(table: Table) -> None:
            async with places:
                await table.open()

        async with asyncio.TaskGroup() as group:
            for table in self._tables:
                group.create_task(set_up(table))
        gc.collect()
        gc.freeze()
        self._stage = "playing"
        await self._pace(self.plan.warm_up_s)
        self._channel.put("ready")
        await asyncio.to_thread(begin.wait)
        self.is_measuring, self.tally.late = True, 0
        await self._pace(self.plan.seconds)
        self.is_measuring = False
        self._channel.put("stopped")
        await self._settle()
        self.tally.sockets = sum(len(table.players) for table in self._tables)
        for table in self._tables:
            await table.close()
        if self.plan.is_checked:
            self._stage = "checking"
            await asyncio.gather(*(table.check() for table in self._tables))

    async def _pace(self, seconds: float) -> None:
        """Send moves at the rate; those that nobody can send are late."""
        begin, done = time.perf_counter(), 0
        while (elapsed := time.perf_counter() - begin) < seconds:
            due = int(elapsed * self._rate) - done if self._rate else len(self.ready)
            for _ in range(due):
                if not await self._move():
                    self.tally.late += 1
            done += due
            await asyncio.sleep(TICK_S)

    async def _move(self) -> bool:
        while self.ready:
            if await self.ready.popleft().move():
                return True
        return False

    async def _settle(self) -> None:
        """Wait for the acknowledgements of what was sent."""
        end = time.monotonic() + SETTLE_S
        while any(table.sent is not None for table in self._tables) and time.monotonic() < end:
            await asyncio.sleep(0.05)

    async def _keep_alive(self) -> None:
        """Ping, and cut connections now and then."""
        pause, reconnect_s = self.plan.ping_s / PARTS, self.plan.reconnect_s
        part = 0
        while True:
            await asyncio.sleep(pause)
            part += 1
            players = [player for table in self._tables for player in table.players]
            for number, player in enumerate(players):
                if self.is_measuring and reconnect_s and self.rng.random() < pause / reconnect_s:
                    player.cut()
                elif number % PARTS == part % PARTS:
                    await player.ping()

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            tally = self.tally
            errors = sum(tally.errors.values())
            self._channel.put(
                Progress(self.number, self._stage, tally.moves, errors, tally.reconnects)
            )


def drive(plan: LoadPlan, number: int, table_class: type[Table], begin: Any, channel: Any) -> None:
    """Run one process of clients."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Whoever started it ends it.
    _raise_file_limit()

    async def main() -> Tally:
        crew = Crew(plan, number, table_class, channel)
        await crew.run(begin)
        return crew.tally

    try:
        channel.put(_run(main()))
    except* (ApiError, ServerUnreachable) as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        channel.put(str(error))


def _run(main: Coroutine[Any, Any, Tally]) -> Tally:
    """Run with uvloop, if it is installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main)
    return uvloop.run(main)


def _raise_file_limit() -> None:
    """Each socket is a file."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(OSError, ValueError):  # macOS calls it infinite, and refuses that.
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
