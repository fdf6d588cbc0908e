"""One client's connection: what it doesn't read waits within bounds, so it harms nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol

from watermeet.server.api.messages import Bye, FromServer, encode

TOO_SLOW, STOPPING, SILENT, FLOODING, UNREADABLE, TOO_LARGE = 4001, 4002, 4003, 4004, 4005, 4006
SIGNED_OUT, SUSPENDED = 4007, 4008
"""Codes with which we close a socket; docs/reference/protocol.md lists them."""
SLOW = Bye("too_slow", "reconnect and say what you saw last")
MESSAGE_BYTES = 16_384
"""What a message counts for where only bytes can be counted: few are longer."""
READ_SECONDS, READ_BYTES = 30.0, 65_536
"""A client that is behind must read so many bytes in so many seconds."""
CHANNEL = "watermeet.channel"
"""The extension of an ASGI scope that holds a Channel."""


class Transport(Protocol):
    """What a connection needs of a socket."""

    async def send_text(self, data: str) -> None:
        """Send a text."""

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Close it."""


class Channel(Protocol):
    """A socket that can be written to at once, past the layers of ASGI: see guard.py."""

    def write_text(self, text: bytes) -> None:
        """Send a text, unless the socket is closing."""

    def flush(self) -> None:
        """Send now what was written."""

    @property
    def queued_bytes(self) -> int:
        """What the client hasn't read yet, beyond what the system keeps for it."""

    def abort(self) -> None:
        """Close it without waiting for the client."""


class Connection(ABC):
    """Sends messages in order, and ends when either side wants that."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._ending: tuple[int, Bye] | None = None
        self.is_ended = False
        self.on_end: Callable[[], None] = lambda: None

    @property
    def ending(self) -> str:
        """Why we ended it; empty if we didn't."""
        return self._ending[1].code if self._ending else ""

    def send(self, message: FromServer) -> None:
        """Send a message."""
        self.send_text(encode(message))

    @abstractmethod
    def send_text(self, text: bytes) -> None:
        """Send an encoded message, which many followers may share.

        A client that reads too slowly is dropped.
        """

    def start(self) -> None:  # noqa: B027 - most have nothing to start.
        """Start to send."""

    def end(self, code: int, bye: Bye) -> None:
        """Close the connection now: unread messages are lost, and fetched after reconnecting."""
        if not self.is_ended:
            self._ending = (code, bye)
            self._set_ended()

    def _set_ended(self) -> None:
        if not self.is_ended:
            self.is_ended = True
            self.on_end()

    async def finish(self) -> None:
        """End if it hasn't ended, and say goodbye if it was ended by us."""
        self._set_ended()
        if self._ending is None:
            return
        code, bye = self._ending
        with contextlib.suppress(Exception):  # It may be gone already, which is fine.
            async with asyncio.timeout(1.0):
                await self._transport.send_text(encode(bye).decode())
                await self._transport.close(code, bye.code)


class QueuedConnection(Connection):
    """Sends from its own task, out of a bounded queue."""

    def __init__(self, transport: Transport, max_queued_messages: int) -> None:
        super().__init__(transport)
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(max_queued_messages)
        self._writer: asyncio.Task[None] | None = None

    def send_text(self, text: bytes) -> None:
        """Queue an encoded message; a client with a full queue is dropped."""
        if self.is_ended:
            return
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self.end(TOO_SLOW, SLOW)

    def start(self) -> None:
        """Start to send."""
        self._writer = asyncio.create_task(self._write())

    def end(self, code: int, bye: Bye) -> None:
        """Close the connection now, even if a client that doesn't read blocks it."""
        super().end(code, bye)
        if self._writer is not None:
            self._writer.cancel()

    async def finish(self) -> None:
        """End it; nothing more is sent but a goodbye."""
        if self._writer is not None:
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        await super().finish()

    async def _write(self) -> None:
        try:
            while True:
                text = await self._queue.get()
                await self._transport.send_text(text.decode())
        except Exception:  # noqa: BLE001 - whatever broke the connection, the reader ends with it.
            self._set_ended()


class DirectConnection(Connection):
    """Writes to the socket at once: neither a task nor a queue stands between."""

    def __init__(self, transport: Transport, channel: Channel, max_queued_messages: int) -> None:
        super().__init__(transport)
        self._channel = channel
        self._max_queued_bytes = max_queued_messages * MESSAGE_BYTES
        self._written = 0
        self._read_by = 0.0
        """When the client must have read up to `_must_read`; 0 while it has read everything."""
        self._must_read = 0

    def send_text(self, text: bytes) -> None:
        """Send an encoded message; a client that reads too slowly is dropped."""
        if self.is_ended:
            return
        self._channel.write_text(text)
        self._written += len(text)
        queued = self._channel.queued_bytes
        if queued and (queued > self._max_queued_bytes or not self._is_reading(queued)):
            self.end(TOO_SLOW, SLOW)
        elif not queued:
            self._read_by = 0.0

    def _is_reading(self, queued: int) -> bool:
        """Whether a client that is behind reads what it has, or enough of it, in each interval.

        Each message is a chance to look, and clients ping every few seconds: whoever doesn't is
        ended for being silent.
        """
        now, read = time.monotonic(), self._written - queued
        if self._read_by and now > self._read_by and read < self._must_read:
            return False
        if not self._read_by or read >= self._must_read:
            self._read_by = now + READ_SECONDS
            self._must_read = min(read + READ_BYTES, self._written)
        return True

    async def finish(self) -> None:
        """End it; a client that doesn't read gets no goodbye."""
        self._channel.flush()
        await super().finish()
        if self._ending is not None and self._ending[0] == TOO_SLOW:
            self._channel.abort()
