"""Flows, also called Quortex: connect your side of the board to the opposite one with strands."""

from watermeet.core.game import Game, Sizes
from watermeet.core.options import Choice, Number, OptionValues, Switch
from watermeet.games.flows import layout
from watermeet.games.flows.board import MAX_RADIUS, MIN_RADIUS, cell_count
from watermeet.games.flows.sides import teams_of


def _sizes(options: OptionValues) -> Sizes:
    radius, supermove = options.number("radius"), options["supermove"] != "off"
    # Who moves first, sides, tiles to hold; then a draw and a placement for each cell, and at most
    # as many exchanges, each with its draw or placement.
    cells = cell_count(radius)
    return Sizes(
        state=layout.state_size(radius),
        actions=layout.action_count(radius, supermove),
        max_length=1 + 2 * layout.MAX_SEATS + 2 * cells * (2 if supermove else 1),
        cache=layout.cache_size(radius),
    )


def _mix(kind: int, low: int) -> Number:
    return Number(f"mix{kind}", 1, f"The share of T{kind} tiles in the mix.", low=low, high=9)


GAME = Game(
    name="flows",
    version=1,
    package=__name__,
    title="Flows",
    summary="Place tiles with three strands each to connect your side of the board to the opposite "
    "one; every tile must leave everyone a route.",
    credit="Flows, also called Quortex, is published at github.com/anicolao/quortextt; the names "
    "belong to their owner.",
    sizes_of=_sizes,
    seat_range=(2, layout.MAX_SEATS),
    teams_of=lambda options, seats: teams_of(seats),
    chance=True,
    hidden=True,
    secrets_of=lambda options: bool(options["hold_tile"]) and not options["open_tile"],
    # The order is that of layout.py.
    declared_options=(
        Number(
            "seats",
            2,
            "The number of players.",
            low=2,
            high=layout.MAX_SEATS,
            offered=(2, 3, 4, 5, 6),
        ),
        Choice(
            "sides",
            "set",
            "Who plays from which side: as in the rules, two or three on neighbouring sides, or as "
            "they choose.",
            words=("set", "adjacent", "chosen"),
        ),
        Switch("open_tile", False, "Everyone sees a tile as soon as it is drawn."),
        Switch(
            "hold_tile", False, "Players hold a tile, and draw the next one right after placing it."
        ),
        Choice(
            "legality",
            "joint",
            "What a tile must leave: routes for everyone at the same time, or for each team alone.",
            words=("joint", "reach"),
        ),
        Choice(
            "supermove",
            "off",
            "Whether tiles may block routes and a blocked player may exchange a tile on the board; "
            "the tile taken off is then placed (full) or goes back into the bag (single).",
            words=("off", "full", "single"),
        ),
        Switch("supermove_any", False, "An exchange may free any team, not only one's own."),
        Number(
            "radius",
            3,
            "Rings of cells around the centre.",
            low=MIN_RADIUS,
            high=MAX_RADIUS,
        ),
        _mix(0, low=0),
        _mix(1, low=1),
        _mix(2, low=0),
        _mix(3, low=0),
    ),
)
