"""The heartbeat: notices that no server was running, and gives players back the time they lost.

The jobs table holds a single heartbeat job for all nodes, which is never completed: every second a
node leases it and releases it with the current time. If the time in it is old, no node was running
since then, and the clocks of all matches are set as if they had been paused. The first match with a
clock creates the job.

Nothing is written while no clock runs, and once a minute while only slow matches are played: then a
node that begins again gives up to a minute too much back. A node that runs knows that there was no
outage, however old the time is, and however late it comes to beat: its monotonic clock goes on
while it is merely busy, and stands still while the machine is asleep.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from watermeet.core.errors import WatermeetError
from watermeet.server.background import Background, lease_kept
from watermeet.server.logs import fields
from watermeet.server.matches.commands import Compensate
from watermeet.server.matches.service import BEAT_JOB, Matches
from watermeet.server.matches.setup import DAY
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id

LOG = logging.getLogger(__name__)
BEAT_S, SLOW_BEAT_MS = 1.0, 60_000
FAST_MS, LONGEST_MS = 3_600_000, 45 * DAY
"""What is due within an hour is played by the second; what is due much later has no clock."""
OUTAGE_MS = 3_000
"""Shorter interruptions don't count."""
LEASE_MS = 2_500
"""Shorter than an outage, or a node that dies while it beats would look like one."""
WAIT_S = 6.0
"""Without a beat for this long, there is no heartbeat job."""
STUCK_S = 3.0
"""If the last beat stays the same for this long, nobody beats."""
_FAR = 2**53
MAX_MATCHES = 100_000


class Heartbeat(Background):
    """Records that a server is running, and compensates for outages."""

    def __init__(self, store: Store, matches: Matches, now: Callable[[], int]) -> None:
        super().__init__()
        self._store, self._matches, self._now = store, matches, now
        self._name = make_id()
        self._last_beat = 0
        self._beaten_at = self._seen_at = 0
        """When this node has written last, and when it last could, or needn't."""
        self._seen_on: float | None = None
        """The monotonic time of the latter; None once the store was away, and nobody could play."""
        self._stuck_at: int | None = None
        self._stuck_since = 0.0

    def start(self) -> None:
        """Start before any client connects."""
        self._spawn(self._repeat(self._run, BEAT_S))

    async def wait(self) -> None:
        """Return once it is certain that any outage has been compensated for.

        So no flag falls because no server was running, or because the machine was asleep.
        """
        deadline = time.monotonic() + WAIT_S
        while self._now() - self._last_beat > OUTAGE_MS and time.monotonic() < deadline:
            await asyncio.sleep(BEAT_S / 20)

    async def _run(self) -> None:
        if await self.beat():
            self._last_beat = self._now()

    async def beat(self) -> bool:
        """Lease the job, compensate for an outage, and release it; whether all is well."""
        now, awake = self._now(), time.monotonic()
        try:
            is_well = await self._beat(now, self._alive_until(awake))
        except BaseException:
            self._seen_on = None
            raise
        if is_well:
            self._seen_at, self._seen_on = now, awake
        return is_well

    def _alive_until(self, awake: float) -> int:
        """How long this node has been running without a break, as far as it knows."""
        ran = 0.0 if self._seen_on is None else awake - self._seen_on
        return self._seen_at + round(ran * 1000)

    async def _beat(self, now: int, alive_until: int) -> bool:
        if not await self._is_needed(now):
            return True
        job = await self._store.lease([BEAT_JOB], self._name, now, now + LEASE_MS)
        if job is None and await self._is_ahead(now):
            job = await self._store.lease([BEAT_JOB], self._name, _FAR, now + LEASE_MS)
        if job is None:
            return False
        since = max(job.ready_at, alive_until)
        if now - since > OUTAGE_MS:  # Takes a while: if this node dies, another continues.
            async with lease_kept(self._store, job, self._name, self._now, LEASE_MS):
                await self._compensate(since, now)
        if not await self._store.release(job.id, self._name, self._now()):
            return False
        self._beaten_at = now
        return True

    async def _is_needed(self, now: int) -> bool:
        """Whether a clock runs for which a beat is due."""
        due = await self._store.next_due()
        if due is None or due > now + LONGEST_MS:
            return False
        return due <= now + FAST_MS or abs(now - self._beaten_at) >= SLOW_BEAT_MS

    async def _is_ahead(self, now: int) -> bool:
        """Whether the last beat is in the future, and nobody beats: the clock was set back.

        Until the clock is there again, an outage would go unnoticed, and players would pay for it.
        A node whose clock is merely slow sees that others beat.
        """
        at = await self._store.ready_at(BEAT_JOB)
        if at != self._stuck_at:
            self._stuck_at, self._stuck_since = at, time.monotonic()
        return at is not None and at > now and time.monotonic() - self._stuck_since > STUCK_S

    async def _compensate(self, since: int, until: int) -> None:
        """Matches with more than a day left on the clock don't need it."""
        matches = await self._store.due(until + DAY, MAX_MATCHES)
        seconds = (until - since) / 1000
        LOG.warning("no server was running", extra=fields(seconds=seconds, matches=len(matches)))
        command = Compensate(since=since, until=until)
        await asyncio.gather(*(self._compensate_match(match, command) for match in matches))

    async def _compensate_match(self, match: str, command: Compensate) -> None:
        try:
            await self._matches.do(match, None, command)
        except WatermeetError as error:
            LOG.debug("nothing to compensate", extra=fields(match=match, code=error.code))
