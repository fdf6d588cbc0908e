"""Streams of REST: messages of the socket, one a line, for programs without a WebSocket.

A stream has the same bounded queue as a socket, and the same hub. It ends with a ``bye``: when the
match ends, when the server stops, when its client doesn't read, or when its token has ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import defaultdict

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from watermeet.core.errors import WatermeetError
from watermeet.server.api.connection import SIGNED_OUT, Connection, QueuedConnection
from watermeet.server.api.hub import Follower
from watermeet.server.api.messages import Bye, Heartbeat
from watermeet.server.api.persons import BYE_SIGNED_OUT, Hold
from watermeet.server.api.services import Services
from watermeet.server.errors import StoreUnavailable, TooMany, Unauthorized
from watermeet.server.match_cache import LiveMatch
from watermeet.server.people.users import Caller, Viewer
from watermeet.server.tokens import hash_token

NDJSON = "application/x-ndjson"
HEARTBEAT_S = 7.0
"""How often a line is sent when nothing happens; shorter than presence lasts."""
TOKEN_CHECK_S = 60.0
ENDED = Bye("match_ended", "the match has ended: get its document or its record")


class Streams:
    """All streams of a node."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.heartbeat_s = HEARTBEAT_S
        self.open: set[LineStream] = set()
        self.by_match: defaultdict[str, set[LineStream]] = defaultdict(set)
        services.matches.listen(self._on_news)  # After the hub, which has sent the news by then.

    def check_capacity(self) -> None:
        """Raise TooMany if no more streams can be opened."""
        if len(self.open) >= self.services.settings.max_sockets:
            raise TooMany("this server has too many streams", "try again in a moment")

    def _on_news(self, live: LiveMatch) -> None:
        if live.match.has_ended:
            for stream in tuple(self.by_match.get(live.match.id, ())):
                stream.connection.send(ENDED)


class _Lines:
    """Writes lines into a response; one that isn't read for long breaks it."""

    def __init__(self, send: Send, timeout_s: float) -> None:
        self._send, self._timeout_s = send, timeout_s
        self.is_over = asyncio.Event()

    async def begin(self) -> None:
        headers = [(b"content-type", NDJSON.encode()), (b"x-accel-buffering", b"no")]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    async def send_text(self, data: str) -> None:
        async with asyncio.timeout(self._timeout_s):
            await self._send(_chunk(data.encode() + b"\n", more=True))
        if data.startswith('{"type":"bye"'):
            self.is_over.set()

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        await self._send(_chunk(b"", more=False))


def _chunk(content: bytes, *, more: bool) -> Message:
    return {"type": "http.response.body", "body": content, "more_body": more}


class LineStream(Response):
    """A response that continues; subclasses feed it."""

    def __init__(self, streams: Streams, token: str) -> None:
        super().__init__(media_type=NDJSON)
        self._all, self._services = streams, streams.services
        self._token, self._checked_at = token, time.monotonic()
        self._hold: Hold | None = None
        self.connection: Connection

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until either side ends it."""
        settings = self._services.settings
        lines = _Lines(send, settings.idle_timeout_seconds)
        self.connection = QueuedConnection(lines, settings.max_queued_messages)
        self.connection.on_end = lines.is_over.set
        self._all.open.add(self)
        try:
            await self._begin()  # An error here is an ordinary response: nothing was sent yet.
            await lines.begin()
            self.connection.start()
            await self._continue(lines, receive)
        finally:
            self._all.open.discard(self)
            with contextlib.suppress(WatermeetError):
                await self._end()
                if self._hold is not None:
                    await self._services.persons.remove(self._hold)
            await self.connection.finish()
        if not self.connection.ending:  # Otherwise it has said goodbye.
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(1.0):
                    await lines.close()

    async def _continue(self, lines: _Lines, receive: Receive) -> None:
        ends = [
            asyncio.create_task(_until_gone(receive)),
            asyncio.create_task(lines.is_over.wait()),
        ]
        try:
            while True:
                done, _ = await asyncio.wait(
                    ends, timeout=self._all.heartbeat_s, return_when=asyncio.FIRST_COMPLETED
                )
                if done:
                    return
                if await self._is_signed_out():
                    self.connection.end(SIGNED_OUT, BYE_SIGNED_OUT)
                    return
                self.connection.send(Heartbeat(self._services.now()))
                for match, seat in self._seats():
                    await self._services.matches.touch(match, seat)
        finally:
            for task in ends:
                task.cancel()
            await asyncio.gather(*ends, return_exceptions=True)

    async def _is_signed_out(self) -> bool:
        """Whether the token has ended, on whichever node; asked once a minute."""
        now = time.monotonic()
        if not self._token or now - self._checked_at < TOKEN_CHECK_S:
            return False
        self._checked_at = now
        try:
            await self._services.people.token_row(self._token)
        except Unauthorized:
            return True
        except StoreUnavailable:
            pass  # Nobody knows.
        return False

    async def _rely_on(self, user: str, caller: Caller | None) -> None:
        """End with a user's token; without a caller, it is that of a seat."""
        hears = caller is not None and caller.may("chat")
        self._hold = Hold(user, self.connection, hash_token(self._token), hears)
        await self._services.persons.add(self._hold)

    async def _begin(self) -> None:
        raise NotImplementedError

    def _seats(self) -> list[tuple[str, int]]:
        """The seats that are present as long as the stream is open."""
        raise NotImplementedError

    async def _end(self) -> None:
        raise NotImplementedError


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class MatchStream(LineStream):
    """The events of one match."""

    def __init__(
        self,
        streams: Streams,
        token: str,
        match: str,
        viewer: Viewer,
        after: int | None,
        address: str,
    ) -> None:
        super().__init__(streams, token)
        self.match = match
        self._viewer, self._after, self._address = viewer, after, address
        self._follower: Follower | None = None

    async def _begin(self) -> None:
        matches = self._services.matches
        self._all.by_match[self.match].add(self)
        caller = self._viewer.caller
        self._follower = await self._services.hub.follow(
            self.connection,
            self.match,
            self._viewer.seat,
            self._after,
            viewer="" if caller is None else caller.user.id,
            with_chat=caller is not None and caller.may("chat"),
            address=self._address,
        )
        user = self._follower.user if caller is None else caller.user.id
        if user:
            await self._rely_on(user, caller)
        for match, seat in self._seats():
            await matches.touch(match, seat)
        if (await matches.load(self.match)).match.has_ended:
            self.connection.send(ENDED)

    def _seats(self) -> list[tuple[str, int]]:
        seat = None if self._follower is None else self._follower.seat
        return [] if seat is None else [(self.match, seat)]

    async def _end(self) -> None:
        self._all.by_match[self.match].discard(self)
        if not self._all.by_match[self.match]:
            del self._all.by_match[self.match]
        if self._follower is None:
            return
        await self._services.hub.unfollow(self._follower)
        for match, seat in self._seats():
            if not self._services.hub.has_seat(match, seat):
                await self._services.presence.leave(match, seat)


class TurnStream(LineStream):
    """The turns of a user in all their matches."""

    def __init__(self, streams: Streams, token: str, caller: Caller) -> None:
        super().__init__(streams, token)
        self._caller, self._user = caller, caller.user.id

    async def _begin(self) -> None:
        await self._rely_on(self._user, self._caller)
        await self._services.turns.begin(self.connection, self._user)

    def _seats(self) -> list[tuple[str, int]]:
        return self._services.turns.seats_of(self.connection)

    async def _end(self) -> None:
        self._services.turns.end(self.connection)
