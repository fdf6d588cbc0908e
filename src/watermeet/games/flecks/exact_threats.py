"""Whether the colour to move can connect its borders this turn, exactly: for proofs.

``threats.py`` is quicker, and misses rare long shifts.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import FREE, OFFSET_OF
from watermeet.games.flecks.distances import BUFFER_SIZE, SHORTEST, compute_colour_distances
from watermeet.games.flecks.rules import cell_count, is_connected, touches
from watermeet.games.flecks.threats import connects_by_row


@kernel
def wins_this_turn(state: StateArray) -> bool:
    """Whether some stone, or some stone and then some row, connects the mover's borders.

    For the rules with a stone in every turn. Tries them on the state itself and undoes them. A
    turn fills one cell with the stone and one with each step of the row, so a chain that needs more
    free cells stays open.
    """
    buffer = scratch(BUFFER_SIZE)
    return state[layout.LAST] == 0 and _wins_by_stone(state, buffer)


@kernel
def _wins_by_stone(state: StateArray, buffer: Scratch) -> bool:
    side, colour = int(state[layout.SIDE]), int(state[layout.COLOUR])
    compute_colour_distances(state, buffer, colour)
    steps = max(1, int(buffer[SHORTEST + colour]) - 1)
    for number in range(cell_count(side)):
        offset = int(OFFSET_OF[side, number])
        if state[offset] != FREE or not touches(state, offset, colour):
            continue
        state[offset] = colour
        state[layout.LAST] = offset
        found = is_connected(state, colour) or connects_by_row(state, steps)
        state[layout.LAST] = 0
        state[offset] = FREE
        if found:
            return True
    return False
