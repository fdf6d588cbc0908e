"""The legality of placements (R5, R7.4), and the witness in a state's cache.

A witness settles most placements without a search: a tile may be placed wherever it has all the
pairs that the witness uses in that cell. Only the rest go to the solver (routes.py), and a witness
found for one placement settles many others.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows import layout, routes
from watermeet.games.flows.board import AXES, MAX_CELLS
from watermeet.games.flows.routes import SEARCH_SIZE
from watermeet.games.flows.sides import axes_taken
from watermeet.games.flows.strand_ends import axes_connected_by
from watermeet.games.flows.tiles import (
    EVERY_PAIR,
    ORIENTATION_PAIRS,
    ORIENTATIONS,
    ORIENTATIONS_OF_TYPE,
    TYPES,
)


@kernel
def orientations_in_hand(state: StateArray) -> int:
    """The orientations of the mover's tile, as bits; those of all unseen types if it is hidden."""
    if state[layout.TILE] != layout.UNKNOWN:
        return int(ORIENTATIONS_OF_TYPE[int(state[layout.TILE]) - 1])
    orientations = 0
    for kind in range(TYPES):
        if state[layout.BAG + kind] > 0:
            orientations |= int(ORIENTATIONS_OF_TYPE[kind])
    return orientations


@kernel
def start_route_search(state: StateArray, search: Scratch) -> None:
    """Prepares ``search`` for routes of all teams on the board as it is."""
    radius, wanted = int(state[layout.RADIUS]), axes_taken(state)
    routes.start_search(search, state, layout.ends_at(state), radius, wanted)


# ---- all placements ---------------------------------------------------------------------------


@kernel(inline=False, signature="int16[::1], int64, boolean, int32[::1]")
def mark_placements(state: StateArray, wanted: int, first_only: bool, search: Scratch) -> bool:
    """Writes to MARKS, by cell, which of the wanted orientations are legal; False if none is.

    With ``first_only`` it stops at the first one.
    """
    found = _mark_at_sight(state, wanted, search)
    if (found and first_only) or state[layout.SUPERMOVE] != layout.OFF:
        return found
    start_route_search(state, search)
    _load_witness(state, search)
    for cell in range(layout.board_size(state)):
        if state[layout.CELLS + cell] != 0:
            continue
        for orientation in range(ORIENTATIONS):
            if ((wanted & ~int(search[routes.MARKS + cell])) >> orientation) & 1 == 0:
                continue
            if _leaves_routes(state, cell, orientation, search):
                found = True
                if first_only:
                    return True
                search[routes.MARKS + cell] |= 1 << orientation
                if state[layout.LEGALITY] == layout.JOINT:
                    _mark_shown_by_witness(state, wanted, search)
    return found


@kernel
def _mark_at_sight(state: StateArray, wanted: int, search: Scratch) -> bool:
    """Marks what needs no search: with ``supermove`` that is every placement (R7.5)."""
    found = False
    asked = axes_taken(state)
    for cell in range(layout.board_size(state)):
        marks = 0
        if state[layout.CELLS + cell] == 0:
            for orientation in range(ORIENTATIONS):
                if (wanted >> orientation) & 1 and _is_legal_at_sight(
                    state, cell, orientation, asked
                ):
                    marks |= 1 << orientation
        search[routes.MARKS + cell] = marks
        found = found or marks != 0
    return found


@kernel
def _is_legal_at_sight(state: StateArray, cell: int, orientation: int, asked: int) -> bool:
    """Whether a placement is legal without a search."""
    if state[layout.SUPERMOVE] != layout.OFF or fits_witness(state, cell, orientation):
        return True
    joined = axes_connected_by(
        state, layout.ends_at(state), int(state[layout.RADIUS]), cell, orientation
    )
    return joined & asked != 0  # R5.1


@kernel
def fits_witness(state: StateArray, cell: int, orientation: int) -> bool:
    """Whether there is a witness, and a tile has all pairs that it uses in a cell."""
    if state[layout.has_witness_at(state)] == 0:
        return False
    witness, count = layout.routes_at(state) + cell, layout.board_size(state)
    used = 0
    for axis in range(AXES):
        used |= int(state[witness + axis * count])
    return used & ~int(ORIENTATION_PAIRS[orientation]) == 0


@kernel
def _mark_shown_by_witness(state: StateArray, wanted: int, search: Scratch) -> None:
    """Keeps the witness just found as the warm start, and marks what it shows to be legal."""
    _copy_routes(search, routes.USED, routes.WARM_START)
    for cell in range(layout.board_size(state)):
        if state[layout.CELLS + cell] != 0:
            continue
        used = routes.used_in_cell(search, cell)
        for orientation in range(ORIENTATIONS):
            if (wanted >> orientation) & 1 and used & ~int(ORIENTATION_PAIRS[orientation]) == 0:
                search[routes.MARKS + cell] |= 1 << orientation


@kernel
def _copy_routes(search: Scratch, source: int, target: int) -> None:
    for place in range(AXES * MAX_CELLS):
        search[target + place] = search[source + place]


@kernel
def _load_witness(state: StateArray, search: Scratch) -> None:
    """Copies the state's witness, if it has one, to WARM_START."""
    witness, count = layout.routes_at(state), layout.board_size(state)
    known = state[layout.has_witness_at(state)] != 0
    for axis in range(AXES):
        for cell in range(count):
            used = int(state[witness + axis * count + cell])
            search[routes.WARM_START + axis * MAX_CELLS + cell] = used if known else 0


# ---- one placement ----------------------------------------------------------------------------


@kernel(inline=False, signature="int16[::1], int64, int64")
def is_legal_placement(state: StateArray, cell: int, orientation: int) -> bool:
    """Whether a tile may be placed on an empty cell in this orientation."""
    if _is_legal_at_sight(state, cell, orientation, axes_taken(state)):
        return True
    search = scratch(SEARCH_SIZE)
    start_route_search(state, search)
    _load_witness(state, search)
    return _leaves_routes(state, cell, orientation, search)


@kernel
def _leaves_routes(state: StateArray, cell: int, orientation: int, search: Scratch) -> bool:
    """Whether a placement leaves routes; USED holds them then."""
    routes.restrict_cell(search, cell, int(ORIENTATION_PAIRS[orientation]))
    possible = _find_routes(state, search)
    routes.restrict_cell(search, cell, EVERY_PAIR)
    return possible


@kernel
def _find_routes(state: StateArray, search: Scratch) -> bool:
    """Whether there are routes for all at once (R5.2) or for each alone (R7.4), from WARM_START."""
    _copy_routes(search, routes.WARM_START, routes.USED)
    if state[layout.LEGALITY] == layout.JOINT:
        return routes.find_witness(search)
    return routes.axes_without_route(search, axes_taken(state)) == 0


# ---- the witness ------------------------------------------------------------------------------


@kernel(inline=False, signature="int16[::1], int64, int64")
def update_witness(state: StateArray, cell: int, orientation: int) -> None:
    """Updates the witness for a tile about to be placed; a negative cell stands for no tile."""
    witness, count = layout.routes_at(state), layout.board_size(state)
    if cell >= 0 and fits_witness(state, cell, orientation):
        for axis in range(AXES):
            state[witness + axis * count + cell] = 0
        return
    search = scratch(SEARCH_SIZE)
    start_route_search(state, search)
    _load_witness(state, search)
    state[layout.has_witness_at(state)] = 0
    if state[layout.SUPERMOVE] != layout.OFF:
        return
    if cell >= 0:
        routes.restrict_cell(search, cell, int(ORIENTATION_PAIRS[orientation]))
    if not _find_routes(state, search):
        return
    state[layout.has_witness_at(state)] = 1
    for axis in range(AXES):
        for place in range(count):
            used = int(search[routes.USED + axis * MAX_CELLS + place])
            state[witness + axis * count + place] = used if place != cell else 0
