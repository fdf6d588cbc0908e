"""Clocks as values, and how entries change them. All times are the server's, in milliseconds.

A seat's clock runs while the seat is to move and the match is being played: not during chance
outcomes, which take no time, and not in a pause. A turn may be several actions; the increment is
added when the turn passes to another seat. Network lag isn't compensated.

The shared timer of a game (``Game.clock``) runs from when its move can first be played until that
move has been played. A move that has been started may be finished: after the timer's move, if the
game allows it; otherwise before it.
"""

from __future__ import annotations

import msgspec

from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.server.matches.setup import SECOND, MatchSetup, RealTime


class Clocks(msgspec.Struct, frozen=True):
    """All clocks as of the last entry."""

    remaining_ms: tuple[int, ...] = ()
    """By seat, with a real-time clock."""
    turn: int = -1
    """The seat whose turn it is; -1 before the first turn."""
    since: int = 0
    """From when the mover's time counts."""
    turn_since: int = 0
    timer_ends_at: int | None = None
    timer_remaining_ms: int | None = None
    """In a pause."""
    paused_at: int = 0


def initial_clocks(setup: MatchSetup, at: int) -> Clocks:
    """All clocks at the beginning."""
    control = setup.time_control
    if not isinstance(control, RealTime):
        return Clocks(since=at, turn_since=at)
    remaining = tuple(seat_time(setup, control, seat)[0] for seat in range(len(setup.seats)))
    return Clocks(remaining, since=at, turn_since=at)


def seat_time(setup: MatchSetup, control: RealTime, seat: int) -> tuple[int, int]:
    """The initial time and the increment of a seat: its own, or everybody's."""
    plan = setup.seats[seat]
    initial = control.initial_ms if plan.initial_ms is None else plan.initial_ms
    increment = control.increment_ms if plan.increment_ms is None else plan.increment_ms
    return initial, increment


def charged(clocks: Clocks, seat: int, spent_ms: int) -> tuple[int, ...]:
    """What remains to each seat after one has spent time."""
    left = clocks.remaining_ms
    if not left or not spent_ms:
        return left
    return (*left[:seat], left[seat] - spent_ms, *left[seat + 1 :])


def moved(clocks: Clocks, setup: MatchSetup, mover: int, at: int, left: tuple[int, ...]) -> Clocks:
    """After an action: ``mover`` is to move next, and ``left`` remains to each seat."""
    before, ends, rest = clocks.turn, clocks.timer_ends_at, clocks.timer_remaining_ms
    control = setup.time_control
    if mover < 0 or mover == before:
        return Clocks(left, before, at, clocks.turn_since, ends, rest)
    if left and before >= 0 and isinstance(control, RealTime):
        _, gained = seat_time(setup, control, before)
        left = (*left[:before], left[before] + gained, *left[before + 1 :])
    return Clocks(left, mover, at, at, ends, rest)


def undone(
    clocks: Clocks, mover: int, at: int, left: tuple[int, ...], then: tuple[int, ...]
) -> Clocks:
    """After an undo: nobody has more time than now, nor more than then."""
    least = tuple(map(min, left, then))
    turn_since = clocks.turn_since if clocks.turn == mover else at
    ends, rest = clocks.timer_ends_at, clocks.timer_remaining_ms
    return Clocks(least, mover, at, turn_since, ends, rest)


def paused(clocks: Clocks, at: int, left: tuple[int, ...]) -> Clocks:
    """All clocks stopped."""
    ends = clocks.timer_ends_at
    rest = None if ends is None else max(0, ends - at)
    return Clocks(left, clocks.turn, at, clocks.turn_since, None, rest, at)


def resumed(clocks: Clocks, at: int) -> Clocks:
    """All clocks running again."""
    rest = clocks.timer_remaining_ms
    turn_since = clocks.turn_since + at - clocks.paused_at
    ends = None if rest is None else at + rest
    return Clocks(clocks.remaining_ms, clocks.turn, at, turn_since, ends)


# ---- the shared timer ---------------------------------------------------------------------------


def timer_ms(game: Game, percent: int) -> int | None:
    """The length of the shared timer; None without one."""
    if game.clock is None or not percent:
        return None
    return game.clock.seconds * SECOND * percent // 100


def timer_action(state: State) -> int | None:
    """The action that says that the timer has expired, if it can be played now."""
    clock = state.game.clock
    if clock is None or state.to_move < 0:
        return None
    action = state.parse_move(clock.move)
    return action if state.is_legal(action) else None


def with_timer(
    clocks: Clocks, state: State, at: int, length_ms: int | None, *, has_expired: bool
) -> Clocks:
    """Stop the timer if it has expired, and start it as soon as it can expire again."""
    if length_ms is None:
        return clocks
    ends = None if has_expired else clocks.timer_ends_at
    if ends is None and timer_action(state) is not None:
        ends = at + length_ms
    return msgspec.structs.replace(clocks, timer_ends_at=ends)
