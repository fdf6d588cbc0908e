"""What may be done when the player to move is away. Presence isn't in the log: it is an argument.

Only the player who holds up the match can be missing. The grace period grows with the time that the
player has, as on lichess: 30 seconds, doubled, times four or ten for slower clocks.
"""

from __future__ import annotations

from collections.abc import Mapping

from watermeet.server.matches.errors import NotAbsent
from watermeet.server.matches.match import Match
from watermeet.server.matches.setup import SECOND, Correspondence, RealTime
from watermeet.server.matches.timing import due_at

BASE_GRACE = 30 * SECOND
CASUAL_GRACE = 300 * SECOND
"""Without a clock."""
TURNS_EXPECTED = 40


def grace_ms(match: Match) -> int | None:
    """How long the player to move may be away; None: as long as their days last."""
    control = match.setup.time_control
    if isinstance(control, Correspondence):
        return None
    if not isinstance(control, RealTime):
        return BASE_GRACE if match.clocks.timer_ends_at is not None else CASUAL_GRACE
    minutes = (control.initial_ms + TURNS_EXPECTED * control.increment_ms) / (60 * SECOND)
    factor = 1 if minutes < 3 else 2 if minutes < 8 else 4 if minutes < 25 else 10
    return factor * BASE_GRACE


def missing_from(match: Match, seat: int, away_since: Mapping[int, int]) -> int | None:
    """When a seat counts as missing if it doesn't come back; None: it doesn't."""
    grace = grace_ms(match)
    if grace is None or match.running_seat != seat or seat not in away_since:
        return None
    if not match.seats[seat].has_say:
        return None
    return max(away_since[seat], match.clocks.turn_since) + grace


def check_missing(match: Match, seat: int, away_since: Mapping[int, int], now: int) -> None:
    """Raise NotAbsent unless a seat counts as missing now."""
    since = missing_from(match, seat, away_since)
    if since is None:
        raise NotAbsent(
            f"seat {seat} isn't holding up the match", "absence counts on a player's own turn"
        )
    if now < since:
        wait = -(-(since - now) // SECOND)
        raise NotAbsent(f"seat {seat} hasn't been away for long enough", f"wait {wait} seconds")


def stand_in_due_at(match: Match, away_since: Mapping[int, int]) -> int | None:
    """When a bot has to stand in for the player to move, where the setup says so; None: never."""
    seat = match.running_seat
    if match.setup.absence.rule != "stand_in" or seat is None:
        return None
    return missing_from(match, seat, away_since)


def check_at(match: Match) -> int | None:
    """When the server must check the match although nobody acts; None: never.

    The log doesn't say who is present. Where a bot may have to stand in, checks begin at the
    earliest possible moment and are repeated.
    """
    due, seat, grace = due_at(match), match.running_seat, grace_ms(match)
    if match.setup.absence.rule != "stand_in" or seat is None or grace is None:
        return due
    if not match.seats[seat].has_say:
        return due
    first = match.clocks.turn_since + grace
    return first if due is None else min(due, first)
