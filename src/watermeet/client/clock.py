"""The server's clock as a client knows it.

A ping goes out with the client's time ``sent``, and the pong that answers it has the server's time
``now``. The pong arrives at the client's time ``received``. The server wrote ``now`` somewhere in
between, so its clock is ahead of ours by

    offset = now - (sent + received) / 2

and that is wrong by half of the way there and back at the most. The quickest of the last few pongs
knows best. All times are milliseconds since 1970.
"""

from __future__ import annotations

import time
from collections import deque

KEPT = 8


class ServerClock:
    """Tells the server's time.

    >>> clock = ServerClock()
    >>> clock.add(sent=1000, received=1040, now=6021)
    >>> clock.offset_ms, clock.error_ms
    (5001.0, 20.0)
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, float]] = deque(maxlen=KEPT)

    def add(self, *, sent: float, received: float, now: float) -> None:
        """A pong has arrived."""
        self._samples.append((received - sent, now - (sent + received) / 2))

    @property
    def offset_ms(self) -> float:
        """By how much the server's clock is ahead of ours; 0 as long as nothing is known."""
        return min(self._samples)[1] if self._samples else 0.0

    @property
    def error_ms(self) -> float:
        """The offset is right to so much."""
        return min(self._samples)[0] / 2 if self._samples else float("inf")

    def now(self) -> float:
        """The server's time, now."""
        return local_ms() + self.offset_ms


def local_ms() -> float:
    """Our own time."""
    return time.time() * 1000
