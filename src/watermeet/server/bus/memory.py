"""The bus of a single process: nothing is ever lost but by listeners that are too slow."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable

from watermeet.server.bus.interface import Bus, Gap, Message, Subscription
from watermeet.server.bus.queue import CAPACITY, MessageQueue

SMALLEST_SWEEP = 64


class MemoryBus(Bus):
    """Joins the tasks of one event loop."""

    def __init__(self, room: int = CAPACITY, clock: Callable[[], float] = time.monotonic) -> None:
        self._room = room
        self._clock = clock
        self._listeners: defaultdict[str, set[MessageQueue]] = defaultdict(set)
        self._open: set[MemorySubscription] = set()
        self._ends: dict[str, float] = {}
        self._sweep_at = SMALLEST_SWEEP

    async def publish(self, topic: str, body: bytes) -> None:
        for inbox in self._listeners.get(topic, ()):
            inbox.put(Message(topic, body))

    def subscribe(self) -> Subscription:
        subscription = MemorySubscription(self._listeners, MessageQueue(self._room), self._open)
        self._open.add(subscription)
        return subscription

    async def touch(self, key: str, seconds: float) -> None:
        now = self._clock()
        self._ends[key] = now + seconds
        if len(self._ends) > self._sweep_at:  # So keys that nobody asks for again do not pile up.
            self._ends = {each: end for each, end in self._ends.items() if end > now}
            self._sweep_at = max(SMALLEST_SWEEP, 2 * len(self._ends))

    async def forget(self, key: str) -> None:
        self._ends.pop(key, None)

    async def is_present(self, key: str) -> bool:
        return self._ends.get(key, 0.0) > self._clock()

    async def close(self) -> None:
        for subscription in list(self._open):
            await subscription.close()


class MemorySubscription(Subscription):
    """Topics of one listener."""

    def __init__(
        self,
        listeners: defaultdict[str, set[MessageQueue]],
        inbox: MessageQueue,
        siblings: set[MemorySubscription],
    ) -> None:
        self._listeners = listeners
        self._inbox = inbox
        self._siblings = siblings
        self._topics: set[str] = set()

    async def add(self, topic: str) -> None:
        if self in self._siblings:  # Once closed, it hears nothing any more.
            self._topics.add(topic)
            self._listeners[topic].add(self._inbox)

    async def remove(self, topic: str) -> None:
        self._topics.discard(topic)
        if topic in self._listeners:
            self._listeners[topic].discard(self._inbox)
            if not self._listeners[topic]:
                del self._listeners[topic]

    def __aiter__(self) -> AsyncIterator[Message | Gap]:
        return self._inbox

    async def close(self) -> None:
        self._siblings.discard(self)
        for topic in list(self._topics):
            await self.remove(topic)
        self._inbox.close()
