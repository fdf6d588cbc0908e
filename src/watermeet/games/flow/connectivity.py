"""Water: where it leads, and where tiles may be laid (R4), for the whole board at once."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow import layout
from watermeet.games.flow.board import (
    ANIMAL_CELL,
    ANIMAL_COUNT,
    ANIMAL_EDGES,
    ANIMALS,
    BOAT,
    CELL_COUNT,
    FREE_CELLS,
    beside,
    beyond,
)
from watermeet.games.flow.shapes import EDGES, OBSTACLE, SHAPE_EDGES, SHAPE_KIND

# ---- the sets kept beside a state -------------------------------------------------------------


@kernel
def rebuild_sets(state: StateArray) -> None:
    """Writes all sets from the cells."""
    state[layout.EMPTY] = FREE_CELLS
    state[layout.FIXED] = ANIMALS | BOAT
    state[layout.DEAD_ENDS] = 0
    for edge in range(EDGES):
        ways = BOAT if (int(state[layout.BOAT_EDGES]) >> edge) & 1 else 0
        for animal in range(ANIMAL_COUNT):
            if (int(ANIMAL_EDGES[animal]) >> edge) & 1:
                ways |= 1 << int(ANIMAL_CELL[animal])
        state[layout.OPEN + edge] = ways
    for cell in range(CELL_COUNT):
        if state[layout.CELLS + cell] != 0:
            add_tile(state, cell)
    update_water(state)


@kernel
def add_tile(state: StateArray, cell: int) -> None:
    """Adds to the sets what lies in a cell; water is to be renewed."""
    bit = 1 << cell
    state[layout.EMPTY] &= ~bit
    tile = int(state[layout.CELLS + cell]) % layout.BIRD_ON
    if tile == layout.SCENARIO_TILE:
        return
    state[layout.FIXED] |= bit
    if SHAPE_KIND[tile - 1] == OBSTACLE:
        state[layout.DEAD_ENDS] |= bit
    for edge in range(EDGES):
        if (int(SHAPE_EDGES[tile - 1]) >> edge) & 1:
            state[layout.OPEN + edge] |= bit


@kernel
def clear_cells(state: StateArray, cells: int) -> None:
    """Empties some cells, in the array and in the sets; water is to be renewed."""
    for cell in range(CELL_COUNT):
        if (cells >> cell) & 1:
            state[layout.CELLS + cell] = 0
    state[layout.EMPTY] |= cells
    state[layout.FIXED] &= ~cells
    state[layout.DEAD_ENDS] &= ~cells
    for edge in range(EDGES):
        state[layout.OPEN + edge] &= ~cells


@kernel
def update_water(state: StateArray) -> None:
    """Finds the cells to which water leads from some animal."""
    state[layout.WET] = flood(
        ANIMALS,
        int(state[layout.OPEN]),
        int(state[layout.OPEN + 1]),
        int(state[layout.OPEN + 2]),
        int(state[layout.OPEN + 3]),
        dead_ends(state),
    )


@kernel
def dead_ends(state: StateArray) -> int:
    """The cells where water comes in but does not go on (R1.3, R4.5)."""
    ends = int(state[layout.DEAD_ENDS])
    return ends | BOAT if state[layout.BOAT_STOPS] else ends


@kernel
def flood(start: int, north: int, east: int, south: int, west: int, ends: int) -> int:
    """All cells to which water leads from some cells, these included.

    The sets are the cells that are open at each edge, and those where water ends.
    """
    wet = start
    front = start
    while front:
        front &= ~ends | start
        spread = beyond(front & north, 0) & south
        spread |= beyond(front & east, 1) & west
        spread |= beyond(front & south, 2) & north
        spread |= beyond(front & west, 3) & east
        front = spread & ~wet
        wet |= front
    return wet


# ---- animals ----------------------------------------------------------------------------------


@kernel
def connected_animals(state: StateArray) -> int:
    """The cells of the animals that water joins with the boat."""
    ends = int(state[layout.DEAD_ENDS])
    if state[layout.BOAT_STOPS]:
        ends |= ANIMALS
    reached = flood(
        BOAT,
        int(state[layout.OPEN]),
        int(state[layout.OPEN + 1]),
        int(state[layout.OPEN + 2]),
        int(state[layout.OPEN + 3]),
        ends,
    )
    return reached & ANIMALS


@kernel
def all_can_connect(state: StateArray, closed: int, cell: int, edges: int, lifted: int) -> bool:
    """Whether every animal could be joined with the boat if empty cells were filled as one likes.

    ``closed`` are empty cells that shall let nothing pass, ``lifted`` cells whose tile shall be
    gone; if ``cell`` is not negative, an obstacle tile with these edges shall lie there.
    """
    free = (int(state[layout.EMPTY]) | lifted) & ~closed
    ends = int(state[layout.DEAD_ENDS]) & ~lifted
    if state[layout.BOAT_STOPS]:
        ends |= ANIMALS
    bit = 0
    if cell >= 0:
        bit = 1 << cell
        free &= ~bit
        ends |= bit
    reached = flood(
        BOAT,
        (int(state[layout.OPEN]) & ~lifted) | free | (bit if edges & 1 else 0),
        (int(state[layout.OPEN + 1]) & ~lifted) | free | (bit if edges & 2 else 0),
        (int(state[layout.OPEN + 2]) & ~lifted) | free | (bit if edges & 4 else 0),
        (int(state[layout.OPEN + 3]) & ~lifted) | free | (bit if edges & 8 else 0),
        ends,
    )
    return reached & ANIMALS == ANIMALS


# ---- where a tile may be laid -----------------------------------------------------------------


@kernel
def cells_for(state: StateArray, shape: int, needs_water: bool, lifted: int) -> int:
    """The cells where a shape may be laid by R4, were the tiles of ``lifted`` gone, but not there.

    Water is as it is: ``lifted`` is for Current, which needs none.
    """
    fixed = int(state[layout.FIXED]) & ~lifted
    cells = int(state[layout.EMPTY]) & ~lifted & beside(fixed)  # R4.1
    edges = int(SHAPE_EDGES[shape])
    watered = 0
    for edge in range(EDGES):
        back = (edge + 2) % EDGES
        facing = int(state[layout.OPEN + back]) & ~lifted
        if (edges >> edge) & 1:
            cells &= ~beyond(fixed & ~facing, back)  # R4.3
            watered |= beyond(facing & int(state[layout.WET]) & ~dead_ends(state), back)
        else:
            cells &= ~beyond(facing, back)
    if needs_water:
        cells &= watered  # R4.2
    if SHAPE_KIND[shape] == OBSTACLE:
        cells = _without_blocking(state, cells, edges, lifted)
    return cells


@kernel
def _without_blocking(state: StateArray, cells: int, edges: int, lifted: int) -> int:
    """Those of some cells where an obstacle tile leaves every animal a way (R4.4)."""
    for cell in range(CELL_COUNT):
        if (cells >> cell) & 1 and not all_can_connect(state, 0, cell, edges, lifted):
            cells &= ~(1 << cell)
    return cells
