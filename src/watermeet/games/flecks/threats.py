"""Whether whose turn it is can join the borders before the turn ends."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flecks.board import FREE, PLACE_OF, STEP
from watermeet.games.flecks.distances import SHORTEST, detour, lacks_at_most, survey_colour
from watermeet.games.flecks.rules import (
    COLOUR,
    LAST,
    NEW_FIXED,
    OPENING,
    SIDE,
    cell_count,
    is_connected,
    reach,
    touches,
)

_LONGEST_GAP = 3
"""Chains that lack more free cells are not looked at: hardly any turn fills so many."""


@kernel
def joins_this_turn(state: StateArray, room: Scratch) -> bool:
    """Whether the mover surely can; it says no too where it takes a rare long shift to see it.

    Tries stones and row moves on the state itself, which is as before in the end.
    """
    if state[OPENING] > 0:
        return False
    colour = int(state[COLOUR])
    if not lacks_at_most(state, room, colour, _LONGEST_GAP):
        return False
    survey_colour(state, room, colour)
    lacking = int(room[SHORTEST + colour])
    if state[LAST] != 0:
        return _joins_by_row(state, lacking)
    if lacking == 1:
        return True  # It has six stones at least, so that the free cell lies beside one of them.
    return _joins_by_stone_and_row(state, room, lacking)


@kernel
def _joins_by_stone_and_row(state: StateArray, room: Scratch, lacking: int) -> bool:
    """Whether a stone on a shortest chain and then a row move join the borders."""
    side, colour = int(state[SIDE]), int(state[COLOUR])
    for number in range(cell_count(side)):
        place = int(PLACE_OF[side, number])
        if state[place] != FREE or detour(state, room, colour, place) > 0:
            continue
        if not touches(state, place, colour):
            continue
        state[place] = colour
        state[LAST] = place
        found = _joins_by_row(state, lacking - 1)
        state[LAST] = 0
        state[place] = FREE
        if found:
            return True
    return False


@kernel
def _joins_by_row(state: StateArray, lacking: int) -> bool:
    """Whether a row move joins the borders; it must fill as many free cells as a chain lacks."""
    side, colour = int(state[SIDE]), int(state[COLOUR])
    fixed = int(state[LAST]) if state[NEW_FIXED] != 0 else 0  # R7.3
    for number in range(cell_count(side)):
        rear = int(PLACE_OF[side, number])
        if state[rear] != colour or rear == fixed:
            continue
        for direction in range(6):
            step = int(STEP[side, direction])
            for steps in range(lacking, reach(state, rear, step) + 1):
                if _joins_by_shift(state, rear, step, steps):
                    return True
    return False


@kernel
def _joins_by_shift(state: StateArray, rear: int, step: int, steps: int) -> bool:
    """Whether a row joins the borders by so many steps; it is moved, looked at, and moved back."""
    colour = int(state[rear])
    front = rear
    while state[front] == colour:
        front += step
    for index in range(steps):
        state[rear + index * step] = FREE
        state[front + index * step] = colour
    found = is_connected(state, colour)
    for index in range(steps):
        state[front + index * step] = FREE
        state[rear + index * step] = colour
    return found
