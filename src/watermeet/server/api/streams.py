"""Streams of REST: messages of the socket, one a line, for programs that open none.

A stream has the same bounded queue as a socket, and hears through the same hub. It ends with a
``bye``: when the match is over, when the server stops, or when its client does not read.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from fastapi import Response
from starlette.types import Message, Receive, Scope, Send

from watermeet.core.errors import WatermeetError
from watermeet.server.api.connection import Connection
from watermeet.server.api.hub import Follower, Hub
from watermeet.server.api.messages import Beat, Bye
from watermeet.server.api.turns import Turns
from watermeet.server.desk import Desk
from watermeet.server.errors import TooMany
from watermeet.server.matches.service import LiveMatch, Matches
from watermeet.server.presence import Presence
from watermeet.server.settings import Settings

NDJSON = "application/x-ndjson"
BEAT_S = 7.0
"""So often a line comes though nothing happens; less than presence lasts."""
OVER = Bye("over", "the match is over: ask for its document or its record")


class Streams:
    """All streams of a node."""

    def __init__(
        self,
        settings: Settings,
        matches: Matches,
        hub: Hub,
        turns: Turns,
        desk: Desk,
        presence: Presence,
        now: Callable[[], int],
    ) -> None:
        self.settings, self.matches, self.hub, self.turns = settings, matches, hub, turns
        self.desk, self.presence, self.now = desk, presence, now
        self.beat_s = BEAT_S
        self.open: set[LineStream] = set()
        self._by_match: dict[str, set[MatchStream]] = {}
        matches.listen(self._on_news)  # Behind the hub, which has sent what is new by then.

    def of_match(self, match: str, seat: int | None, after: int | None) -> Response:
        """What a seat, or a watcher, hears of a match."""
        self._check_room()
        return MatchStream(self, match, seat, after)

    def of_turns(self, user: str) -> Response:
        """Whenever it is a user's turn somewhere."""
        self._check_room()
        return TurnStream(self, user)

    def _check_room(self) -> None:
        if len(self.open) >= self.settings.max_sockets:
            raise TooMany("this server has too many streams", "try again in a moment")

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self.open)

    def end_all(self, code: int, bye: Bye) -> None:
        """The server stops."""
        for stream in tuple(self.open):
            stream.connection.end(code, bye)

    def note(self, stream: MatchStream) -> None:
        """A stream wants to know when its match is over."""
        self._by_match.setdefault(stream.match, set()).add(stream)

    def forget(self, stream: MatchStream) -> None:
        """It has ended."""
        streams = self._by_match.get(stream.match, set())
        streams.discard(stream)
        if not streams:
            self._by_match.pop(stream.match, None)

    def _on_news(self, live: LiveMatch) -> None:
        if live.match.is_final:
            for stream in tuple(self._by_match.get(live.match.id, ())):
                stream.connection.send(OVER)


class _Lines:
    """Writes lines into an answer; one that nobody reads for long breaks it."""

    def __init__(self, send: Send, patience_s: float) -> None:
        self._send, self._patience_s = send, patience_s
        self.is_over = asyncio.Event()

    async def begin(self) -> None:
        headers = [(b"content-type", NDJSON.encode()), (b"x-accel-buffering", b"no")]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})

    async def send_text(self, data: str) -> None:
        async with asyncio.timeout(self._patience_s):
            await self._send(_body(data.encode() + b"\n", more=True))
        if data.startswith('{"type":"bye"'):
            self.is_over.set()

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        await self._send(_body(b"", more=False))


def _body(content: bytes, *, more: bool) -> Message:
    return {"type": "http.response.body", "body": content, "more_body": more}


class LineStream(Response):
    """An answer that goes on; what feeds it is in the classes below."""

    def __init__(self, streams: Streams) -> None:
        super().__init__(media_type=NDJSON)
        self._all = streams
        self.connection: Connection

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends until somebody has enough."""
        lines = _Lines(send, self._all.settings.idle_timeout_seconds)
        self.connection = Connection(lines, self._all.settings.max_queued_messages)
        self._all.open.add(self)
        try:
            await self._begin()  # What this raises is an answer of its own: nothing was sent yet.
            await lines.begin()
            self.connection.start()
            await self._go_on(lines, receive)
        finally:
            self._all.open.discard(self)
            with contextlib.suppress(WatermeetError):
                await self._end()
            await self.connection.finish()
        if not self.connection.ending:  # Else it has said goodbye.
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(1.0):
                    await lines.close()

    async def _go_on(self, lines: _Lines, receive: Receive) -> None:
        ends = [
            asyncio.create_task(_until_gone(receive)),
            asyncio.create_task(self.connection.ended.wait()),
            asyncio.create_task(lines.is_over.wait()),
        ]
        try:
            while True:
                done, _ = await asyncio.wait(
                    ends, timeout=self._all.beat_s, return_when=asyncio.FIRST_COMPLETED
                )
                if done:
                    return
                await self._beat()
        finally:
            for task in ends:
                task.cancel()
            await asyncio.gather(*ends, return_exceptions=True)

    async def _begin(self) -> None:
        raise NotImplementedError

    async def _beat(self) -> None:
        self.connection.send(Beat(self._all.now()))

    async def _end(self) -> None:
        raise NotImplementedError


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class MatchStream(LineStream):
    """What is heard of one match."""

    def __init__(self, streams: Streams, match: str, seat: int | None, after: int | None) -> None:
        super().__init__(streams)
        self.match = match
        self._seat, self._after = seat, after
        self._follower: Follower | None = None

    async def _begin(self) -> None:
        hub, matches = self._all.hub, self._all.matches
        self._all.note(self)
        follower = await hub.follow(self.connection, self.match, self._seat, self._after)
        self._follower = follower
        if follower.seat is not None:
            await self._all.desk.hear_of(self.match, follower.seat)
        if (await matches.load(self.match)).match.is_final:
            self.connection.send(OVER)

    async def _beat(self) -> None:
        await super()._beat()
        if self._follower is not None and self._follower.seat is not None:
            await self._all.desk.hear_of(self.match, self._follower.seat)

    async def _end(self) -> None:
        self._all.forget(self)
        follower = self._follower
        if follower is None:
            return
        await self._all.hub.unfollow(follower)
        others = self._all.hub.followers(self.match)
        if follower.seat is not None and all(one.seat != follower.seat for one in others):
            await self._all.presence.leave(self.match, follower.seat)


class TurnStream(LineStream):
    """Where a user is to move."""

    def __init__(self, streams: Streams, user: str) -> None:
        super().__init__(streams)
        self._user = user

    async def _begin(self) -> None:
        await self._all.turns.begin(self.connection, self._user)

    async def _beat(self) -> None:
        await super()._beat()
        for match, seat in self._all.turns.seats_of(self.connection):
            await self._all.desk.hear_of(match, seat)

    async def _end(self) -> None:
        self._all.turns.end(self.connection)
