"""Flecks, published at krammer.nl: place stones, move rows of them, connect your two borders."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Choice, Number, OptionValues, Switch


def _sizes(options: OptionValues) -> Sizes:
    side = options.number("size")
    cells = 3 * side * (side - 1) + 1
    opening = 2 * (side - 3)
    # Each stone costs two actions: a placement, then a row move or a stop. If placing is optional,
    # up to ``side`` turns of row moves alone come before it (R7.2).
    actions_a_stone = 2 if options["must_place"] else 2 + side
    return Sizes(
        # Ten numbers, then the cells and their edge: see the layout in rules.py.
        state=10 + (2 * side + 1) ** 2,
        actions=cells + cells * 6 * (side - 1) + 1,
        max_length=opening + (cells - opening) * actions_a_stone,
    )


GAME = Game(
    name="flecks",
    version=1,
    package=__name__,
    title="Flecks",
    summary="Place a stone, then move a row of your stones. Connect your two borders to win.",
    credit="Flecks is published at krammer.nl (www.krammer.nl/hex/flecks).",
    sizes_of=_sizes,
    declared_options=(
        Number(
            "size",
            7,
            "Cells along each of the six sides of the board.",
            low=5,
            high=13,
            step=2,
            offered=(5, 7, 9),
            label="size {0}",
        ),
        Choice(
            "border",
            "quarters",
            "How the border is divided: into four equal quarters, or by whole sides, where Red has "
            "the top and the bottom and Blue the two sides on the left and the two on the right.",
            words=("quarters", "sides"),
        ),
        Switch(
            "must_place", True, "Every turn places a stone; if off, it may be a row move alone."
        ),
        Switch("new_stone_fixed", False, "A stone can't move in the turn it is placed."),
        Switch(
            "win_at_end_only",
            False,
            "A chain wins only if it still stands at the end of the turn.",
        ),
    ),
)
