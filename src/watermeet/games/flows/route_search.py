"""The search for a route of one axis: through empty cells, by the pairs that it is allowed.

It goes from port to port: into a cell, and out of it by another edge. In an empty cell without
other routes it may leave by every edge but the one it came by, so a second way into the cell adds
one exit at most, and a third none. The search therefore keeps by cell the edges that are left to
leave it by (LEFT), as bits; asks the tables of pair_sets.py for all exits at once; and doesn't
enter cells where nothing is left. Nothing in its inner loop branches on a single edge: a branch
that is predicted wrongly takes longer than all the rest of a step.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flows.board import AXES, EDGES_TOWARDS, MAX_CELLS
from watermeet.games.flows.pair_sets import clashes_with, exits_from
from watermeet.games.flows.route_buffer import (
    ALLOWED,
    AVOID,
    ENDS,
    ENTRY,
    GOAL,
    LEFT,
    MAX_PORTS,
    OTHERS,
    RADIUS,
    RIM,
    STACK_COUNT,
    STACK_SIZE,
    STACKS,
    USED,
    WANTED,
    board_size,
    cell_of,
    note_goal,
    note_others,
)
from watermeet.games.flows.tiles import EDGES, EVERY_PAIR, PAIR_NUMBER

_EMPTY = -1  # Lies at the bottom of every stack.
_EVERY_EDGE = (1 << EDGES) - 1


@kernel(inline=False, signature="int32[::1], int64")
def find_route(search: Scratch, axis: int) -> bool:
    """Finds a route of allowed pairs and writes USED; returns False, and writes nothing, if none.

    A best-first search: it leaves cells towards the goal rather than along it or away from it. It
    first goes wherever it can without a clash and outside of the cells to AVOID, then through one
    such cell, and so on; then by one clash. Ports to enter wait in five stacks; those to leave by
    clashing pairs are numbered from MAX_PORTS on. The solver spends most of its time here, so
    indices are unsigned: that saves a test whether they count from the end.
    """
    _prepare_search(search, axis)
    towards, along, away = STACKS, STACKS + STACK_SIZE, STACKS + 2 * STACK_SIZE
    avoided, deferred = STACKS + 3 * STACK_SIZE, STACKS + 4 * STACK_SIZE
    towards, avoided = _push_side(search, axis, towards, avoided)
    while True:
        while search[np.uint64(towards)] == _EMPTY:
            towards, along, away = along, away, towards
            if search[np.uint64(towards)] == _EMPTY and search[np.uint64(along)] == _EMPTY:
                if search[np.uint64(avoided)] != _EMPTY:
                    towards, avoided = avoided, towards
                elif search[np.uint64(deferred)] != _EMPTY:
                    towards, deferred = deferred, towards
                else:
                    return False
        port = int(search[np.uint64(towards)])
        towards -= 1
        is_clashing = port >= MAX_PORTS
        if is_clashing:
            port -= MAX_PORTS
        cell = cell_of(port)
        edge = port - EDGES * cell
        allowed = int(search[np.uint64(ALLOWED + axis * MAX_CELLS + cell)])
        clashing = allowed & clashes_with(int(search[np.uint64(OTHERS + cell)]))
        left = int(search[np.uint64(LEFT + cell)])
        exits = left & exits_from(edge, clashing if is_clashing else allowed ^ clashing)
        if not is_clashing and left & exits_from(edge, clashing):
            deferred += 1
            search[np.uint64(deferred)] = port + MAX_PORTS
        if exits != 0:
            if exits & int(search[np.uint64(GOAL + cell)]):
                _write_route(search, axis, port, exits & int(search[np.uint64(GOAL + cell)]))
                return True
            search[np.uint64(LEFT + cell)] = left ^ exits
            away, avoided = _push_exit(search, axis, 0, port, exits, away, avoided)
            away, avoided = _push_exit(search, axis, 1, port, exits, away, avoided)
            along, avoided = _push_exit(search, axis, 2, port, exits, along, avoided)
            along, avoided = _push_exit(search, axis, 3, port, exits, along, avoided)
            towards, avoided = _push_exit(search, axis, 4, port, exits, towards, avoided)
            towards, avoided = _push_exit(search, axis, 5, port, exits, towards, avoided)


@kernel
def _prepare_search(search: Scratch, axis: int) -> None:
    """Empties the stacks; all edges are left but those from which strands lead to another rim."""
    for stack in range(STACK_COUNT):
        search[np.uint64(STACKS + stack * STACK_SIZE)] = _EMPTY
    note_others(search, axis)
    note_goal(search, axis)
    for cell in range(board_size(search)):
        elsewhere = search[np.uint64(RIM + cell)] ^ search[np.uint64(GOAL + cell)]
        search[np.uint64(LEFT + cell)] = _EVERY_EDGE ^ elsewhere


@kernel
def _push_side(search: Scratch, axis: int, towards: int, avoided: int) -> tuple[int, int]:
    """Pushes the ports where strands from an axis's side end; returns the tops of both stacks."""
    ports, length = EDGES * board_size(search), 2 * int(search[RADIUS]) + 1
    for end in range(ports + axis * length, ports + (axis + 1) * length):
        port = int(search[np.uint64(ENDS + end)])
        if port < ports:
            if search[np.uint64(AVOID + cell_of(port))]:
                avoided += 1
                search[np.uint64(avoided)] = port
            else:
                towards += 1
                search[np.uint64(towards)] = port
    return towards, avoided


@kernel
def _push_exit(
    search: Scratch, axis: int, turn: int, port: int, exits: int, stack: int, avoided: int
) -> tuple[int, int]:
    """Pushes what a turn from a port leads to, if it is one of the exits; returns both tops.

    It always writes above the tops, and only moves one of them up if that counts.
    """
    here = EDGES * cell_of(port)
    exit_edge = int(EDGES_TOWARDS[np.uint64(axis + AXES), np.uint64(turn)])
    end = int(search[np.uint64(ENDS + here + exit_edge)])
    beyond = cell_of(end)
    left = int(search[np.uint64(LEFT + beyond)]) & ~(1 << (end - EDGES * beyond))
    is_exit = (exits >> exit_edge) & int(left != 0)
    entry = int(search[np.uint64(ENTRY + here + exit_edge)])
    search[np.uint64(ENTRY + here + exit_edge)] = entry + is_exit * (port - here - entry)
    is_avoided = is_exit & int(search[np.uint64(AVOID + beyond)])
    search[np.uint64(stack + 1)] = end
    search[np.uint64(avoided + 1)] = end
    return stack + (is_exit ^ is_avoided), avoided + is_avoided


@kernel
def _write_route(search: Scratch, axis: int, port: int, goal_edges: int) -> None:
    """Writes the route whose last step goes from a port to the goal, following it back."""
    turn = 0
    while (goal_edges >> int(EDGES_TOWARDS[np.uint64(axis + AXES), np.uint64(turn)])) & 1 == 0:
        turn += 1
    exit_edge = int(EDGES_TOWARDS[np.uint64(axis + AXES), np.uint64(turn)])
    used, count = USED + axis * MAX_CELLS, board_size(search)
    for cell in range(count):
        search[np.uint64(used + cell)] = 0
    while True:
        cell = cell_of(port)
        pair = int(PAIR_NUMBER[np.uint64(port - EDGES * cell), np.uint64(exit_edge)])
        search[np.uint64(used + cell)] |= 1 << pair
        before = int(search[np.uint64(ENDS + port)])
        if before >= EDGES * count:
            return
        cell = cell_of(before)
        exit_edge = before - EDGES * cell
        port = EDGES * cell + int(search[np.uint64(ENTRY + before)])


@kernel
def pairs_leading_on(search: Scratch, axis: int, cell: int) -> int:
    """The pairs of a cell by which a failed search would have come somewhere new, as bits."""
    left, pairs = int(search[LEFT + cell]), 0
    for edge in range(EDGES):
        if _was_reached(search, axis, EDGES * cell + edge):
            for exit_edge in range(EDGES):
                pairs |= ((left >> exit_edge) & 1) << int(PAIR_NUMBER[edge, exit_edge])
    return pairs & EVERY_PAIR


@kernel
def _was_reached(search: Scratch, axis: int, port: int) -> bool:
    """Whether a failed search came to a port: from the strand's other end, or from its side."""
    before = int(search[ENDS + port])
    ports, length = EDGES * board_size(search), 2 * int(search[RADIUS]) + 1
    if before >= ports:
        return ports + axis * length <= before < ports + (axis + 1) * length
    cell = cell_of(before)
    return (int(search[LEFT + cell]) >> (before - EDGES * cell)) & 1 == 0


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
