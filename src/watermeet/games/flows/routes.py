"""The exact solver: can all axes still be connected at the same time (R5.2)?

A *route* of an axis leads from one of its sides to the other through empty cells and along strands.
Two routes *clash* if they share an edge, or if no tile has both their pairs in an empty cell
(R5.4). Routes that don't clash, one for each axis, are a *witness*: fill each cell with a tile that
has the pairs they use, and every axis is connected. The question is whether a witness exists.

It is a constraint satisfaction problem, solved by **conflict-directed backjumping** (Prosser 1993):

* The variables are the axes. The value of an axis is a route, and the constraints forbid clashes.
* The domain of an axis is kept implicitly, as the pairs that its routes may use in each cell
  (ALLOWED). A search towards the goal finds a route in it, one with few clashes, or proves the
  domain empty. A route that clashes with itself is a clash like any other.
* Branching is binary, on the first clash found. The left branch removes the clashing pairs from one
  axis; the right branch lets that axis keep them, so it removes what clashes with them from all
  others. Every witness survives in one of the two branches.
* Propagation is one search: an axis whose route has lost a pair looks for another one.
* When an axis has none, the *conflict set* is the set of decisions that removed a pair by which the
  failed search could have continued. The solver jumps back to the latest decision in that set, past
  those that played no part, and takes its right branch. The other decisions in the set are the
  *reasons* for what that branch removes. If the set is empty, there is no witness.

Every step removes at least one of finitely many pairs, so the search ends, and it is exact.

It runs in one buffer, ``search``, whose parts are in route_buffer.py; the search for one route is
in route_search.py.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flows.board import AXES, MAX_CELLS
from watermeet.games.flows.pair_sets import orientations_with
from watermeet.games.flows.route_buffer import (
    ALLOWED,
    CLASHES_SEEN,
    DECISIONS,
    ENDS,
    HELPFUL,
    RADIUS,
    REASONS,
    RESTRICTED,
    TRAIL,
    USED,
    WANTED,
    board_size,
    lowest_bit,
    used_by_others,
)
from watermeet.games.flows.route_search import find_route, pairs_leading_on
from watermeet.games.flows.tiles import (
    CLASHES,
    EDGES,
    EVERY_PAIR,
    PAIR_HIGH,
    PAIR_LOW,
    PAIRS_AT_EDGE,
)

NO_CLASH = -1


# ---- packed numbers ---------------------------------------------------------------------------


_FIRST_PAIR_KIND = EDGES  # Kinds of clashes below this are shared edges, from here on pairs.


@kernel
def _pack_clash(cell: int, axis: int, kind: int) -> int:
    """A clash of an axis with others in a cell.

    The kind is the edge that they share, or _FIRST_PAIR_KIND + the axis's pair, if they share none
    but no tile has both pairs.
    """
    return 128 * cell + 32 * axis + kind


@kernel
def _clash_cell(clash: int) -> int:
    return clash // 128


@kernel
def _clash_axis(clash: int) -> int:
    return clash // 32 % 4


@kernel
def _clash_kind(clash: int) -> int:
    return clash % 32


@kernel
def _pack_decision(trail: int, clash: int) -> int:
    """A decision: the clash branched on, and the length of the trail before it."""
    return trail * (1 << 16) + clash


@kernel
def _decision_trail(decision: int) -> int:
    return decision >> 16


@kernel
def _decision_clash(decision: int) -> int:
    return decision & 0xFFFF


@kernel
def _pack_removal(axis: int, cell: int, pairs: int) -> int:
    """Pairs that were removed from the domain of an axis in a cell."""
    return (axis * MAX_CELLS + cell) * (1 << 15) + pairs


@kernel
def _removal_place(removal: int) -> int:
    """Where in ALLOWED the pairs were."""
    return removal >> 15


@kernel
def _removal_axis(removal: int) -> int:
    return _removal_place(removal) // MAX_CELLS


@kernel
def _removal_cell(removal: int) -> int:
    return _removal_place(removal) % MAX_CELLS


@kernel
def _removal_pairs(removal: int) -> int:
    return removal & EVERY_PAIR


# Sets of decisions, as bits by level. The buffer holds 32-bit words, so a set takes two of them.
_LEVELS = 62
_LOW_LEVEL_COUNT = 31
_LOW_LEVELS = (1 << _LOW_LEVEL_COUNT) - 1


@kernel
def _level_bit(level: int) -> int:
    """The set of one decision; the deepest ones share the last bit."""
    return 1 << min(level, _LEVELS - 1)


@kernel
def _without_level(decisions: int, level: int) -> int:
    """A set less one decision; a bit that is shared with others stays."""
    return decisions if level >= _LEVELS else decisions & ~_level_bit(level)


@kernel
def _write_reasons(search: Scratch, step: int, decisions: int) -> None:
    search[REASONS + 2 * step] = decisions & _LOW_LEVELS
    search[REASONS + 2 * step + 1] = decisions >> _LOW_LEVEL_COUNT


@kernel
def _read_reasons(search: Scratch, step: int) -> int:
    low, high = int(search[REASONS + 2 * step]), int(search[REASONS + 2 * step + 1])
    return low | high << _LOW_LEVEL_COUNT


# ---- all axes: backjumping --------------------------------------------------------------------


@kernel(inline=False, signature="int32[::1]")
def find_witness(search: Scratch) -> bool:
    """Finds routes of all wanted axes that don't clash; returns False if there are none.

    Starts from the routes in USED. Axes without one, and those whose route uses a pair that isn't
    allowed, look for a route first. ALLOWED is the same afterwards. If there are none, HELPFUL says
    which pairs a tile in the restricted cell would need.
    """
    search[HELPFUL] = 0
    for axis in range(AXES):
        if (search[WANTED] >> axis) & 1 and not _has_allowed_route(search, axis):
            for cell in range(board_size(search)):
                search[np.uint64(USED + axis * MAX_CELLS + cell)] = 0
            if not find_route(search, axis):
                _note_helpful(search, axis)
                return False
    trail, level = 0, 0
    while True:
        if _fit_together(search):
            _undo_removals(search, 0, trail)
            return True
        clash = find_clash(search)
        search[CLASHES_SEEN] += 1
        search[DECISIONS + level] = _pack_decision(trail, clash)
        trail, is_consistent = _branch_left(search, clash, trail, _level_bit(level))
        level += 1
        while not is_consistent:
            conflicts = _conflict_set(search, trail)
            while level > 0 and conflicts & _level_bit(level - 1) == 0:
                level -= 1  # Backjump: the other branch would fail in the same way.
            if level == 0:
                _undo_removals(search, 0, trail)
                return False
            level -= 1
            decision = int(search[DECISIONS + level])
            before = _decision_trail(decision)
            _undo_removals(search, before, trail)
            reasons = _without_level(conflicts, level)
            trail, is_consistent = _branch_right(search, _decision_clash(decision), before, reasons)


@kernel
def _has_allowed_route(search: Scratch, axis: int) -> bool:
    """Whether an axis has a route all of whose pairs are allowed."""
    used_any, forbidden = 0, 0
    for cell in range(axis * MAX_CELLS, axis * MAX_CELLS + board_size(search)):
        used = int(search[np.uint64(USED + cell)])
        used_any |= used
        forbidden |= used & ~int(search[np.uint64(ALLOWED + cell)])
    return used_any != 0 and forbidden == 0


@kernel
def _fit_together(search: Scratch) -> bool:
    """Whether the routes of the wanted axes don't clash: each cell has a tile with their pairs."""
    clashes = 0
    for cell in range(board_size(search)):
        used, shared = 0, 0
        for axis in range(AXES):
            is_wanted = (int(search[WANTED]) >> axis) & 1
            own = is_wanted * int(search[np.uint64(USED + axis * MAX_CELLS + cell)])
            shared |= used & own
            used |= own
        clashes |= shared | int(orientations_with(used) == 0)
    return clashes == 0


@kernel
def find_clash(search: Scratch) -> int:
    """The first clash along the routes, see _pack_clash; NO_CLASH if there is none.

    Routes are followed from the far side. Clashes that are branched on one after the other are then
    close together, which keeps conflict sets small.
    """
    ports, length = EDGES * board_size(search), 2 * int(search[RADIUS]) + 1
    for axis in range(AXES):
        if (search[WANTED] >> axis) & 1 == 0:
            continue
        goal = ports + (axis + AXES) * length
        for end in range(goal, goal + length):
            clash = _first_clash_from(search, axis, int(search[ENDS + end]))
            if clash != NO_CLASH:
                return clash
    return NO_CLASH


@kernel
def _first_clash_from(search: Scratch, axis: int, port: int) -> int:
    """The first clash of the route that enters by a port, if the axis's route does."""
    ports = EDGES * board_size(search)
    while port < ports:
        cell = port // EDGES
        own = int(search[USED + axis * MAX_CELLS + cell])
        pairs = own & int(PAIRS_AT_EDGE[port - EDGES * cell])
        if pairs == 0:
            return NO_CLASH
        kind = _kind_of_clash(own, used_by_others(search, axis, cell))
        if kind != NO_CLASH:
            return _pack_clash(cell, axis, kind)
        pair = lowest_bit(pairs)
        edge = int(PAIR_LOW[pair]) + int(PAIR_HIGH[pair]) - (port - EDGES * cell)
        port = int(search[ENDS + EDGES * cell + edge])
    return NO_CLASH


@kernel
def _kind_of_clash(own: int, others: int) -> int:
    """The kind of clash between an axis's pairs in a cell and those of the others."""
    if others == 0 and own & (own - 1) == 0:
        return NO_CLASH
    for pair in range(15):
        if (own >> pair) & 1 == 0:
            continue
        if others & PAIRS_AT_EDGE[PAIR_LOW[pair]]:
            return int(PAIR_LOW[pair])
        if others & PAIRS_AT_EDGE[PAIR_HIGH[pair]]:
            return int(PAIR_HIGH[pair])
        if (others | (own & ~(1 << pair))) & CLASHES[pair]:
            return _FIRST_PAIR_KIND + pair
    return NO_CLASH


@kernel
def _branch_left(search: Scratch, clash: int, trail: int, reasons: int) -> tuple[int, bool]:
    """The axis of a clash gives way. Returns the trail, and whether the axis has a route."""
    cell, axis, kind = _clash_cell(clash), _clash_axis(clash), _clash_kind(clash)
    is_edge = kind < _FIRST_PAIR_KIND
    pairs = int(PAIRS_AT_EDGE[kind]) if is_edge else 1 << (kind - _FIRST_PAIR_KIND)
    return _remove_pairs(search, axis, cell, pairs, trail, reasons)


@kernel
def _branch_right(search: Scratch, clash: int, trail: int, reasons: int) -> tuple[int, bool]:
    """The axis of a clash stays, so everything that clashes with it gives way."""
    cell, axis, kind = _clash_cell(clash), _clash_axis(clash), _clash_kind(clash)
    is_edge = kind < _FIRST_PAIR_KIND
    pairs = int(PAIRS_AT_EDGE[kind]) if is_edge else int(CLASHES[kind - _FIRST_PAIR_KIND])
    is_consistent = True
    for other in range(AXES):
        if is_consistent and (search[WANTED] >> other) & 1:
            if other != axis:
                trail, is_consistent = _remove_pairs(search, other, cell, pairs, trail, reasons)
            elif not is_edge:
                own = pairs & ~(1 << (kind - _FIRST_PAIR_KIND))
                trail, is_consistent = _remove_pairs(search, axis, cell, own, trail, reasons)
    return trail, is_consistent


# ---- removals and conflict sets ---------------------------------------------------------------


@kernel
def _remove_pairs(
    search: Scratch, axis: int, cell: int, pairs: int, trail: int, reasons: int
) -> tuple[int, bool]:
    """Removes pairs from the domain of an axis; False if that leaves it no route."""
    place = axis * MAX_CELLS + cell
    removed = int(search[ALLOWED + place]) & pairs
    if removed == 0:
        return trail, True
    search[TRAIL + trail] = _pack_removal(axis, cell, removed)
    _write_reasons(search, trail, reasons)
    search[ALLOWED + place] &= ~removed
    if int(search[USED + place]) & removed == 0:
        return trail + 1, True
    return trail + 1, find_route(search, axis)


@kernel
def _undo_removals(search: Scratch, before: int, trail: int) -> None:
    """Allows again what was removed since the trail was ``before`` long."""
    for step in range(before, trail):
        removal = int(search[TRAIL + step])
        search[ALLOWED + _removal_place(removal)] |= _removal_pairs(removal)


@kernel
def _conflict_set(search: Scratch, trail: int) -> int:
    """The decisions because of which the last axis to search has no route.

    They are the reasons of those removals without which the failed search would have continued.
    """
    axis = _removal_axis(int(search[TRAIL + trail - 1]))
    _note_helpful(search, axis)
    conflicts = 0
    for step in range(trail):
        removal = int(search[TRAIL + step])
        if _removal_axis(removal) == axis:
            missing = pairs_leading_on(search, axis, _removal_cell(removal))
            if missing & _removal_pairs(removal):
                conflicts |= _read_reasons(search, step)
    return conflicts


@kernel
def _note_helpful(search: Scratch, axis: int) -> None:
    """Adds to HELPFUL the pairs of the restricted cell by which a failed search would continue.

    The whole proof that there is no witness consists of failed searches, and of branches that hold
    for any tile. So it holds as well for every tile there that has none of these pairs.
    """
    if search[RESTRICTED] >= 0:
        search[HELPFUL] |= pairs_leading_on(search, axis, int(search[RESTRICTED]))
