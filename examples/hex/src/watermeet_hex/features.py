"""What neural networks see of Hex: the stones of the observer, then those of the other player.

Blue sees the board mirrored, rows and columns exchanged, so everybody connects top and bottom, and
one network serves both. The codes of Blue's moves are mirrored likewise.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.features import NO_PLACE, FeatureArray, FeatureSpec, Symmetry, symmetry
from watermeet.core.game import Game
from watermeet.core.kernel import kernel

from .layout import CELLS, SIZE
from .rules import may_swap, mirrored, to_move


def spec_of(game: Game) -> FeatureSpec:
    """The names and shapes of the features under the options chosen."""
    size = game.options.number("size")
    numbers = ("my turn", "swap is open")
    planes = ("mine", "theirs")
    return FeatureSpec(game.sizes.actions, planes, size, size, numbers, dense=True)


@kernel
def observe(known: StateArray, seat: int, out: FeatureArray) -> None:
    """Write the features of a state as a seat sees it."""
    viewer = max(seat, 0)
    cells = int(known[SIZE]) * int(known[SIZE])
    for cell in range(cells):
        mark = int(known[CELLS + cell])
        seen = mirrored(known, cell) if viewer == 1 else cell
        out[seen] = np.float32(mark == viewer + 1)
        out[cells + seen] = np.float32(mark == 2 - viewer)
    out[2 * cells] = np.float32(to_move(known) == seat)
    out[2 * cells + 1] = np.float32(may_swap(known))


@kernel
def encode(known: StateArray, action: int) -> int:
    """An action's number as its mover sees the board; the swap keeps its own."""
    cells = int(known[SIZE]) * int(known[SIZE])
    if action == cells or to_move(known) != 1:
        return action
    return mirrored(known, action)


def symmetries_of(game: Game) -> list[Symmetry]:
    """The identity, and half a turn; the other symmetries of the board exchange the players."""
    spec, size = spec_of(game), game.options.number("size")
    cells = list(range(size * size))
    swap = [size * size] * game.options.number("pie")
    return [symmetry(spec, cells, cells + swap), symmetry(spec, cells[::-1], cells[::-1] + swap)]


def places_of(game: Game) -> list[int]:
    """Every stone belongs to its cell; the swap has no place."""
    cells, pie = game.options.number("size") ** 2, game.options.number("pie")
    return [*range(cells), *[NO_PLACE] * pie]
