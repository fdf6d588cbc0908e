"""A toy: each seat gets a hidden card, may draw another once, and the highest card wins."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Number

GAME = Game(
    name="cards",
    version=1,
    package=__name__,
    title="Cards",
    summary="Keep your card or draw another; the highest wins.",
    credit="A toy of the tests.",
    sizes_of=lambda options: Sizes(state=3 + 3, actions=6, max_length=9),
    seat_range=(2, 3),
    chance=True,
    hidden=True,
    returns_sum=None,
    declared_options=(Number("seats", 2, "How many play.", low=2, high=3),),
)
