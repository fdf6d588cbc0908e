"""Network input for Flecks: see ``watermeet.core.features``. Nothing is hidden.

The hexagon is embedded in a square of 2n - 1 rows, with cell (q, r) at row r + n - 1 and column
q + n - 1.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core import hexgrid
from watermeet.core.contract import StateArray
from watermeet.core.features import NO_PLACE, FeatureArray, FeatureSpec, Symmetry, symmetry
from watermeet.core.game import Game
from watermeet.core.hexgrid import DIRECTIONS, LARGEST_SIDE, Cell
from watermeet.core.kernel import kernel
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import (
    BLUE,
    FREE,
    OFFSET_OF,
    QUARTERS,
    RED,
    SIDES,
    sides,
    touched_borders,
)
from watermeet.games.flecks.rules import cell_count, opening_stones, to_move

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
    "opening",  # The fraction of the opening stones still to be placed.
    "idle",  # Turns without a stone, as a fraction of the limit.
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


SQUARE_OF = _square_table()  # [side, cell number]: a cell's index in a plane


def _border_table() -> npt.NDArray[np.int8]:
    table = np.zeros((2, LARGEST_SIDE + 1, len(hexgrid.cells(LARGEST_SIDE))), dtype=np.int8)
    for border in (QUARTERS, SIDES):
        for side in sides():
            for number, cell in enumerate(hexgrid.cells(side)):
                for colour in (RED, BLUE):
                    if any(touched_borders(cell, side, border, colour)):
                        table[border, side, number] |= colour
    return table


BORDERS_AT = _border_table()  # [border, side, cell number]: bit mask of the colours it touches


def spec_of(game: Game) -> FeatureSpec:
    """Six planes of the square around the hexagon."""
    width = 2 * game.options.number("size") - 1
    return FeatureSpec(game.sizes.actions, PLANES, width, width, NUMBERS)


@kernel
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Encode stones by owner, the board, the stone just added, and the borders."""
    side, border = int(known[layout.SIDE]), int(known[layout.BORDER])
    plane = (2 * side - 1) * (2 * side - 1)
    mine = BLUE if seat == 1 else RED
    for number in range(cell_count(side)):
        offset, cell = int(OFFSET_OF[side, number]), int(SQUARE_OF[side, number])
        stone = int(known[offset])
        out[_BOARD * plane + cell] = np.float32(1)
        if stone != FREE:
            out[(_MINE if stone == mine else _THEIRS) * plane + cell] = np.float32(1)
        touched = int(BORDERS_AT[border, side, number])
        out[_BORDERS * plane + cell] = np.float32((touched & mine) != 0)
        out[(_BORDERS + 1) * plane + cell] = np.float32((touched & ~mine) != 0)
        if offset == known[layout.LAST]:
            out[_ADDED * plane + cell] = np.float32(1)
    numbers = len(PLANES) * plane
    out[numbers] = np.float32(to_move(known) == seat)
    out[numbers + 1] = np.float32(known[layout.LAST] != 0)
    out[numbers + 2] = np.float32(int(known[layout.OPENING]) / opening_stones(side))
    out[numbers + 3] = np.float32(int(known[layout.IDLE]) / side)


# ---- symmetries ---------------------------------------------------------------------------------


def symmetries_of(game: Game) -> list[Symmetry]:
    """The symmetries of the hexagon that map each colour's borders to themselves or each other."""
    side, border = game.options.number("size"), game.options.number("border")
    features = spec_of(game)
    return [
        symmetry(features, _square_images(images, side), _codes(images, side))
        for images in hexgrid.symmetries(side)
        if _keeps_borders(images, side, border)
    ]


def _keeps_borders(images: list[int], side: int, border: int) -> bool:
    """Whether a symmetry maps each colour's borders to borders of that colour."""
    board = hexgrid.cells(side)
    for colour in (RED, BLUE):
        touched = [touched_borders(cell, side, border, colour) for cell in board]
        moved = [touched[image] for image in images]
        if touched not in (moved, [(second, first) for first, second in moved]):
            return False
    return True


def _square_images(images: list[int], side: int) -> list[int]:
    """The images of a plane's cells; those off the hexagon fill the remaining ones in order."""
    width = 2 * side - 1
    to = {int(SQUARE_OF[side, n]): int(SQUARE_OF[side, image]) for n, image in enumerate(images)}
    outside = [cell for cell in range(width * width) if cell not in to]
    free = sorted(set(range(width * width)) - set(to.values()))
    to |= dict(zip(outside, free, strict=True))
    return [to[cell] for cell in range(width * width)]


def _codes(images: list[int], side: int) -> list[int]:
    """The images of actions: stones move with their cells, row moves with rear and direction."""
    board = hexgrid.cells(side)
    centre = board.index((0, 0))
    steps = [board[images[board.index(step)]] for step in DIRECTIONS]
    assert images[centre] == centre, "a symmetry fixes the centre"
    turned = [DIRECTIONS.index(step) for step in steps]
    codes = list(images)
    for image in images:
        for direction in turned:
            first = len(board) + (image * 6 + direction) * (side - 1)
            codes.extend(range(first, first + side - 1))
    return [*codes, len(codes)]


def places_of(game: Game) -> list[int]:
    """Stones belong to their cells, row moves to the cell of the rear stone; the stop has none."""
    side = game.options.number("size")
    cells = [int(SQUARE_OF[side, number]) for number in range(cell_count(side))]
    plane, moves = (2 * side - 1) ** 2, len(DIRECTIONS) * (side - 1)
    rows = [(1 + move) * plane + cell for cell in cells for move in range(moves)]
    return [*cells, *rows, NO_PLACE]
