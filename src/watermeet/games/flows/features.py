"""What a net gets of a Flows state: see ``watermeet.core.features``.

The hexagon lies in a square of 2 r + 1 rows: the cell (q, s) is in row s + r, column q + r.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core import hexgrid
from watermeet.core.contract import StateArray
from watermeet.core.features import FeatureArray, Layout, Symmetry, symmetry
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.games.flows.board import (
    AXES,
    CELLS_OF,
    LARGEST_RADIUS,
    MOST_CELLS,
    SIDES,
    SMALLEST_RADIUS,
    rim_ports,
    side_length,
)
from watermeet.games.flows.layout import (
    BAG,
    CELLS,
    DEAL,
    EXCHANGES,
    FINISHED,
    HELD,
    MOST_SEATS,
    RADIUS,
    SEATS,
    SIDE_OF,
    STAGE,
    TILE,
    TURN_SIDE,
)
from watermeet.games.flows.rules import to_move
from watermeet.games.flows.tiles import (
    FILLING_TURNS,
    FILLING_TYPES,
    FILLINGS,
    TYPES,
    filling_number,
)

STAGES = FINISHED + 1
TILES = 2 + TYPES  # None, each type, unknown.
PLANES = (
    *(f"filling {index}" for index in range(FILLINGS)),
    "board",  # Cells of the hexagon.
    "my sides",  # Cells at the two sides that the seat joins,
    "their sides",  # and at those of others.
)
_BOARD, _MY_SIDES, _THEIR_SIDES = range(FILLINGS, FILLINGS + 3)


def _square_table() -> npt.NDArray[np.int16]:
    table = np.zeros((LARGEST_RADIUS + 1, MOST_CELLS), dtype=np.int16)
    for radius in range(SMALLEST_RADIUS, LARGEST_RADIUS + 1):
        for number, (q, r) in enumerate(hexgrid.cells(radius + 1)):
            table[radius, number] = (r + radius) * (2 * radius + 1) + q + radius
    return table


def _axis_table() -> npt.NDArray[np.int8]:
    table = np.zeros((LARGEST_RADIUS + 1, MOST_CELLS), dtype=np.int8)
    for radius in range(SMALLEST_RADIUS, LARGEST_RADIUS + 1):
        numbers = {cell: number for number, cell in enumerate(hexgrid.cells(radius + 1))}
        for place, (cell, _) in enumerate(rim_ports(radius)):
            table[radius, numbers[cell]] |= 1 << (place // side_length(radius) % AXES)
    return table


SQUARE_OF = _square_table()  # [radius, cell number]: where a cell lies in a plane
AXES_AT = _axis_table()  # [radius, cell number]: the axes at whose sides a cell lies, as bits


def layout_of(game: Game) -> Layout:
    """Planes of the square around the hexagon; then tiles, and what there is to say of seats."""
    width = 2 * game.options.number("radius") + 1
    tiles = ("no tile", *(f"tile T{kind}" for kind in range(TYPES)), "unknown tile")
    seats = [
        f"{what}, seat +{step}"
        for step in range(game.seats)
        for what in ("to move", *(f"side {side}" for side in range(SIDES)), *tiles)
    ]
    numbers = (
        *(f"stage {stage}" for stage in range(STAGES)),
        *(f"turn of side {side}" for side in range(SIDES)),
        *tiles,
        *(f"unseen T{kind}" for kind in range(TYPES)),  # As a part of the cells.
        "exchanges",  # The same.
        *seats,
    )
    return Layout(game.sizes.actions, PLANES, width, width, numbers)


@kernel
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Tiles by filling, whose sides cells lie at, tiles in hand and unseen, and who sits where."""
    for index in range(len(out)):
        out[index] = np.float32(0)
    radius = int(known[RADIUS])
    width = 2 * radius + 1
    _observe_board(known, seat, out)
    at = len(PLANES) * width * width
    cells = int(CELLS_OF[radius])
    out[at + int(known[STAGE])] = np.float32(1)
    at += STAGES
    if known[STAGE] > DEAL:  # Before that the turn is nobody's.
        out[at + int(known[TURN_SIDE])] = np.float32(1)
    at += SIDES
    out[at + int(known[TILE])] = np.float32(1)
    at += TILES
    for kind in range(TYPES):
        out[at + kind] = np.float32(min(int(known[BAG + kind]) / cells, 1.0))
    at += TYPES
    out[at] = np.float32(min(int(known[EXCHANGES]) / cells, 1.0))
    at += 1
    seats = int(known[SEATS])
    for step in range(seats):
        other = (seat + step) % seats
        out[at] = np.float32(to_move(known) == other)
        if known[SIDE_OF + other] > 0:
            out[at + int(known[SIDE_OF + other])] = np.float32(1)
        out[at + 1 + SIDES + int(known[HELD + other])] = np.float32(1)
        at += 1 + SIDES + TILES


@kernel
def _observe_board(known: StateArray, seat: int, out: FeatureArray) -> None:
    """The planes, which hold zeros."""
    radius = int(known[RADIUS])
    plane = (2 * radius + 1) * (2 * radius + 1)
    mine, theirs = 0, 0
    for other in range(int(known[SEATS])):
        if known[SIDE_OF + other] > 0:
            axis = 1 << ((int(known[SIDE_OF + other]) - 1) % AXES)
            if other == seat:
                mine |= axis
            else:
                theirs |= axis
    theirs &= ~mine
    for number in range(int(CELLS_OF[radius])):
        cell, axes = int(SQUARE_OF[radius, number]), int(AXES_AT[radius, number])
        filling = int(known[CELLS + number])
        if filling > 0:
            out[(filling - 1) * plane + cell] = np.float32(1)
        out[_BOARD * plane + cell] = np.float32(1)
        out[_MY_SIDES * plane + cell] = np.float32((axes & mine) != 0)
        out[_THEIR_SIDES * plane + cell] = np.float32((axes & theirs) != 0)


# ---- symmetries ---------------------------------------------------------------------------------


def symmetries_of(game: Game) -> list[Symmetry]:
    """The half turn, which leaves everybody the sides to join; turns, where sides are chosen.

    A turn takes the seats' sides along; the half turn of the board alone does not.
    """
    turns = range(SIDES) if game.options["sides"] == "chosen" else (0,)
    return [_turn(game, sixths + half, sixths) for sixths in turns for half in (0, AXES)]


def _turn(game: Game, sixths: int, side_steps: int) -> Symmetry:
    """The board turned clockwise by some sixths, and sides by as many steps as told."""
    layout, radius = layout_of(game), game.options.number("radius")
    board = hexgrid.cells(radius + 1)
    images = [board.index(hexgrid.rotated(cell, sixths)) for cell in board]
    width = layout.width
    to = {
        int(SQUARE_OF[radius, n]): int(SQUARE_OF[radius, image]) for n, image in enumerate(images)
    }
    outside = [cell for cell in range(width * width) if cell not in to]
    cells = to | dict(zip(outside, outside, strict=True))  # Planes hold nothing there.
    fillings = [
        filling_number(kind, turns + sixths)
        for kind, turns in zip(FILLING_TYPES, FILLING_TURNS, strict=True)
    ]
    places = [FILLINGS * image + filling for image in images for filling in fillings]
    codes = list(places)
    if game.options["supermove"] != "off":
        codes += [len(places) + place for place in places]
    codes += range(len(codes), len(codes) + TYPES + MOST_SEATS)
    codes += [len(codes) + (side + side_steps) % SIDES for side in range(SIDES)]
    planes = [*fillings, *range(FILLINGS, len(PLANES))]
    numbers = _turned_numbers(game.seats, side_steps)
    return symmetry(layout, [cells[cell] for cell in range(width * width)], codes, planes, numbers)


def _turned_numbers(seats: int, steps: int) -> list[int]:
    """Where the numbers go when sides take some steps."""
    turned = [(side + steps) % SIDES for side in range(SIDES)]
    numbers = list(range(STAGES))
    numbers += [STAGES + side for side in turned]
    numbers += range(len(numbers), len(numbers) + TILES + TYPES + 1)
    for _ in range(seats):
        at = len(numbers)
        numbers += [at, *(at + 1 + side for side in turned)]
        numbers += range(at + 1 + SIDES, at + 1 + SIDES + TILES)
    return numbers
