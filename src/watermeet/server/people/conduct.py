"""Conduct: who walks away from rated matches has to wait before the next one.

Losing, resigning and losing on time are part of the game. What counts follows from the log alone: a
player who was claimed absent, for whom a bot stood in until the end, or who let most of their time
run out on one turn. Marks are forgotten after a month.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from watermeet.core.registry import games as registered
from watermeet.server.errors import CoolingDown, OpponentCoolingDown
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.entries import Entry, decode
from watermeet.server.matches.match import FINISHED, Match
from watermeet.server.matches.setup import DAY, SECOND, Correspondence, RealTime
from watermeet.server.store.store import Store

MINUTE = 60 * SECOND
WINDOW_MS, FREE = 30 * DAY, 2
"""How long a mark lasts, and how many have no consequence."""
COOLING_MS = (10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE, DAY)
"""How long after the last mark one waits: for the first mark that counts, the second, and so on."""
LEAST_TURN_MS = 30 * SECOND
PAGE = 500


def departures(log: Sequence[Entry]) -> list[tuple[str, int]]:
    """The users who have left a rated match that is finished, and when."""
    match, walked_away = Match.of(log[:1]), set()
    if not match.setup.is_rated:
        return []
    for entry in log[1:]:
        if isinstance(entry, kinds.TimedOut) and _walked_away(match, entry.at):
            walked_away.add(entry.seat)
        match = match.after(entry)
    if match.stage != FINISHED:
        return []
    return [
        (seat.user, match.ended_at)
        for number, seat in enumerate(match.seats)
        if seat.user
        and (seat.left == "claimed" or number in walked_away or (seat.stand_in and not seat.left))
    ]


def _walked_away(match: Match, at: int) -> bool:
    """Whether a player whose time runs out has let most of it pass in this turn."""
    control, turn_ms = match.setup.time_control, at - match.clocks.turn_since
    if isinstance(control, Correspondence):
        return True
    if not isinstance(control, RealTime):
        return False
    return turn_ms >= max(LEAST_TURN_MS, control.initial_ms / 2)


@dataclass(frozen=True)
class Standing:
    """How somebody stands."""

    departures: int
    """How many within the last 30 days."""
    cooling_until: int | None
    """When they may play rated matches again; None: now."""


def standing(times: Sequence[int], now: int) -> Standing:
    """How somebody stands who has left matches at these times."""
    recent = [at for at in times if at > now - WINDOW_MS]
    if len(recent) <= FREE:
        return Standing(len(recent), None)
    until = max(recent) + COOLING_MS[min(len(recent) - FREE, len(COOLING_MS)) - 1]
    return Standing(len(recent), until if until > now else None)


async def standing_of(store: Store, user: str, now: int) -> Standing:
    """How a user stands."""
    return standing(await store.departures(user, now - WINDOW_MS), now)


async def cooling(store: Store, users: Collection[str], now: int) -> set[str]:
    """Those of some users who may play no rated match now."""
    found = await store.departures_of(users, now - WINDOW_MS)
    return {user for user, times in found.items() if standing(times, now).cooling_until is not None}


async def check_may_play_rated(
    store: Store, user: str, now: int, others: Collection[str] = ()
) -> None:
    """Raise CoolingDown for somebody who has left too many rated matches, or with such others."""
    found = await standing_of(store, user, now)
    if found.cooling_until is not None:
        minutes = -(-(found.cooling_until - now) // MINUTE)
        raise CoolingDown(
            f"you have left {found.departures} rated matches in 30 days",
            f"play casual ones, or wait {minutes} minutes",
        )
    if await cooling(store, others, now):
        raise OpponentCoolingDown(
            "one of the others has left too many rated matches", "play a casual one, or others"
        )


async def note_departures(store: Store, match: str) -> None:
    """Note who has left a match that has ended."""
    rows = await store.read(match)
    await store.add_departures(match, departures([decode(row.body) for row in rows]))


async def recompute(store: Store) -> None:
    """Compute all marks again from the logs alone; no server may be running."""
    await store.forget_departures()
    for game in registered():
        last = ""
        while page := await store.finished(game, after=last, limit=PAGE):
            for match, _ in page:
                await note_departures(store, match)
            last = page[-1][0]
