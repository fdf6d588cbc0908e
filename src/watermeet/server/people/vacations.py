"""Vacations: while somebody is away, their time stands still in all their slow matches.

Everybody has some days in any 365, and each vacation costs at least one. The logs of their matches
say when it began and ended there. Any node writes those entries, and tries again if it died or the
store was unavailable: a vacation stays unsettled until all logs have them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from watermeet.core.errors import WatermeetError
from watermeet.server.background import Background
from watermeet.server.errors import NoVacation, StoreUnavailable
from watermeet.server.logs import fields
from watermeet.server.matches.commands import Vacation
from watermeet.server.matches.errors import NotDue
from watermeet.server.matches.service import Matches
from watermeet.server.matches.setup import DAY, Correspondence, TimeControl
from watermeet.server.store.called import VacationRow
from watermeet.server.store.rows import MatchRow
from watermeet.server.store.sql import ConstraintViolation
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
YEAR = 365 * DAY
SWEEP_S = 30.0
"""How often to look for vacations that are over, and for matches that began during one."""
PAGE = 1_000
SHORTEST = DAY
"""What a vacation costs at least: nobody stops the clock for every move."""


class Allowance(NamedTuple):
    """Whether somebody is on vacation, until when at most, and what they have left after it."""

    is_on: bool
    ends_at: int | None
    left_ms: int


class SlowHeadline(msgspec.Struct, frozen=True):
    """What matters here of a stored headline."""

    users: tuple[str, ...]
    time_control: TimeControl
    to_move: int | None = None


def slow_seat(row: MatchRow, user: str) -> int | None:
    """The seat of a user in a slow match; None in others."""
    headline = msgspec.json.decode(row.headline, type=SlowHeadline)
    is_slow = isinstance(headline.time_control, Correspondence)
    return headline.users.index(user) if is_slow and user in headline.users else None


class Vacations(Background):
    """Everybody's vacations."""

    def __init__(
        self, store: Store, matches: Matches, now: Callable[[], int], days_per_year: int
    ) -> None:
        super().__init__()
        self._store, self._matches, self._now = store, matches, now
        self._allowed = days_per_year * DAY

    def start(self) -> None:
        """Start to end vacations that are over."""
        self._spawn(self._repeat(self.sweep, SWEEP_S))

    async def allowance(self, user: str) -> Allowance:
        """What a user has left."""
        now = self._now()
        rows = await self._store.vacations_of(user, now - YEAR)
        current = next((row for row in rows if row.ended_at is None), None)
        used = sum(_cost(row, now) for row in rows)
        ends_at = None if current is None else current.ends_at
        return Allowance(current is not None, ends_at, max(0, self._allowed - used))

    async def begin(self, user: str) -> None:
        """Begin a vacation; raises NoVacation. Nothing happens to somebody who is on one."""
        now, found = self._now(), await self.allowance(user)
        if found.is_on:
            return
        if found.left_ms < SHORTEST:
            raise NoVacation("you have no vacation days left", "days come back after a year")
        row = VacationRow(user, now, now + found.left_ms)
        try:
            await self._store.add_vacation(row)
        except ConstraintViolation:
            return  # Another device was faster.
        await self._settle(row)

    async def end(self, user: str) -> None:
        """Come back."""
        now = self._now()
        if await self._store.end_vacation(user, now):
            for row in await self._store.vacations_of(user, now - 1):
                await self._settle(row)

    async def sweep(self) -> None:
        """End what is over, and write what logs don't say yet."""
        rows = await self._store.unsettled_vacations(PAGE)
        while rows:
            for row in rows:
                try:
                    await self._settle(row)
                except StoreUnavailable:
                    raise  # The same would happen to all others.
                except Exception:  # One damaged match must not keep the others' clocks still.
                    LOG.exception("a vacation can't be settled", extra=fields(user=row.user))
            rows = await self._store.unsettled_vacations(PAGE, rows[-1])

    async def _settle(self, row: VacationRow) -> None:
        is_over = row.ended_at is not None
        if not is_over and row.ends_at <= self._now():
            is_over = True
            await self._store.end_vacation(row.user, row.ends_at)
        await self._write(row.user, is_on=not is_over)
        if is_over:
            await self._store.settle_vacation(row)

    async def _write(self, user: str, *, is_on: bool) -> None:
        """Write into all slow matches of a user that they are away, or back."""
        for row in await self._store.running_of(user):
            seat = slow_seat(row, user)
            if seat is None:
                continue
            match = (await self._matches.current(row.id)).match
            if match.has_ended or is_on == bool(match.clocks.vacations[seat]):
                continue
            try:
                await self._matches.do(row.id, seat, Vacation(is_on), user=user)
            except NotDue:
                pass  # Another node was faster.
            except WatermeetError as error:
                if not is_on and not match.seats[seat].out:
                    raise
                LOG.info("no vacation here", extra=fields(match=row.id, code=error.code))


def _cost(row: VacationRow, now: int) -> int:
    """What a vacation costs; one that isn't over costs all that it may."""
    until = row.ends_at if row.ended_at is None else row.ended_at
    return max(SHORTEST, until - max(row.began_at, now - YEAR))
