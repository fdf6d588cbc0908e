"""Flows, also called Quortex: lay tiles with strands, join your side with the opposite one."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Choice, Number, OptionValues, Switch
from watermeet.games.flows.board import LARGEST_RADIUS, SMALLEST_RADIUS, cell_count
from watermeet.games.flows.layout import MOST_SEATS, action_count, cache_size, state_size
from watermeet.games.flows.seating import teams_of


def _sizes(options: OptionValues) -> Sizes:
    radius, supermove = options.number("radius"), options["supermove"] != "off"
    # The lot, sides, tiles to hold; then for each cell a draw and a placement, and as many
    # exchanges with the draws or placements that belong to them.
    cells = cell_count(radius)
    return Sizes(
        state=state_size(radius),
        actions=action_count(radius, supermove),
        max_length=1 + 2 * MOST_SEATS + 2 * cells * (2 if supermove else 1),
        cache=cache_size(radius),
    )


def _mix(kind: int, low: int) -> Number:
    sentence = f"The part of tiles of the type T{kind} in the mix."
    return Number(f"mix{kind}", 1, sentence, low=low, high=9)


GAME = Game(
    name="flows",
    version=1,
    package=__name__,
    title="Flows",
    summary="Lay tiles with three strands each and join your side of the board with the opposite "
    "one; every tile must leave everybody a route.",
    credit="Flows, also called Quortex, is published at github.com/anicolao/quortextt; the names "
    "belong to their owner.",
    sizes_of=_sizes,
    seat_range=(2, MOST_SEATS),
    teams_of=lambda options, seats: teams_of(seats),
    chance=True,
    hidden=True,
    secrets_of=lambda options: bool(options["hold_tile"]) and not options["open_tile"],
    # The order is that of layout.py.
    declared_options=(
        Number("seats", 2, "How many play.", low=2, high=MOST_SEATS, offered=(2, 3, 4, 5, 6)),
        Choice(
            "sides",
            "set",
            "Where the players sit: as the rules set it, two or three side by side, or as they "
            "choose.",
            words=("set", "adjacent", "chosen"),
        ),
        Switch("open_tile", False, "Everybody sees a tile as soon as it is drawn."),
        Switch("hold_tile", False, "Everybody draws the next tile right after laying one."),
        Choice(
            "legality",
            "joint",
            "What a tile must leave: a route for all at the same time, or for each one alone.",
            words=("joint", "reach"),
        ),
        Choice(
            "supermove",
            "off",
            "May a tile block a route, and a blocked player exchange one on the board; and is the "
            "tile taken off laid at once (full) or put back (single)?",
            words=("off", "full", "single"),
        ),
        Switch("supermove_any", False, "A supermove may free anybody, not only the own team."),
        Number(
            "radius",
            3,
            "Rings of cells around the centre.",
            low=SMALLEST_RADIUS,
            high=LARGEST_RADIUS,
        ),
        _mix(0, low=0),
        _mix(1, low=1),
        _mix(2, low=0),
        _mix(3, low=0),
    ),
)
