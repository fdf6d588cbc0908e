"""Clocks. The server's time is the only one: every function here is given it in milliseconds.

The clock of a seat runs while that seat is to move and the match is played: not while chance draws
(draws take no time), not in a pause. A turn may be several actions; the increment comes when the
turn has gone to another seat. What a network costs is not given back: ``spent_ms`` of an entry is
where a compensation would go, without any change to how logs are read.

The shared minute of a game (``Game.clock``) runs from the first moment at which its move can be
played until that move has been played. What was begun then is finished: by the game's own rules
behind that move; or, if the move cannot be played yet, before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.server.matches.commands import Abandon, Command, EndMinute, Flag, Wake
from watermeet.server.matches.entries import Days, Live, NoTiming, Timing

if TYPE_CHECKING:
    from watermeet.server.matches.match import Match

SECOND = 1000
DAY = 24 * 3600 * SECOND
LONGEST_BANK, LONGEST_INCREMENT, MOST_DAYS = 24 * 3600 * SECOND, 3600 * SECOND, 30
MOST_MINUTE_PERCENT = 1000
OPEN_FOR = 7 * DAY
"""So long a table waits for people."""
IDLE_FOR = 60 * DAY
"""After so long without any entry a match that has no other limit is gone."""
PAUSE_FOR = {"none": 30 * DAY, "days": 30 * DAY, "live": 3600 * SECOND}
"""How long a pause lasts at the most."""


class Clocks(msgspec.Struct, frozen=True):
    """Where all clocks stood at the last entry, and since when one of them runs."""

    left_ms: tuple[int, ...] = ()
    """By seat, in a live match."""
    turn: int = -1
    """Whose turn it is; -1 before the first."""
    since: int = 0
    """From when on the mover's time is counted."""
    turn_since: int = 0
    minute_ends: int | None = None
    """When the shared minute is over; None while none runs."""
    minute_left: int | None = None
    """What is left of it in a pause."""
    paused_at: int = 0


# ---- how clocks go on: used by the fold ---------------------------------------------------------


def at_begin(timing: Timing, seats: int, at: int) -> Clocks:
    """All clocks at the beginning."""
    left = (timing.bank_ms,) * seats if isinstance(timing, Live) else ()
    return Clocks(left_ms=left, since=at, turn_since=at)


def charged(clocks: Clocks, seat: int, spent_ms: int) -> tuple[int, ...]:
    """What is left to all when a seat has spent time."""
    left = clocks.left_ms
    if not left or not spent_ms:
        return left
    return (*left[:seat], left[seat] - spent_ms, *left[seat + 1 :])


def moved(clocks: Clocks, timing: Timing, mover: int, at: int, left: tuple[int, ...]) -> Clocks:
    """After an action: ``mover`` is to move now, ``left`` is what is left to all."""
    before = clocks.turn
    if mover < 0 or mover == before:
        return Clocks(left, before, at, clocks.turn_since, clocks.minute_ends, clocks.minute_left)
    if left and before >= 0 and isinstance(timing, Live):
        left = (*left[:before], left[before] + timing.increment_ms, *left[before + 1 :])
    return Clocks(left, mover, at, at, clocks.minute_ends, clocks.minute_left)


def undone(
    clocks: Clocks, mover: int, at: int, left: tuple[int, ...], then: tuple[int, ...]
) -> Clocks:
    """After an undo: nobody has more time than now, nor more than then."""
    least = tuple(map(min, left, then))
    turn_since = clocks.turn_since if clocks.turn == mover else at
    return Clocks(least, mover, at, turn_since, clocks.minute_ends, clocks.minute_left)


def paused(clocks: Clocks, at: int, left: tuple[int, ...]) -> Clocks:
    """All clocks stand."""
    ends = clocks.minute_ends
    rest = None if ends is None else max(0, ends - at)
    return Clocks(left, clocks.turn, at, clocks.turn_since, None, rest, at)


def resumed(clocks: Clocks, at: int) -> Clocks:
    """All clocks run on."""
    rest = clocks.minute_left
    turn_since = clocks.turn_since + at - clocks.paused_at
    ends = None if rest is None else at + rest
    return Clocks(clocks.left_ms, clocks.turn, at, turn_since, ends)


# ---- the shared minute --------------------------------------------------------------------------


def minute_ms(game: Game, percent: int) -> int | None:
    """How long the shared minute lasts; None where there is none."""
    if game.clock is None or not percent:
        return None
    return game.clock.seconds * SECOND * percent // 100


def minute_action(state: State) -> int | None:
    """The action that says that the minute is over, if it can be played now."""
    clock = state.game.clock
    if clock is None or state.to_move < 0:
        return None
    action = state.parse_move(clock.move)
    return action if state.is_legal(action) else None


def with_minute(
    clocks: Clocks, state: State, at: int, length_ms: int | None, *, is_said: bool
) -> Clocks:
    """A minute ends when that has been said, and begins as soon as it can be said again."""
    if length_ms is None:
        return clocks
    ends = None if is_said else clocks.minute_ends
    if ends is None and minute_action(state) is not None:
        ends = at + length_ms
    return msgspec.structs.replace(clocks, minute_ends=ends)


# ---- questions ----------------------------------------------------------------------------------


def has_clock(match: Match) -> bool:
    """Whether time can be up in a match, for a seat or for all."""
    if not isinstance(match.created.timing, NoTiming):
        return True
    return minute_ms(match.game, match.created.minute_percent) is not None


def running_seat(match: Match) -> int | None:
    """The seat whose clock runs."""
    mover = match.state.to_move
    return mover if match.stage == "playing" and mover >= 0 else None


def left_at(match: Match, seat: int, now: int) -> int | None:
    """What a seat has left of its bank; None where there is none."""
    clocks = match.clocks
    if not clocks.left_ms:
        return None
    spent = now - clocks.since if running_seat(match) == seat else 0
    return max(0, clocks.left_ms[seat] - max(0, spent))


def flag_at(match: Match) -> int | None:
    """When the time of who is to move is up; None if that never happens."""
    seat = running_seat(match)
    timing, clocks = match.created.timing, match.clocks
    if seat is None or match.seats[seat].out or isinstance(timing, NoTiming):
        return None
    if isinstance(timing, Days):
        return clocks.turn_since + timing.days * DAY
    return clocks.since + clocks.left_ms[seat]


def minute_over_at(match: Match) -> int | None:
    """When somebody must say that the minute is over; None while that cannot be said."""
    ends = match.clocks.minute_ends
    if ends is None or match.stage != "playing" or minute_action(match.state) is None:
        return None
    return ends


def _duties(match: Match) -> list[tuple[int, Command]]:
    """What will be due, and when, if nothing else happens."""
    if match.stage == "open":
        return [(match.at + OPEN_FOR, Abandon())]
    if match.stage == "paused":
        kind = match.created.timing.__struct_config__.tag
        return [(match.clocks.paused_at + PAUSE_FOR[str(kind)], Wake())]
    if match.stage != "playing":
        return []
    duties: list[tuple[int, Command]] = [(match.at + IDLE_FOR, Abandon())]
    ends, flag = minute_over_at(match), flag_at(match)
    if ends is not None:
        duties.append((ends, EndMinute()))
    if flag is not None:
        duties.append((flag, Flag(seat=match.state.to_move)))
    return duties


def due_at(match: Match) -> int | None:
    """When somebody must look at the match although nobody moves; None: never."""
    return min((at for at, _ in _duties(match)), default=None)


def duty(match: Match, now: int) -> Command | None:
    """What whoever looks then has to ask for; None if nothing is due."""
    first = min(_duties(match), key=lambda pair: pair[0], default=None)
    return first[1] if first is not None and first[0] <= now else None
