"""What a net gets of a Flecks state: see ``watermeet.core.features``. Nothing is hidden here.

The hexagon lies in a square of 2n - 1 rows: the cell (q, r) is in row r + n - 1, column q + n - 1.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core import hexgrid
from watermeet.core.contract import StateArray
from watermeet.core.features import FeatureArray, Layout, Symmetry, symmetry
from watermeet.core.game import Game
from watermeet.core.hexgrid import DIRECTIONS, LARGEST_SIDE, Cell
from watermeet.core.kernel import kernel
from watermeet.games.flecks.board import (
    BLUE,
    FREE,
    PLACE_OF,
    QUARTERS,
    RED,
    SIDES,
    sides,
    touched_borders,
)
from watermeet.games.flecks.rules import (
    BORDER,
    IDLE,
    LAST,
    OPENING,
    SIDE,
    cell_count,
    opening_stones,
    to_move,
)

PLANES = (
    "mine",
    "theirs",
    "board",  # Cells of the hexagon.
    "just added",  # The stone after which a row may be moved.
    "my borders",  # Cells that touch them.
    "their borders",
)
NUMBERS = (
    "my turn",
    "row move due",
    "opening",  # The part of the opening stones still to be placed.
    "idle",  # Turns without a stone, as a part of those allowed.
)
_MINE, _THEIRS, _BOARD, _ADDED, _BORDERS = range(5)


def _square_table() -> npt.NDArray[np.int16]:
    table = np.zeros((LARGEST_SIDE + 1, len(hexgrid.cells(LARGEST_SIDE))), dtype=np.int16)
    for side in sides():
        for number, cell in enumerate(hexgrid.cells(side)):
            table[side, number] = _in_square(cell, side)
    return table


def _in_square(cell: Cell, side: int) -> int:
    q, r = cell
    return (r + side - 1) * (2 * side - 1) + q + side - 1


SQUARE_OF = _square_table()  # [side, cell number]: where a cell lies in a plane


def _border_table() -> npt.NDArray[np.int8]:
    table = np.zeros((2, LARGEST_SIDE + 1, len(hexgrid.cells(LARGEST_SIDE))), dtype=np.int8)
    for border in (QUARTERS, SIDES):
        for side in sides():
            for number, cell in enumerate(hexgrid.cells(side)):
                for colour in (RED, BLUE):
                    if any(touched_borders(cell, side, border, colour)):
                        table[border, side, number] |= colour
    return table


BORDERS_AT = _border_table()  # [border, side, cell number]: the colours that it touches, as bits


def layout_of(game: Game) -> Layout:
    """Six planes of the square around the hexagon."""
    width = 2 * game.options.number("size") - 1
    return Layout(game.sizes.actions, PLANES, width, width, NUMBERS)


@kernel
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Stones by owner, the board, the stone just added, and whose borders cells touch."""
    side, border = int(known[SIDE]), int(known[BORDER])
    plane = (2 * side - 1) * (2 * side - 1)
    for index in range(len(PLANES) * plane):
        out[index] = np.float32(0)
    mine = BLUE if seat == 1 else RED
    for number in range(cell_count(side)):
        place, cell = int(PLACE_OF[side, number]), int(SQUARE_OF[side, number])
        stone = int(known[place])
        out[_BOARD * plane + cell] = np.float32(1)
        if stone != FREE:
            out[(_MINE if stone == mine else _THEIRS) * plane + cell] = np.float32(1)
        touched = int(BORDERS_AT[border, side, number])
        out[_BORDERS * plane + cell] = np.float32((touched & mine) != 0)
        out[(_BORDERS + 1) * plane + cell] = np.float32((touched & ~mine) != 0)
        if place == known[LAST]:
            out[_ADDED * plane + cell] = np.float32(1)
    numbers = len(PLANES) * plane
    out[numbers] = np.float32(to_move(known) == seat)
    out[numbers + 1] = np.float32(known[LAST] != 0)
    out[numbers + 2] = np.float32(int(known[OPENING]) / opening_stones(side))
    out[numbers + 3] = np.float32(int(known[IDLE]) / side)


# ---- symmetries ---------------------------------------------------------------------------------


def symmetries_of(game: Game) -> list[Symmetry]:
    """Those of the hexagon that leave each colour its two borders, be they exchanged."""
    side, border = game.options.number("size"), game.options.number("border")
    layout = layout_of(game)
    return [
        symmetry(layout, _square_images(images, side), _codes(images, side))
        for images in hexgrid.symmetries(side)
        if _keeps_borders(images, side, border)
    ]


def _keeps_borders(images: list[int], side: int, border: int) -> bool:
    """Whether the borders of each colour go to borders of that colour."""
    board = hexgrid.cells(side)
    for colour in (RED, BLUE):
        touched = [touched_borders(cell, side, border, colour) for cell in board]
        moved = [touched[image] for image in images]
        if touched not in (moved, [(second, first) for first, second in moved]):
            return False
    return True


def _square_images(images: list[int], side: int) -> list[int]:
    """Where the cells of a plane go; those off the hexagon fill what is left, in their order."""
    width = 2 * side - 1
    to = {int(SQUARE_OF[side, n]): int(SQUARE_OF[side, image]) for n, image in enumerate(images)}
    outside = [cell for cell in range(width * width) if cell not in to]
    free = sorted(set(range(width * width)) - set(to.values()))
    to |= dict(zip(outside, free, strict=True))
    return [to[cell] for cell in range(width * width)]


def _codes(images: list[int], side: int) -> list[int]:
    """Where actions go: stones with their cells, row moves with rear and direction."""
    board = hexgrid.cells(side)
    centre = board.index((0, 0))
    steps = [board[images[board.index(step)]] for step in DIRECTIONS]
    assert images[centre] == centre, "a symmetry leaves the centre"
    turned = [DIRECTIONS.index(step) for step in steps]
    codes = list(images)
    for image in images:
        for direction in turned:
            first = len(board) + (image * 6 + direction) * (side - 1)
            codes.extend(range(first, first + side - 1))
    return [*codes, len(codes)]
