"""Deadlines: does what is due in a match although nobody moves.

Each node keeps timers, exact to the millisecond, for the matches it hears of. Every few seconds it
also sweeps the database for matches that are due soon, after a restart or when a node has died.
Several nodes may try the same: the log accepts it once.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable, Iterable

from watermeet.core.errors import WatermeetError
from watermeet.server.background import Background, wait_for
from watermeet.server.logs import fields
from watermeet.server.matches import absence, timing
from watermeet.server.matches.commands import Command, StandIn
from watermeet.server.matches.match import PLAYING, Match
from watermeet.server.matches.service import Matches
from watermeet.server.presence import TTL_S, Presence
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
SWEEP_S = 5.0
"""More often than presence expires, so that an absence is seen without interruption."""
LOOKAHEAD_MS = 15_000
"""Matches that are due this soon get a timer, whichever node wrote them."""
MAX_SWEPT = 10_000
HORIZON_MS = 3_600_000
"""Later deadlines get no timer: a sweep finds them in time."""
CONCURRENCY = 64
"""Matches checked at a time: one that waits for the database doesn't delay the others."""
LATE_MS = 1_000

assert SWEEP_S < TTL_S / 2


async def _no_wait() -> None:
    """Return at once."""


class Deadlines(Background):
    """Timers for the matches of a node.

    ``followed`` returns the matches that somebody follows on this node. ``wait`` returns once it is
    certain that nothing is overdue only because no server was running.
    """

    def __init__(
        self,
        store: Store,
        matches: Matches,
        presence: Presence,
        now: Callable[[], int],
        followed: Callable[[], Iterable[str]] = tuple,
        wait: Callable[[], Awaitable[None]] = _no_wait,
    ) -> None:
        super().__init__()
        self._store, self._matches, self._presence, self._now = store, matches, presence, now
        self._followed, self._wait = followed, wait
        self._heap: list[tuple[int, str]] = []
        self._due: dict[str, int] = {}
        """The deadline of each match; heap items that differ from it are out of date."""
        self._wake_up = asyncio.Event()
        self._checking = asyncio.Semaphore(CONCURRENCY)
        matches.listen(lambda live: self.schedule(live.match))

    def start(self) -> None:
        """Start the timers and the sweep."""
        self._spawn(self._run_timers())
        self._spawn(self._repeat(self.sweep, SWEEP_S))

    # ---- timers ----

    def schedule(self, match: Match) -> None:
        """Set the timer of a match, or clear it."""
        due = timing.due_at(match)
        if due is None or due > self._now() + HORIZON_MS:
            self._due.pop(match.id, None)
        elif self._due.get(match.id) != due:
            self._due[match.id] = due
            heapq.heappush(self._heap, (due, match.id))
            if self._heap[0] == (due, match.id):
                self._wake_up.set()
            if len(self._heap) > 1000 + 2 * len(self._due):
                self._heap = [(at, id_) for id_, at in self._due.items()]
                heapq.heapify(self._heap)

    async def _run_timers(self) -> None:
        while True:
            seconds = (self._heap[0][0] - self._now()) / 1000 if self._heap else 3600.0
            if seconds > 0:
                self._wake_up.clear()
                await wait_for(self._wake_up, seconds)
                continue
            due, match = heapq.heappop(self._heap)
            if self._due.get(match) == due:  # Otherwise somebody has moved since.
                del self._due[match]
                self._spawn(self.check(match))

    # ---- the sweep ----

    async def sweep(self) -> None:
        """Check the matches that are due soon or followed here."""
        now = self._now()
        due = await self._store.due(now + LOOKAHEAD_MS, MAX_SWEPT)
        unknown = [match for match in due if self._due.get(match, 0) <= now]
        followed = [match for match in self._followed() if self._presence_matters(match)]
        await asyncio.gather(*(self.check(match) for match in {*unknown, *followed}))

    def _presence_matters(self, match: str) -> bool:
        live = self._matches.cached(match)
        if live is None or live.match.stage != PLAYING or live.match.state.to_move < 0:
            return False
        rule = live.match.setup.absence.rule
        return rule != "wait" and live.match.seats[live.match.state.to_move].has_say

    # ---- checking ----

    async def check(self, match: str) -> None:
        """Do what is due in a match, if anything is."""
        try:
            async with self._checking:
                live = await self._matches.current(match)
                self.schedule(live.match)
                if self._is_late(live.match):
                    await self._wait()
                duty = await self._due_command(live.match)
                if duty is not None:
                    await self._matches.do(match, *duty)
        except WatermeetError as error:
            # Somebody moved in time, another node was first, or the store is unavailable and the
            # next sweep tries again.
            LOG.info("nothing was due", extra=fields(match=match, code=error.code))
        except Exception:  # A third-party game may raise anything.
            LOG.exception("check of a match crashed", extra=fields(match=match))

    def _is_late(self, match: Match) -> bool:
        """Whether a flag should have fallen so long ago that no server can have been running."""
        due = timing.due_at(match)
        return due is not None and timing.has_clock(match) and due < self._now() - LATE_MS

    async def _due_command(self, match: Match) -> tuple[int | None, Command] | None:
        duty = timing.duty_now(match, self._now())
        if duty is not None:
            return duty[1:]
        if match.stage != PLAYING:
            return None
        away = await self._presence.away_since(match)
        due = absence.stand_in_due_at(match, away)
        if due is None or due > self._now():
            return None
        return match.state.to_move, StandIn()
