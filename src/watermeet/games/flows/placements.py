"""Where a tile may be laid (R5, R7.4), and the witness that is kept beside a position.

A witness answers most questions at once: wherever a tile has the pairs that the witness uses in a
cell, it may be laid there. Only for the rest is the solver asked; and a witness found for one
placement answers for many others too.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows.board import AXES, CELLS_OF, MOST_CELLS
from watermeet.games.flows.layout import (
    BAG,
    CELLS,
    JOINT,
    LEGALITY,
    OFF,
    RADIUS,
    SUPERMOVE,
    TILE,
    UNKNOWN,
    ends_at,
    has_witness_at,
    routes_at,
)
from watermeet.games.flows.routes import (
    KEPT,
    MARKS,
    ROOM,
    USED,
    allow_in_cell,
    axes_without_route,
    begin_search,
    find_witness,
    used_in_cell,
)
from watermeet.games.flows.seating import axes_taken
from watermeet.games.flows.strands import axes_joined_by
from watermeet.games.flows.tiles import (
    ALL_FILLINGS,
    EVERY_PAIR,
    FILLING_MASK,
    FILLINGS,
    TYPES,
)


@kernel
def fillings_in_hand(state: StateArray) -> int:
    """The fillings that the mover's tile can make, as bits; if it is hidden, of unseen types."""
    if state[TILE] != UNKNOWN:
        return int(ALL_FILLINGS[int(state[TILE]) - 1])
    fillings = 0
    for kind in range(TYPES):
        if state[BAG + kind] > 0:
            fillings |= int(ALL_FILLINGS[kind])
    return fillings


@kernel
def cells_of(state: StateArray) -> int:
    """How many cells the board has."""
    return int(CELLS_OF[state[RADIUS]])


# ---- all placements ---------------------------------------------------------------------------


@kernel(inline=False, signature="int16[::1], int64, boolean, int32[::1]")
def mark_placements(state: StateArray, wanted: int, first_only: bool, room: Scratch) -> bool:
    """Marks by cell which of the wanted fillings may be laid; False if none may.

    With ``first_only`` it stops as soon as there is one.
    """
    found = _mark_at_once(state, wanted, room)
    if (found and first_only) or state[SUPERMOVE] != OFF:
        return found
    begin_search(room, state, ends_at(state), int(state[RADIUS]), axes_taken(state))
    _keep_known_witness(state, room)
    for cell in range(cells_of(state)):
        if state[CELLS + cell] != 0:
            continue
        for filling in range(FILLINGS):
            if ((wanted & ~int(room[MARKS + cell])) >> filling) & 1 == 0:
                continue
            if _is_possible(state, cell, filling, room):
                found = True
                if first_only:
                    return True
                room[MARKS + cell] |= 1 << filling
                if state[LEGALITY] == JOINT:
                    _mark_answered(state, wanted, room)
    return found


@kernel
def _mark_at_once(state: StateArray, wanted: int, room: Scratch) -> bool:
    """Marks what needs no search; that is all with ``supermove`` (R7.5)."""
    found = False
    asked = axes_taken(state)
    for cell in range(cells_of(state)):
        marks = 0
        if state[CELLS + cell] == 0:
            for filling in range(FILLINGS):
                if (wanted >> filling) & 1 and _is_plain(state, cell, filling, asked):
                    marks |= 1 << filling
        room[MARKS + cell] = marks
        found = found or marks != 0
    return found


@kernel
def _is_plain(state: StateArray, cell: int, filling: int, asked: int) -> bool:
    """Whether a placement is seen at once to be legal."""
    if state[SUPERMOVE] != OFF or keeps_witness(state, cell, filling):
        return True
    joined = axes_joined_by(state, ends_at(state), int(state[RADIUS]), cell, filling)
    return joined & asked != 0  # R5.1


@kernel
def keeps_witness(state: StateArray, cell: int, filling: int) -> bool:
    """Whether there is a witness, and a tile has all its pairs in a cell."""
    if state[has_witness_at(state)] == 0:
        return False
    routes, count = routes_at(state) + cell, cells_of(state)
    used = 0
    for axis in range(AXES):
        used |= int(state[routes + axis * count])
    return used & ~int(FILLING_MASK[filling]) == 0


@kernel
def _mark_answered(state: StateArray, wanted: int, room: Scratch) -> None:
    """Keeps the witness just found, and marks all that it shows to be legal."""
    _copy_routes(room, USED, KEPT)
    for cell in range(cells_of(state)):
        if state[CELLS + cell] != 0:
            continue
        used = used_in_cell(room, cell)
        for filling in range(FILLINGS):
            if (wanted >> filling) & 1 and used & ~int(FILLING_MASK[filling]) == 0:
                room[MARKS + cell] |= 1 << filling


@kernel
def _copy_routes(room: Scratch, source: int, target: int) -> None:
    for place in range(AXES * MOST_CELLS):
        room[target + place] = room[source + place]


@kernel
def _keep_known_witness(state: StateArray, room: Scratch) -> None:
    """Takes the state's witness, if it has one, over into the room."""
    routes, count = routes_at(state), cells_of(state)
    known = state[has_witness_at(state)] != 0
    for axis in range(AXES):
        for cell in range(count):
            used = int(state[routes + axis * count + cell])
            room[KEPT + axis * MOST_CELLS + cell] = used if known else 0


# ---- one placement ----------------------------------------------------------------------------


@kernel(inline=False, signature="int16[::1], int64, int64")
def may_be_laid(state: StateArray, cell: int, filling: int) -> bool:
    """Whether a filling may be laid on an empty cell."""
    if _is_plain(state, cell, filling, axes_taken(state)):
        return True
    room = scratch(ROOM)
    begin_search(room, state, ends_at(state), int(state[RADIUS]), axes_taken(state))
    _keep_known_witness(state, room)
    return _is_possible(state, cell, filling, room)


@kernel
def _is_possible(state: StateArray, cell: int, filling: int, room: Scratch) -> bool:
    """Whether routes are left after a placement; they are in USED then."""
    allow_in_cell(room, cell, int(FILLING_MASK[filling]))
    possible = _find_routes(state, room)
    allow_in_cell(room, cell, EVERY_PAIR)
    return possible


@kernel
def _find_routes(state: StateArray, room: Scratch) -> bool:
    """Whether all have routes together (R5.2) or each alone (R7.4); starts from what is KEPT."""
    _copy_routes(room, KEPT, USED)
    if state[LEGALITY] == JOINT:
        return find_witness(room)
    return axes_without_route(room, axes_taken(state)) == 0


# ---- the witness ------------------------------------------------------------------------------


@kernel(inline=False, signature="int16[::1], int64, int64")
def renew_witness(state: StateArray, cell: int, filling: int) -> None:
    """Writes a witness for the board with a tile more; call it before the tile is laid.

    With a negative cell it is for the board as it is.
    """
    routes, count = routes_at(state), cells_of(state)
    if cell >= 0 and keeps_witness(state, cell, filling):
        for axis in range(AXES):
            state[routes + axis * count + cell] = 0
        return
    room = scratch(ROOM)
    begin_search(room, state, ends_at(state), int(state[RADIUS]), axes_taken(state))
    _keep_known_witness(state, room)
    state[has_witness_at(state)] = 0
    if state[SUPERMOVE] != OFF:
        return
    if cell >= 0:
        allow_in_cell(room, cell, int(FILLING_MASK[filling]))
    if not _find_routes(state, room):
        return
    state[has_witness_at(state)] = 1
    for axis in range(AXES):
        for place in range(count):
            used = int(room[USED + axis * MOST_CELLS + place])
            state[routes + axis * count + place] = used if place != cell else 0
