"""The features of a Flows state for networks: see ``watermeet.core.features``.

The hexagon is embedded in a square of 2 r + 1 rows: cell (q, s) is in row s + r, column q + r.

Where strands lead can't be seen from the tiles without following them across the board, which small
networks don't learn to do. So the planes also say, for each edge of each empty cell, how many tiles
it is away from both sides of the seat's axis, and of the others'.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core import hexgrid
from watermeet.core.contract import StateArray
from watermeet.core.features import NO_PLACE, FeatureArray, FeatureSpec, Symmetry, symmetry
from watermeet.core.game import Game
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows import layout
from watermeet.games.flows.board import (
    AXES,
    CELLS_OF,
    MAX_CELLS,
    MAX_RADIUS,
    MIN_RADIUS,
    SIDES,
    rim_ports,
    side_length,
)
from watermeet.games.flows.distances import COUNTS_SIZE, FAR, NEAR, count_tiles
from watermeet.games.flows.exchanges import rebuild_ends
from watermeet.games.flows.rules import to_move
from watermeet.games.flows.tiles import (
    EDGES,
    ORIENTATION_ROTATIONS,
    ORIENTATION_TYPES,
    ORIENTATIONS,
    TYPES,
    orientation_number,
)

STAGES = layout.FINISHED + 1
TILES = 2 + TYPES  # None, each type, unknown.
PLANES = (
    *(f"orientation {index}" for index in range(ORIENTATIONS)),
    "board",  # Cells of the hexagon.
    "my sides",  # Cells at the two sides that the seat has to connect,
    "their sides",  # and at those of the others.
    *(
        f"{whose} by edge {edge}"
        for whose in ("my side", "my goal", "their side", "their goal")
        for edge in range(EDGES)
    ),
)
_BOARD, _MY_SIDES, _THEIR_SIDES, _ROUTES = range(ORIENTATIONS, ORIENTATIONS + 4)
_BOARD_SIZE = layout.state_size(MAX_RADIUS)


def _square_table() -> npt.NDArray[np.int16]:
    table = np.zeros((MAX_RADIUS + 1, MAX_CELLS), dtype=np.int16)
    for radius in range(MIN_RADIUS, MAX_RADIUS + 1):
        for number, (q, r) in enumerate(hexgrid.cells(radius + 1)):
            table[radius, number] = (r + radius) * (2 * radius + 1) + q + radius
    return table


def _axis_table() -> npt.NDArray[np.int8]:
    table = np.zeros((MAX_RADIUS + 1, MAX_CELLS), dtype=np.int8)
    for radius in range(MIN_RADIUS, MAX_RADIUS + 1):
        numbers = {cell: number for number, cell in enumerate(hexgrid.cells(radius + 1))}
        for place, (cell, _) in enumerate(rim_ports(radius)):
            table[radius, numbers[cell]] |= 1 << (place // side_length(radius) % AXES)
    return table


SQUARE_OF = _square_table()  # [radius, cell number]: the index of a cell in a plane
AXES_AT = _axis_table()  # [radius, cell number]: the axes whose sides a cell touches, as bits


def spec_of(game: Game) -> FeatureSpec:
    """Planes of the square around the hexagon; then the stage, tiles, and facts about each seat."""
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
        *(f"unseen T{kind}" for kind in range(TYPES)),  # As a share of the number of cells.
        "exchanges",  # Likewise.
        "near a route of mine",
        "near a route of theirs",
        *seats,
    )
    return FeatureSpec(game.sizes.actions, PLANES, width, width, numbers)


@kernel
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Tiles by orientation, cells by whose sides they touch, tiles in hand and unseen, seats."""
    radius = int(known[layout.RADIUS])
    width = 2 * radius + 1
    _observe_board(known, seat, out)
    at = len(PLANES) * width * width
    cells = int(CELLS_OF[radius])
    out[at + int(known[layout.STAGE])] = np.float32(1)
    at += STAGES
    if known[layout.STAGE] > layout.DEAL:  # Before that it is nobody's turn.
        out[at + int(known[layout.TURN_SIDE])] = np.float32(1)
    at += SIDES
    out[at + int(known[layout.TILE])] = np.float32(1)
    at += TILES
    for kind in range(TYPES):
        out[at + kind] = np.float32(min(int(known[layout.BAG + kind]) / cells, 1.0))
    at += TYPES
    out[at] = np.float32(min(int(known[layout.EXCHANGES]) / cells, 1.0))
    at += 1
    _observe_routes(known, seat, out, at)
    at += 2
    seats = int(known[layout.SEATS])
    for step in range(seats):
        other = (seat + step) % seats
        out[at] = np.float32(to_move(known) == other)
        if known[layout.SIDE_OF + other] > 0:
            out[at + int(known[layout.SIDE_OF + other])] = np.float32(1)
        out[at + 1 + SIDES + int(known[layout.HELD + other])] = np.float32(1)
        at += 1 + SIDES + TILES


@kernel
def _observe_board(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Fills the planes, which hold zeros."""
    radius = int(known[layout.RADIUS])
    plane = (2 * radius + 1) * (2 * radius + 1)
    mine, theirs = 0, 0
    for other in range(int(known[layout.SEATS])):
        if known[layout.SIDE_OF + other] > 0:
            axis = 1 << ((int(known[layout.SIDE_OF + other]) - 1) % AXES)
            if other == seat:
                mine |= axis
            else:
                theirs |= axis
    theirs &= ~mine
    for number in range(int(CELLS_OF[radius])):
        cell, axes = int(SQUARE_OF[radius, number]), int(AXES_AT[radius, number])
        orientation = int(known[layout.CELLS + number])
        if orientation > 0:
            out[(orientation - 1) * plane + cell] = np.float32(1)
        out[_BOARD * plane + cell] = np.float32(1)
        out[_MY_SIDES * plane + cell] = np.float32((axes & mine) != 0)
        out[_THEIR_SIDES * plane + cell] = np.float32((axes & theirs) != 0)


@kernel
def _observe_routes(known: StateArray, seat: int, out: FeatureArray, at: int) -> None:
    """Fills the planes of distances, and writes how near the seat and the others are to a route."""
    if known[layout.STAGE] <= layout.DEAL:
        return
    board, counts = scratch(_BOARD_SIZE).view(np.int16), scratch(COUNTS_SIZE)
    ends = layout.ends_at(known)
    for index in range(ends):
        board[index] = known[index]
    rebuild_ends(board, -1, board, ends)
    seats, done = int(known[layout.SEATS]), 0
    for step in range(seats):
        side = int(known[layout.SIDE_OF + (seat + step) % seats]) - 1
        whose = min(step, 1)
        if (done >> (side % AXES)) & 1 == 0:
            done |= 1 << (side % AXES)
            count_tiles(board, side, counts, NEAR)
            count_tiles(board, (side + AXES) % SIDES, counts, FAR)
            _write_nearer(out, at + whose, _shortest(board, counts))
            _observe_edges(board, side, counts, NEAR, _ROUTES + 2 * whose * EDGES, out)
            opposite = _ROUTES + (2 * whose + 1) * EDGES
            _observe_edges(board, (side + AXES) % SIDES, counts, FAR, opposite, out)


@kernel
def _shortest(board: StateArray, counts: Scratch) -> int:
    """The fewest tiles of a route across an empty cell; more than any if there is none."""
    least = MAX_CELLS
    for cell in range(layout.board_size(board)):
        if counts[NEAR + cell] > 0 and counts[FAR + cell] > 0:
            least = min(least, int(counts[NEAR + cell]) + int(counts[FAR + cell]) - 1)
    return least


@kernel
def _observe_edges(
    board: StateArray, side: int, counts: Scratch, first: int, index: int, out: FeatureArray
) -> None:
    """Writes how near to a side each edge of each empty cell is."""
    radius = int(board[layout.RADIUS])
    length = 2 * radius + 1
    ends, ports = layout.ends_at(board), EDGES * int(CELLS_OF[radius])
    for number in range(int(CELLS_OF[radius])):
        if board[layout.CELLS + number] != 0:
            continue
        for edge in range(EDGES):
            end, tiles = int(board[ends + EDGES * number + edge]), 0
            if end < ports:
                tiles = int(counts[first + end // EDGES])
                if tiles == 0:
                    continue
            elif (end - ports) // length != side:
                continue
            place = (index + edge) * length * length + int(SQUARE_OF[radius, number])
            _write_nearer(out, place, tiles)


@kernel
def _write_nearer(out: FeatureArray, place: int, tiles: int) -> None:
    """Writes 1 where no tile is missing, and less the more are, unless more is there already."""
    nearness = np.float32(1.0 / (1.0 + tiles))
    if nearness > out[place]:  # noqa: PLR1730 - GPUs have a maximum of their own
        out[place] = nearness


# ---- symmetries ---------------------------------------------------------------------------------


def symmetries_of(game: Game) -> list[Symmetry]:
    """The half turn, which maps every axis to itself; all rotations where sides are chosen.

    A rotation moves the seats' sides as well; the half turn moves only the board.
    """
    rotations = range(SIDES) if game.options["sides"] == "chosen" else (0,)
    return [_rotation(game, sixths + half, sixths) for sixths in rotations for half in (0, AXES)]


def _rotation(game: Game, sixths: int, side_steps: int) -> Symmetry:
    """Rotates the board clockwise by ``sixths``, and the seats' sides by ``side_steps``."""
    shape, radius = spec_of(game), game.options.number("radius")
    board = hexgrid.cells(radius + 1)
    images = [board.index(hexgrid.rotated(cell, sixths)) for cell in board]
    width = shape.width
    to = {
        int(SQUARE_OF[radius, n]): int(SQUARE_OF[radius, image]) for n, image in enumerate(images)
    }
    outside = [cell for cell in range(width * width) if cell not in to]
    cells = to | dict(zip(outside, outside, strict=True))  # Planes hold nothing there.
    orientations = [
        orientation_number(kind, rotation + sixths)
        for kind, rotation in zip(ORIENTATION_TYPES, ORIENTATION_ROTATIONS, strict=True)
    ]
    places = [
        layout.placement(image, orientation) for image in images for orientation in orientations
    ]
    codes = list(places)
    if game.options["supermove"] != "off":
        codes += [len(places) + place for place in places]
    codes += range(len(codes), len(codes) + TYPES + layout.MAX_SEATS)
    codes += [len(codes) + (side + side_steps) % SIDES for side in range(SIDES)]
    planes = [*orientations, *range(ORIENTATIONS, _ROUTES)]
    other_side = (sixths - side_steps) // AXES % 2  # The half turn exchanges both sides.
    planes += [
        _ROUTES + (group ^ other_side) * EDGES + (edge + sixths) % EDGES
        for group in range(4)
        for edge in range(EDGES)
    ]
    numbers = _rotated_numbers(game.seats, side_steps)
    return symmetry(shape, [cells[cell] for cell in range(width * width)], codes, planes, numbers)


def _rotated_numbers(seats: int, steps: int) -> list[int]:
    """The images of the numbers when sides move by some steps."""
    rotated = [(side + steps) % SIDES for side in range(SIDES)]
    numbers = list(range(STAGES))
    numbers += [STAGES + side for side in rotated]
    numbers += range(len(numbers), len(numbers) + TILES + TYPES + 3)
    for _ in range(seats):
        at = len(numbers)
        numbers += [at, *(at + 1 + side for side in rotated)]
        numbers += range(at + 1 + SIDES, at + 1 + SIDES + TILES)
    return numbers


def places_of(game: Game) -> list[int]:
    """Placements and exchanges belong to their cells, an orientation each; nothing else does."""
    radius, codes = game.options.number("radius"), game.sizes.actions
    plane = (2 * radius + 1) ** 2
    kinds = ORIENTATIONS * (1 if game.options["supermove"] == "off" else 2)
    places = [NO_PLACE] * codes
    for number in range(int(CELLS_OF[radius])):
        for kind in range(kinds):
            exchanged, orientation = divmod(kind, ORIENTATIONS)
            code = layout.placement(number, orientation)
            code += exchanged * int(CELLS_OF[radius]) * ORIENTATIONS
            places[code] = kind * plane + int(SQUARE_OF[radius, number])
    return places
