"""Carries out suspensions on whichever node: closes sockets, and ends the person's matches.

The suspension adds a job in the same transaction, so it is carried out even if the node dies, and
also if the command line has written it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from watermeet.core.errors import WatermeetError
from watermeet.server.background import Background, wait_for
from watermeet.server.logs import fields
from watermeet.server.matches.commands import Leave, Reclaim, Resign
from watermeet.server.matches.match import OPEN, Match
from watermeet.server.matches.service import Matches
from watermeet.server.people.moderation import SUSPEND_JOB, Moderation
from watermeet.server.store.rows import UserRow
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
POLL_S, LEASE_MS, RETRY_MS = 2.0, 60_000, 5_000
PAGE = 200


class Enforcement(Background):
    """Leases the jobs of suspensions."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        moderation: Moderation,
        end: Callable[[str], Awaitable[None]],
        now: Callable[[], int],
        worker: str,
    ) -> None:
        """``end`` closes all sockets of a user, on all nodes."""
        super().__init__()
        self._store, self._matches, self._moderation = store, matches, moderation
        self._end, self._now, self._worker = end, now, worker

    def start(self) -> None:
        """Start to work."""
        self._spawn(self._work())

    async def _work(self) -> None:
        news = self._moderation.suspended
        while True:
            news.clear()
            try:
                while await self._next():
                    pass
            except WatermeetError as error:
                LOG.warning("suspensions have to wait", extra=fields(code=error.code))
            await wait_for(news, POLL_S)

    async def _next(self) -> bool:
        now = self._now()
        job = await self._store.lease([SUSPEND_JOB], self._worker, now, now + LEASE_MS)
        if job is None:
            return False
        try:
            user = await self._store.user(bytes(job.body).decode())
            if user is not None and (user.suspended_until or 0) > now:  # Not lifted meanwhile.
                await self._end(user.id)
                await self._end_matches(user)
        except WatermeetError as error:
            LOG.warning("suspension delayed", extra=fields(code=error.code))
            await self._store.release(job.id, self._worker, self._now() + RETRY_MS)
        else:
            await self._store.complete(job.id)
        return True

    async def _end_matches(self, user: UserRow) -> None:
        before: tuple[int, str] | None = None
        while page := await self._store.matches_of(user.id, before=before, limit=PAGE):
            for row in page:
                match = (await self._matches.current(row.id)).match
                seat = match.seat_of(user.id)
                if seat is not None and not match.has_ended:
                    await self._leave(match, seat, user)
            before = page[-1].changed_at, page[-1].id

    async def _leave(self, match: Match, seat: int, user: UserRow) -> None:
        if match.seats[seat].out:
            return
        commands: tuple[Leave | Reclaim | Resign, ...] = (Resign(),)
        if match.stage == OPEN:
            commands = (Leave(),)
        elif match.seats[seat].stand_in:
            commands = Reclaim(), Resign()
        try:
            for command in commands:
                await self._matches.do(match.id, seat, command, user=user.id)
        except WatermeetError as error:  # Their time has run out, or the match is over.
            LOG.info("match not left", extra=fields(match=match.id, code=error.code))
