"""The supermove: exchanging a tile on the board for the one in hand (R7.5 to R7.8)."""

from __future__ import annotations

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES
from watermeet.games.flows.placements import start_route_search
from watermeet.games.flows.route_buffer import ENDS, SEARCH_SIZE, note_rim, restrict_cell
from watermeet.games.flows.route_search import axes_without_route
from watermeet.games.flows.sides import axes_taken
from watermeet.games.flows.strand_ends import join_ends, reset_ends
from watermeet.games.flows.tiles import EVERY_PAIR, ORIENTATION_PAIRS, ORIENTATIONS


@kernel
def mover_axis(state: StateArray) -> int:
    """The axis of the mover, as a bit."""
    return 1 << ((int(state[layout.SIDE_OF + int(state[layout.MOVER])]) - 1) % AXES)


@kernel
def blocked_axes(state: StateArray) -> int:
    """The axes that no completion of the board connects, as bits."""
    search = scratch(SEARCH_SIZE)
    start_route_search(state, search)
    return axes_without_route(search, axes_taken(state))


@kernel
def axes_to_free(state: StateArray) -> int:
    """The axes of which an exchange must free at least one, as bits; 0 if none is allowed."""
    if state[layout.SUPERMOVE] == layout.SINGLE and state[layout.EXCHANGES] >= layout.board_size(
        state
    ):
        return 0  # R7.7
    blocked = blocked_axes(state)
    return blocked if state[layout.SUPERMOVE_ANY] else blocked & mover_axis(state)  # R7.8


@kernel(inline=False, signature="int16[::1], int64, int32[::1], int64")
def list_exchanges(state: StateArray, orientations: int, out: ActionArray, count: int) -> int:
    """Appends the exchanges to the first ``count`` actions; returns the new count."""
    wanted = axes_to_free(state)
    if wanted == 0:
        return count
    search = scratch(SEARCH_SIZE)
    start_route_search(state, search)
    for cell in range(layout.board_size(state)):
        if state[layout.CELLS + cell] == 0:
            continue
        rebuild_ends(state, cell, search, ENDS)
        note_rim(search)
        for orientation in range(ORIENTATIONS):
            if (orientations >> orientation) & 1 and _frees_one(search, cell, orientation, wanted):
                out[count] = layout.exchange_base(state) + layout.placement(cell, orientation)
                count += 1
        restrict_cell(search, cell, EVERY_PAIR)
    return count


@kernel
def _frees_one(search: Scratch, cell: int, orientation: int, wanted: int) -> bool:
    restrict_cell(search, cell, int(ORIENTATION_PAIRS[orientation]))
    return axes_without_route(search, wanted) != wanted


@kernel
def rebuild_ends(state: StateArray, left_out: int, ends: StateArray, first: int) -> int:
    """Rebuilds the table of ends, without the tile in one cell; returns the connected axes."""
    reset_ends(ends, first, int(state[layout.RADIUS]))
    connected = 0
    for cell in range(layout.board_size(state)):
        if cell != left_out and state[layout.CELLS + cell] != 0:
            orientation = int(state[layout.CELLS + cell]) - 1
            connected |= join_ends(ends, first, int(state[layout.RADIUS]), cell, orientation)
    return connected
