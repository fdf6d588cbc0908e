"""Whether the colour to move can connect its borders this turn."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import FREE, OFFSET_OF, STEP
from watermeet.games.flecks.distances import (
    SHORTEST,
    compute_colour_distances,
    detour,
    needs_at_most,
)
from watermeet.games.flecks.rules import cell_count, is_connected, max_steps, touches

_LONGEST_GAP = 3
"""Chains that need more free cells are ignored: hardly any turn fills that many."""


@kernel
def can_connect_this_turn(state: StateArray, buffer: Scratch) -> bool:
    """Whether the mover can connect its borders this turn; False may miss a rare long shift.

    Tries stones and row moves on the state itself and undoes them.
    """
    if state[layout.OPENING] > 0:
        return False
    colour = int(state[layout.COLOUR])
    if not needs_at_most(state, buffer, colour, _LONGEST_GAP):
        return False
    compute_colour_distances(state, buffer, colour)
    missing = int(buffer[SHORTEST + colour])
    if state[layout.LAST] != 0:
        return connects_by_row(state, missing)
    if missing == 1:
        return True  # A chain that needs one cell has six stones or more, so it can be added.
    return _connects_by_stone_and_row(state, buffer, missing)


@kernel
def _connects_by_stone_and_row(state: StateArray, buffer: Scratch, missing: int) -> bool:
    """Whether a stone on a shortest chain and then a row move connect the borders."""
    side, colour = int(state[layout.SIDE]), int(state[layout.COLOUR])
    for number in range(cell_count(side)):
        offset = int(OFFSET_OF[side, number])
        if state[offset] != FREE or detour(state, buffer, colour, offset) > 0:
            continue
        if not touches(state, offset, colour):
            continue
        state[offset] = colour
        state[layout.LAST] = offset
        found = connects_by_row(state, missing - 1)
        state[layout.LAST] = 0
        state[offset] = FREE
        if found:
            return True
    return False


@kernel
def connects_by_row(state: StateArray, missing: int) -> bool:
    """Whether a row move connects the borders; it must fill at least ``missing`` cells."""
    side, colour = int(state[layout.SIDE]), int(state[layout.COLOUR])
    fixed = int(state[layout.LAST]) if state[layout.NEW_FIXED] != 0 else 0  # R7.3
    for number in range(cell_count(side)):
        rear = int(OFFSET_OF[side, number])
        if state[rear] != colour or rear == fixed:
            continue
        for direction in range(6):
            step = int(STEP[side, direction])
            for steps in range(missing, max_steps(state, rear, step) + 1):
                if _connects_by_shift(state, rear, step, steps):
                    return True
    return False


@kernel
def _connects_by_shift(state: StateArray, rear: int, step: int, steps: int) -> bool:
    """Whether moving a row by ``steps`` connects the borders; makes and unmakes the move."""
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
