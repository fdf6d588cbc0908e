"""The supermove: a tile in the place of one that lies on the board (R7.5 to R7.8)."""

from __future__ import annotations

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows.board import AXES
from watermeet.games.flows.layout import (
    CELLS,
    EXCHANGES,
    MOVER,
    RADIUS,
    SIDE_OF,
    SINGLE,
    SUPERMOVE,
    SUPERMOVE_ANY,
    ends_at,
    exchange_base,
)
from watermeet.games.flows.placements import cells_of
from watermeet.games.flows.routes import (
    ENDS,
    ROOM,
    allow_in_cell,
    axes_without_route,
    begin_search,
)
from watermeet.games.flows.seating import axes_taken
from watermeet.games.flows.strands import begin_strands, lay_strands
from watermeet.games.flows.tiles import EVERY_PAIR, FILLING_MASK, FILLINGS


@kernel
def mover_axis(state: StateArray) -> int:
    """The axis of the mover, as a bit."""
    return 1 << ((int(state[SIDE_OF + int(state[MOVER])]) - 1) % AXES)


@kernel
def blocked_axes(state: StateArray) -> int:
    """The axes that no filling of the empty cells connects, as bits."""
    room = scratch(ROOM)
    begin_search(room, state, ends_at(state), int(state[RADIUS]), axes_taken(state))
    return axes_without_route(room, axes_taken(state))


@kernel
def axes_to_free(state: StateArray) -> int:
    """The axes of which an exchange must free one, as bits; 0 if none may be made."""
    if state[SUPERMOVE] == SINGLE and state[EXCHANGES] >= cells_of(state):
        return 0  # R7.7
    blocked = blocked_axes(state)
    return blocked if state[SUPERMOVE_ANY] else blocked & mover_axis(state)  # R7.8


@kernel(inline=False, signature="int16[::1], int64, int32[::1], int64")
def list_exchanges(state: StateArray, fillings: int, out: ActionArray, count: int) -> int:
    """Lists the exchanges behind the first ``count`` actions; returns how many there are then."""
    wanted = axes_to_free(state)
    if wanted == 0:
        return count
    room = scratch(ROOM)
    begin_search(room, state, ends_at(state), int(state[RADIUS]), axes_taken(state))
    for cell in range(cells_of(state)):
        if state[CELLS + cell] == 0:
            continue
        lay_all_but(state, cell, room, ENDS)
        for filling in range(FILLINGS):
            if (fillings >> filling) & 1 and _frees_one(room, cell, filling, wanted):
                out[count] = exchange_base(state) + FILLINGS * cell + filling
                count += 1
        allow_in_cell(room, cell, EVERY_PAIR)
    return count


@kernel
def _frees_one(room: Scratch, cell: int, filling: int, wanted: int) -> bool:
    allow_in_cell(room, cell, int(FILLING_MASK[filling]))
    return axes_without_route(room, wanted) != wanted


@kernel
def lay_all_but(state: StateArray, left_out: int, ends: StateArray, first: int) -> int:
    """Writes the table of strands anew, without the tile in one cell; returns what is connected."""
    begin_strands(ends, first, int(state[RADIUS]))
    connected = 0
    for cell in range(cells_of(state)):
        if cell != left_out and state[CELLS + cell] != 0:
            filling = int(state[CELLS + cell]) - 1
            connected |= lay_strands(ends, first, int(state[RADIUS]), cell, filling)
    return connected
