"""Geometry of hexagonal boards: axial coordinates, directions, names and indices of cells.

A board of side n has the cells (q, r) with |q|, |r|, |q + r| <= n - 1 around the centre (0, 0); r
grows downward. The directions 0 to 5 are E, SE, SW, W, NW, NE, clockwise on the screen. A cell's
name is the letter of q (``a`` is -(n - 1)) and the number r + n. Its index counts the cells row by
row from the top, each row from the left. The side is 1 to 13, where the alphabet ends.
"""

from __future__ import annotations

import re
from functools import cache

LARGEST_SIDE = 13
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
DIRECTION_NAMES = ("E", "SE", "SW", "W", "NW", "NE")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAME = re.compile(r"([a-z])([1-9][0-9]?)")

Cell = tuple[int, int]


@cache
def cells(side: int) -> tuple[Cell, ...]:
    """All cells, in the order of their indices.

    >>> cells(2)
    ((0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1))
    """
    reach = side - 1
    return tuple(
        (q, r)
        for r in range(-reach, reach + 1)
        for q in range(-reach, reach + 1)
        if abs(q + r) <= reach
    )


@cache
def _numbers(side: int) -> dict[Cell, int]:
    return {cell: number for number, cell in enumerate(cells(side))}


def cell_index(cell: Cell, side: int) -> int | None:
    """The index of a cell; None off the board."""
    return _numbers(side).get(cell)


def cell_name(cell: Cell, side: int) -> str:
    """The name of a cell.

    >>> cell_name((0, 0), 5), cell_name((-4, 0), 5), cell_name((0, -4), 5)
    ('e5', 'a5', 'e1')
    """
    q, r = cell
    return f"{_LETTERS[q + side - 1]}{r + side}"


def parse_cell(name: str, side: int) -> Cell | None:
    """The cell of that name; None if the board has no such cell.

    >>> parse_cell("e5", 5), parse_cell("a1", 5)
    ((0, 0), None)
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    cell = (_LETTERS.index(match[1]) - side + 1, int(match[2]) - side)
    return cell if cell in _numbers(side) else None


def neighbour(cell: Cell, direction: int, steps: int = 1) -> Cell:
    """The cell some steps away in a direction, on or off the board.

    >>> neighbour((0, 0), 1, 2)
    (0, 2)
    """
    dq, dr = DIRECTIONS[direction]
    return cell[0] + steps * dq, cell[1] + steps * dr


def opposite(direction: int) -> int:
    """The opposite direction."""
    return (direction + 3) % 6


def ring(cell: Cell) -> int:
    """A cell's distance from the centre.

    >>> ring((2, -1)), ring((2, 1))
    (2, 3)
    """
    q, r = cell
    return max(abs(q), abs(r), abs(q + r))


def rotated(cell: Cell, sixths: int = 1) -> Cell:
    """The cell rotated clockwise about the centre by sixths of a full turn.

    >>> rotated((1, 0)), rotated((1, 0), 3)
    ((0, 1), (-1, 0))
    """
    q, r = cell
    for _ in range(sixths % 6):
        q, r = -r, q + r
    return q, r


def mirrored(cell: Cell) -> Cell:
    """The cell mirrored so that E and SE swap places, and so do W and NW."""
    return cell[1], cell[0]


def symmetries(side: int) -> list[list[int]]:
    """The twelve symmetries of the board: each lists the image of every cell.

    The first is the identity.
    """
    numbers = _numbers(side)
    maps = []
    for mirror in (False, True):
        for sixths in range(6):
            images = [rotated(mirrored(cell) if mirror else cell, sixths) for cell in cells(side)]
            maps.append([numbers[image] for image in images])
    return maps


def centre_of(cell: Cell, size: float) -> tuple[float, float]:
    """The position of a cell's centre on the screen, for hexagons with a corner at the top.

    ``size`` is the distance from a centre to a corner; the board's centre is the origin.
    """
    q, r = cell
    return size * 3**0.5 * (q + r / 2), size * 1.5 * r


def corners_of(cell: Cell, size: float) -> list[tuple[float, float]]:
    """The six corners of a cell on the screen, clockwise from the top."""
    x, y = centre_of(cell, size)
    half_width, half = size * 3**0.5 / 2, size / 2
    offsets = (
        (0.0, -size),
        (half_width, -half),
        (half_width, half),
        (0.0, size),
        (-half_width, half),
        (-half_width, -half),
    )
    return [(x + dx, y + dy) for dx, dy in offsets]
