"""The ends of strands, updated tile by tile.

The rules only need to know where a strand leads, not how it gets there. So the table of ends holds
for every end of a strand (see board.py) its other end, like the mate array of Knuth's Simpath.
Entries for ports of occupied cells are meaningless.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flows.board import AXES, CELLS_OF, EMPTY_BOARD, SIDES
from watermeet.games.flows.tiles import EDGES, MATE


@kernel
def reset_ends(ends: StateArray, first: int, radius: int) -> None:
    """Writes the table of the empty board from ``ends[first]`` on."""
    count = EDGES * int(CELLS_OF[radius]) + SIDES * (2 * radius + 1)
    for end in range(count):
        ends[first + end] = EMPTY_BOARD[radius, end]


@kernel
def axis_between(one: int, other: int, radius: int) -> int:
    """The axis that a strand between two ends connects, as a bit; 0 if it connects none."""
    ports = EDGES * int(CELLS_OF[radius])
    if one < ports or other < ports:
        return 0
    length = 2 * radius + 1
    side = (one - ports) // length
    if (other - ports) // length != (side + AXES) % SIDES:
        return 0
    return 1 << (side % AXES)


@kernel
def join_ends(ends: StateArray, first: int, radius: int, cell: int, orientation: int) -> int:
    """Joins the strands that a tile joins; returns the axes that this connects, as bits."""
    here = EDGES * cell
    connected = 0
    for edge in range(EDGES):
        mate = int(MATE[orientation, edge])
        if mate < edge:
            continue
        one = int(ends[first + here + edge])
        other = int(ends[first + here + mate])
        if one == here + mate:
            continue  # This closes a loop.
        # If one of them is a port of this very cell, another pair of the tile continues from there.
        ends[first + one] = other
        ends[first + other] = one
        connected |= axis_between(one, other, radius)
    return connected


@kernel
def axes_connected_by(
    ends: StateArray, first: int, radius: int, cell: int, orientation: int
) -> int:
    """The axes that a tile would connect, as bits, without placing it (R6.1)."""
    here = EDGES * cell
    connected = 0
    for edge in range(EDGES):
        one = int(ends[first + here + edge])
        if one < EDGES * CELLS_OF[radius]:
            continue
        other = int(ends[first + here + MATE[orientation, edge]])
        while here <= other < here + EDGES:  # The strand comes back to this cell.
            other = int(ends[first + here + MATE[orientation, other - here]])
        connected |= axis_between(one, other, radius)
    return connected


@kernel
def axes_around(ends: StateArray, first: int, radius: int, cell: int) -> int:
    """The axes from both of whose sides a strand leads to a cell, as bits.

    No tile in the cell connects another one.
    """
    ports, length = EDGES * int(CELLS_OF[radius]), 2 * radius + 1
    sides = 0
    for edge in range(EDGES):
        end = int(ends[first + EDGES * cell + edge])
        if end >= ports:
            sides |= 1 << ((end - ports) // length)
    return sides & (sides >> AXES)
