"""The exact solver: can all axes still be connected at the same time (R5.2)?

A *route* of an axis leads from one of its sides to the other through empty cells and along strands.
Routes must not clash: no two share an edge, and in an empty cell all their pairs must fit one tile
(R5.4). Routes of all axes that do not clash, one each, are a *witness*: fill every cell with a tile
that has the pairs they use, and all are connected. So the question is whether a witness exists.

For one axis alone a breadth-first search finds a route or proves that there is none: a shortest
route never needs two clashing pairs of its own unless its pairs are restricted. For several axes
the search starts from a route each, chosen to clash as little as it can with the others. Where two
still clash there are two cases: either the one must not be there, or it is there and all others
must not be. Each case takes pairs away from some axis, which then looks for another route. If it
has none, the case is closed; if both are closed, so is what led to them. The two cases leave no
witness out, and every step takes away at least one of finitely many pairs: so the answer is always
found, and it is exact.

All work is done in a *room*, an array of scratch with the parts below. Its head holds the radius,
the axes that are asked for (as bits), and a count of the clashes looked at.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flows.board import AXES, CELLS_OF, MOST_CELLS, MOST_ENDS, SIDES
from watermeet.games.flows.tiles import (
    CLASHES,
    EDGES,
    EVERY_PAIR,
    PAIR_HIGH,
    PAIR_LOW,
    PAIR_NUMBER,
    PAIRS_AT_EDGE,
)

# ---- the room ---------------------------------------------------------------------------------
RADIUS = 0
ASKED = 1  # The axes that need a route, as bits.
CLASHES_SEEN = 2
ENDS = 3  # For every end the other one.
USED = ENDS + MOST_ENDS  # By axis and cell: the pairs of the present route, as bits.
ALLOWED = USED + AXES * MOST_CELLS  # By axis and cell: the pairs that a route may use.
QUEUE = ALLOWED + AXES * MOST_CELLS  # Ports through which the search has come in.
LATER = QUEUE + EDGES * MOST_CELLS  # Those from which it goes on only by clashing.
CAME_FROM = LATER + EDGES * MOST_CELLS  # By port: port and edge before it, 8 * port + edge.
_MOST_STEPS = AXES * MOST_CELLS * 15  # Each step takes at least one pair away.
TRAIL = CAME_FROM + EDGES * MOST_CELLS  # What each step has taken away.
REASONS = TRAIL + _MOST_STEPS  # Two words a step: the first cases because of which it was taken.
CASES = REASONS + 2 * _MOST_STEPS  # First cases that are being looked at.
KEPT = CASES + _MOST_STEPS  # A witness that is kept, by axis and cell.
MARKS = KEPT + AXES * MOST_CELLS  # By cell: what the caller likes to note.
ROOM = MARKS + MOST_CELLS

_UNSEEN = -1
_FROM_SIDE = -2
_STRAIGHT = EDGES  # Kinds of clashes from here on are pairs, below they are edges.
_NO_CLASH = -1
_LEVELS = 62  # First cases that can be told apart in a set of reasons.
_LOW_LEVEL_COUNT = 31
_LOW_LEVELS = (1 << _LOW_LEVEL_COUNT) - 1


@kernel
def cells_in(room: Scratch) -> int:
    """How many cells the board has."""
    return int(CELLS_OF[room[RADIUS]])


@kernel
def begin_search(room: Scratch, ends: StateArray, first: int, radius: int, asked: int) -> None:
    """Takes over the table of ends, from ``ends[first]`` on, and forbids nothing."""
    room[RADIUS] = radius
    room[ASKED] = asked
    room[CLASHES_SEEN] = 0
    count = cells_in(room)
    for end in range(EDGES * count + SIDES * (2 * radius + 1)):
        room[ENDS + end] = ends[first + end]
    for axis in range(AXES):
        for cell in range(count):
            room[USED + axis * MOST_CELLS + cell] = 0
            room[ALLOWED + axis * MOST_CELLS + cell] = EVERY_PAIR


@kernel
def allow_in_cell(room: Scratch, cell: int, pairs: int) -> None:
    """Lets routes use these pairs of a cell only: those of a tile that is to be laid there."""
    for axis in range(AXES):
        room[ALLOWED + axis * MOST_CELLS + cell] = pairs


@kernel
def used_in_cell(room: Scratch, cell: int) -> int:
    """The pairs of all routes in a cell."""
    used = int(room[USED + cell])
    for axis in range(1, AXES):
        used |= int(room[USED + axis * MOST_CELLS + cell])
    return used


@kernel
def _used_by_others(room: Scratch, axis: int, cell: int) -> int:
    """The pairs in a cell of the other axes that are asked for."""
    used = 0
    for other in range(AXES):
        if other != axis and (room[ASKED] >> other) & 1:
            used |= int(room[USED + other * MOST_CELLS + cell])
    return used


# ---- one axis ---------------------------------------------------------------------------------


@kernel(inline=False, signature="int32[::1], int64")
def find_route(room: Scratch, axis: int) -> bool:
    """Finds a route of allowed pairs with the fewest clashes, of these a shortest; writes USED.

    False, and nothing written, if there is none. The search goes through all that it reaches
    without a clash, then through what it reaches with one, and so on.
    """
    ports = EDGES * cells_in(room)
    for port in range(ports):
        room[CAME_FROM + port] = _UNSEEN
    tail, later = 0, 0
    length = 2 * int(room[RADIUS]) + 1
    side, goal = ports + axis * length, ports + (axis + AXES) * length
    for end in range(side, side + length):
        port = int(room[ENDS + end])
        if port < ports:
            room[CAME_FROM + port] = _FROM_SIDE
            room[QUEUE + tail] = port
            tail += 1
    head = 0
    while True:
        while head < tail:
            port = int(room[QUEUE + head])
            head += 1
            grown = _go_on(room, axis, port, tail, False, ports, goal)
            if grown < 0:
                return True
            tail = grown >> 1
            if grown & 1:
                room[LATER + later] = port
                later += 1
        head, tail = 0, 0
        for place in range(later):
            grown = _go_on(room, axis, int(room[LATER + place]), tail, True, ports, goal)
            if grown < 0:
                return True
            tail = grown >> 1
        if tail == 0:
            return False
        later = 0


@kernel
def _go_on(
    room: Scratch, axis: int, port: int, tail: int, clashing: bool, ports: int, goal: int
) -> int:
    """Goes on from a port by the pairs that clash, or by those that do not.

    Returns -1 if the goal is reached and the route written; else twice the new end of the queue,
    and 1 more if a pair of the other sort was left out. Most of the time of the solver is spent
    here: so places are unsigned, which spares a look whether they count from the end.
    """
    here = EDGES * (port // EDGES)
    edge = port - here
    allowed = int(room[np.uint64(ALLOWED + axis * MOST_CELLS + port // EDGES)])
    allowed &= int(PAIRS_AT_EDGE[np.uint64(edge)])
    if allowed == 0:
        return 2 * tail
    others = _used_by_others(room, axis, port // EDGES)
    goal_end = goal + 2 * int(room[RADIUS]) + 1
    left_out = 0
    for way in range(EDGES):
        pair = int(PAIR_NUMBER[np.uint64(edge), np.uint64(way)])
        if way == edge or (allowed >> pair) & 1 == 0:
            continue
        end = int(room[np.uint64(ENDS + here + way)])
        is_goal = goal <= end < goal_end
        if not is_goal and (end >= ports or room[np.uint64(CAME_FROM + end)] != _UNSEEN):
            continue
        if (others & CLASHES[np.uint64(pair)] != 0) != clashing:
            left_out = 1
            continue
        if is_goal:
            _write_route(room, axis, port, way)
            return -1
        room[np.uint64(CAME_FROM + end)] = 8 * port + way
        room[np.uint64(QUEUE + tail)] = end
        tail += 1
    return 2 * tail + left_out


@kernel
def _is_goal(room: Scratch, axis: int, end: int) -> bool:
    """Whether an end lies on the far side of an axis."""
    length = 2 * int(room[RADIUS]) + 1
    goal = EDGES * cells_in(room) + (axis + AXES) * length
    return goal <= end < goal + length


@kernel
def _write_route(room: Scratch, axis: int, port: int, way: int) -> None:
    """Writes the route that leaves through an edge of a port's cell, back to where it came from."""
    used = USED + axis * MOST_CELLS
    for cell in range(cells_in(room)):
        room[used + cell] = 0
    while True:
        cell = port // EDGES
        room[used + cell] |= 1 << int(PAIR_NUMBER[port - EDGES * cell, way])
        before = int(room[CAME_FROM + port])
        if before == _FROM_SIDE:
            return
        port, way = before // 8, before % 8


@kernel
def find_route_alone(room: Scratch, axis: int) -> bool:
    """As ``find_route``, as if the other axes had no routes."""
    asked = int(room[ASKED])
    room[ASKED] = 1 << axis
    found = find_route(room, axis)
    room[ASKED] = asked
    return found


@kernel
def axes_without_route(room: Scratch, asked: int) -> int:
    """Those of some axes, as bits, that have no route even alone."""
    without = 0
    for axis in range(AXES):
        if (asked >> axis) & 1 and not find_route_alone(room, axis):
            without |= 1 << axis
    return without


# ---- all axes ---------------------------------------------------------------------------------


@kernel(inline=False, signature="int32[::1]")
def find_witness(room: Scratch) -> bool:
    """Finds routes of all axes asked for that do not clash; False if there are none.

    Routes already in USED are where the search starts; those that use what is not allowed, and
    those of axes that have none yet, are looked for first. What is allowed stays as it was.
    """
    for axis in range(AXES):
        if (room[ASKED] >> axis) & 1 and not _keeps_route(room, axis):
            for cell in range(cells_in(room)):
                room[USED + axis * MOST_CELLS + cell] = 0
            if not find_route(room, axis):
                return False
    trail, cases = 0, 0
    while True:
        clash = _find_clash(room)
        if clash == _NO_CLASH:
            _take_back(room, 0, trail)
            return True
        room[CLASHES_SEEN] += 1
        room[CASES + cases] = trail * (1 << 16) + clash
        trail, is_open = _try_without(room, clash, trail, _level_bit(cases))
        cases += 1
        while not is_open:
            blame = _blame(room, trail)
            while cases > 0 and blame & _level_bit(cases - 1) == 0:
                cases -= 1  # This case has no part in it, so the other one would fail as well.
            if cases == 0:
                _take_back(room, 0, trail)
                return False
            cases -= 1
            before, clash = int(room[CASES + cases]) >> 16, int(room[CASES + cases]) & 0xFFFF
            _take_back(room, before, trail)
            trail, is_open = _try_with(room, clash, before, _without_level(blame, cases))


@kernel
def _keeps_route(room: Scratch, axis: int) -> bool:
    """Whether an axis has a route all of whose pairs are allowed."""
    used_any = 0
    for cell in range(axis * MOST_CELLS, axis * MOST_CELLS + cells_in(room)):
        used = int(room[USED + cell])
        used_any |= used
        if used & ~int(room[ALLOWED + cell]):
            return False
    return used_any != 0


@kernel
def _find_clash(room: Scratch) -> int:
    """The first clash along a route as a number, 128 * cell + 32 * axis + kind; or _NO_CLASH.

    The kind is the edge that the axis shares with another, or _STRAIGHT + the pair, if it shares
    none but no tile has both pairs. Routes are followed from the far side: clashes that are taken
    up one after the other then lie close together, and the search does not jump about.
    """
    ports, length = EDGES * cells_in(room), 2 * int(room[RADIUS]) + 1
    for axis in range(AXES):
        if (room[ASKED] >> axis) & 1 == 0:
            continue
        goal = ports + (axis + AXES) * length
        for end in range(goal, goal + length):
            clash = _first_clash_from(room, axis, int(room[ENDS + end]))
            if clash != _NO_CLASH:
                return clash
    return _NO_CLASH


@kernel
def _first_clash_from(room: Scratch, axis: int, port: int) -> int:
    """The first clash of a route that comes in through a port, if it does."""
    ports = EDGES * cells_in(room)
    while port < ports:
        cell = port // EDGES
        own = int(room[USED + axis * MOST_CELLS + cell])
        pairs = own & int(PAIRS_AT_EDGE[port - EDGES * cell])
        if pairs == 0:
            return _NO_CLASH
        kind = _clash_of(own, _used_by_others(room, axis, cell))
        if kind != _NO_CLASH:
            return 128 * cell + 32 * axis + kind
        pair = _lowest_bit(pairs)
        edge = int(PAIR_LOW[pair]) + int(PAIR_HIGH[pair]) - (port - EDGES * cell)
        port = int(room[ENDS + EDGES * cell + edge])
    return _NO_CLASH


@kernel
def _lowest_bit(bits: int) -> int:
    place = 0
    while (bits >> place) & 1 == 0:
        place += 1
    return place


@kernel
def _clash_of(own: int, others: int) -> int:
    """The kind of clash between an axis's pairs in a cell and those of the others."""
    if others == 0 and own & (own - 1) == 0:
        return _NO_CLASH
    for pair in range(15):
        if (own >> pair) & 1 == 0:
            continue
        if others & PAIRS_AT_EDGE[PAIR_LOW[pair]]:
            return int(PAIR_LOW[pair])
        if others & PAIRS_AT_EDGE[PAIR_HIGH[pair]]:
            return int(PAIR_HIGH[pair])
        if (others | (own & ~(1 << pair))) & CLASHES[pair]:
            return _STRAIGHT + pair
    return _NO_CLASH


@kernel
def _try_without(room: Scratch, clash: int, trail: int, reasons: int) -> tuple[int, bool]:
    """The first case: the axis of a clash is not there. Returns the trail, and if it is open."""
    cell, axis, kind = clash // 128, clash // 32 % 4, clash % 32
    pairs = int(PAIRS_AT_EDGE[kind]) if kind < _STRAIGHT else 1 << (kind - _STRAIGHT)
    return _take_away(room, axis, cell, pairs, trail, reasons)


@kernel
def _try_with(room: Scratch, clash: int, trail: int, reasons: int) -> tuple[int, bool]:
    """The second case: the axis of a clash is there, so nothing that clashes with it can be."""
    cell, axis, kind = clash // 128, clash // 32 % 4, clash % 32
    pairs = int(PAIRS_AT_EDGE[kind]) if kind < _STRAIGHT else int(CLASHES[kind - _STRAIGHT])
    is_open = True
    for other in range(AXES):
        if is_open and (room[ASKED] >> other) & 1:
            if other != axis:
                trail, is_open = _take_away(room, other, cell, pairs, trail, reasons)
            elif kind >= _STRAIGHT:
                own = pairs & ~(1 << (kind - _STRAIGHT))
                trail, is_open = _take_away(room, axis, cell, own, trail, reasons)
    return trail, is_open


# ---- what was taken away, and why -------------------------------------------------------------


@kernel
def _level_bit(level: int) -> int:
    """The bit that stands for a first case in a set of reasons; the deepest ones share the last."""
    return 1 << min(level, _LEVELS - 1)


@kernel
def _without_level(reasons: int, level: int) -> int:
    """A set of reasons without a first case; a bit that is shared with others still open stays."""
    return reasons if level >= _LEVELS else reasons & ~_level_bit(level)


@kernel
def _take_away(
    room: Scratch, axis: int, cell: int, pairs: int, trail: int, reasons: int
) -> tuple[int, bool]:
    """Allows an axis some pairs of a cell no longer; False if that leaves it no route."""
    place = axis * MOST_CELLS + cell
    gone = int(room[ALLOWED + place]) & pairs
    if gone == 0:
        return trail, True
    room[TRAIL + trail] = place * (1 << 15) + gone
    room[REASONS + 2 * trail] = reasons & _LOW_LEVELS
    room[REASONS + 2 * trail + 1] = reasons >> _LOW_LEVEL_COUNT
    room[ALLOWED + place] &= ~gone
    if int(room[USED + place]) & gone == 0:
        return trail + 1, True
    return trail + 1, find_route(room, axis)


@kernel
def _take_back(room: Scratch, before: int, trail: int) -> None:
    """Allows again what the trail has taken away since it was that short."""
    for step in range(before, trail):
        entry = int(room[TRAIL + step])
        room[ALLOWED + (entry >> 15)] |= entry & EVERY_PAIR


@kernel
def _blame(room: Scratch, trail: int) -> int:
    """The first cases because of which an axis, the last one that was looked at, has no route.

    They are those that took away a pair by which the search could have gone on. Without the others
    it would have come no farther.
    """
    axis = (int(room[TRAIL + trail - 1]) >> 15) // MOST_CELLS
    blame = 0
    for step in range(trail):
        place, gone = int(room[TRAIL + step]) >> 15, int(room[TRAIL + step]) & EVERY_PAIR
        if place // MOST_CELLS == axis and _would_lead_on(room, axis, place % MOST_CELLS, gone):
            blame |= int(room[REASONS + 2 * step])
            blame |= int(room[REASONS + 2 * step + 1]) << _LOW_LEVEL_COUNT
    return blame


@kernel
def _would_lead_on(room: Scratch, axis: int, cell: int, gone: int) -> bool:
    """Whether one of some pairs leads from where the last search came to where it did not."""
    here = EDGES * cell
    for pair in range(15):
        if (gone >> pair) & 1:
            low, high = here + int(PAIR_LOW[pair]), here + int(PAIR_HIGH[pair])
            if room[CAME_FROM + low] != _UNSEEN and _is_new(room, axis, int(room[ENDS + high])):
                return True
            if room[CAME_FROM + high] != _UNSEEN and _is_new(room, axis, int(room[ENDS + low])):
                return True
    return False


@kernel
def _is_new(room: Scratch, axis: int, end: int) -> bool:
    """Whether the last search, which has failed, has not come to an end that is of use to it."""
    if end < EDGES * cells_in(room):
        return bool(room[CAME_FROM + end] == _UNSEEN)
    return _is_goal(room, axis, end)
