"""How a state of Flows lies in its array, and what the numbers of actions mean.

| from | what |
| --- | --- |
| SEATS ... MIX | the options |
| STAGE | what happens next: LOT, CHOOSE, DEAL, DRAW, PLACE, FOLLOW or FINISHED |
| MOVER | the seat that chooses, or for which chance draws |
| TURN_SIDE | the side whose turn it is; with five, that of the player alone counts twice (R3.2) |
| FIRST | the seat that begins |
| TILE | the mover's tile: 0 none, 1 + type, UNKNOWN if it is concealed |
| TILE_OPEN | 1 if everybody has seen the tile: it came from the board (R7.6, R7.7) |
| EXCHANGES | how many tiles were exchanged so far, with ``single`` |
| WINNERS | the axes that have won, as bits |
| BY_ROUTE | 1 if they won by a route, 0 by a tile that cannot be laid |
| SIDE_OF | by seat: 1 + its side, 0 if it has none yet |
| HELD | by seat: the tile held, as TILE |
| HELD_OPEN | by seat: as TILE_OPEN |
| BAG | by type: how many tiles are face down |
| CELLS | by cell: 0 if empty, else 1 + the filling; as many as the board has |

Behind the cells lies the memo: the table of strands (strands.py), for each axis and cell the pairs
of a witness (routes.py), and 1 if there is a witness, or else 0. With ``legality=reach`` its routes
may clash; with ``supermove`` there is none.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flows.board import AXES, CELLS_OF, SIDES, cell_count, end_count
from watermeet.games.flows.tiles import EDGES, FILLINGS, TYPES

MOST_SEATS = 6

SEATS = 0
SIDES_OPTION = 1
OPEN_TILE = 2
HOLD_TILE = 3
LEGALITY = 4
SUPERMOVE = 5
SUPERMOVE_ANY = 6
RADIUS = 7
MIX = 8
STAGE = MIX + TYPES
MOVER = STAGE + 1
TURN_SIDE = STAGE + 2
FIRST = STAGE + 3
TILE = STAGE + 4
TILE_OPEN = STAGE + 5
EXCHANGES = STAGE + 6
WINNERS = STAGE + 7
BY_ROUTE = STAGE + 8
SIDE_OF = STAGE + 9
HELD = SIDE_OF + MOST_SEATS
HELD_OPEN = HELD + MOST_SEATS
BAG = HELD_OPEN + MOST_SEATS
CELLS = BAG + TYPES

# The words of the options.
SET, ADJACENT, CHOSEN = range(3)
JOINT, REACH = range(2)
OFF, FULL, SINGLE = range(3)

# The stages.
LOT = 0  # Chance says who begins.
CHOOSE = 1  # A seat takes a side.
DEAL = 2  # Chance gives everybody a tile to hold.
DRAW = 3  # Chance draws a tile for the mover.
PLACE = 4  # The mover lays the tile.
FOLLOW = 5  # The mover lays the tile that an exchange took off the board.
FINISHED = 6

UNKNOWN = 1 + TYPES
NO_TILE = 0


def state_size(radius: int) -> int:
    """The length of the array."""
    return CELLS + cell_count(radius) + cache_size(radius)


def cache_size(radius: int) -> int:
    """The length of the memo."""
    return end_count(radius) + AXES * cell_count(radius) + 1


@kernel
def ends_at(state: StateArray) -> int:
    """Where the table of strands begins."""
    return CELLS + int(CELLS_OF[state[RADIUS]])


@kernel
def routes_at(state: StateArray) -> int:
    """Where the witness begins."""
    return CELLS + (1 + EDGES) * int(CELLS_OF[state[RADIUS]]) + SIDES * (2 * int(state[RADIUS]) + 1)


@kernel
def has_witness_at(state: StateArray) -> int:
    """Where it is written whether there is a witness."""
    return routes_at(state) + AXES * int(CELLS_OF[state[RADIUS]])


# ---- actions ----------------------------------------------------------------------------------
#
# On a board of n cells: FILLINGS * cell + filling lays a tile; with ``supermove`` the same number
# plus FILLINGS * n exchanges one; then come the types that can be drawn, the seats that can begin,
# and the sides that can be taken.


def action_count(radius: int, supermove: bool) -> int:
    """How many actions there are."""
    return FILLINGS * cell_count(radius) * (2 if supermove else 1) + TYPES + MOST_SEATS + SIDES


@kernel
def exchange_base(state: StateArray) -> int:
    """The first action that exchanges a tile; without ``supermove`` there are none."""
    return FILLINGS * int(CELLS_OF[state[RADIUS]])


@kernel
def draw_base(state: StateArray) -> int:
    """The first action that draws a tile."""
    return exchange_base(state) * (1 if state[SUPERMOVE] == OFF else 2)


@kernel
def first_base(state: StateArray) -> int:
    """The first action that says which seat begins."""
    return draw_base(state) + TYPES


@kernel
def side_base(state: StateArray) -> int:
    """The first action that takes a side."""
    return first_base(state) + MOST_SEATS
