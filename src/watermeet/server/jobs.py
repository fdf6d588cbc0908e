"""The one job runner: has the jobs in the database done, by whichever node leases them.

A job is written in the transaction that makes it necessary. Whatever it raises, it is tried again
later, and after a few tries it is parked: it waits for the next start of a server, and the metric
``parked_jobs`` says so. Each kind has places of its own, so that no kind waits for another. The
lease of a node that dies expires, and the next one takes the job; that counts as a try, too, or a
job that ends processes would end all of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from watermeet.core.errors import WatermeetError
from watermeet.server.background import Background, lease_kept
from watermeet.server.logs import fields
from watermeet.server.metrics import Metrics
from watermeet.server.store.rows import Job
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
POLL_S = 5.0
"""How often to look for jobs of other nodes; a node hears of its own at once."""
LEASE_MS = 3_000
"""How long jobs of a node that died wait."""
TIMEOUT_S = 300.0
RETRIES_S = 5, 30, 120, 600, 3600
"""How long a job waits after each try that failed; after one more, it is parked."""
COUNT_S = 60.0
"""How often parked jobs are counted."""

Work = Callable[[Job], Awaitable[Sequence[Job] | None]]
"""Does a job; the jobs that it returns replace it, at once."""


class PutOff(Exception):
    """Raised by a job that has to wait for a while, through no fault of its own."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"put off for {seconds} s")
        self.seconds = seconds


class TryAgain(Exception):
    """Raised by a job that failed as it may, such as when others don't answer."""


@dataclass
class _Kind:
    """A kind of jobs, and the places for those that are being done."""

    name: str
    work: Work
    poll_s: float
    retries_s: Sequence[float]
    is_dropped: bool
    places: asyncio.Semaphore
    news: asyncio.Event = field(default_factory=asyncio.Event)


class JobRunner(Background):
    """Has jobs done; each part of the server adds the kinds that it knows."""

    def __init__(
        self,
        store: Store,
        metrics: Metrics,
        now: Callable[[], int],
        worker: str,
        others: Sequence[str] = (),
    ) -> None:
        """``others`` are kinds that are done elsewhere, and may be parked there."""
        super().__init__()
        self._store, self._metrics, self._now, self._worker = store, metrics, now, worker
        self._others = others
        self._kinds: dict[str, _Kind] = {}
        self._doing: dict[str, Job] = {}

    def add(
        self,
        kind: str,
        work: Work,
        *,
        at_once: int = 1,
        poll_s: float | None = None,
        retries_s: Sequence[float] | None = None,
        is_dropped: bool = False,
    ) -> None:
        """Have jobs of a kind done, so many at once.

        What is dropped in the end instead of being parked is of no use later.
        """
        self._kinds[kind] = _Kind(
            kind,
            work,
            POLL_S if poll_s is None else poll_s,
            RETRIES_S if retries_s is None else retries_s,
            is_dropped,
            asyncio.Semaphore(at_once),
        )

    def start(self) -> None:
        """Start to work, first of all on what was parked."""
        for kind in self._kinds.values():
            self._spawn(self._run(kind))
        for name in self._others:
            self._spawn(self._unpark(name, 0))
        self._spawn(self._repeat(self._count, COUNT_S))

    async def close(self) -> None:
        """Stop, and release what isn't done for another node or the next start."""
        await super().close()
        for job in self._doing.values():
            await self._release(job, 0.0, counts=False)

    def wake(self, kind: str) -> None:
        """There may be jobs of a kind now."""
        self._kinds[kind].news.set()

    def hear(self, jobs: Iterable[Job]) -> None:
        """There are these jobs now; bots' aren't done here."""
        for job in jobs:
            if job.kind in self._kinds:
                self.wake(job.kind)

    async def add_jobs(self, jobs: Sequence[Job]) -> None:
        """Write jobs that belong to no other transaction."""
        await self._store.add_jobs(jobs)
        self.hear(jobs)

    async def _run(self, kind: _Kind) -> None:
        await self._unpark(kind.name, len(kind.retries_s))
        await self._repeat(lambda: self._take_all(kind), kind.poll_s, kind.news)

    async def _unpark(self, kind: str, attempts: int) -> None:
        try:
            await self._store.unpark(kind, self._now(), attempts)
        except WatermeetError as error:
            LOG.warning("parked jobs stay parked", extra=fields(kind=kind, code=error.code))

    async def _take_all(self, kind: _Kind) -> None:
        """Begin what is ready, as places become free."""
        while True:
            await kind.places.acquire()
            job = None
            try:
                now = self._now()
                job = await self._store.lease([kind.name], self._worker, now, now + LEASE_MS)
            finally:
                if job is None:
                    kind.places.release()
            if job is None:
                return
            self._doing[job.id] = job
            self._spawn(self._do(job, kind))

    async def _do(self, job: Job, kind: _Kind) -> None:
        try:
            if job.attempts > len(kind.retries_s):  # Whole processes have ended while doing it.
                await self._fail(job, kind, None)
            else:
                await self._try(job, kind)
        except PutOff as wait:
            await self._release(job, wait.seconds, counts=False)
        except Exception as error:  # noqa: BLE001 - a third-party game may raise anything.
            await self._fail(job, kind, error)
        finally:
            kind.places.release()
        del self._doing[job.id]  # Not if this was cancelled: then close() releases the job.

    async def _try(self, job: Job, kind: _Kind) -> None:
        lease = lease_kept(self._store, job, self._worker, self._now, LEASE_MS)
        async with lease, asyncio.timeout(TIMEOUT_S):
            more = await kind.work(job)
        if more:
            await self._store.split(job.id, more)
            self.hear(more)
        else:
            await self._store.complete(job.id)

    async def _fail(self, job: Job, kind: _Kind, error: Exception | None) -> None:
        self._metrics.job_failures.labels(kind.name).inc()
        is_known = error is None or isinstance(error, WatermeetError | TryAgain)
        about = fields(
            kind=kind.name,
            match=job.match,
            attempts=job.attempts,
            error=error.code if isinstance(error, WatermeetError) else type(error).__name__,
        )
        LOG.warning("job failed", exc_info=None if is_known else error, extra=about)
        if job.attempts < len(kind.retries_s):
            await self._release(job, kind.retries_s[job.attempts])
            return
        LOG.error("job dropped" if kind.is_dropped else "job parked", extra=about)
        try:
            if kind.is_dropped:
                await self._store.complete(job.id)
            else:
                await self._store.park(job.id, self._worker)
                await self._count()
        except WatermeetError as failure:
            LOG.warning("job keeps its lease", extra=fields(kind=job.kind, code=failure.code))

    async def _release(self, job: Job, seconds: float, *, counts: bool = True) -> None:
        ready_at = self._now() + round(1000 * seconds)
        try:
            await self._store.release(job.id, self._worker, ready_at, counts=counts)
        except WatermeetError as error:  # Then the lease expires.
            LOG.warning("job keeps its lease", extra=fields(kind=job.kind, code=error.code))

    async def _count(self) -> None:
        kinds = [*self._kinds, *self._others]
        self._metrics.parked_jobs.set(await self._store.count_parked(kinds))
