"""When time runs out in a match, and what is due then."""

from __future__ import annotations

from watermeet.server.matches.clocks import timer_action, timer_ms
from watermeet.server.matches.commands import Abort, Command, ExpireTimer, Flag, Start, Wake
from watermeet.server.matches.match import OPEN, PAUSED, PLAYING, Match
from watermeet.server.matches.setup import DAY, SECOND, Correspondence, RealTime, Unlimited

OPEN_FOR = 7 * DAY
"""How long a match waits for players."""
IDLE_FOR = 60 * DAY
"""How long a match without another limit may stand still."""
ARRIVE_IN = 8 * SECOND
"""How long the first clock waits for people to arrive."""
LONG_PAUSE, REAL_TIME_PAUSE = 30 * DAY, 3600 * SECOND
Duty = tuple[int, int | None, Command]
"""When something is due, for which seat, and the command that does it."""


def has_clock(match: Match) -> bool:
    """Whether time can run out in a match, for a seat or for all."""
    return isinstance(match.setup.time_control, Correspondence) or has_fast_clock(match)


def has_fast_clock(match: Match) -> bool:
    """Whether seconds count: with real-time clocks and with a shared timer."""
    if isinstance(match.setup.time_control, RealTime):
        return True
    return timer_ms(match.game, match.setup.timer_percent) is not None


def starts_by(match: Match) -> int | None:
    """When the clocks start at the latest; None if they don't wait."""
    return match.began_at + ARRIVE_IN if match.waits and match.stage == PLAYING else None


def remaining_at(match: Match, seat: int, now: int) -> int | None:
    """What a seat has left on its clock; None without a real-time clock."""
    clocks = match.clocks
    if not clocks.remaining_ms:
        return None
    spent = now - clocks.since if match.running_seat == seat and not match.waits else 0
    return max(0, clocks.remaining_ms[seat] - max(0, spent))


def flag_at(match: Match) -> int | None:
    """When the player to move runs out of time; None: never."""
    seat, control, clocks = match.running_seat, match.setup.time_control, match.clocks
    if seat is None or match.seats[seat].out or isinstance(control, Unlimited) or match.waits:
        return None
    if isinstance(control, Correspondence):
        if clocks.vacations[seat]:
            return None
        return clocks.turn_since + control.days_per_turn * DAY + clocks.bank_ms[seat]
    return clocks.since + clocks.remaining_ms[seat]


def timer_due_at(match: Match) -> int | None:
    """When the shared timer has to be called; None while it can't be."""
    ends = match.clocks.timer_ends_at
    if ends is None or match.stage != PLAYING or timer_action(match.state) is None:
        return None
    return ends


def next_duty(match: Match) -> Duty | None:
    """What will be due first if nothing else happens."""
    if match.stage == OPEN:
        return match.at + OPEN_FOR, None, Abort()
    if match.stage == PAUSED:
        is_real_time = isinstance(match.setup.time_control, RealTime)
        longest = REAL_TIME_PAUSE if is_real_time else LONG_PAUSE
        return match.clocks.paused_at + longest, None, Wake()
    if match.stage != PLAYING:
        return None
    ends, flag, starts = timer_due_at(match), flag_at(match), starts_by(match)
    duties: list[Duty] = [] if flag is not None else [(match.at + IDLE_FOR, None, Abort())]
    if starts is not None:
        duties.append((starts, None, Start()))
    if ends is not None:
        duties.append((ends, None, ExpireTimer()))
    if flag is not None:
        duties.append((flag, match.state.to_move, Flag()))
    return min(duties, key=lambda duty: duty[0])


def due_at(match: Match) -> int | None:
    """When something is due although nobody acts; None: never."""
    duty = next_duty(match)
    return None if duty is None else duty[0]


def duty_now(match: Match, now: int) -> Duty | None:
    """What is due now, if anything is."""
    duty = next_duty(match)
    return duty if duty is not None and duty[0] <= now else None
