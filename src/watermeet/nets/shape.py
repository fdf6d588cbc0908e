"""What a network for a game takes and returns, from the game's features.

A network works on planes of any height and width, so one network can serve all sizes of a board if
they have the same planes and numbers. It returns a logit for each *kind* of action on each cell,
and one for each action that belongs to no cell. ``logit_places`` finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from watermeet.core.errors import InvalidOptions
from watermeet.core.features import NO_PLACE
from watermeet.core.game import Game


@dataclass(frozen=True)
class Shape:
    """The sizes that decide which parameters a network has."""

    planes: int
    numbers: int
    kinds: int
    """How many kinds of actions a cell has."""
    loose: int
    """How many actions belong to no cell."""
    seats: int

    @classmethod
    def of(cls, game: Game) -> Shape:
        """The shape of a game's networks."""
        spec, places = game.features.spec, game.features.places
        cells = max(1, spec.height * spec.width)
        kinds = int(places.max()) // cells + 1 if (places != NO_PLACE).any() else 0
        loose = int((places == NO_PLACE).sum())
        return cls(len(spec.planes), len(spec.numbers), kinds, loose, game.seats)


def common_shape(games: Sequence[Game]) -> Shape:
    """The shape of one network for several boards; raises InvalidOptions if there is none."""
    shapes = {Shape.of(game) for game in games}
    if len(shapes) > 1:
        names = " and ".join(game.describe() for game in games)
        raise InvalidOptions(
            f"one network can't play {names}",
            "planes, numbers and kinds of actions must be the same: train one for each",
        )
    return shapes.pop()


def logit_places(game: Game) -> npt.NDArray[np.int64]:
    """[codes]: where the logit of each code is among those that a network returns."""
    spec, places = game.features.spec, game.features.places
    found = places.astype(np.int64)
    loose = places == NO_PLACE
    found[loose] = Shape.of(game).kinds * spec.height * spec.width + np.arange(loose.sum())
    return found
