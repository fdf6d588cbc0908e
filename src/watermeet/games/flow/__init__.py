"""Flow, a cooperative game: connect four animals to the boat by water before the tiles run out."""

from watermeet.core.game import Clock, Game, Sizes
from watermeet.core.options import Choice, Number, OptionValues, Switch
from watermeet.games.flow import layout
from watermeet.games.flow.tile_sets import TILE_COUNT, TILE_SETS


def _sizes(options: OptionValues) -> Sizes:
    turns = TILE_COUNT + sum(layout.CARD_COUNTS)
    # A turn takes up to four actions. Between two turns there are up to MAX_IDLE_ROUNDS rounds of
    # four: time is called, a die is chosen, and two dice are rolled.
    between = 4 * layout.MAX_IDLE_ROUNDS
    return Sizes(
        state=layout.STATE_SIZE,
        actions=layout.ACTION_COUNT,
        max_length=11 + 8 + 2 * layout.MAX_SEATS + 1 + (turns + 1) * (4 + between),
        cache=layout.STATE_SIZE - layout.CACHE,
    )


def _clock(options: OptionValues) -> Clock | None:
    return Clock(seconds=60, move="time") if options["clock"] == "minute" else None  # R6.1


GAME = Game(
    name="flow",
    version=3,
    versions=(1, 2, 3),
    package=__name__,
    title="Flow",
    summary="Work together to connect four animals to the boat by water before the waves wash too "
    "much away.",
    credit="Flow was designed by Dmitrijus Babičius, Tadas Kastanauskas, Justina Lapinskienė and "
    "Marijus Lapinskas and is published by Brain Games; the name is a trademark of its owner.",
    sizes_of=_sizes,
    seat_range=(1, layout.MAX_SEATS),
    teams_of=lambda options, seats: (tuple(range(seats)),),
    chance=True,
    hidden=True,
    # With the option, or if the scenario card of the same name may be drawn.
    secrets_of=lambda options: bool(options["no_communication"]) or options.number("scenarios") > 0,
    clock_of=_clock,
    returns_sum=None,
    dtype="int64",
    declared_options=(
        Number("seats", 2, "The number of players.", low=1, high=layout.MAX_SEATS,
               offered=(1, 2, 3, 4, 5, 6)),
        Number("scenarios", 0, "How many scenario cards are drawn; more cards are harder.", low=0,
               high=6, offered=(0, 1, 2, 3, 4, 5, 6)),
        Number("obstacles", 0, "How many obstacle cards, of two obstacles each, are in play.",
               low=0, high=4),
        Switch("no_communication", False, "Players can't see each other's cards."),
        Switch("one_card", False, "The group may play only one action card per round."),
        Switch("no_new_cards", False, "Tiles can't be swapped for action cards."),
        Switch("not_for_obstacles", False, "Support and Current can't be used on obstacles."),
        Switch("single_path", False, "The boat is open on one side only."),
        Switch("obstacles_remain", False, "Waves don't wash obstacles away."),
        Choice("clock", "turns", "When a round ends: after a number of turns, after a real minute, "
               "or when the players say so.", words=("turns", "minute", "free")),
        Number("turns", 10, "Turns per round, if a round is a number of turns.", low=6, high=14),
        Choice("tiles", "ours", "The set of map tiles.", words=tuple(TILE_SETS)),
        Switch("boat_stops", False, "Water doesn't flow through the boat and the animals' spaces."),
    ),
    # The levels of R8.1, after a first match without scenario cards.
    presets={
        "first_match": {},
        "very_easy": {"scenarios": 1},
        "easy": {"scenarios": 2},
        "medium": {"scenarios": 3},
        "hard": {"scenarios": 4},
        "very_hard": {"scenarios": 5},
        "unimaginable": {"scenarios": 6},
    },
    people_options={"clock": "minute"},  # R6.1, R6.2
)  # fmt: skip
