"""Flume, by Mark Steere: a stone that makes three or four connections moves again."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Number, OptionValues, Switch
from watermeet.games.flume import layout


def _sizes(options: OptionValues) -> Sizes:
    size = options.number("size")
    points = size * size
    return Sizes(
        state=layout.state_size(size),
        actions=points + 1,
        max_length=points + 1,
        cache=layout.cache_size(size),
    )


GAME = Game(
    name="flume",
    version=1,
    package=__name__,
    title="Flume",
    summary="Place stones in turn, and move again whenever you make three or four connections; "
    "most stones win.",
    credit="Flume was designed by Mark Steere in January 2010 (marksteeregames.com).",
    sizes_of=_sizes,
    declared_options=(
        Number(
            "size",
            7,
            "Points along each side of the board, not counting the green rim.",
            low=3,
            high=19,
            step=2,
            offered=(5, 7, 9, 11, 13),
            label="{0}x{0}",
        ),
        Switch("pie", True, "After the first stone the second player may swap colours."),
        Switch("no_centre_first", False, "The first stone may not be placed on the centre."),
    ),
)
