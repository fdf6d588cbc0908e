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

It runs in one buffer, ``search``, with the parts below.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flows.board import (
    AXES,
    CELLS_OF,
    EDGES_TOWARDS,
    MAX_CELLS,
    MAX_ENDS,
    SIDES,
)
from watermeet.games.flows.tiles import (
    CLASHES,
    EDGES,
    EVERY_ORIENTATION,
    EVERY_PAIR,
    ORIENTATIONS_WITH,
    PAIR_HIGH,
    PAIR_LOW,
    PAIR_NUMBER,
    PAIRS_AT_EDGE,
)

# ---- the buffer -------------------------------------------------------------------------------
RADIUS = 0
WANTED = 1  # The axes that need a route, as bits.
CLASHES_SEEN = 2  # How many clashes were branched on: the nodes of the search tree.
ENDS = 3  # By end: the other one.
USED = ENDS + MAX_ENDS  # By axis and cell: the pairs of the current route, as bits.
ALLOWED = USED + AXES * MAX_CELLS  # By axis and cell: the pairs that a route may use, as bits.
_MAX_PORTS = EDGES * MAX_CELLS
PARENT = ALLOWED + AXES * MAX_CELLS  # Of a search, by port: the step that led there, _pack_step.
NEXT = PARENT + _MAX_PORTS  # By port, and by port to leave by clashing pairs: the next of a stack.
OTHERS = NEXT + 2 * _MAX_PORTS  # By cell: the pairs of the other axes' routes, as bits.
ROUTE = OTHERS + MAX_CELLS  # By place on a route, from 1: the port by which it enters a cell.
PLACE = ROUTE + 3 * MAX_CELLS + 1  # By cell: its place, 0 if it has several, _NONE or _VISITED.
_MAX_STEPS = AXES * MAX_CELLS * 15  # Each removal takes away at least one pair.
TRAIL = PLACE + MAX_CELLS  # The removals in force, see _pack_removal.
REASONS = TRAIL + _MAX_STEPS  # By removal, two words: the decisions that it follows from.
DECISIONS = REASONS + 2 * _MAX_STEPS  # By level, see _pack_decision.
WARM_START = DECISIONS + _MAX_STEPS  # By axis and cell: a witness to start from, of the caller.
MARKS = WARM_START + AXES * MAX_CELLS  # By cell: a number of the caller.
AVOID = MARKS + MAX_CELLS  # By cell: 1 if routes had better avoid it.
SEARCH_SIZE = AVOID + MAX_CELLS

NO_CLASH = -1
_UNVISITED = -1
_START = -2  # The parent of a port that the search enters from its side.
_NONE = -1  # The end of a stack; and nothing of another kind.
_VISITED = -2


# ---- packed numbers ---------------------------------------------------------------------------


@kernel
def _pack_step(port: int, exit_edge: int) -> int:
    """A step of the breadth-first search: into a cell by a port, out of it by another edge."""
    return 8 * port + exit_edge


@kernel
def _step_port(step: int) -> int:
    return step >> 3


@kernel
def _step_exit(step: int) -> int:
    return step & 7


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


# ---- starting ---------------------------------------------------------------------------------


@kernel
def cell_of(port: int) -> int:
    """The cell of a port: ``port // EDGES``, three times as fast."""
    return (port * 10923) >> 16


@kernel
def _board_size(search: Scratch) -> int:
    """How many cells the board has."""
    return int(CELLS_OF[search[RADIUS]])


@kernel
def start_search(search: Scratch, ends: StateArray, first: int, radius: int, wanted: int) -> None:
    """Copies the table of ends from ``ends[first]`` on, and allows every pair."""
    search[RADIUS] = radius
    search[WANTED] = wanted
    search[CLASHES_SEEN] = 0
    count = _board_size(search)
    for end in range(EDGES * count + SIDES * (2 * radius + 1)):
        search[np.uint64(ENDS + end)] = ends[np.uint64(first + end)]
    for axis in range(AXES):
        for cell in range(count):
            search[np.uint64(USED + axis * MAX_CELLS + cell)] = 0
            search[np.uint64(ALLOWED + axis * MAX_CELLS + cell)] = EVERY_PAIR
    for cell in range(count):
        search[np.uint64(AVOID + cell)] = 0


@kernel
def restrict_cell(search: Scratch, cell: int, pairs: int) -> None:
    """Allows routes only these pairs in a cell: those of a tile that is to be placed there."""
    for axis in range(AXES):
        search[ALLOWED + axis * MAX_CELLS + cell] = pairs


@kernel
def used_in_cell(search: Scratch, cell: int) -> int:
    """The pairs of all routes in a cell."""
    used = 0
    for axis in range(AXES):
        used |= int(search[np.uint64(USED + axis * MAX_CELLS + cell)])
    return used


@kernel
def orientations_with(pairs: int) -> int:
    """The orientations that have all these pairs, as bits."""
    orientations, pair = EVERY_ORIENTATION, 0
    while pairs != 0:
        if pairs & 1:
            orientations &= int(ORIENTATIONS_WITH[np.uint64(pair)])
        pairs >>= 1
        pair += 1
    return orientations


@kernel
def _used_by_others(search: Scratch, axis: int, cell: int) -> int:
    """The pairs in a cell of the other axes that need a route."""
    used = 0
    for other in range(AXES):
        if other != axis and (search[WANTED] >> other) & 1:
            used |= int(search[np.uint64(USED + other * MAX_CELLS + cell)])
    return used


# ---- one axis: breadth-first search -----------------------------------------------------------


@kernel(inline=False, signature="int32[::1], int64")
def find_route(search: Scratch, axis: int) -> bool:
    """Finds a route of allowed pairs and writes USED; returns False, and writes nothing, if none.

    A best-first search: it leaves cells towards the goal rather than along it or away from it. It
    first goes wherever it can without a clash and outside of the cells to AVOID, then through one
    such cell, and so on; then by one clash. Ports to cross wait in stacks, linked by NEXT:
    ``towards``, ``along`` and ``away``, ``avoided`` and ``deferred``. The solver spends most of its
    time here, so indices are unsigned: that saves a test whether they count from the end.
    """
    count, length = _board_size(search), 2 * int(search[RADIUS]) + 1
    ports = EDGES * count
    goal, side = ports + (axis + AXES) * length, ports + axis * length
    _prepare_search(search, axis, count)
    towards, along, away, avoided, deferred = _NONE, _NONE, _NONE, _NONE, _NONE
    for end in range(side, side + length):
        port = int(search[np.uint64(ENDS + end)])
        if port < ports:
            search[np.uint64(PARENT + port)] = _START
            if search[np.uint64(AVOID + cell_of(port))]:
                avoided = _push(search, port, avoided)
            else:
                towards = _push(search, port, towards)
    while True:
        while towards == _NONE:
            towards, along, away = along, away, _NONE
            if towards == _NONE and along == _NONE:
                if avoided != _NONE:
                    towards, avoided = avoided, _NONE
                elif deferred != _NONE:
                    towards, deferred = deferred, _NONE
                else:
                    return False
        port, is_clashing = towards, towards >= _MAX_PORTS
        towards = int(search[np.uint64(NEXT + port)])
        if is_clashing:
            port -= _MAX_PORTS
        cell = cell_of(port)
        here, edge = EDGES * cell, port - EDGES * cell
        allowed = int(search[np.uint64(ALLOWED + axis * MAX_CELLS + cell)])
        others = int(search[np.uint64(OTHERS + cell)])
        is_deferred = False
        for turn in range(EDGES):
            exit_edge = int(EDGES_TOWARDS[np.uint64(axis + AXES), np.uint64(turn)])
            end = int(search[np.uint64(ENDS + here + exit_edge)])
            if end < ports:
                if search[np.uint64(PARENT + end)] != _UNVISITED:
                    continue
            elif not goal <= end < goal + length:
                continue
            pair = int(PAIR_NUMBER[np.uint64(edge), np.uint64(exit_edge)])
            if (allowed >> pair) & 1 == 0:
                continue
            if (others & CLASHES[np.uint64(pair)] != 0) != is_clashing:
                is_deferred = True
                continue
            if end >= ports:
                _write_route(search, axis, port, exit_edge)
                return True
            beyond = cell_of(end)
            search[np.uint64(PARENT + end)] = _pack_step(port, exit_edge)
            if search[np.uint64(AVOID + beyond)]:
                avoided = _push(search, end, avoided)
            elif turn >= 4:
                towards = _push(search, end, towards)
            elif turn >= 2:
                along = _push(search, end, along)
            else:
                away = _push(search, end, away)
        if is_deferred and not is_clashing:
            deferred = _push(search, port + _MAX_PORTS, deferred)


@kernel
def _prepare_search(search: Scratch, axis: int, count: int) -> None:
    """Clears PARENT, and writes to OTHERS the pairs of the other axes that need a route."""
    for port in range(EDGES * count):
        search[np.uint64(PARENT + port)] = _UNVISITED
    for cell in range(count):
        search[np.uint64(OTHERS + cell)] = 0
    for other in range(AXES):
        if other != axis and (search[WANTED] >> other) & 1:
            for cell in range(count):
                used = search[np.uint64(USED + other * MAX_CELLS + cell)]
                search[np.uint64(OTHERS + cell)] |= used


@kernel
def _push(search: Scratch, port: int, stack: int) -> int:
    """Pushes a port on a stack; returns the stack, which is its top."""
    search[np.uint64(NEXT + port)] = stack
    return port


@kernel
def _is_goal(search: Scratch, axis: int, end: int) -> bool:
    """Whether an end lies on the far side of an axis."""
    length = 2 * int(search[RADIUS]) + 1
    goal = EDGES * _board_size(search) + (axis + AXES) * length
    return goal <= end < goal + length


@kernel
def _write_route(search: Scratch, axis: int, port: int, exit_edge: int) -> None:
    """Writes the route whose last step is this one, following the parents back."""
    used = USED + axis * MAX_CELLS
    for cell in range(_board_size(search)):
        search[np.uint64(used + cell)] = 0
    while True:
        cell = cell_of(port)
        pair = int(PAIR_NUMBER[np.uint64(port - EDGES * cell), np.uint64(exit_edge)])
        search[np.uint64(used + cell)] |= 1 << pair
        parent = int(search[np.uint64(PARENT + port)])
        if parent == _START:
            return
        port, exit_edge = _step_port(parent), _step_exit(parent)


@kernel
def find_route_alone(search: Scratch, axis: int) -> bool:
    """Like ``find_route``, as if the other axes had no routes."""
    wanted = int(search[WANTED])
    search[WANTED] = 1 << axis
    found = find_route(search, axis)
    search[WANTED] = wanted
    return found


@kernel
def axes_without_route(search: Scratch, wanted: int) -> int:
    """Those of some axes, as bits, that have no route even alone."""
    without = 0
    for axis in range(AXES):
        if (wanted >> axis) & 1 and not find_route_alone(search, axis):
            without |= 1 << axis
    return without


# ---- all axes: backjumping --------------------------------------------------------------------


@kernel(inline=False, signature="int32[::1]")
def find_witness(search: Scratch) -> bool:
    """Finds routes of all wanted axes that don't clash; returns False if there are none.

    Starts from the routes in USED. Axes without one, and those whose route uses a pair that isn't
    allowed, look for a route first. ALLOWED is the same afterwards.
    """
    for axis in range(AXES):
        if (search[WANTED] >> axis) & 1 and not _has_allowed_route(search, axis):
            for cell in range(_board_size(search)):
                search[np.uint64(USED + axis * MAX_CELLS + cell)] = 0
            if not find_route(search, axis):
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
    for cell in range(axis * MAX_CELLS, axis * MAX_CELLS + _board_size(search)):
        used = int(search[np.uint64(USED + cell)])
        used_any |= used
        forbidden |= used & ~int(search[np.uint64(ALLOWED + cell)])
    return used_any != 0 and forbidden == 0


@kernel
def _fit_together(search: Scratch) -> bool:
    """Whether the routes of the wanted axes don't clash: each cell has a tile with their pairs."""
    for cell in range(_board_size(search)):
        used, shared = 0, 0
        for axis in range(AXES):
            if (search[WANTED] >> axis) & 1:
                own = int(search[np.uint64(USED + axis * MAX_CELLS + cell)])
                shared |= used & own
                used |= own
        if shared != 0 or (used & (used - 1) != 0 and orientations_with(used) == 0):
            return False
    return True


@kernel
def find_clash(search: Scratch) -> int:
    """The first clash along the routes, see _pack_clash; NO_CLASH if there is none.

    Routes are followed from the far side. Clashes that are branched on one after the other are then
    close together, which keeps conflict sets small.
    """
    ports, length = EDGES * _board_size(search), 2 * int(search[RADIUS]) + 1
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
    ports = EDGES * _board_size(search)
    while port < ports:
        cell = port // EDGES
        own = int(search[USED + axis * MAX_CELLS + cell])
        pairs = own & int(PAIRS_AT_EDGE[port - EDGES * cell])
        if pairs == 0:
            return NO_CLASH
        kind = _kind_of_clash(own, _used_by_others(search, axis, cell))
        if kind != NO_CLASH:
            return _pack_clash(cell, axis, kind)
        pair = _lowest_bit(pairs)
        edge = int(PAIR_LOW[pair]) + int(PAIR_HIGH[pair]) - (port - EDGES * cell)
        port = int(search[ENDS + EDGES * cell + edge])
    return NO_CLASH


@kernel
def _lowest_bit(bits: int) -> int:
    place = 0
    while (bits >> place) & 1 == 0:
        place += 1
    return place


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


# ---- detours ----------------------------------------------------------------------------------


@kernel
def find_detours(search: Scratch) -> None:
    """Sets AVOID to 0 in cells that the witness in USED can avoid by a detour of one route.

    All detours of a route are found together: from its side, then from each of its places in turn,
    what can be reached without a clash and hasn't been reached before. Where that leads back to a
    later place, or to the goal, the cells between can be left out. No cell is entered twice, so
    this misses some detours.
    """
    for axis in range(AXES):
        if (search[WANTED] >> axis) & 1:
            last = _follow_route(search, axis)
            place, furthest = 0, 0
            while place <= last and furthest <= last:
                furthest = _detour_from(search, axis, place, last)
                _skip(search, place, furthest)
                place += 1


@kernel
def _follow_route(search: Scratch, axis: int) -> int:
    """Writes ROUTE and PLACE of an axis; returns its last place."""
    ports, length = EDGES * _board_size(search), 2 * int(search[RADIUS]) + 1
    for cell in range(_board_size(search)):
        search[np.uint64(PLACE + cell)] = _NONE
    port, place = ports, 0
    for end in range(ports + axis * length, ports + (axis + 1) * length):
        start = int(search[ENDS + end])
        if start < ports:
            cell = cell_of(start)
            if int(search[USED + axis * MAX_CELLS + cell]) & PAIRS_AT_EDGE[start - EDGES * cell]:
                port = start
    while port < ports:
        place += 1
        cell = cell_of(port)
        search[ROUTE + place] = port
        search[PLACE + cell] = place if search[PLACE + cell] == _NONE else 0
        port = int(search[ENDS + EDGES * cell + _exit_at(search, axis, place)])
    return place


@kernel
def _exit_at(search: Scratch, axis: int, place: int) -> int:
    """The edge by which a route leaves the cell at a place."""
    port = int(search[np.uint64(ROUTE + place)])
    cell = cell_of(port)
    pairs = int(search[np.uint64(USED + axis * MAX_CELLS + cell)])
    pair = _lowest_bit(pairs & int(PAIRS_AT_EDGE[np.uint64(port - EDGES * cell)]))
    edges = int(PAIR_LOW[np.uint64(pair)]) + int(PAIR_HIGH[np.uint64(pair)])
    return edges - (port - EDGES * cell)


@kernel
def _detour_from(search: Scratch, axis: int, place: int, last: int) -> int:
    """The furthest place to which a detour from a place leads: ``last + 1`` if to the goal."""
    ports, length = EDGES * _board_size(search), 2 * int(search[RADIUS]) + 1
    side, goal = ports + axis * length, ports + (axis + AXES) * length
    root, top = _NONE, 0
    if place > 0:
        root, top = int(search[ROUTE + place]), 1
        search[NEXT] = root
    else:
        for end in range(side, side + length):
            search[np.uint64(NEXT + top)] = search[np.uint64(ENDS + end)]
            top += int(search[np.uint64(ENDS + end)] < ports)
    furthest = place
    while top > 0:
        top -= 1
        port = int(search[np.uint64(NEXT + top)])
        cell = cell_of(port)
        entry, others = port - EDGES * cell, _used_by_others(search, axis, cell)
        there = int(search[np.uint64(PLACE + cell)])
        if there > furthest and _fits(entry, _exit_at(search, axis, there), others):
            furthest = there
        if there == _NONE:
            search[np.uint64(PLACE + cell)] = _VISITED
        elif port != root or there == 0:
            continue
        for turn in range(EDGES):
            edge = int(EDGES_TOWARDS[np.uint64(axis + AXES), np.uint64(turn)])
            end = int(search[np.uint64(ENDS + EDGES * cell + edge)])
            if _fits(entry, edge, others):
                if goal <= end < goal + length:
                    return last + 1
                search[np.uint64(NEXT + top)] = end
                top += int(end < ports)
    return furthest


@kernel
def _fits(entry: int, exit_edge: int, others: int) -> bool:
    """Whether a route can cross a cell from edge to edge, past the pairs of others."""
    pair = np.uint64(PAIR_NUMBER[np.uint64(entry), np.uint64(exit_edge)])
    return entry != exit_edge and int(CLASHES[pair]) & others == 0


@kernel
def _skip(search: Scratch, before: int, after: int) -> None:
    """Notes that a route can leave out what lies between two places."""
    for place in range(before + 1, after):
        cell = cell_of(int(search[ROUTE + place]))
        used = used_in_cell(search, cell)
        if used & (used - 1) == 0:  # No other route goes through it, nor this one again.
            search[AVOID + cell] = 0


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
    conflicts = 0
    for step in range(trail):
        removal = int(search[TRAIL + step])
        if _removal_axis(removal) == axis and _would_continue(search, axis, removal):
            conflicts |= _read_reasons(search, step)
    return conflicts


@kernel
def _would_continue(search: Scratch, axis: int, removal: int) -> bool:
    """Whether a removed pair leads from where the failed search came to where it didn't."""
    here, removed = EDGES * _removal_cell(removal), _removal_pairs(removal)
    for pair in range(15):
        if (removed >> pair) & 1:
            low, high = here + int(PAIR_LOW[pair]), here + int(PAIR_HIGH[pair])
            if _leads_on(search, axis, low, high) or _leads_on(search, axis, high, low):
                return True
    return False


@kernel
def _leads_on(search: Scratch, axis: int, port: int, exit_port: int) -> bool:
    """Whether the search visited a port, and by the other one would have come to a new end."""
    if search[PARENT + port] == _UNVISITED:
        return False
    end = int(search[ENDS + exit_port])
    if end < EDGES * _board_size(search):
        return bool(search[PARENT + end] == _UNVISITED)
    return _is_goal(search, axis, end)
