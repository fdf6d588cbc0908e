"""An estimate of the server's clock.

A ping carries the client's time ``sent``, and the pong in reply carries the server's time ``now``.
The pong arrives at the client's time ``received``. The server wrote ``now`` somewhere in between,
so its clock is ahead of ours by

    offset = now - (sent + received) / 2

with an error of at most half the round trip. The fastest of the last few pongs is the most
accurate. All times are milliseconds since 1970.
"""

from __future__ import annotations

import time
from collections import deque

SAMPLES = 8


class ServerClock:
    """The server's time.

    >>> clock = ServerClock()
    >>> clock.add(sent=1000, received=1040, now=6021)
    >>> clock.offset_ms, clock.error_ms
    (5001.0, 20.0)
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, float]] = deque(maxlen=SAMPLES)

    def add(self, *, sent: float, received: float, now: float) -> None:
        """Record a pong."""
        self._samples.append((received - sent, now - (sent + received) / 2))

    @property
    def offset_ms(self) -> float:
        """How far the server's clock is ahead of ours; 0 before the first pong."""
        return min(self._samples)[1] if self._samples else 0.0

    @property
    def error_ms(self) -> float:
        """The largest possible error of the offset."""
        return min(self._samples)[0] / 2 if self._samples else float("inf")

    def now(self) -> float:
        """The server's current time."""
        return local_ms() + self.offset_ms


def local_ms() -> float:
    """Our own current time."""
    return time.time() * 1000
