"""The total number of tiles the animals still need, on the board as it is or would be.

Hypothetical boards are evaluated without changing the state: a set of tiles may be removed, and one
tile added. On the board as it is, the result agrees with distances.py.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMALS, BOAT, beyond, count_cells
from watermeet.games.flow.shapes import OBSTACLE, SHAPE_COUNT, SHAPE_EDGES, SHAPE_KIND

FAR = 12
"""The distance of an animal that is cut off from the boat: more than any other."""
NOWHERE = -1


@kernel
def total_distance(state: StateArray) -> int:
    """The sum of the animals' distances to the boat, in tiles."""
    return total_distance_if(state, 0, NOWHERE, 0, False)


@kernel
def total_distance_without(state: StateArray, lifted: int) -> int:
    """Like ``total_distance``, with the tiles of some cells removed."""
    return total_distance_if(state, lifted, NOWHERE, 0, False)


@kernel
def total_distance_after(state: StateArray, action: int, lifted: int) -> int:
    """Like ``total_distance``, after placing a tile, with the tiles of some cells removed."""
    if action >= layout.LAY_SCENARIO:
        return total_distance_if(state, lifted, action - layout.LAY_SCENARIO, 0, False)
    shape = action % SHAPE_COUNT
    is_dead = SHAPE_KIND[shape] == OBSTACLE
    return total_distance_if(state, lifted, action // SHAPE_COUNT, int(SHAPE_EDGES[shape]), is_dead)


@kernel
def total_distance_if(state: StateArray, lifted: int, cell: int, edges: int, is_dead: bool) -> int:
    """Like ``total_distance``, with tiles removed, and one added unless ``cell`` is NOWHERE."""
    bit = 1 << cell if cell >= 0 else 0
    ends = int(state[layout.DEAD_ENDS]) & ~lifted
    if is_dead:
        ends |= bit
    if state[layout.BOAT_STOPS]:
        ends |= ANIMALS
    return total_distance_on(
        (int(state[layout.OPEN]) & ~lifted) | (bit if edges & 1 else 0),
        (int(state[layout.OPEN + 1]) & ~lifted) | (bit if edges & 2 else 0),
        (int(state[layout.OPEN + 2]) & ~lifted) | (bit if edges & 4 else 0),
        (int(state[layout.OPEN + 3]) & ~lifted) | (bit if edges & 8 else 0),
        (int(state[layout.EMPTY]) | lifted) & ~bit,
        ends,
    )


@kernel
def total_distance_on(north: int, east: int, south: int, west: int, empty: int, ends: int) -> int:
    """Like ``total_distance``, on a board given by bitboards.

    A breadth-first search from the boat: existing tiles cost nothing, and an empty cell costs one
    tile, whatever its shape.
    """
    total, tiles, joined = 0, 0, 0
    reached, front = BOAT, BOAT
    while True:
        while front:
            front &= ~ends
            spread = beyond(front & north, 0) & south
            spread |= beyond(front & east, 1) & west
            spread |= beyond(front & south, 2) & north
            spread |= beyond(front & west, 3) & east
            front = spread & ~reached
            reached |= front
        new = reached & ANIMALS & ~joined
        if new:
            total += tiles * count_cells(new)
            joined |= new
            if joined == ANIMALS:
                return total
        source = reached & ~ends
        front = beyond(source & north, 0) | beyond(source & east, 1)
        front |= beyond(source & south, 2) | beyond(source & west, 3)
        front &= empty & ~reached
        if front == 0:
            return total + FAR * count_cells(ANIMALS & ~joined)
        north |= front
        east |= front
        south |= front
        west |= front
        reached |= front
        tiles += 1
