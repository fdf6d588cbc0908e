"""My Game: three in a row on a square board."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Number, OptionValues

from .layout import CELLS


def _sizes(options: OptionValues) -> Sizes:
    cells = options.number("size") ** 2
    return Sizes(state=CELLS + cells, actions=cells, max_length=cells)


GAME = Game(
    name="my_game",  # The name people type, and the entry point's name.
    version=1,  # Increase it when the rules change: stored matches depend on it.
    package=__name__,
    title="My Game",
    summary="Place stones in turn; the first to have three in a row wins.",
    credit="Traditional.",  # Who designed the game.
    sizes_of=_sizes,
    seat_range=(2, 2),
    dtype="int8",  # Of the state array.
    declared_options=(
        Number("size", 4, "Cells along each side of the board.", low=3, high=9, offered=(3, 4, 5)),
        Number("seats", 2, "Players.", low=2, high=2),  # [seats vary]
    ),
)
