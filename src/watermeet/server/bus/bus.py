"""Publish and subscribe between nodes, and presence.

The log is the truth: a message only says that there is more of it. Messages may get lost while the
bus is down; as soon as it is back, every subscription gets a Gap and its owner reads the store.
Presence is kept here too, because it needn't survive a crash.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

CAPACITY = 1000
"""Unread messages of a subscription."""


@dataclass(frozen=True)
class Message:
    """A published message."""

    topic: str
    body: bytes


@dataclass(frozen=True)
class Gap:
    """Messages may have been lost: read the store."""


class Subscription:
    """The topics of one subscriber, who iterates over the messages in a single task.

    The queue is bounded: a subscriber that is too slow gets a Gap instead of the unread messages.
    """

    def __init__(self, bus: Bus, capacity: int, wants: Callable[[str, bytes], bool]) -> None:
        self._bus, self._capacity, self.wants = bus, capacity, wants
        self._topics: set[str] = set()
        self._unread: deque[Message | Gap] = deque()
        self._arrival = asyncio.Event()
        self._is_closed = False

    async def add(self, topic: str) -> None:
        """Subscribe to a topic: what is published after this returns arrives, or a Gap."""
        if not self._is_closed:
            self._topics.add(topic)
            await self._bus._add(topic, self)

    async def remove(self, topic: str) -> None:
        """Unsubscribe from a topic."""
        if topic in self._topics:
            self._topics.discard(topic)
            await self._bus._remove(topic, self)

    def put(self, message: Message) -> None:
        """Deliver a message; if the queue is full, a Gap replaces all of it."""
        if len(self._unread) >= self._capacity:
            self.put_gap()
        else:
            self._unread.append(message)
            self._arrival.set()

    def put_gap(self) -> None:
        """Deliver a Gap, which makes unread messages redundant."""
        self._unread.clear()
        self._unread.append(Gap())
        self._arrival.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message | Gap:
        while not self._unread:
            if self._is_closed:
                raise StopAsyncIteration
            self._arrival.clear()
            await self._arrival.wait()
        return self._unread.popleft()

    async def close(self) -> None:
        """End the iteration."""
        self._is_closed = True
        self._bus._open.discard(self)
        for topic in list(self._topics):
            await self.remove(topic)
        self._unread.clear()
        self._arrival.set()


class Bus(ABC):
    """Connects the nodes."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._open: set[Subscription] = set()
        self._subscribers: dict[str, set[Subscription]] = {}

    def subscribe(
        self, wants: Callable[[str, bytes], bool] = lambda topic, body: True
    ) -> Subscription:
        """A new subscription, without topics; messages that it doesn't want aren't delivered."""
        subscription = Subscription(self, self._capacity, wants)
        self._open.add(subscription)
        return subscription

    async def _add(self, topic: str, subscription: Subscription) -> None:
        self._subscribers.setdefault(topic, set()).add(subscription)

    async def _remove(self, topic: str, subscription: Subscription) -> None:
        subscribers = self._subscribers.get(topic, set())
        subscribers.discard(subscription)
        if not subscribers:
            self._subscribers.pop(topic, None)

    def _deliver(self, topic: str, body: bytes) -> None:
        for subscription in self._subscribers.get(topic, ()):
            if subscription.wants(topic, body):
                subscription.put(Message(topic, body))

    @abstractmethod
    async def publish(self, topic: str, body: bytes) -> None:
        """Send a message to all subscribers; if the bus is down it is lost, and a Gap follows."""

    @abstractmethod
    async def touch(self, key: str, seconds: float) -> None:
        """Mark a key as present for this long."""

    @abstractmethod
    async def forget(self, key: str) -> None:
        """Mark a key as absent."""

    @abstractmethod
    async def is_present(self, key: str) -> bool:
        """Whether a key was touched and hasn't expired; always True while the bus is down."""

    async def close(self) -> None:
        """Disconnect and close all subscriptions."""
        for subscription in list(self._open):
            await subscription.close()
