"""Sides, teams and the order of turns (R2, R3, R7.1)."""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES, SIDES

NOBODY = -1
DEFAULT_SIDES = ((0, 2), (0, 2, 4), (0, 1, 3, 4), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 5))
"""By number of seats, from two up: the side of each seat (R2.2 to R2.4)."""
_DEFAULT_SIDES = np.array([[*sides, *[NOBODY] * (SIDES - len(sides))] for sides in DEFAULT_SIDES])
MAX_SOLO_SEATS = 3
"""With no more seats than this, everyone plays alone."""


def teams_of(seats: int) -> tuple[tuple[int, ...], ...]:
    """The teams: seats on opposite sides play together.

    >>> teams_of(3), teams_of(5)
    (((0,), (1,), (2,)), ((0, 3), (1, 4), (2,)))
    """
    by_axis: dict[int, list[int]] = {}
    for seat, side in enumerate(DEFAULT_SIDES[seats - 2]):
        by_axis.setdefault(side % AXES, []).append(seat)
    return tuple(sorted(tuple(team) for team in by_axis.values()))


@kernel
def partner_of(seats: int, seat: int) -> int:
    """The seat's partner, or NOBODY."""
    if seats <= MAX_SOLO_SEATS or (seats == 5 and seat == 2):
        return NOBODY
    half = (seats + 1) // 2
    return seat + half if seat < seats - half else seat - half


@kernel
def assign_default_sides(state: StateArray) -> None:
    """Gives every seat its side by the option ``sides``."""
    seats = int(state[layout.SEATS])
    adjacent = state[layout.SIDES_OPTION] == layout.ADJACENT and seats <= MAX_SOLO_SEATS
    for seat in range(seats):
        state[layout.SIDE_OF + seat] = 1 + (
            seat if adjacent else int(_DEFAULT_SIDES[seats - 2, seat])
        )


# ---- choosing sides ---------------------------------------------------------------------------


@kernel
def axes_taken(state: StateArray) -> int:
    """The axes that somebody plays for, as bits."""
    taken = 0
    for seat in range(int(state[layout.SEATS])):
        if state[layout.SIDE_OF + seat] > 0:
            taken |= 1 << ((int(state[layout.SIDE_OF + seat]) - 1) % AXES)
    return taken


@kernel
def list_sides(state: StateArray, out: ActionArray) -> int:
    """Lists the sides on axes that nobody plays for (R7.1); returns how many there are."""
    taken = axes_taken(state)
    count = 0
    for side in range(SIDES):
        if (taken >> (side % AXES)) & 1 == 0:
            out[count] = layout.side_base(state) + side
            count += 1
    return count


@kernel
def take_side(state: StateArray, side: int) -> bool:
    """Gives the mover a side, and the partner the opposite one; False if all have sides."""
    mover, seats = int(state[layout.MOVER]), int(state[layout.SEATS])
    state[layout.SIDE_OF + mover] = 1 + side
    partner = partner_of(seats, mover)
    if partner != NOBODY:
        state[layout.SIDE_OF + partner] = 1 + (side + AXES) % SIDES
    for step in range(1, seats):
        seat = (mover + step) % seats
        if state[layout.SIDE_OF + seat] == 0:
            state[layout.MOVER] = seat
            return True
    return False


# ---- turns ------------------------------------------------------------------------------------


@kernel
def seat_at(state: StateArray, side: int) -> int:
    """The seat that moves on a side's turn, or NOBODY; with five seats see R3.2."""
    opposite = NOBODY
    for seat in range(int(state[layout.SEATS])):
        if state[layout.SIDE_OF + seat] == 1 + side:
            return seat
        if state[layout.SIDE_OF + seat] == 1 + (side + AXES) % SIDES:
            opposite = seat
    return opposite if state[layout.SEATS] == 5 else NOBODY  # R3.2


@kernel
def start_turns(state: StateArray) -> None:
    """Gives the turn to the seat that moves first."""
    state[layout.MOVER] = state[layout.FIRST]
    state[layout.TURN_SIDE] = int(state[layout.SIDE_OF + int(state[layout.FIRST])]) - 1


@kernel
def advance_turn(state: StateArray) -> None:
    """Gives the turn to the next side, clockwise, that somebody moves for (R3.1)."""
    seat = NOBODY
    while seat == NOBODY:
        state[layout.TURN_SIDE] = (int(state[layout.TURN_SIDE]) + 1) % SIDES
        seat = seat_at(state, int(state[layout.TURN_SIDE]))
    state[layout.MOVER] = seat
