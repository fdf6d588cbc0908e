"""One client's connection: messages wait in a bounded queue, so a slow client harms nobody."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

from watermeet.server.api.messages import Bye, FromServer, encode

TOO_SLOW, STOPPING, SILENT, FLOODING, UNREADABLE, TOO_LARGE = 4001, 4002, 4003, 4004, 4005, 4006
"""Codes with which we close a socket; docs/reference/protocol.md lists them."""


class Transport(Protocol):
    """What a connection needs of a socket."""

    async def send_text(self, data: str) -> None:
        """Send a text."""

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Close it."""


class Connection:
    """Sends messages in order, from its own task."""

    def __init__(self, transport: Transport, max_queued_messages: int) -> None:
        self._transport = transport
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(max_queued_messages)
        self._ending: tuple[int, Bye] | None = None
        self._writer: asyncio.Task[None] | None = None
        self.ended = asyncio.Event()

    @property
    def ending(self) -> str:
        """Why we ended it; empty if we didn't."""
        return self._ending[1].code if self._ending else ""

    def send(self, message: FromServer) -> None:
        """Queue a message; a client with a full queue is dropped."""
        self.send_text(encode(message))

    def send_text(self, text: bytes) -> None:
        """Queue an encoded message, which many followers may share."""
        if self.ended.is_set():
            return
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self.end(TOO_SLOW, Bye("too_slow", "reconnect and say what you saw last"))

    def end(self, code: int, bye: Bye) -> None:
        """Close the connection now: queued messages are lost, and fetched after reconnecting."""
        if self.ended.is_set():
            return
        self._ending = (code, bye)
        self.ended.set()
        if self._writer is not None:
            self._writer.cancel()  # It may be blocked by a client that doesn't read.

    def start(self) -> None:
        """Start to send."""
        self._writer = asyncio.create_task(self._write())

    async def finish(self) -> None:
        """End if it hasn't ended, and say goodbye if it was ended by us."""
        self.ended.set()
        if self._writer is not None:
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        if self._ending is None:
            return
        code, bye = self._ending
        with contextlib.suppress(Exception):  # It may be gone already, which is fine.
            async with asyncio.timeout(1.0):
                await self._transport.send_text(encode(bye).decode())
                await self._transport.close(code, bye.code)

    async def _write(self) -> None:
        try:
            while True:
                text = await self._queue.get()
                await self._transport.send_text(text.decode())
        except Exception:  # noqa: BLE001 - whatever broke the connection, the reader ends with it.
            self.ended.set()
