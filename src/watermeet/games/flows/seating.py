"""Who sits where, who plays with whom, and whose turn comes next (R2, R3, R7.1)."""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flows.board import AXES, SIDES
from watermeet.games.flows.layout import (
    ADJACENT,
    FIRST,
    MOVER,
    SEATS,
    SIDE_OF,
    SIDES_OPTION,
    TURN_SIDE,
    side_base,
)

NOBODY = -1
SET_SIDES = ((0, 2), (0, 2, 4), (0, 1, 3, 4), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 5))
"""By number of seats, from two on: the sides of the seats (R2.2 to R2.4)."""
_SET_SIDES = np.array([[*sides, *[NOBODY] * (SIDES - len(sides))] for sides in SET_SIDES])
ADJACENT_UP_TO = 3


def teams_of(seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats that play together: those that sit opposite each other.

    >>> teams_of(3), teams_of(5)
    (((0,), (1,), (2,)), ((0, 3), (1, 4), (2,)))
    """
    by_axis: dict[int, list[int]] = {}
    for seat, side in enumerate(SET_SIDES[seats - 2]):
        by_axis.setdefault(side % AXES, []).append(seat)
    return tuple(sorted(tuple(team) for team in by_axis.values()))


@kernel
def partner_of(seats: int, seat: int) -> int:
    """The seat that plays together with another, or NOBODY."""
    if seats <= ADJACENT_UP_TO or (seats == 5 and seat == 2):
        return NOBODY
    half = (seats + 1) // 2
    return seat + half if seat < seats - half else seat - half


@kernel
def take_set_sides(state: StateArray) -> None:
    """Everybody gets the side that is set."""
    seats = int(state[SEATS])
    adjacent = state[SIDES_OPTION] == ADJACENT and seats <= ADJACENT_UP_TO
    for seat in range(seats):
        state[SIDE_OF + seat] = 1 + (seat if adjacent else int(_SET_SIDES[seats - 2, seat]))


# ---- choosing sides ---------------------------------------------------------------------------


@kernel
def axes_taken(state: StateArray) -> int:
    """The axes at which somebody sits, as bits."""
    taken = 0
    for seat in range(int(state[SEATS])):
        if state[SIDE_OF + seat] > 0:
            taken |= 1 << ((int(state[SIDE_OF + seat]) - 1) % AXES)
    return taken


@kernel
def list_sides(state: StateArray, out: ActionArray) -> int:
    """Sides on axes where nobody sits: they are free, and so are the opposite ones (R7.1)."""
    taken = axes_taken(state)
    count = 0
    for side in range(SIDES):
        if (taken >> (side % AXES)) & 1 == 0:
            out[count] = side_base(state) + side
            count += 1
    return count


@kernel
def take_side(state: StateArray, side: int) -> bool:
    """The mover takes a side, and the partner the opposite one; False if all have sides now."""
    mover, seats = int(state[MOVER]), int(state[SEATS])
    state[SIDE_OF + mover] = 1 + side
    partner = partner_of(seats, mover)
    if partner != NOBODY:
        state[SIDE_OF + partner] = 1 + (side + AXES) % SIDES
    for step in range(1, seats):
        seat = (mover + step) % seats
        if state[SIDE_OF + seat] == 0:
            state[MOVER] = seat
            return True
    return False


# ---- turns ------------------------------------------------------------------------------------


@kernel
def seat_at(state: StateArray, side: int) -> int:
    """The seat that has the turn of a side: its own, or with five also the opposite one."""
    opposite = NOBODY
    for seat in range(int(state[SEATS])):
        if state[SIDE_OF + seat] == 1 + side:
            return seat
        if state[SIDE_OF + seat] == 1 + (side + AXES) % SIDES:
            opposite = seat
    return opposite if state[SEATS] == 5 else NOBODY  # R3.2


@kernel
def begin_turns(state: StateArray) -> None:
    """The turn is that of the first player."""
    state[MOVER] = state[FIRST]
    state[TURN_SIDE] = int(state[SIDE_OF + int(state[FIRST])]) - 1


@kernel
def pass_turn_on(state: StateArray) -> None:
    """The turn goes to the next side, clockwise, that somebody plays for (R3.1)."""
    seat = NOBODY
    while seat == NOBODY:
        state[TURN_SIDE] = (int(state[TURN_SIDE]) + 1) % SIDES
        seat = seat_at(state, int(state[TURN_SIDE]))
    state[MOVER] = seat
