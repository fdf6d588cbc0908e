"""How nodes hear of what others wrote. The log is the truth: a message says that there is more.

Messages may be lost when a bus goes away; then every subscription gets a Gap as soon as the bus is
back, and who holds it reads the store. Presence lives here too, for it need not outlast a crash.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Message:
    """Something was published."""

    topic: str
    body: bytes


@dataclass(frozen=True)
class Gap:
    """Notes may have been lost: read the store."""


class Subscription(Protocol):
    """Topics that one listener hears; bounded: who is too slow gets a Gap instead of the rest."""

    async def add(self, topic: str) -> None:
        """Hears a topic from now on: what is published after this returns arrives, or a Gap."""

    async def remove(self, topic: str) -> None:
        """Hears it no more."""

    def __aiter__(self) -> AsyncIterator[Message | Gap]:
        """What arrives, until the subscription is closed."""

    async def close(self) -> None:
        """Ends the iteration."""


class Bus(Protocol):
    """Joins the nodes."""

    async def publish(self, topic: str, body: bytes) -> None:
        """Tells all who listen; when the bus is away it is dropped, and they get a Gap later."""

    def subscribe(self) -> Subscription:
        """A new listener without topics."""

    async def touch(self, key: str, seconds: float) -> None:
        """Somebody is present, for so long from now on."""

    async def forget(self, key: str) -> None:
        """Is present no more."""

    async def is_present(self, key: str) -> bool:
        """Whether somebody touched the key and it has not run out. True while the bus is away."""

    async def close(self) -> None:
        """Lets go."""
