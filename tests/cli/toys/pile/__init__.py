"""A toy: take one, two or three from a pile; whoever takes the last wins. It has a solver."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Number

GAME = Game(
    name="pile",
    version=1,
    package=__name__,
    title="Pile",
    summary="Take one, two or three; whoever takes the last wins.",
    credit="A toy of the tests.",
    sizes_of=lambda options: Sizes(state=2, actions=4, max_length=20),
    declared_options=(Number("size", 7, "How many lie there.", low=1, high=20),),
)
