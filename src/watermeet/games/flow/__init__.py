"""Flow, cooperative: lay water ways from four animals to the boat before the tiles run out."""

from watermeet.core.game import Clock, Game, Sizes
from watermeet.core.options import Choice, Number, OptionValues, Switch
from watermeet.games.flow import layout
from watermeet.games.flow.tile_sets import TILE_COUNT, TILE_SETS


def _sizes(options: OptionValues) -> Sizes:
    turns = TILE_COUNT + sum(layout.CARD_COUNTS)
    # A turn has up to three actions of its own and a fishing of two; between two turns lie up to so
    # many rounds, each with the end of time, the choice of a die, and two dice.
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
    version=1,
    package=__name__,
    title="Flow",
    summary="Together, lay water ways from four animals to the boat, before giant waves have "
    "washed away too much.",
    credit="Flow was designed by Dmitrijus Babičius, Tadas Kastanauskas, Justina Lapinskienė and "
    "Marijus Lapinskas and is published by Brain Games; the name belongs to its owner.",
    sizes_of=_sizes,
    seat_range=(1, layout.MAX_SEATS),
    teams_of=lambda options, seats: (tuple(range(seats)),),
    chance=True,
    hidden=True,
    # The option, or the scenario card of the same name, which may be among those drawn.
    secrets_of=lambda options: bool(options["no_communication"]) or options.number("scenarios") > 0,
    clock_of=_clock,
    returns_sum=None,
    dtype="int64",
    # The order is that of rules.setup.
    declared_options=(
        Number("seats", 2, "How many play together.", low=1, high=layout.MAX_SEATS,
               offered=(1, 2, 3, 4, 5, 6)),
        Number("scenarios", 0, "How many scenario cards are drawn: more are harder.", low=0, high=6,
               offered=(0, 1, 2, 3, 4, 5, 6)),
        Number("obstacles", 0, "Cards of two obstacles each that are in play for sure.", low=0,
               high=4),
        Switch("no_communication", False, "Nobody sees the others' cards."),
        Switch("one_card", False, "The group may play one action card in a round."),
        Switch("no_new_cards", False, "Tiles cannot be swapped for action cards."),
        Switch("not_for_obstacles", False, "Support and Current cannot be used on obstacles."),
        Switch("single_path", False, "The boat has one way only."),
        Switch("obstacles_remain", False, "Waves do not take obstacles."),
        Choice("clock", "turns", "Does a round end after some turns, after a real minute, or when "
               "the players say so?", words=("turns", "minute", "free")),
        Number("turns", 10, "Turns in a round, if turns are counted.", low=6, high=14),
        Choice("tiles", "ours", "Which set of map tiles is used.", words=tuple(TILE_SETS)),
        Switch("boat_stops", False, "Water does not pass through the boat and the animals."),
    ),
)  # fmt: skip
