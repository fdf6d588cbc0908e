"""The heartbeat: knows since when no server was running, and makes good what players lost by it.

The table of jobs holds one job for all nodes, which is never done: to keep the time. Each node
takes it every second, and puts it back with the time of now. If the one who takes it finds an old
time, nobody was there since then: the clocks of all matches are set as if they had been paused.
The job comes with the first match that has a clock; before that no time is kept.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from watermeet.core.errors import WatermeetError
from watermeet.server.logs import fields
from watermeet.server.matches.commands import MakeGood
from watermeet.server.matches.service import BEAT_JOB, Matches
from watermeet.server.matches.timing import DAY
from watermeet.server.store.interface import Store
from watermeet.server.tokens import make_id

LOG = logging.getLogger(__name__)
BEAT_S = 1.0
OUTAGE_MS = 3_000
"""Shorter breaks are not noticed."""
LEASE_MS = 5_000
RENEW_S = 2.0
"""To make good takes a while where there are many matches; if this node dies, another goes on."""
WAIT_S = 6.0
"""Who waits for a beat believes after so long that there is no job to be taken."""
MOST = 100_000


class Heartbeat:
    """Beats."""

    def __init__(self, store: Store, matches: Matches, now: Callable[[], int]) -> None:
        self._store, self._matches, self._now = store, matches, now
        self._name = make_id()
        self._task: asyncio.Task[None] | None = None
        self._beaten_at = 0

    def start(self) -> None:
        """Begins to beat, before anybody is let in."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Beats no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def wait(self) -> None:
        """Returns when it is known that a server was running until just now, or made good if not.

        So no flag falls that was overdue because nobody was there, or because the machine slept.
        """
        deadline = time.monotonic() + WAIT_S
        while self._now() - self._beaten_at > OUTAGE_MS and time.monotonic() < deadline:
            await asyncio.sleep(BEAT_S / 20)

    async def _run(self) -> None:
        while True:
            try:
                if await self.beat():
                    self._beaten_at = self._now()
            except WatermeetError as error:
                LOG.warning("no heartbeat", extra=fields(code=error.code))
            except Exception:  # It must go on, or the next stop would count as time.
                LOG.exception("a heartbeat broke", extra=fields())
            await asyncio.sleep(BEAT_S)

    async def beat(self) -> bool:
        """Takes the job, makes good if nobody did for long, and puts it back; whether it could."""
        now = self._now()
        job = await self._store.lease([BEAT_JOB], self._name, now, now + LEASE_MS)
        if job is None:
            return False
        if now - job.ready_at > OUTAGE_MS:
            renewing = asyncio.create_task(self._renew(job.id))
            try:
                await self._make_good(job.ready_at, now)
            finally:
                renewing.cancel()
        return await self._store.release(job.id, self._name, self._now())

    async def _renew(self, job: str) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            await self._store.renew(job, self._name, self._now() + LEASE_MS)

    async def _make_good(self, since: int, until: int) -> None:
        """Days are long: who has more than one left does not miss the time."""
        matches = await self._store.due(until + DAY, MOST)
        seconds = (until - since) / 1000
        LOG.warning("no server was running", extra=fields(seconds=seconds, matches=len(matches)))
        command = MakeGood(since=since, until=until)
        await asyncio.gather(*(self._make_one_good(match, command) for match in matches))

    async def _make_one_good(self, match: str, command: MakeGood) -> None:
        try:
            await self._matches.do(match, command)
        except WatermeetError as error:
            LOG.debug("nothing to make good", extra=fields(match=match, code=error.code))
