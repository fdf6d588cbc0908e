"""Takes people out who were suspended or deleted, on whichever node: out of sockets and matches.

The transaction that suspends or deletes somebody ends their seeks and challenges, and adds a job
for the rest, which is done even if the node dies, and also if the command line has written it. From
then on the store refuses whatever they would still write in a match.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from watermeet.core.errors import WatermeetError
from watermeet.server.errors import StoreUnavailable
from watermeet.server.logs import fields
from watermeet.server.matches.commands import Leave, Reclaim, Resign
from watermeet.server.matches.match import ABORTED, FINISHED, OPEN
from watermeet.server.matches.service import Matches
from watermeet.server.people.challenges import Challenges
from watermeet.server.people.seeks import Seeks
from watermeet.server.store.rows import Job, MatchRow
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
PAGE = 200


class Enforcement:
    """Does the jobs of suspensions and deletions."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        seeks: Seeks,
        challenges: Challenges,
        end: Callable[[str], Awaitable[None]],
        now: Callable[[], int],
    ) -> None:
        """``end`` closes all sockets of a user, on all nodes."""
        self._store, self._matches, self._end, self._now = store, matches, end, now
        self._seeks, self._challenges = seeks, challenges

    async def suspend(self, job: Job) -> None:
        """End the sockets and matches of somebody, and of their bots.

        Unless the suspension was lifted meanwhile.
        """
        user = await self._store.user(bytes(job.body).decode())
        if user is None or (user.suspended_until or 0) <= self._now():
            return
        await self._put_out(user.id)
        await self._put_out_bots(user.id)

    async def _put_out(self, user: str) -> None:
        await self._end(user)
        await self._seeks.withdraw(user)  # They have ended: this tells others.
        await self._challenges.announce_end(user)
        await self._each_match(user, self._leave)

    async def _put_out_bots(self, owner: str) -> None:
        for bot in await self._store.bots_of(owner):
            await self._store.end_begun(bot.id, self._now())
            await self._put_out(bot.id)

    async def remove(self, job: Job) -> None:
        """Take somebody who was deleted out of their matches, and their name out of the logs.

        And their bots; and delete whatever of theirs was being written at that moment.
        """
        user = bytes(job.body).decode()
        await self._store.delete_rest(user)
        await self._put_out_bots(user)
        await self._seeks.withdraw(user)
        await self._challenges.erase(user)
        await self._matches.forget_everywhere(user)
        await self._each_match(user, self._remove)

    async def _remove(self, row: MatchRow, user: str) -> None:
        await self._matches.erase(row.id, user)
        await self._leave(row, user)

    async def _each_match(self, user: str, do: Callable[[MatchRow, str], Awaitable[None]]) -> None:
        """Do something with all matches of a user; raises the first error in the end."""
        before: tuple[int, str] | None = None
        failure: Exception | None = None
        while page := await self._store.matches_of(user, before=before, limit=PAGE):
            for row in page:
                try:
                    await do(row, user)
                except Exception as error:  # noqa: BLE001 - a damaged log; the others come first.
                    failure = failure or error
            before = page[-1].changed_at, page[-1].id
        if failure is not None:
            raise failure

    async def _leave(self, row: MatchRow, user: str) -> None:
        if row.stage in (FINISHED, ABORTED):
            return
        match = (await self._matches.current(row.id)).match
        seat = match.seat_of(user)
        if seat is None or match.has_ended or match.seats[seat].out:
            return
        commands: tuple[Leave | Reclaim | Resign, ...] = (Resign(),)
        if match.stage == OPEN:
            commands = (Leave(),)
        elif match.seats[seat].stand_in:
            commands = Reclaim(), Resign()
        try:
            for command in commands:
                await self._matches.do(match.id, seat, command, user=user)
        except StoreUnavailable:
            raise
        except WatermeetError as error:  # Their time has run out, or the match is over.
            LOG.info("match not left", extra=fields(match=match.id, code=error.code))
