"""The board of Flecks as tables for the kernels: where cells lie in a state, and who owns its edge.

A state holds the cells in rows of 2n + 1, n being the side. Around them lies the *edge*, a ring of
cells that belong to nobody's stones but to one border of one colour, as if stones lay there for
ever. So a stone touches a border of its colour exactly if a neighbour is edge of that colour, rows
stop at the edge without a look at coordinates, and a chain between two borders is a path like any
other. The cells where the border is cut (R2.2) touch edge of both colours.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from watermeet.core import hexgrid
from watermeet.core.hexgrid import DIRECTIONS, LARGEST_SIDE, Cell

CELLS = 10
"""Where the cells begin in a state; the numbers before are named in rules.py."""
FREE, RED, BLUE = range(3)
COLOUR_BITS = 3
EDGE = 4
"""The bit that tells edge from stones. Alone: a corner of the array that no kernel looks at."""
FAR = 8
"""The bit that tells the second border of a colour from the first."""
QUARTERS, SIDES = range(2)
SMALLEST_SIDE = 5


def stride(side: int) -> int:
    """How far apart the rows lie in a state."""
    return 2 * side + 1


def place_of(cell: Cell, side: int) -> int:
    """Where a cell of the board or its edge lies in a state."""
    q, r = cell
    return CELLS + (r + side) * stride(side) + q + side


@cache
def places(side: int) -> npt.NDArray[np.intp]:
    """Where the cells of the board lie in a state, by their numbers."""
    return np.array([place_of(cell, side) for cell in hexgrid.cells(side)], dtype=np.intp)


def edge_owner(cell: Cell, side: int, border: int) -> int:
    """The colour of a cell of the edge.

    The cuts into quarters are the upright and the level line through the centre; the level one
    hits a cell of the edge at both ends, which is red and matters to nobody, for its only neighbour
    on the board touches both colours anyhow (R2.2).
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
    """By colour: the cells of its first and of its second border on the edge, clockwise."""
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
    """Whether a cell of the board lies at the first and at the second border of a colour."""
    near = {hexgrid.neighbour(cell, direction) for direction in range(6)}
    first, second = borders_of(side, border)[colour]
    return not near.isdisjoint(first), not near.isdisjoint(second)


# ---- tables, by side and, where it matters, by border and colour ------------------------------


def sides() -> range:
    """The sides that the rules allow (R1.1)."""
    return range(SMALLEST_SIDE, LARGEST_SIDE + 1, 2)


def _place_table() -> npt.NDArray[np.int16]:
    table = np.zeros((LARGEST_SIDE + 1, len(hexgrid.cells(LARGEST_SIDE))), dtype=np.int16)
    for side in sides():
        for number, cell in enumerate(hexgrid.cells(side)):
            table[side, number] = place_of(cell, side)
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
                row[place_of(cell, side) - CELLS] = FREE
            for colour, parts in borders_of(side, border).items():
                for far, part in zip((0, FAR), parts, strict=True):
                    for cell in part:
                        row[place_of(cell, side) - CELLS] = EDGE | far | colour
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
                table[border, side, colour] = place_of(other, side), direction
    return table


PLACE_OF = _place_table()  # [side, cell number]
STEP = _step_table()  # [side, direction]: from a cell to its neighbour
EMPTY_BOARD = _empty_board_table()  # [border, side, place - CELLS]
TRACE_START = _trace_table()
"""[border, side, colour]: where the first border of a colour ends, clockwise. A place and a
direction: the next cell of the edge, which is not that colour's, and the way from there back."""
