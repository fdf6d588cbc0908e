"""Clocks as values, and how entries change them. All times are the server's, in milliseconds.

A seat's clock runs while the seat is to move and the match is being played: not during chance
outcomes, which take no time, and not in a pause. A turn may be several actions; the increment is
added when the turn passes to another seat. Network lag isn't compensated.

The shared timer of a game (``Game.clock``) runs from when its move can first be played until that
move has been played. A move that has been started may be finished: after the timer's move, if the
game allows it; otherwise before it.

In correspondence a turn has its days, and what it takes beyond them comes from the seat's bank of
days. The time of a player on vacation stands still.
"""

from __future__ import annotations

import msgspec

from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.server.matches.setup import DAY, SECOND, Correspondence, MatchSetup, RealTime

replace = msgspec.structs.replace


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
    bank_ms: tuple[int, ...] = ()
    """By seat, in correspondence: what is left for turns that take longer, as of this turn."""
    vacations: tuple[int, ...] = ()
    """By seat, in correspondence: since when they are on vacation; 0: they aren't."""


def initial_clocks(setup: MatchSetup, at: int) -> Clocks:
    """All clocks at the beginning."""
    control = setup.time_control
    if isinstance(control, Correspondence):
        count = len(setup.seats)
        bank = (control.bank_days * DAY,) * count
        return Clocks(since=at, turn_since=at, bank_ms=bank, vacations=(0,) * count)
    if not isinstance(control, RealTime):
        return Clocks(since=at, turn_since=at)
    return Clocks((control.initial_ms,) * len(setup.seats), since=at, turn_since=at)


def charged(clocks: Clocks, seat: int, spent_ms: int) -> tuple[int, ...]:
    """What remains to each seat after one has spent time."""
    left = clocks.remaining_ms
    if not left or not spent_ms:
        return left
    return (*left[:seat], left[seat] - spent_ms, *left[seat + 1 :])


def moved(clocks: Clocks, setup: MatchSetup, mover: int, at: int, left: tuple[int, ...]) -> Clocks:
    """After an action: ``mover`` is to move next, and ``left`` remains to each seat."""
    before, control = clocks.turn, setup.time_control
    if mover < 0 or mover == before:
        return replace(clocks, remaining_ms=left, since=at)
    if left and before >= 0 and isinstance(control, RealTime):
        gained = left[before] + control.increment_ms
        left = (*left[:before], gained, *left[before + 1 :])
    bank = bank_left(clocks, setup, at)
    return replace(clocks, remaining_ms=left, turn=mover, since=at, turn_since=at, bank_ms=bank)


def turn_spent(clocks: Clocks, at: int) -> int:
    """How long the turn has taken so far, without the vacation of the player to move."""
    since = clocks.vacations[clocks.turn] if clocks.vacations and clocks.turn >= 0 else 0
    until = min(at, max(since, clocks.turn_since)) if since else at
    return until - clocks.turn_since


def bank_left(clocks: Clocks, setup: MatchSetup, at: int) -> tuple[int, ...]:
    """What each seat has in its bank of days if the turn ends now."""
    control, turn, bank = setup.time_control, clocks.turn, clocks.bank_ms
    if not isinstance(control, Correspondence) or turn < 0:
        return bank
    over = max(0, turn_spent(clocks, at) - control.days_per_turn * DAY)
    return (*bank[:turn], max(0, bank[turn] - over), *bank[turn + 1 :])


def vacation_changed(clocks: Clocks, seat: int, at: int, *, is_on: bool) -> Clocks:
    """A player has gone on vacation, or is back: their time stands still, or runs again."""
    now, since, turn_since = clocks.paused_at or at, clocks.vacations[seat], clocks.turn_since
    if not is_on and clocks.turn == seat:
        turn_since += max(0, now - max(since, turn_since))
    vacations = (*clocks.vacations[:seat], now if is_on else 0, *clocks.vacations[seat + 1 :])
    return replace(clocks, turn_since=turn_since, vacations=vacations)


def undone(
    clocks: Clocks,
    setup: MatchSetup,
    mover: int,
    at: int,
    left: tuple[int, ...],
    then: tuple[int, ...],
) -> Clocks:
    """After an undo: nobody has more time than now, nor more than then."""
    least = tuple(map(min, left, then))
    if clocks.turn == mover:
        return replace(clocks, remaining_ms=least, since=at)
    bank = bank_left(clocks, setup, at)
    return replace(clocks, remaining_ms=least, turn=mover, since=at, turn_since=at, bank_ms=bank)


def paused(clocks: Clocks, at: int, left: tuple[int, ...]) -> Clocks:
    """All clocks stopped."""
    ends = clocks.timer_ends_at
    rest = None if ends is None else max(0, ends - at)
    return replace(
        clocks, remaining_ms=left, since=at, timer_ends_at=None, timer_remaining_ms=rest,
        paused_at=at,
    )  # fmt: skip


def resumed(clocks: Clocks, at: int) -> Clocks:
    """All clocks running again."""
    rest = clocks.timer_remaining_ms
    length = at - clocks.paused_at
    return replace(
        clocks,
        since=at,
        turn_since=clocks.turn_since + length,
        timer_ends_at=None if rest is None else at + rest,
        timer_remaining_ms=None,
        paused_at=0,
        vacations=tuple([since and since + length for since in clocks.vacations]),
    )


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
