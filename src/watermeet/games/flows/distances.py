"""The distance of an axis from being connected: tiles to go, and the cells of shortest routes.

A route that needs the fewest tiles crosses the fewest empty cells, none of them twice. So a
breadth-first search over cells finds it, whatever the tiles. Other axes, the order of turns and the
legality of the placements are ignored.
"""

# Held to full coverage, as the rules are.
from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES, MAX_CELLS
from watermeet.games.flows.strand_ends import axis_between
from watermeet.games.flows.tiles import EDGES

BLOCKED = -1
NEAR = 0  # By cell: tiles from the near side to it, itself included; 0 if it isn't reached.
FAR = MAX_CELLS  # The same from the far side.
_QUEUE = 2 * MAX_CELLS
COUNTS_SIZE = 3 * MAX_CELLS


@kernel
def tiles_to_go(state: StateArray, axis: int, on_shortest_route: Scratch) -> int:
    """The fewest tiles that would connect an axis: 0 if it is connected, BLOCKED if it can't be.

    Sets ``on_shortest_route[cell]`` to 1 for the empty cells of all routes of that length, and to 0
    for the others.
    """
    count = layout.board_size(state)
    for cell in range(count):
        on_shortest_route[cell] = 0
    if _is_connected(state, axis):
        return 0
    buffer = scratch(COUNTS_SIZE)
    count_tiles(state, axis, buffer, NEAR)
    count_tiles(state, axis + AXES, buffer, FAR)
    least = BLOCKED
    for cell in range(count):
        if buffer[NEAR + cell] > 0 and buffer[FAR + cell] > 0:
            through = int(buffer[NEAR + cell]) + int(buffer[FAR + cell]) - 1
            if least == BLOCKED or through < least:
                least = through
    for cell in range(count):
        if buffer[NEAR + cell] > 0 and buffer[FAR + cell] > 0:
            through = int(buffer[NEAR + cell]) + int(buffer[FAR + cell]) - 1
            on_shortest_route[cell] = 1 if through == least else 0
    return least


def shortest_route(state: StateArray, axis: int, on_shortest_route: Scratch) -> list[int]:
    """The empty cells of one of the shortest routes, from the near side, once they are marked."""
    counts = np.zeros(COUNTS_SIZE, dtype=np.int32)
    count_tiles(state, axis, counts, NEAR)
    ends, ports = layout.ends_at(state), EDGES * layout.board_size(state)
    marked = [int(cell) for cell in np.flatnonzero(on_shortest_route)]
    route = [next(cell for cell in marked if counts[NEAR + cell] == 1)]
    while True:
        reached = [int(state[ends + EDGES * route[-1] + edge]) for edge in range(EDGES)]
        cells = {port // EDGES for port in reached if port < ports}.intersection(marked)
        step = int(counts[NEAR + route[-1]]) + 1
        following = sorted(cell for cell in cells if counts[NEAR + cell] == step)
        if not following:
            return route
        route.append(following[0])


@kernel
def _is_connected(state: StateArray, axis: int) -> bool:
    ends, radius = layout.ends_at(state), int(state[layout.RADIUS])
    length = 2 * radius + 1
    side = EDGES * layout.board_size(state) + axis * length
    for end in range(side, side + length):
        if axis_between(end, int(state[ends + end]), radius):
            return True
    return False


@kernel
def count_tiles(state: StateArray, side: int, buffer: Scratch, counts: int) -> None:
    """Counts for each cell how many tiles lead from a side to it."""
    ends, ports = layout.ends_at(state), EDGES * layout.board_size(state)
    length = 2 * int(state[layout.RADIUS]) + 1
    for cell in range(layout.board_size(state)):
        buffer[counts + cell] = 0
    tail = 0
    for end in range(ports + side * length, ports + (side + 1) * length):
        port = int(state[ends + end])
        if port < ports and buffer[counts + port // EDGES] == 0:
            buffer[counts + port // EDGES] = 1
            buffer[_QUEUE + tail] = port // EDGES
            tail += 1
    head = 0
    while head < tail:
        cell = int(buffer[_QUEUE + head])
        head += 1
        for edge in range(EDGES):
            port = int(state[ends + EDGES * cell + edge])
            if port < ports and buffer[counts + port // EDGES] == 0:
                buffer[counts + port // EDGES] = buffer[counts + cell] + 1
                buffer[_QUEUE + tail] = port // EDGES
                tail += 1
