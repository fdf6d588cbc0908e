"""Background tasks, and leases that stay alive while their holder works."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any

from watermeet.core.errors import WatermeetError
from watermeet.server.logs import fields
from watermeet.server.store.rows import Job
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
CANCEL_S = 2.0
"""How long a task may take to end before it is cancelled again."""


class Background:
    """Runs tasks until it is closed."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("a task has ended", exc_info=error, extra=fields(part=type(self).__name__))

    async def _repeat(
        self,
        work: Callable[[], Awaitable[None]],
        seconds: float,
        news: asyncio.Event | None = None,
    ) -> None:
        """Do something every so many seconds, or when there is news, whatever it raises."""
        while True:
            if news is not None:
                news.clear()
            try:
                await work()
            except WatermeetError as error:
                about = fields(part=type(self).__name__, code=error.code)
                LOG.warning("interrupted, and goes on", extra=about)
            except Exception:  # A third-party game may raise anything, and a loop must not end.
                LOG.exception("failed, and goes on", extra=fields(part=type(self).__name__))
            await (asyncio.sleep(seconds) if news is None else wait_for(news, seconds))

    async def close(self) -> None:
        """Cancel all tasks and wait for them to end."""
        await end_tasks(self._tasks)


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks until they have ended: Python 3.11 swallows a cancellation now and then."""
    ending = set(tasks)
    while ending:
        for task in ending:
            task.cancel()
        done, ending = await asyncio.wait(ending, timeout=CANCEL_S)
        await asyncio.gather(*done, return_exceptions=True)


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Return when the event is set, or after this many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass


@asynccontextmanager
async def lease_kept(
    store: Store, job: Job, worker: str, now: Callable[[], int], lease_ms: int
) -> AsyncIterator[None]:
    """Renew the lease of a job for as long as the context lasts."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(lease_ms / 3000)
            try:
                if not await store.renew(job.id, worker, now() + lease_ms):
                    return  # Another node has the job now; the first to finish wins.
            except WatermeetError as error:
                LOG.warning("lease not renewed", extra=fields(code=error.code))

    renewing = asyncio.create_task(renew())
    try:
        yield
    finally:
        renewing.cancel()
