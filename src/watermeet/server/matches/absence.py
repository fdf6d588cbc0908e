"""What may be done when who is to move is away. Presence is no part of the log: it is an argument.

Only who holds up the match can be missing. The grace grows with the time that the match may take,
after the model of a large chess server: 30 seconds, doubled, times four or ten for slower clocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from watermeet.server.matches.entries import Days, Live
from watermeet.server.matches.errors import NotAbsent
from watermeet.server.matches.timing import SECOND, due_at, running_seat

if TYPE_CHECKING:
    from watermeet.server.matches.match import Match

BASE_GRACE = 30 * SECOND
CASUAL_GRACE = 300 * SECOND
"""Where nobody is hurried."""
TURNS_EXPECTED = 40


def grace_ms(match: Match) -> int | None:
    """How long somebody may be away when it is his turn; None: as long as he has days left."""
    timing = match.created.timing
    if isinstance(timing, Days):
        return None
    if not isinstance(timing, Live):
        return BASE_GRACE if match.clocks.minute_ends is not None else CASUAL_GRACE
    minutes = (timing.bank_ms + TURNS_EXPECTED * timing.increment_ms) / (60 * SECOND)
    factor = 1 if minutes < 3 else 2 if minutes < 8 else 4 if minutes < 25 else 10
    return factor * BASE_GRACE


def missing_from(match: Match, seat: int, away_since: Mapping[int, int]) -> int | None:
    """From when on a seat counts as missing, if it does not come back; None: it does not."""
    grace = grace_ms(match)
    place = match.seats[seat]
    if grace is None or running_seat(match) != seat or seat not in away_since:
        return None
    if not place.is_asked:
        return None
    return max(away_since[seat], match.clocks.turn_since) + grace


def check_missing(match: Match, seat: int, away_since: Mapping[int, int], now: int) -> None:
    """Raises NotAbsent unless a seat counts as missing now."""
    since = missing_from(match, seat, away_since)
    if since is None:
        raise NotAbsent(
            f"seat {seat} does not hold up the match", "who is away counts when it is his turn"
        )
    if now < since:
        wait = -(-(since - now) // SECOND)
        raise NotAbsent(f"seat {seat} has not been away for long enough", f"wait {wait} seconds")


def absence_due_at(match: Match, away_since: Mapping[int, int]) -> int | None:
    """When a bot must stand in for who is to move, where the table wants that; None: never."""
    if match.created.absence.rule != "stand_in":
        return None
    seat = running_seat(match)
    return None if seat is None else missing_from(match, seat, away_since)


def look_at(match: Match) -> int | None:
    """When somebody must look at the match although nobody moves; None: never.

    The log does not know who is there. So where a bot may have to stand in, somebody looks from
    when that could be at the earliest, and again now and then.
    """
    due, seat, grace = due_at(match), running_seat(match), grace_ms(match)
    if match.created.absence.rule != "stand_in" or seat is None or grace is None:
        return due
    if not match.seats[seat].is_asked:
        return due
    first = match.clocks.turn_since + grace
    return first if due is None else min(due, first)
