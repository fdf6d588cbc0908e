"""Qwirkle, by Susan McKinley Ross: lines of tiles that share a colour or a shape."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Choice, Number, OptionValues, Switch
from watermeet.games.qwirkle import layout


def _sizes(options: OptionValues) -> Sizes:
    seats = options.number("seats")
    # A turn of exchange: six tiles set aside, the end, six drawn. Between two placements fewer
    # than the limit's rounds of them can lie, or fewer passes than there are seats.
    exchanges = options.number("exchange_limit") * seats
    between = max(exchanges * (2 * layout.HAND + 1), seats)
    return Sizes(
        state=layout.STATE_SIZE,
        actions=layout.ACTION_COUNT,
        # A lot; every tile drawn, laid, and a turn ended; what lies between the placements.
        max_length=1 + 3 * layout.TILE_COUNT + (layout.TILE_COUNT + 1) * between,
        cache=layout.STATE_SIZE - layout.CACHE,
    )


GAME = Game(
    name="qwirkle",
    version=1,
    package=__name__,
    title="Qwirkle",
    summary="Lay tiles in lines of one colour or one shape; long lines bring points, "
    "and a line of six brings twelve.",
    credit="Qwirkle was designed by Susan McKinley Ross and is published by MindWare; "
    "the name belongs to its owner.",
    sizes_of=_sizes,
    seat_range=(2, 6),
    chance=True,
    hidden=True,
    dtype="int8",
    declared_options=(
        Number("seats", 2, "How many play.", low=2, high=6, offered=(2, 3, 4)),
        Choice(
            "tie",
            "oldest",
            "Who begins among those with equally large sets; the oldest has the lowest seat.",
            words=("oldest", "youngest", "random"),
        ),
        Switch("first_play_full", False, "The first turn must lay a whole largest set."),
        Number(
            "exchange_limit",
            4,
            "After so many rounds of nothing but exchanges the match is over.",
            low=1,
            high=20,
        ),
        Switch("counts", True, "Everybody is shown how many tiles of each kind are unseen."),
    ),
)
