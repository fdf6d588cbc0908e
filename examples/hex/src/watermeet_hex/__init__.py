"""Hex: connect your two sides of a board of hexagons before the other player connects theirs."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Number, OptionValues, Switch

from .layout import CELLS


def _sizes(options: OptionValues) -> Sizes:
    size = options.number("size")
    cells = size * size
    cache = (size + 2) ** 2 + 2 * cells
    moves = cells + options.number("pie")  # With the pie rule, one swap beside the stones.
    return Sizes(state=CELLS + cells + cache, actions=moves, max_length=moves, cache=cache)


GAME = Game(
    name="hex",
    version=1,
    package=__name__,
    title="Hex",
    summary="Connect your two sides of the board with an unbroken chain of stones.",
    credit="Hex was invented by Piet Hein (1942) and, independently, John Nash (1948).",
    sizes_of=_sizes,
    dtype="int16",
    declared_options=(
        Number(
            "size",
            11,
            "Cells along each side of the board.",
            low=3,
            high=19,
            offered=(5, 7, 9, 11, 13, 14, 19),
        ),
        Switch("pie", True, "May the second player take over the first stone?"),
    ),
)
