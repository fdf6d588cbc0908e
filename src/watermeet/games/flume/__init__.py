"""Flume, by Mark Steere: stones on a square board; three or four connections move again."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Number, OptionValues, Switch


def _sizes(options: OptionValues) -> Sizes:
    size = options.number("size")
    points = size * size
    return Sizes(
        # Seven numbers, the points with their rim, and the memo: see the layout in rules.py.
        state=7 + (size + 2) * (size + 1) + 1 + 2 * points,
        actions=points + 1,
        max_length=points + 1,
        cache=2 * points,
    )


GAME = Game(
    name="flume",
    version=1,
    package=__name__,
    title="Flume",
    summary="Add stones in turn; whoever makes three or four connections moves again; "
    "most stones win.",
    credit="Flume was designed by Mark Steere in January 2010 (marksteeregames.com).",
    sizes_of=_sizes,
    declared_options=(
        Number(
            "size",
            7,
            "Points along each side of the board, the green rim not counted.",
            low=3,
            high=19,
            step=2,
            offered=(5, 7, 9, 11, 13),
        ),
        Switch("pie", True, "The second player may answer the first stone by swapping colours."),
        Switch("no_centre_first", False, "The first stone may not be placed on the centre."),
    ),
)
