"""Flecks, published at krammer.nl: place stones, move rows of them, join your two borders."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Choice, Number, OptionValues, Switch


def _sizes(options: OptionValues) -> Sizes:
    side = options.number("size")
    cells = 3 * side * (side - 1) + 1
    opening = 2 * (side - 3)
    # A stone takes a placement, and a row move or a stop; if placing is optional, up to ``side``
    # turns with a row move alone come before it (R7.2).
    actions_a_stone = 2 if options["must_place"] else 2 + side
    return Sizes(
        # Ten numbers and the cells within their edge: see the layout in rules.py.
        state=10 + (2 * side + 1) ** 2,
        actions=cells + cells * 6 * (side - 1) + 1,
        max_length=opening + (cells - opening) * actions_a_stone,
    )


GAME = Game(
    name="flecks",
    version=1,
    package=__name__,
    title="Flecks",
    summary="Add a stone, then move a row of your stones; whoever joins the two borders of the "
    "own colour wins.",
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
        ),
        Choice(
            "border",
            "quarters",
            "Is the border cut into four quarters, or along the sides, where Red has one side at "
            "the top and one at the bottom, and Blue two each on the left and on the right?",
            words=("quarters", "sides"),
        ),
        Switch("must_place", True, "Every turn adds a stone; else it may be a row move alone."),
        Switch("new_stone_fixed", False, "A stone may not be moved in the turn that adds it."),
        Switch(
            "win_at_end_only",
            False,
            "A chain wins only if it stands at the end of the turn.",
        ),
    ),
)
