"""Measures the store and the bus from outside: their own code knows nothing of metrics.

What is measured is replaced on the object by a function that takes the time, so that whoever holds
the store or the bus is measured too.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from prometheus_client import Histogram

from watermeet.server.background import Background
from watermeet.server.bus.bus import Bus, Message, Subscription
from watermeet.server.metrics import Metrics
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id

P = ParamSpec("P")
T = TypeVar("T")

LOG = logging.getLogger(__name__)
OPERATIONS = {
    "append": "append",
    "read": "read",
    "lease": "jobs",
    "renew": "jobs",
    "complete": "jobs",
    "release": "jobs",
    "match_row": "lists",
    "public_matches": "lists",
    "matches_of": "lists",
    "due": "lists",
    "user": "people",
    "token": "people",
    "add_user": "people",
    "add_token": "people",
}
"""The measured methods of a store, and what they count as: few, because each is a histogram."""
PROBE_S = 5.0


def timed(function: Callable[P, Awaitable[T]], histogram: Histogram) -> Callable[P, Awaitable[T]]:
    """The same function; how long it takes goes to the histogram, also when it fails."""

    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        started = time.perf_counter()
        try:
            return await function(*args, **kwargs)
        finally:
            histogram.observe(time.perf_counter() - started)

    return call


def measure(store: Store, bus: Bus, metrics: Metrics) -> None:
    """Take the times of a store and a bus from now on."""
    for name, operation in OPERATIONS.items():
        histogram = metrics.store_seconds.labels(operation)
        setattr(store, name, timed(getattr(store, name), histogram))
    setattr(bus, "publish", timed(bus.publish, metrics.bus_publish_seconds))  # noqa: B010


class BusProbe(Background):
    """Sends itself a message through the bus now and then: so long do others wait for news."""

    def __init__(self, bus: Bus, metrics: Metrics, probe_s: float = PROBE_S) -> None:
        super().__init__()
        self._bus, self._metrics, self._probe_s = bus, metrics, probe_s
        self._topic = f"probe:{make_id()}"
        self._subscription: Subscription = bus.subscribe()

    def start(self) -> None:
        """Start sending."""
        self._spawn(self._send())
        self._spawn(self._receive())

    async def close(self) -> None:
        """Stop."""
        await self._subscription.close()
        await super().close()

    async def _send(self) -> None:
        await self._subscription.add(self._topic)
        while True:
            await self._bus.publish(self._topic, str(time.perf_counter()).encode())
            await asyncio.sleep(self._probe_s)

    async def _receive(self) -> None:
        async for note in self._subscription:
            if isinstance(note, Message):
                try:
                    sent_at = float(note.body)
                except ValueError:
                    LOG.warning("a probe of the bus can't be read")
                    continue
                self._metrics.bus_delivery_seconds.observe(time.perf_counter() - sent_at)
