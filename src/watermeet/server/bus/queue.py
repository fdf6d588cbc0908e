"""What waits for one listener: bounded, and honest about what was lost."""

from __future__ import annotations

import asyncio
from collections import deque

from watermeet.server.bus.interface import Gap, Message

CAPACITY = 1000
"""So many notes wait for a listener at most."""


class MessageQueue:
    """Notes for one listener, who reads them in one task; used in one event loop."""

    def __init__(self, room: int = CAPACITY) -> None:
        self._room = room
        self._waiting: deque[Message | Gap] = deque()
        self._is_closed = False
        self._arrival = asyncio.Event()

    def put(self, note: Message) -> None:
        """Adds a note; if there is no room, all that waits becomes one Gap."""
        if len(self._waiting) >= self._room:
            self.put_gap()
        else:
            self._waiting.append(note)
            self._arrival.set()

    def put_gap(self) -> None:
        """Says that notes may be lost. What waits is told by the Gap too, so it goes."""
        self._waiting.clear()
        self._waiting.append(Gap())
        self._arrival.set()

    def close(self) -> None:
        """Ends the iteration, even for who waits."""
        self._is_closed = True
        self._waiting.clear()
        self._arrival.set()

    def __aiter__(self) -> MessageQueue:
        return self

    async def __anext__(self) -> Message | Gap:
        while not self._waiting:
            if self._is_closed:
                raise StopAsyncIteration
            self._arrival.clear()
            await self._arrival.wait()
        return self._waiting.popleft()
