"""The layout of a Flows state in its array, and the numbering of actions.

| from | what |
| --- | --- |
| SEATS ... MIX | the options |
| STAGE | what happens next: LOT, CHOOSE, DEAL, DRAW, PLACE, FOLLOW or FINISHED |
| MOVER | the seat to move, or the seat that chance draws for |
| TURN_SIDE | the side whose turn it is; with five seats this can be a black side (R3.2) |
| FIRST | the seat that moves first |
| TILE | the mover's tile: NO_TILE, 1 + type, or UNKNOWN if it is concealed |
| TILE_OPEN | 1 if everyone has seen the tile because it came from the board (R7.6, R7.7) |
| EXCHANGES | how many exchanges were made, with ``single`` |
| WINNERS | the winning axes, as bits |
| BY_ROUTE | 1 if they won by a route, 0 by an unplayable tile or a full board |
| SIDE_OF | by seat: 1 + its side, 0 if it has none yet |
| HELD | by seat: the tile held, like TILE |
| HELD_OPEN | by seat: like TILE_OPEN |
| BAG | by type: how many tiles are face down |
| CELLS | by cell of the board: 0 if empty, else 1 + the orientation of its tile |

The cells are followed by the cache: the table of ends (strand_ends.py); by axis and cell the pairs
of a witness (routes.py); and 1 if there is a witness, else 0. With ``legality=reach`` its routes
may clash; with ``supermove`` there is none.

Import this module, not its names: ``layout.STAGE``.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flows.board import AXES, CELLS_OF, SIDES, cell_count, end_count
from watermeet.games.flows.tiles import EDGES, ORIENTATIONS, TYPES

MAX_SEATS = 6

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
HELD = SIDE_OF + MAX_SEATS
HELD_OPEN = HELD + MAX_SEATS
BAG = HELD_OPEN + MAX_SEATS
CELLS = BAG + TYPES

# The values of the options.
SET, ADJACENT, CHOSEN = range(3)
JOINT, REACH = range(2)
OFF, FULL, SINGLE = range(3)

# The stages.
LOT = 0  # Chance decides who moves first.
CHOOSE = 1  # A seat takes a side.
DEAL = 2  # Chance deals everyone a tile to hold.
DRAW = 3  # Chance draws a tile for the mover.
PLACE = 4  # The mover places the tile.
FOLLOW = 5  # The mover places the tile that an exchange took off the board.
FINISHED = 6

UNKNOWN = 1 + TYPES
NO_TILE = 0


def state_size(radius: int) -> int:
    """The length of the array."""
    return CELLS + cell_count(radius) + cache_size(radius)


def cache_size(radius: int) -> int:
    """The length of the cache."""
    return end_count(radius) + AXES * cell_count(radius) + 1


@kernel
def board_size(state: StateArray) -> int:
    """How many cells the board has."""
    return int(CELLS_OF[state[RADIUS]])


@kernel
def ends_at(state: StateArray) -> int:
    """The start of the table of ends."""
    return CELLS + board_size(state)


@kernel
def routes_at(state: StateArray) -> int:
    """The start of the witness's routes."""
    return CELLS + (1 + EDGES) * board_size(state) + SIDES * (2 * int(state[RADIUS]) + 1)


@kernel
def has_witness_at(state: StateArray) -> int:
    """The index of the flag that says whether there is a witness."""
    return routes_at(state) + AXES * board_size(state)


# ---- actions ----------------------------------------------------------------------------------
#
# In this order: placements; exchanges, with ``supermove``, in the order of placements; the types
# that can be drawn; the seats that can move first; the sides that can be taken.


def action_count(radius: int, supermove: bool) -> int:
    """How many actions there are."""
    return ORIENTATIONS * cell_count(radius) * (2 if supermove else 1) + TYPES + MAX_SEATS + SIDES


@kernel
def placement(cell: int, orientation: int) -> int:
    """The action that places a tile; plus ``exchange_base``, the one that exchanges it."""
    return ORIENTATIONS * cell + orientation


@kernel
def placement_cell(action: int) -> int:
    """The cell of a placement."""
    return action // ORIENTATIONS


@kernel
def placement_orientation(action: int) -> int:
    """The orientation of a placement."""
    return action % ORIENTATIONS


@kernel
def exchange_base(state: StateArray) -> int:
    """The first action that exchanges a tile; without ``supermove`` there are none."""
    return ORIENTATIONS * board_size(state)


@kernel
def draw_base(state: StateArray) -> int:
    """The first action that draws a tile."""
    return exchange_base(state) * (1 if state[SUPERMOVE] == OFF else 2)


@kernel
def first_base(state: StateArray) -> int:
    """The first action that decides which seat moves first."""
    return draw_base(state) + TYPES


@kernel
def side_base(state: StateArray) -> int:
    """The first action that takes a side."""
    return first_base(state) + MAX_SEATS
