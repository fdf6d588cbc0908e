"""The board of Flecks as lookup tables for the kernels: cell offsets, and who owns the edge.

A state holds the board as a mailbox: rows of 2n + 1 cells, where n is the side, with a ring of
sentinels around the board, the *edge*. Every sentinel belongs to one border of one colour, like a
stone that never moves. So a stone touches its border exactly if a neighbour is edge of its colour,
rows stop at the edge without any check of coordinates, and a winning chain is a path from one
border's sentinels to the other's. The cells where two borders meet (R2.2) touch both colours.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from watermeet.core import hexgrid
from watermeet.core.hexgrid import DIRECTIONS, LARGEST_SIDE, Cell
from watermeet.games.flecks import layout

QUARTERS, SIDES = range(2)

# What a cell of the mailbox holds: FREE, RED or BLUE; or EDGE with a colour and perhaps FAR.
FREE, RED, BLUE = range(3)
COLOUR_BITS = 3
EDGE = 4
"""Marks a sentinel. Alone: a corner of the mailbox that no kernel reads."""
FAR = 8
"""Marks a sentinel of a colour's second border rather than its first."""
SMALLEST_SIDE = 5


def stride(side: int) -> int:
    """The distance between two rows in a state."""
    return 2 * side + 1


def offset_of(cell: Cell, side: int) -> int:
    """The offset of a cell of the board or its edge."""
    q, r = cell
    return layout.CELLS + (r + side) * stride(side) + q + side


@cache
def offsets(side: int) -> npt.NDArray[np.intp]:
    """The offsets of the board's cells, in order of their numbers."""
    return np.array([offset_of(cell, side) for cell in hexgrid.cells(side)], dtype=np.intp)


def edge_owner(cell: Cell, side: int, border: int) -> int:
    """The colour that owns a cell of the edge.

    The vertical and horizontal lines through the centre separate the quarters. The horizontal one
    ends in an edge cell on both sides; these are red, which makes no difference, because their only
    neighbour on the board touches both colours anyway (R2.2).
    """
    q, r = cell
    if border == SIDES:
        return RED if abs(r) == side else BLUE
    is_right = 2 * q + r > 0
    return RED if r == 0 or is_right == (r < 0) else BLUE


@cache
def edge_ring(side: int) -> tuple[Cell, ...]:
    """The cells of the edge, clockwise from the right corner."""
    cell: Cell = (side, 0)
    ring = []
    for direction in range(2, 8):  # South-west first.
        for _ in range(side):
            ring.append(cell)
            cell = hexgrid.neighbour(cell, direction % 6)
    return tuple(ring)


@cache
def borders_of(side: int, border: int) -> dict[int, tuple[tuple[Cell, ...], tuple[Cell, ...]]]:
    """The edge cells of each colour's first and second border, clockwise."""
    ring = edge_ring(side)
    owners = [edge_owner(cell, side, border) for cell in ring]
    first = next(i for i in range(len(ring)) if owners[i] != owners[i - 1])
    found: dict[int, list[list[Cell]]] = {RED: [], BLUE: []}
    before = FREE
    for index in range(first, first + len(ring)):
        cell, owner = ring[index % len(ring)], owners[index % len(ring)]
        if owner != before:
            found[owner].append([])
        found[owner][-1].append(cell)
        before = owner
    return {colour: (tuple(parts[0]), tuple(parts[1])) for colour, parts in found.items()}


@cache
def touched_borders(cell: Cell, side: int, border: int, colour: int) -> tuple[bool, bool]:
    """Whether a cell of the board touches the first and the second border of a colour."""
    near = {hexgrid.neighbour(cell, direction) for direction in range(6)}
    first, second = borders_of(side, border)[colour]
    return not near.isdisjoint(first), not near.isdisjoint(second)


# ---- lookup tables ----------------------------------------------------------------------------


def sides() -> range:
    """The board sizes that the rules allow (R1.1)."""
    return range(SMALLEST_SIDE, LARGEST_SIDE + 1, 2)


def _offset_table() -> npt.NDArray[np.int16]:
    table = np.zeros((LARGEST_SIDE + 1, len(hexgrid.cells(LARGEST_SIDE))), dtype=np.int16)
    for side in sides():
        for number, cell in enumerate(hexgrid.cells(side)):
            table[side, number] = offset_of(cell, side)
    return table


def _step_table() -> npt.NDArray[np.int16]:
    table = np.zeros((LARGEST_SIDE + 1, len(DIRECTIONS)), dtype=np.int16)
    for side in sides():
        table[side] = [q + r * stride(side) for q, r in DIRECTIONS]
    return table


def _empty_board_table() -> npt.NDArray[np.int8]:
    table = np.full((2, LARGEST_SIDE + 1, stride(LARGEST_SIDE) ** 2), EDGE, dtype=np.int8)
    for border in (QUARTERS, SIDES):
        for side in sides():
            row = table[border, side]
            for cell in hexgrid.cells(side):
                row[offset_of(cell, side) - layout.CELLS] = FREE
            for colour, parts in borders_of(side, border).items():
                for far, part in zip((0, FAR), parts, strict=True):
                    for cell in part:
                        row[offset_of(cell, side) - layout.CELLS] = EDGE | far | colour
    return table


def _trace_table() -> npt.NDArray[np.int16]:
    table = np.zeros((2, LARGEST_SIDE + 1, 3, 2), dtype=np.int16)
    for border in (QUARTERS, SIDES):
        for side in sides():
            ring = edge_ring(side)
            for colour, (first, _) in borders_of(side, border).items():
                own = first[-1]
                other = ring[(ring.index(own) + 1) % len(ring)]
                direction = DIRECTIONS.index((own[0] - other[0], own[1] - other[1]))
                table[border, side, colour] = offset_of(other, side), direction
    return table


OFFSET_OF = _offset_table()  # [side, cell number]
STEP = _step_table()  # [side, direction]: added to an offset, gives the neighbour
EMPTY_BOARD = _empty_board_table()  # [border, side, offset - CELLS]
TRACE_START = _trace_table()
"""[border, side, colour]: where ``is_connected`` starts, at the clockwise end of the colour's first
border: the offset of the next edge cell, which is the other colour's, and the direction back."""
