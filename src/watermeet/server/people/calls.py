"""Calls: what happens when somebody's turn begins in a slow match.

Every move in a slow match adds a job in the same transaction. Whichever node leases it plays the
reply that was queued for this move, if there is one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import msgspec

from watermeet.core.errors import WatermeetError
from watermeet.server.background import Background, wait_for
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches import replies
from watermeet.server.matches.commands import Play
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import CALL_JOB, Matches
from watermeet.server.matches.setup import Correspondence
from watermeet.server.store.rows import Job
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
POLL_S, LEASE_MS, RETRY_MS = 5.0, 30_000, 5_000


class Calls(Background):
    """Leases the jobs of turns that have begun, and does what is to be done then."""

    def __init__(self, store: Store, matches: Matches, now: Callable[[], int], worker: str) -> None:
        super().__init__()
        self._store, self._matches, self._now, self._worker = store, matches, now, worker
        self._news = asyncio.Event()
        matches.listen(self._hear)

    def start(self) -> None:
        """Start to work."""
        self._spawn(self._work())

    def _hear(self, live: LiveMatch) -> None:
        if isinstance(live.match.setup.time_control, Correspondence):
            self._news.set()

    async def _work(self) -> None:
        while True:
            self._news.clear()
            try:
                while await self._next():
                    pass
            except WatermeetError as error:
                LOG.warning("calls have to wait", extra=fields(code=error.code))
            await wait_for(self._news, POLL_S)

    async def _next(self) -> bool:
        """Do one job; False if there is none."""
        now = self._now()
        job = await self._store.lease([CALL_JOB], self._worker, now, now + LEASE_MS)
        if job is None:
            return False
        try:
            await self._turn(job)
        except Exception as error:  # A third-party game may raise anything.
            code = error.code if isinstance(error, WatermeetError) else ""
            LOG.warning("call failed", exc_info=not code, extra=fields(match=job.match, code=code))
            await self._store.release(job.id, self._worker, self._now() + RETRY_MS)
        else:
            await self._store.complete(job.id)
        return True

    async def _turn(self, job: Job) -> None:
        match = (await self._matches.current(job.match)).match
        if match.has_ended:
            for seat in match.people():
                await self._store.delete_replies(match.id, seat)
        elif (
            match.changed_seq <= job.seq
        ):  # Otherwise there is a job for what has been played since.
            await self._reply(match, job.seat)

    async def check(self, match: str, seat: int) -> None:
        """Play a reply that was queued while others played."""
        found = (await self._matches.current(match)).match
        if found.running_seat == seat:
            await self._reply(found, seat)

    async def _reply(self, match: Match, seat: int) -> bool:
        """Play the queued reply of a seat; drop replies that don't fit any more."""
        lines = await queued(self._store, match, seat)
        if lines is None or match.running_seat != seat:
            return False
        if not lines:
            await self._store.delete_replies(match.id, seat)
            return False
        try:
            play = Play(lines[0][0], at_seq=match.changed_seq)
            await self._matches.do(match.id, seat, play, user=match.seats[seat].user)
        except WatermeetError as error:  # They have played themselves, left, or are out of time.
            LOG.info("reply not played", extra=fields(match=match.id, code=error.code))
            return False
        return True


async def queued(store: Store, match: Match, seat: int) -> tuple[replies.Moves, ...] | None:
    """What is left of the replies that a seat has queued; None without any."""
    body = await store.replies(match.id, seat)
    if body is None:
        return None
    return replies.remaining(match, msgspec.json.decode(body, type=replies.Queue))
