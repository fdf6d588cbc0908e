"""What neural networks see of My Game: one plane of stones for each seat, the observer's first."""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.features import FeatureArray, FeatureSpec, Symmetry, symmetry
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.squaregrid import symmetries

from .layout import CELLS, SEATS, SIZE
from .rules import to_move


def spec_of(game: Game) -> FeatureSpec:
    """The names and shapes of the features under the options chosen."""
    size = game.options.number("size")
    planes = ("mine", *(f"{seat} after me" for seat in range(1, game.seats)))
    return FeatureSpec(game.sizes.actions, planes, size, size, numbers=("my turn",))


@kernel
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Write the features of a state as a seat sees it; ``out`` holds zeros."""
    seats = int(known[SEATS])
    cells = int(known[SIZE]) * int(known[SIZE])
    for plane in range(seats):
        mark = (seat + plane) % seats + 1
        for cell in range(cells):
            out[plane * cells + cell] = np.float32(known[CELLS + cell] == mark)
    out[seats * cells] = np.float32(to_move(known) == seat)


def symmetries_of(game: Game) -> list[Symmetry]:
    """The eight symmetries of the square."""
    spec = spec_of(game)
    return [symmetry(spec, cells, cells) for cells in symmetries(game.options.number("size"))]


def places_of(game: Game) -> list[int]:
    """Every action belongs to its cell."""
    return list(range(game.sizes.actions))
