"""Readiness: whether this node can make a move durable right now.

A database that answers may still refuse every write, because the disk is full or the file has
become read-only. So the probe writes. However often it is asked, it does so once a second.
"""

from __future__ import annotations

import asyncio
import logging
import time

from watermeet.core.errors import WatermeetError
from watermeet.server.errors import StoreUnavailable
from watermeet.server.logs import fields
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
CACHE_S = 1.0
TIMEOUT_S = 3.0
"""A write that takes longer is as bad as one that fails."""


class Readiness:
    """Probes the store, and remembers the answer for a moment."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._probed_at = -CACHE_S
        self._probe: asyncio.Task[bool] | None = None
        self.is_ready = True
        self.since = time.time_ns() // 1_000_000
        """When that changed last, or the server started."""

    async def check(self) -> None:
        """Raise StoreUnavailable if nothing can be written. All who ask at once share a probe."""
        is_old = time.monotonic() - self._probed_at >= CACHE_S
        if self._probe is None or (is_old and self._probe.done()):
            self._probed_at = time.monotonic()
            self._probe = asyncio.create_task(self._can_write())
        if not await asyncio.shield(self._probe):
            raise StoreUnavailable("the database can't be written", "see the server's log")

    async def _can_write(self) -> bool:
        is_ready = await self._try_to_write()
        if is_ready != self.is_ready:
            self.is_ready, self.since = is_ready, time.time_ns() // 1_000_000
        return is_ready

    async def _try_to_write(self) -> bool:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self._store.probe()
        except TimeoutError:
            LOG.warning("not ready", extra=fields(code="timeout"))
            return False
        except WatermeetError as error:
            LOG.warning("not ready", extra=fields(code=error.code, hint=error.hint))
            return False
        return True
