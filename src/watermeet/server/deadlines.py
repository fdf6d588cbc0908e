"""The keeper of the time: sees to it that what is due happens although nobody moves.

Each node watches the matches that it hears of with timers, to the millisecond, and looks into the
database every few seconds for those that are due soon: after a restart, or when a node has died.
Several keepers may ask for the same: the log takes it once.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

from watermeet.core.errors import WatermeetError
from watermeet.server.logs import fields
from watermeet.server.matches import absence, timing
from watermeet.server.matches.commands import Command, StandIn
from watermeet.server.matches.match import PLAYING, Match
from watermeet.server.matches.service import REMATCH_JOB, LiveMatch, Matches
from watermeet.server.presence import TTL_S, Presence
from watermeet.server.store.interface import Store
from watermeet.server.tokens import make_id

LOG = logging.getLogger(__name__)
SWEEP_S = 5.0
"""Oftener than presence lasts, so that somebody who is missing is missed again and again."""
AHEAD_MS = 15_000
"""What is due so soon is watched to the millisecond, whoever wrote it."""
SWEPT = 10_000
WATCHED_MS = 3_600_000
AT_ONCE = 64
"""Looks at the same time: one that waits for the database does not hold up the others."""
REMATCH_LEASE_MS = 10_000
LATE_MS = 1_000

assert SWEEP_S < TTL_S / 2


async def _at_once() -> None:
    """Waits for nothing."""


class Deadlines:
    """Does what is due.

    ``followed``: the matches that somebody follows at this node. ``wait`` returns when it is known
    that what is overdue is not so because no server was running.
    """

    def __init__(
        self,
        store: Store,
        matches: Matches,
        presence: Presence,
        now: Callable[[], int],
        followed: Callable[[], Iterable[str]] = tuple,
        wait: Callable[[], Awaitable[None]] = _at_once,
    ) -> None:
        self._store, self._matches, self._presence, self._now = store, matches, presence, now
        self._followed, self._wait = followed, wait
        self._name = make_id()
        self._heap: list[tuple[int, str]] = []
        self._due: dict[str, int] = {}
        """When each match is to be looked at; what else the heap holds is out of date."""
        self._news = asyncio.Event()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        matches.listen(lambda live: self.note(live.match))

    def start(self) -> None:
        """Begins to watch."""
        for forever in (self._watch(), self._sweep()):
            self._spawn(forever)

    async def close(self) -> None:
        """Watches no more."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- timers ----

    def note(self, match: Match) -> None:
        """Sets the timer of a match anew."""
        due = timing.due_at(match)
        if due is None or due > self._now() + WATCHED_MS:
            self._due.pop(match.id, None)
        elif self._due.get(match.id) != due:
            self._due[match.id] = due
            heapq.heappush(self._heap, (due, match.id))
            if self._heap[0] == (due, match.id):
                self._news.set()
            if len(self._heap) > 1000 + 2 * len(self._due):
                self._heap = [(at, id_) for id_, at in self._due.items()]
                heapq.heapify(self._heap)

    async def _watch(self) -> None:
        while True:
            wait = (self._heap[0][0] - self._now()) / 1000 if self._heap else 3600.0
            if wait > 0:
                self._news.clear()
                try:
                    async with asyncio.timeout(wait):
                        await self._news.wait()
                except TimeoutError:
                    pass
                continue
            due, match = heapq.heappop(self._heap)
            if self._due.get(match) == due:  # Else somebody has moved since.
                del self._due[match]
                self._spawn(self.look(match))

    # ---- the sweep ----

    async def _sweep(self) -> None:
        while True:
            try:
                await self.sweep()
            except WatermeetError as error:
                LOG.warning("the sweep was broken off", extra=fields(code=error.code))
            except Exception:  # A single match must not hold up all others.
                LOG.exception("the sweep broke", extra=fields())
            await asyncio.sleep(SWEEP_S)

    async def sweep(self) -> None:
        """Looks at all that is due soon, at all that is followed here, and for rematches."""
        now = self._now()
        due = await self._store.due(now + AHEAD_MS, SWEPT)
        unknown = [match for match in due if self._due.get(match, 0) <= now]
        followed = [match for match in self._followed() if self._may_miss(match)]
        await asyncio.gather(*(self.look(match) for match in {*unknown, *followed}))
        await self._make_rematches()

    def _may_miss(self, match: str) -> bool:
        """Whether it matters who is there."""
        live = self._matches.cached(match)
        if live is None or live.match.stage != PLAYING or live.match.state.to_move < 0:
            return False
        rule = live.match.created.absence.rule
        return rule != "wait" and live.match.seats[live.match.state.to_move].is_asked

    async def _make_rematches(self) -> None:
        """Those that were agreed by a node which died before it made them."""
        while True:
            now = self._now()
            job = await self._store.lease([REMATCH_JOB], self._name, now, now + REMATCH_LEASE_MS)
            if job is None:
                return
            live = await self._load(job.match)
            await self._matches.make_rematch(live.match)

    # ---- looking ----

    async def _load(self, match: str) -> LiveMatch:
        return await self._matches.catch_up(match) or await self._matches.load(match)

    async def look(self, match: str) -> None:
        """Does what is due in a match, if anything is."""
        try:
            async with self._room:
                live = await self._load(match)
                self.note(live.match)
                if self._is_late(live.match):
                    await self._wait()
                command = await self._duty(live.match)
                if command is not None:
                    await self._matches.do(match, command)
        except WatermeetError as error:
            # Somebody moved in time, or another node was first; or the store is away, and the
            # sweep comes back to it.
            LOG.info("nothing was due", extra=fields(match=match, code=error.code))
        except Exception:  # A stranger's game may raise anything.
            LOG.exception("a match could not be looked at", extra=fields(match=match))

    def _is_late(self, match: Match) -> bool:
        """Whether somebody's time was up so long ago that a server would have said so."""
        due = timing.due_at(match)
        return due is not None and timing.has_clock(match) and due < self._now() - LATE_MS

    async def _duty(self, match: Match) -> Command | None:
        command = timing.duty(match, self._now())
        if command is not None or match.stage != PLAYING:
            return command
        away = await self._presence.away_since(match)
        due = absence.absence_due_at(match, away)
        if due is None or due > self._now():
            return None
        return StandIn(seat=match.state.to_move, away_since=away)
