"""The watchdog: measures how late the event loop is, and says where it is stuck.

While the loop works on one thing, nobody is answered. Whatever takes long belongs in a thread or
another process; what was forgotten shows up here, with the lines of code where it is.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback

from watermeet.server.background import Background
from watermeet.server.logs import fields
from watermeet.server.metrics import Metrics

LOG = logging.getLogger(__name__)
TICK_S = 0.25
STUCK_S = 1.0
"""After this long without a tick the loop is stuck."""
LINES = 12
"""How many of the innermost calls are logged."""


class Watchdog(Background):
    """Watches the event loop that it is started in."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__()
        self._metrics = metrics
        self._ticked_at = time.monotonic()
        self._is_closed = threading.Event()

    def start(self) -> None:
        """Start watching."""
        self._ticked_at = time.monotonic()
        self._spawn(self._tick())
        loop_thread = threading.get_ident()
        threading.Thread(target=self._watch, args=(loop_thread,), daemon=True).start()

    async def close(self) -> None:
        """Stop watching."""
        self._is_closed.set()
        await super().close()

    async def _tick(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(TICK_S)
            self._ticked_at = time.monotonic()
            self._metrics.loop_lag_seconds.observe(max(0.0, self._ticked_at - before - TICK_S))

    def _watch(self, loop_thread: int) -> None:
        """In a thread of its own: report each time that the loop is stuck, once."""
        reported = 0.0
        while not self._is_closed.wait(TICK_S):
            ticked_at = self._ticked_at
            if time.monotonic() - ticked_at < TICK_S + STUCK_S or ticked_at == reported:
                continue
            reported = ticked_at
            self._metrics.loop_stalls.inc()
            frames = traceback.walk_stack(sys._current_frames().get(loop_thread))
            # Without reading the files of the code: they take memory for good.
            calls = traceback.StackSummary.extract(frames, limit=LINES, lookup_lines=False)
            at = [f"{call.filename}:{call.lineno} {call.name}" for call in reversed(calls)]
            LOG.warning("event loop stuck", extra=fields(at=at))
