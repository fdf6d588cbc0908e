"""Qwirkle, by Susan McKinley Ross: build lines of tiles that share a colour or a shape."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Choice, Number, OptionValues, Switch
from watermeet.games.qwirkle import layout


def _sizes(options: OptionValues) -> Sizes:
    seats = options.number("seats")
    # A trade is at most six tiles set aside, the end of the turn, and six draws. Between two
    # placements there are at most ``exchange_limit`` rounds of trades, or one round of passes.
    exchanges = options.number("exchange_limit") * seats
    between = max(exchanges * (2 * layout.HAND + 1), seats)
    return Sizes(
        state=layout.STATE_SIZE,
        actions=layout.ACTION_COUNT,
        # A tie-break; every tile drawn and placed, its turn ended; trades and passes between.
        max_length=1 + 3 * layout.TILE_COUNT + (layout.TILE_COUNT + 1) * between,
        cache=layout.STATE_SIZE - layout.CACHE,
    )


GAME = Game(
    name="qwirkle",
    version=1,
    package=__name__,
    title="Qwirkle",
    summary="Build lines of one colour or one shape. Longer lines score more, and a line of six "
    "scores double.",
    credit="Qwirkle was designed by Susan McKinley Ross and is published by MindWare; "
    "the name is a trademark of its owner.",
    sizes_of=_sizes,
    seat_range=(2, 6),
    chance=True,
    hidden=True,
    dtype="int8",
    declared_options=(
        Number("seats", 2, "The number of players.", low=2, high=6, offered=(2, 3, 4)),
        Choice(
            "tie",
            "oldest",
            "Who begins if the largest sets are equal; the first player counts as the oldest.",
            words=("oldest", "youngest", "random"),
        ),
        Switch("first_play_full", False, "The first turn must place a whole largest set."),
        Number(
            "exchange_limit",
            4,
            "The match ends after this many rounds of nothing but trades.",
            low=1,
            high=20,
        ),
        Switch("counts", True, "Everybody can see how many tiles of each kind are still unseen."),
    ),
)
