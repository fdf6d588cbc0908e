"""The socket of a client: reads its messages, one at a time, and answers them.

A socket ends by itself when nothing was heard for long, when more is sent than anybody needs, or
when what comes cannot be read; never because somebody asked for something that is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from watermeet.core.errors import IllegalMove, WatermeetError
from watermeet.server.access import Access
from watermeet.server.api import messages
from watermeet.server.api.connection import FLOODING, SILENT, TOO_LARGE, UNREADABLE, Connection
from watermeet.server.api.hub import Follower, Hub
from watermeet.server.api.messages import (
    PROTOCOL,
    Bye,
    Do,
    Done,
    Follow,
    FromClient,
    Hello,
    Ping,
    Pong,
    Refused,
    Sign,
    Unfollow,
    Welcome,
)  # fmt: skip
from watermeet.server.desk import Desk
from watermeet.server.errors import BadRequest, Forbidden, TooMany
from watermeet.server.limits import TokenBucket
from watermeet.server.logs import fields
from watermeet.server.matches.service import Matches
from watermeet.server.metrics import Metrics
from watermeet.server.presence import TTL_S, Presence
from watermeet.server.settings import Settings
from watermeet.server.store.rows import UserRow

LOG = logging.getLogger(__name__)
BURST_S = 4.0
"""A socket may send as much at once as in so many seconds."""
SIGNS_PER_SECOND = 4.0
"""Signs above that are dropped: a hand that waves faster shows nothing more."""


class Sockets:
    """All sockets of a node, and what they share."""

    def __init__(
        self,
        settings: Settings,
        matches: Matches,
        hub: Hub,
        desk: Desk,
        access: Access,
        presence: Presence,
        metrics: Metrics,
        now: Callable[[], int],
        version: str,
    ) -> None:
        self.settings, self.matches, self.hub, self.desk = settings, matches, hub, desk
        self.access, self.presence, self.metrics = access, presence, metrics
        self.now, self.version = now, version
        self._open: set[Session] = set()

    async def serve(self, line: WebSocket) -> None:
        """Serves a socket to its end."""
        if len(self._open) >= self.settings.max_sockets:
            await line.close(1013, "too_many")
            return
        await line.accept()
        session = Session(self, line)
        self._open.add(session)
        self.metrics.sockets.set(len(self._open))
        try:
            await session.run()
        finally:
            self._open.discard(session)
            self.metrics.sockets.set(len(self._open))

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._open)

    def end_all(self, code: int, bye: Bye) -> None:
        """The server stops: clients come back to another node, or when it is there again."""
        for session in tuple(self._open):
            session.connection.end(code, bye)

    def is_here(self, match: str, seat: int) -> bool:
        """Whether a seat has a line to this node."""
        return any(follower.seat == seat for follower in self.hub.followers(match))


class Session:
    """One socket."""

    def __init__(self, sockets: Sockets, line: WebSocket) -> None:
        self._all, self._line = sockets, line
        settings = sockets.settings
        self.connection = Connection(line, settings.max_queued_messages)
        self._bucket = TokenBucket(
            settings.messages_per_second,
            settings.messages_per_second * BURST_S,
            time.monotonic(),
        )
        self._signs = TokenBucket(SIGNS_PER_SECOND, SIGNS_PER_SECOND * BURST_S, time.monotonic())
        self._user: UserRow | None = None
        self._is_known = False
        self._following: dict[str, Follower] = {}
        self._touched_at = 0.0

    async def run(self) -> None:
        """Reads and answers until the line ends."""
        self.connection.start()
        reading = asyncio.create_task(self._read_all())
        ended = asyncio.create_task(self.connection.ended.wait())
        try:
            await asyncio.wait((reading, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading
            await self._forget()
            await self.connection.finish()
            if self.connection.ending:
                self._all.metrics.dropped.labels(self.connection.ending).inc()

    async def _read_all(self) -> None:
        silence = self._all.settings.idle_timeout_seconds
        try:
            while not self.connection.is_ended:
                async with asyncio.timeout(silence):
                    event = await self._line.receive()
                if event["type"] == "websocket.disconnect":
                    return
                text = event.get("text")
                await self._take(text if text is not None else event.get("bytes") or b"")
        except TimeoutError:
            self.connection.end(SILENT, Bye("silent", "send a ping now and then"))
        except WebSocketDisconnect:
            return
        except Exception:
            LOG.exception("a socket broke", extra=fields())
            self.connection.end(1011, Bye("internal", "come back: nothing was lost"))

    async def _take(self, text: str | bytes) -> None:
        if len(text) > self._all.settings.max_request_bytes:
            self.connection.end(TOO_LARGE, Bye("too_large", "send less in a message"))
            return
        if not self._bucket.take(time.monotonic()):
            self.connection.end(FLOODING, Bye("too_many", "send less often"))
            return
        try:
            message = messages.decode(text)
        except msgspec.DecodeError as error:
            told = f"unreadable: {str(error)[:200]}"
            self.connection.send(Refused("bad_request", told, "see the protocol"))
            return
        await self._answer(message)

    async def _answer(self, message: FromClient) -> None:
        try:
            if isinstance(message, Hello):
                await self._hello(message)
            elif not self._is_known:
                self.connection.end(UNREADABLE, Bye("bad_request", "say hello first"))
            elif isinstance(message, Do):
                await self._do(message)
            elif isinstance(message, Ping):
                await self._ping(message)
            elif isinstance(message, Follow):
                await self._follow(message)
            elif isinstance(message, Sign):
                await self._sign(message)
            else:
                await self._unfollow(message)
        except WatermeetError as error:
            self._refuse(message, error)

    def _refuse(self, message: FromClient, error: WatermeetError) -> None:
        self._all.metrics.rejections.labels(error.code).inc()
        explanation = None
        if isinstance(error, IllegalMove) and error.explanation is not None:
            explanation = error.explanation.as_json()
        self.connection.send(
            Refused(
                error.code,
                error.message,
                error.hint,
                message.id if isinstance(message, Do) else None,
                getattr(message, "match", None),
                explanation,
            )
        )

    # ---- messages ----

    async def _hello(self, message: Hello) -> None:
        if message.protocol != PROTOCOL:
            hint = f"this server speaks protocol {PROTOCOL}: load the page anew"
            self.connection.end(UNREADABLE, Bye("other_protocol", hint))
            return
        if self._is_known:
            raise BadRequest("hello was said already", "go on")
        self._user = await self._all.access.user(message.token)
        self._is_known = True
        settings = self._all.settings
        self.connection.send(
            Welcome(
                PROTOCOL,
                self._all.version,
                self._all.now(),
                self._user.name if self._user else None,
                int(settings.ping_interval_seconds * 1000),
                int(settings.idle_timeout_seconds * 1000),
            )
        )

    async def _follow(self, message: Follow) -> None:
        is_new = message.match not in self._following
        if is_new and len(self._following) >= self._all.settings.max_follows_per_socket:
            raise TooMany("this socket follows too many matches", "unfollow one first")
        matches = self._all.matches
        # As the log has it now: another node may have given it the seat a moment ago.
        live = await matches.catch_up(message.match) or await matches.load(message.match)
        seat = await self._all.access.seat(live.match, message.token, self._user)
        await self._unfollow(Unfollow(message.match))
        follower = await self._all.hub.follow(self.connection, message.match, seat, message.after)
        self._following[message.match] = follower
        if seat is not None:
            await self._all.desk.hear_of(message.match, seat)

    async def _unfollow(self, message: Unfollow) -> None:
        follower = self._following.pop(message.match, None)
        if follower is None:
            return
        await self._all.hub.unfollow(follower)
        seat = follower.seat
        if seat is not None and not self._all.is_here(message.match, seat):
            await self._all.presence.leave(message.match, seat)

    async def _do(self, message: Do) -> None:
        follower = self._followed(message.match)
        follower.check_seat((await self._all.matches.load(message.match)).match)
        started = time.perf_counter()
        done = await self._all.desk.do(
            message.match, follower.seat, message.id, message.command, follower.user
        )
        self._all.metrics.command_seconds.observe(time.perf_counter() - started)
        self.connection.send(Done(message.id, message.match, done.seq))
        await self._touch()

    async def _sign(self, message: Sign) -> None:
        follower = self._followed(message.match)
        match = (await self._all.matches.load(message.match)).match
        follower.check_seat(match)
        seat = follower.seat
        if seat is None:
            raise Forbidden("who watches cannot give signs", "take a seat")
        team = next(team for team in match.game.teams if seat in team)
        partners = [other for other in team if other != seat]
        if partners and self._signs.take(time.monotonic()):
            await self._all.hub.sign(message.match, seat, message.what, partners)

    def _followed(self, match: str) -> Follower:
        follower = self._following.get(match)
        if follower is None:
            raise BadRequest(f"{match!r} is not followed here", "follow it first")
        return follower

    async def _ping(self, message: Ping) -> None:
        self.connection.send(Pong(message.sent, self._all.now()))
        await self._touch()

    async def _touch(self) -> None:
        """Tells that all seats of this socket are there, not oftener than anybody needs it."""
        if time.monotonic() - self._touched_at > TTL_S / 3:
            self._touched_at = time.monotonic()
            for match, follower in tuple(self._following.items()):
                if follower.seat is not None:
                    await self._all.desk.hear_of(match, follower.seat)

    async def _forget(self) -> None:
        for match in tuple(self._following):
            with contextlib.suppress(WatermeetError):
                await self._unfollow(Unfollow(match))
