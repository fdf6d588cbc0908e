"""One client's line: what is sent waits in a bounded queue, so that a slow client harms nobody."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

from watermeet.server.api.messages import Bye, FromServer, encode

TOO_SLOW, STOPPING, SILENT, FLOODING, UNREADABLE, TOO_LARGE = 4001, 4002, 4003, 4004, 4005, 4006
"""Codes with which we close a socket; docs/reference/protocol.md lists them."""


class Line(Protocol):
    """What a connection needs of a socket."""

    async def send_text(self, data: str) -> None:
        """Sends a text."""

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Ends it."""


class Connection:
    """Sends messages in order, from a task of its own."""

    def __init__(self, line: Line, max_queued_messages: int) -> None:
        self._line = line
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(max_queued_messages)
        self._ending: tuple[int, Bye] | None = None
        self._writer: asyncio.Task[None] | None = None
        self.ended = asyncio.Event()

    @property
    def is_ended(self) -> bool:
        """Whether nothing more is sent."""
        return self.ended.is_set()

    @property
    def ending(self) -> str:
        """Why it was ended by us; empty if it was not."""
        return self._ending[1].code if self._ending else ""

    def send(self, message: FromServer) -> None:
        """Puts a message into the queue; a client for whom too many wait is dropped."""
        self.send_text(encode(message))

    def send_text(self, text: bytes) -> None:
        """The same for one that is a text already: many followers share it."""
        if self.is_ended:
            return
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self.end(TOO_SLOW, Bye("too_slow", "come back and say what you saw last"))

    def end(self, code: int, bye: Bye) -> None:
        """Closes the line, now: what waits is of no use to somebody who will come back for it."""
        if self.is_ended:
            return
        self._ending = (code, bye)
        self.ended.set()
        if self._writer is not None:
            self._writer.cancel()  # It may be held up by a client who does not read.

    def start(self) -> None:
        """Begins to send."""
        self._writer = asyncio.create_task(self._write())

    async def finish(self) -> None:
        """Ends, if it has not ended, and says goodbye where it was ended by us."""
        self.ended.set()
        if self._writer is not None:
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        await self._say_goodbye()

    async def _write(self) -> None:
        try:
            while True:
                text = await self._queue.get()
                await self._line.send_text(text.decode())
        except Exception:  # noqa: BLE001 - whatever broke the line, the reader ends with it.
            self.ended.set()

    async def _say_goodbye(self) -> None:
        if self._ending is None:
            return
        code, bye = self._ending
        with contextlib.suppress(Exception):  # It may be gone already, which is what we want.
            async with asyncio.timeout(1.0):
                await self._line.send_text(encode(bye).decode())
                await self._line.close(code, bye.code)
