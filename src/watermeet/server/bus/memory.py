"""The bus of a single process: only a slow subscriber ever loses messages."""

from __future__ import annotations

import time
from collections.abc import Callable

from watermeet.server.bus.bus import CAPACITY, Bus

MIN_PURGE = 64


class MemoryBus(Bus):
    """Connects the tasks of one event loop."""

    def __init__(
        self, capacity: int = CAPACITY, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(capacity)
        self._clock = clock
        self._expiry: dict[str, float] = {}
        self._purge_at = MIN_PURGE

    async def publish(self, topic: str, body: bytes) -> None:
        self._deliver(topic, body)

    async def touch(self, key: str, seconds: float) -> None:
        now = self._clock()
        self._expiry[key] = now + seconds
        if len(self._expiry) > self._purge_at:
            self._expiry = {each: end for each, end in self._expiry.items() if end > now}
            self._purge_at = max(MIN_PURGE, 2 * len(self._expiry))

    async def forget(self, key: str) -> None:
        self._expiry.pop(key, None)

    async def is_present(self, key: str) -> bool:
        return self._expiry.get(key, 0.0) > self._clock()
