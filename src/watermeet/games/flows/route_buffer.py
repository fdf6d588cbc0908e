"""The buffer ``search`` of the exact solver: its parts, and how a search starts.

One search runs in one buffer from beginning to end: ``start_search`` fills it, route_search.py
finds routes of single axes in it, routes.py those of all axes, and detours.py looks for detours.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flows.board import AXES, CELLS_OF, MAX_CELLS, MAX_ENDS, SIDES
from watermeet.games.flows.tiles import EDGES, EVERY_PAIR, PAIRS

MAX_PORTS = EDGES * MAX_CELLS
RADIUS = 0
WANTED = 1  # The axes that need a route, as bits.
CLASHES_SEEN = 2  # How many clashes were branched on: the nodes of the search tree.
RESTRICTED = 3  # The cell that was restricted last, or -1.
HELPFUL = 4  # Of a failure, the pairs of that cell of which any tile has to have one to avert it.
ENDS = 5  # By end: the other one.
RIM = ENDS + MAX_ENDS  # By cell: the edges from which a strand leads to the rim, as bits.
USED = RIM + MAX_CELLS  # By axis and cell: the pairs of the current route, as bits.
ALLOWED = USED + AXES * MAX_CELLS  # By axis and cell: the pairs that a route may use, as bits.
# Of the search for a route:
OTHERS = ALLOWED + AXES * MAX_CELLS  # By cell: the pairs of the other axes' routes, as bits.
GOAL = OTHERS + MAX_CELLS  # By cell: the edges from which a strand leads to the goal, as bits.
LEFT = GOAL + MAX_CELLS  # By cell: the edges that are left to leave it by, as bits.
ENTRY = LEFT + MAX_CELLS  # By port that was left by: the edge by which its cell was entered.
STACKS = ENTRY + MAX_PORTS  # Ports to enter, in STACK_COUNT stacks.
STACK_COUNT, STACK_SIZE = 5, MAX_PORTS + 2
# Of detours:
ROUTE = STACKS + STACK_COUNT * STACK_SIZE  # By place on a route, from 1: the port it enters by.
EXIT = ROUTE + 3 * MAX_CELLS + 1  # By place on a route: the edge it leaves by.
PLACE = EXIT + 3 * MAX_CELLS + 1  # By cell: its place on a route, or what detours.py says.
# Of the solver:
MAX_STEPS = AXES * MAX_CELLS * len(PAIRS)  # Each removal takes away a pair.
TRAIL = PLACE + MAX_CELLS  # The removals in force, packed.
REASONS = TRAIL + MAX_STEPS  # By removal, two words: the decisions that it follows from.
DECISIONS = REASONS + 2 * MAX_STEPS  # By level, packed.
# Of the caller:
WARM_START = DECISIONS + MAX_STEPS  # By axis and cell: a witness to start from.
AVOID = WARM_START + AXES * MAX_CELLS  # By cell: 1 if routes had better avoid it.
MARKS = AVOID + MAX_CELLS  # By cell: a number of the caller.
SEARCH_SIZE = MARKS + MAX_CELLS


@kernel
def cell_of(port: int) -> int:
    """The cell of a port: ``port // EDGES``, three times as fast."""
    return (port * 10923) >> 16


@kernel
def board_size(search: Scratch) -> int:
    """How many cells the board has."""
    return int(CELLS_OF[search[RADIUS]])


@kernel
def start_search(search: Scratch, ends: StateArray, first: int, radius: int, wanted: int) -> None:
    """Copies the table of ends from ``ends[first]`` on, and allows every pair."""
    search[RADIUS] = radius
    search[WANTED] = wanted
    search[CLASHES_SEEN] = 0
    search[RESTRICTED] = -1
    count = board_size(search)
    for end in range(EDGES * count + SIDES * (2 * radius + 1)):
        search[np.uint64(ENDS + end)] = ends[np.uint64(first + end)]
    for axis in range(AXES):
        for cell in range(count):
            search[np.uint64(USED + axis * MAX_CELLS + cell)] = 0
            search[np.uint64(ALLOWED + axis * MAX_CELLS + cell)] = EVERY_PAIR
    for cell in range(count):
        search[np.uint64(AVOID + cell)] = 0
    note_rim(search)


@kernel
def note_rim(search: Scratch) -> None:
    """Writes RIM, from ENDS."""
    count = board_size(search)
    for cell in range(count):
        search[np.uint64(RIM + cell)] = 0
    ports = EDGES * count
    for end in range(ports, ports + SIDES * (2 * int(search[RADIUS]) + 1)):
        _note_port(search, RIM, int(search[np.uint64(ENDS + end)]), ports)


@kernel
def note_goal(search: Scratch, axis: int) -> None:
    """Writes GOAL for an axis."""
    count, length = board_size(search), 2 * int(search[RADIUS]) + 1
    for cell in range(count):
        search[np.uint64(GOAL + cell)] = 0
    goal = EDGES * count + (axis + AXES) * length
    for end in range(goal, goal + length):
        _note_port(search, GOAL, int(search[np.uint64(ENDS + end)]), EDGES * count)


@kernel
def _note_port(search: Scratch, edges: int, port: int, ports: int) -> None:
    """Adds a port to sets of edges by cell, if it is one."""
    if port < ports:
        cell = cell_of(port)
        search[np.uint64(edges + cell)] |= 1 << (port - EDGES * cell)


@kernel
def note_others(search: Scratch, axis: int) -> None:
    """Writes OTHERS: the pairs of the other axes that need a route."""
    count = board_size(search)
    for cell in range(count):
        search[np.uint64(OTHERS + cell)] = 0
    for other in range(AXES):
        if other != axis and (search[WANTED] >> other) & 1:
            for cell in range(count):
                used = search[np.uint64(USED + other * MAX_CELLS + cell)]
                search[np.uint64(OTHERS + cell)] |= used


@kernel
def restrict_cell(search: Scratch, cell: int, pairs: int) -> None:
    """Allows routes only these pairs in a cell: those of a tile that is to be placed there."""
    search[RESTRICTED] = cell
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
def used_by_others(search: Scratch, axis: int, cell: int) -> int:
    """The pairs in a cell of the other axes that need a route."""
    used = 0
    for other in range(AXES):
        if other != axis and (search[WANTED] >> other) & 1:
            used |= int(search[np.uint64(USED + other * MAX_CELLS + cell)])
    return used


@kernel
def lowest_bit(bits: int) -> int:
    """The number of the lowest bit that is set."""
    place = 0
    while (bits >> place) & 1 == 0:
        place += 1
    return place
