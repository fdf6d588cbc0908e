"""The legality of placements (R5, R7.4), and the witness in a state's cache.

A witness settles most placements without a search: a tile may be placed wherever it has all the
pairs that the witness uses in that cell. Only the rest go to the solver (routes.py), and a witness
found for one placement settles many others.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows import layout
from watermeet.games.flows import route_buffer as buffer
from watermeet.games.flows.board import AXES, MAX_CELLS
from watermeet.games.flows.detours import find_detours
from watermeet.games.flows.pair_sets import orientations_with, orientations_with_any
from watermeet.games.flows.route_buffer import SEARCH_SIZE
from watermeet.games.flows.route_search import axes_without_route
from watermeet.games.flows.routes import find_witness
from watermeet.games.flows.sides import axes_taken
from watermeet.games.flows.strand_ends import axes_around, axes_connected_by
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
    buffer.start_search(search, state, layout.ends_at(state), radius, wanted)


# ---- all placements ---------------------------------------------------------------------------


@kernel(inline=False, signature="int16[::1], int64, boolean, int32[::1]")
def mark_placements(state: StateArray, wanted: int, first_only: bool, search: Scratch) -> bool:
    """Writes to MARKS, by cell, which of the wanted orientations are legal; False if none is.

    With ``first_only`` it stops at the first one.
    """
    found, all_marked = _mark_at_sight(state, wanted, first_only, search)
    if all_marked or (found and first_only):
        return found
    start_route_search(state, search)
    _load_witness(state, search)
    joint = state[layout.LEGALITY] == layout.JOINT
    count = layout.board_size(state)
    for cell in range(count):  # Routes that avoid what isn't settled yet settle the most.
        if state[layout.CELLS + cell] == 0 and search[buffer.MARKS + cell] != wanted:
            search[buffer.AVOID + cell] = 1
    if joint and state[layout.has_witness_at(state)]:
        found = _mark_detours(state, wanted, search) or found
    for cell in range(count):
        if search[buffer.AVOID + cell] and not (found and first_only):
            found = _mark_by_search(state, wanted, first_only, cell, search) or found
            search[buffer.AVOID + cell] = 0
    return found


@kernel
def _mark_at_sight(
    state: StateArray, wanted: int, first_only: bool, search: Scratch
) -> tuple[bool, bool]:
    """Marks what needs no search; returns whether that is any placement, and whether it is all."""
    found, all_marked = False, True
    asked, is_free = axes_taken(state), state[layout.SUPERMOVE] != layout.OFF  # R7.5
    has_witness = state[layout.has_witness_at(state)] != 0
    witness, count = layout.routes_at(state), layout.board_size(state)
    for cell in range(count):
        marks = 0
        if state[layout.CELLS + cell] == 0:
            if is_free:
                marks = wanted
            elif has_witness:
                marks = wanted & _orientations_shown(state, witness + cell, count)
            if marks != wanted:
                marks |= _connecting(state, cell, wanted & ~marks, asked)
                all_marked = all_marked and marks == wanted
            found = found or marks != 0
            if found and first_only:
                break
        search[np.uint64(buffer.MARKS + cell)] = marks
    return found, all_marked


@kernel
def _orientations_shown(state: StateArray, place: int, count: int) -> int:
    """The orientations that have all pairs of the witness in a cell, whose routes start there."""
    used = 0
    for axis in range(AXES):
        used |= int(state[np.uint64(place + axis * count)])
    return orientations_with(used)


@kernel
def _mark_detours(state: StateArray, wanted: int, search: Scratch) -> bool:
    """Marks the cells that the witness can avoid by a detour; False if there are none."""
    count = layout.board_size(state)
    _copy_routes(search, buffer.WARM_START, buffer.USED, count)
    find_detours(search)
    found = False
    for cell in range(count):
        if search[buffer.AVOID + cell] == 0 and state[layout.CELLS + cell] == 0:
            search[buffer.MARKS + cell] = wanted
            found = True
    return found


@kernel
def _mark_by_search(
    state: StateArray, wanted: int, first_only: bool, cell: int, search: Scratch
) -> bool:
    """Marks the wanted orientations that leave routes in a cell; False if there are none.

    A failure says which pairs would help, and an orientation without any of them fails as well.
    """
    found, joint = False, state[layout.LEGALITY] == layout.JOINT
    unsettled = wanted & ~int(search[buffer.MARKS + cell])
    for orientation in range(ORIENTATIONS):
        if (unsettled >> orientation) & 1 == 0 or (found and first_only):
            continue
        if _leaves_routes(state, cell, int(ORIENTATION_PAIRS[orientation]), search):
            found = True
            search[buffer.MARKS + cell] |= 1 << orientation
            if joint:
                _mark_shown_by_witness(state, wanted, search)
                unsettled &= ~int(search[buffer.MARKS + cell])
        elif joint:
            unsettled &= orientations_with_any(int(search[buffer.HELPFUL]))
    return found


@kernel
def _connecting(state: StateArray, cell: int, orientations: int, asked: int) -> int:
    """Those of some orientations that connect one of the asked axes (R5.1)."""
    ends, radius = layout.ends_at(state), int(state[layout.RADIUS])
    if axes_around(state, ends, radius, cell) & asked == 0:
        return 0
    connecting = 0
    for orientation in range(ORIENTATIONS):
        if (orientations >> orientation) & 1:
            connected = axes_connected_by(state, ends, radius, cell, orientation)
            connecting |= int(connected & asked != 0) << orientation
    return connecting


@kernel
def _mark_shown_by_witness(state: StateArray, wanted: int, search: Scratch) -> None:
    """Keeps the witness just found as the warm start, and marks what it shows to be legal."""
    count = layout.board_size(state)
    _copy_routes(search, buffer.USED, buffer.WARM_START, count)
    for cell in range(count):
        if search[buffer.AVOID + cell]:
            shown = wanted & orientations_with(buffer.used_in_cell(search, cell))
            search[buffer.MARKS + cell] |= shown
            search[buffer.AVOID + cell] = int(search[buffer.MARKS + cell] != wanted)


@kernel
def _copy_routes(search: Scratch, source: int, target: int, count: int) -> None:
    for axis in range(AXES):
        for place in range(axis * MAX_CELLS, axis * MAX_CELLS + count):
            search[np.uint64(target + place)] = search[np.uint64(source + place)]


@kernel
def _load_witness(state: StateArray, search: Scratch) -> None:
    """Copies the state's witness, if it has one, to WARM_START."""
    witness, count = layout.routes_at(state), layout.board_size(state)
    known = int(state[layout.has_witness_at(state)])
    for axis in range(AXES):
        for cell in range(count):
            used = int(state[np.uint64(witness + axis * count + cell)])
            search[np.uint64(buffer.WARM_START + axis * MAX_CELLS + cell)] = used * known


# ---- one placement ----------------------------------------------------------------------------


@kernel(inline=False, signature="int16[::1], int64, int64")
def is_legal_placement(state: StateArray, cell: int, orientation: int) -> bool:
    """Whether a tile may be placed on an empty cell in this orientation."""
    if state[layout.SUPERMOVE] != layout.OFF or _fits_witness(state, cell, orientation):
        return True
    if _connecting(state, cell, 1 << orientation, axes_taken(state)) != 0:
        return True
    search = scratch(SEARCH_SIZE)
    start_route_search(state, search)
    _load_witness(state, search)
    return _leaves_routes(state, cell, int(ORIENTATION_PAIRS[orientation]), search)


@kernel
def _leaves_routes(state: StateArray, cell: int, pairs: int, search: Scratch) -> bool:
    """Whether there are routes if a cell has only some pairs; USED holds them then."""
    buffer.restrict_cell(search, cell, pairs)
    possible = _find_routes(state, search)
    buffer.restrict_cell(search, cell, EVERY_PAIR)
    return possible


@kernel
def _find_routes(state: StateArray, search: Scratch) -> bool:
    """Whether there are routes for all at once (R5.2) or for each alone (R7.4), from WARM_START."""
    _copy_routes(search, buffer.WARM_START, buffer.USED, layout.board_size(state))
    if state[layout.LEGALITY] == layout.JOINT:
        return find_witness(search)
    return axes_without_route(search, axes_taken(state)) == 0


# ---- the witness ------------------------------------------------------------------------------


@kernel
def _fits_witness(state: StateArray, cell: int, orientation: int) -> bool:
    """Whether there is a witness, and a tile has all pairs that it uses in a cell."""
    if state[layout.has_witness_at(state)] == 0:
        return False
    place, count = layout.routes_at(state) + cell, layout.board_size(state)
    return (_orientations_shown(state, place, count) >> orientation) & 1 == 1


@kernel(inline=False, signature="int16[::1], int64, int64")
def update_witness(state: StateArray, cell: int, orientation: int) -> None:
    """Updates the witness for a tile about to be placed; a negative cell stands for no tile."""
    witness, count = layout.routes_at(state), layout.board_size(state)
    if cell >= 0 and _fits_witness(state, cell, orientation):
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
        buffer.restrict_cell(search, cell, int(ORIENTATION_PAIRS[orientation]))
    if not _find_routes(state, search):
        return
    state[layout.has_witness_at(state)] = 1
    for axis in range(AXES):
        for place in range(count):
            used = int(search[buffer.USED + axis * MAX_CELLS + place])
            state[witness + axis * count + place] = used if place != cell else 0
