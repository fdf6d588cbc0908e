"""Strands: what placed tiles join, as a table of ends that is kept up tile by tile.

Tiles that lie are of interest only for where their strands lead. The table holds for every end (see
board.py) of a strand the other one; ports of cells that are filled mean nothing any more.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flows.board import AXES, CELLS_OF, EMPTY_BOARD, SIDES
from watermeet.games.flows.tiles import EDGES, MATE


@kernel
def begin_strands(ends: StateArray, first: int, radius: int) -> None:
    """Writes the table of the empty board, from ``ends[first]`` on."""
    count = EDGES * int(CELLS_OF[radius]) + SIDES * (2 * radius + 1)
    for end in range(count):
        ends[first + end] = EMPTY_BOARD[radius, end]


@kernel
def axis_between(one: int, other: int, radius: int) -> int:
    """The axis that two ends join, as a bit; 0 unless they are on opposite sides."""
    ports = EDGES * int(CELLS_OF[radius])
    if one < ports or other < ports:
        return 0
    length = 2 * radius + 1
    side = (one - ports) // length
    if (other - ports) // length != (side + AXES) % SIDES:
        return 0
    return 1 << (side % AXES)


@kernel
def lay_strands(ends: StateArray, first: int, radius: int, cell: int, filling: int) -> int:
    """Joins what a tile joins; returns the axes that are connected by it, as bits."""
    here = EDGES * cell
    connected = 0
    for edge in range(EDGES):
        mate = int(MATE[filling, edge])
        if mate < edge:
            continue
        one = int(ends[first + here + edge])
        other = int(ends[first + here + mate])
        if one == here + mate:
            continue  # A ring that is closed now.
        # If one of them is a port of this very cell, its own pair goes on from there.
        ends[first + one] = other
        ends[first + other] = one
        connected |= axis_between(one, other, radius)
    return connected


@kernel
def axes_joined_by(ends: StateArray, first: int, radius: int, cell: int, filling: int) -> int:
    """The axes that a tile would connect, as bits, without laying it (R6.1)."""
    here = EDGES * cell
    connected = 0
    for edge in range(EDGES):
        one = int(ends[first + here + edge])
        if one < EDGES * CELLS_OF[radius]:
            continue
        other = int(ends[first + here + MATE[filling, edge]])
        while here <= other < here + EDGES:  # The strand comes back to this cell.
            other = int(ends[first + here + MATE[filling, other - here]])
        connected |= axis_between(one, other, radius)
    return connected
