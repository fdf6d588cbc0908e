"""The features of a Flume state for networks: see ``watermeet.core.features``."""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.features import NO_PLACE, FeatureArray, FeatureSpec, Symmetry, symmetry
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.squaregrid import symmetries
from watermeet.games.flume import layout
from watermeet.games.flume.rules import (
    CONNECTIONS_TO_MOVE_AGAIN,
    is_centre_barred,
    may_swap,
    neighbours,
    seat_of,
    to_move,
)

PLANES = (
    "mine",  # Stones of the seat's colour,
    "theirs",  # and of the opponent's.
    "moves again",  # Free points that make three or four connections.
)
NUMBERS = ("my turn", "may swap", "centre barred")


def spec_of(game: Game) -> FeatureSpec:
    """Three planes of the points, the bottom row first, as points are numbered."""
    size = game.options.number("size")
    return FeatureSpec(game.sizes.actions, PLANES, size, size, NUMBERS, dense=True)


@kernel
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Stones by owner, and the free points that grant another move."""
    size = int(known[layout.SIZE])
    points = size * size
    # Read once: after writing to out, the compiler would read it again for every point.
    mine = layout.RED if seat_of(known, layout.RED) == seat else layout.BLUE
    for point in range(points):
        cell = int(layout.CELL_OF[size, point])
        stone = int(known[cell])
        is_free = stone == layout.FREE
        again = is_free and neighbours(known, cell, size + 1) >= CONNECTIONS_TO_MOVE_AGAIN
        out[point] = np.float32(stone == mine)
        out[points + point] = np.float32(not is_free and stone != mine)
        out[2 * points + point] = np.float32(again)
    out[3 * points] = np.float32(to_move(known) == seat)
    out[3 * points + 1] = np.float32(may_swap(known))
    out[3 * points + 2] = np.float32(is_centre_barred(known))


def symmetries_of(game: Game) -> list[Symmetry]:
    """The eight symmetries of a square; the swap is mapped to itself."""
    size = game.options.number("size")
    spec = spec_of(game)
    return [symmetry(spec, images, [*images, size * size]) for images in symmetries(size)]


def places_of(game: Game) -> list[int]:
    """Every point is a code; the swap has no place."""
    return [*range(game.options.number("size") ** 2), NO_PLACE]
