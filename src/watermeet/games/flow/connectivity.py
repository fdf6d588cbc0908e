"""Where water runs and where tiles fit (R4), computed on bitboards."""

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
from watermeet.games.flow.shapes import (
    EDGES,
    JOINS,
    OBSTACLE,
    SHAPE_COUNT,
    SHAPE_EDGES,
    SHAPE_KIND,
)

# ---- the cached bitboards ---------------------------------------------------------------------


@kernel
def rebuild_sets(state: StateArray) -> None:
    """Rebuild all bitboards from the cells."""
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
    """Add the tile in a cell to the bitboards; call update_water afterwards."""
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
    """Empty a set of cells; call update_water afterwards."""
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
    """Recompute the cells that water reaches from the animals."""
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
    """The cells where water comes in but not out (R1.3, R4.5)."""
    ends = int(state[layout.DEAD_ENDS])
    return ends | BOAT if state[layout.BOAT_STOPS] else ends


@kernel
def flood(start: int, north: int, east: int, south: int, west: int, ends: int) -> int:
    """The cells that water reaches from ``start``, which are included.

    The other sets are the cells open at each edge, and those where water ends.
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
    """The cells of the animals that are connected to the boat."""
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
def connectable_animals(state: StateArray, closed: int, cell: int, edges: int, lifted: int) -> int:
    """The cells of the animals that could be connected to the boat by filling empty cells suitably.

    ``closed`` are empty cells to be blocked, ``lifted`` cells whose tile is to be removed; if
    ``cell`` isn't negative, an obstacle tile with these edges is to be placed there. Up to version
    2 of the rules water could cross every empty cell, whatever lay beside it.
    """
    free = (int(state[layout.EMPTY]) | lifted) & ~closed
    ends = int(state[layout.DEAD_ENDS]) & ~lifted
    fixed = int(state[layout.FIXED]) & ~lifted
    if state[layout.BOAT_STOPS]:
        ends |= ANIMALS
    bit = 0
    if cell >= 0:
        bit = 1 << cell
        free &= ~bit
        ends |= bit
        fixed |= bit
    north = (int(state[layout.OPEN]) & ~lifted) | (bit if edges & 1 else 0)
    east = (int(state[layout.OPEN + 1]) & ~lifted) | (bit if edges & 2 else 0)
    south = (int(state[layout.OPEN + 2]) & ~lifted) | (bit if edges & 4 else 0)
    west = (int(state[layout.OPEN + 3]) & ~lifted) | (bit if edges & 8 else 0)
    ns, ew, ne, es, sw, nw = free, free, free, free, free, free
    if state[layout.VERSION] > 2:
        ns, ew, ne, es, sw, nw = _crossings(
            int(state[layout.TILE_SET]), free, fixed, north, east, south, west
        )
    if ns & ew & ne & es & sw & nw == free:  # As in most positions; this is quicker.
        return flood(BOAT, north | free, east | free, south | free, west | free, ends) & ANIMALS
    wet = BOAT
    out_n, out_e, out_s, out_w = BOAT & north, BOAT & east, BOAT & south, BOAT & west
    was_n, was_e, was_s, was_w = 0, 0, 0, 0
    while out_n | out_e | out_s | out_w:
        # The cells that water enters for the first time by each of their edges.
        in_s = beyond(out_n, 0) & (south | free) & ~was_s
        in_w = beyond(out_e, 1) & (west | free) & ~was_w
        in_n = beyond(out_s, 2) & (north | free) & ~was_n
        in_e = beyond(out_w, 3) & (east | free) & ~was_e
        was_n, was_e, was_s, was_w = was_n | in_n, was_e | in_e, was_s | in_s, was_w | in_w
        entered = in_n | in_e | in_s | in_w
        wet |= entered
        lying = entered & ~free & ~ends
        out_n = lying & north | in_s & ns | in_e & ne | in_w & nw
        out_e = lying & east | in_w & ew | in_n & ne | in_s & es
        out_s = lying & south | in_n & ns | in_e & es | in_w & sw
        out_w = lying & west | in_e & ew | in_s & sw | in_n & nw
    return wet & ANIMALS


@kernel
def _crossings(
    tile_set: int, free: int, fixed: int, north: int, east: int, south: int, west: int
) -> tuple[int, int, int, int, int, int]:
    """By pair of edges, NS, EW, NE, ES, SW and NW: the empty cells that water could cross there.

    It could if some tile of the set, open at both edges, matched what lies beside the cell (R4.3).
    """
    ns, ew, ne, es, sw, nw = 0, 0, 0, 0, 0, 0
    for shape in range(SHAPE_COUNT):
        if JOINS[tile_set, shape]:
            edges, cells = int(SHAPE_EDGES[shape]), free
            cells &= ~beyond(fixed & ~south if edges & 1 else south, 2)
            cells &= ~beyond(fixed & ~west if edges & 2 else west, 3)
            cells &= ~beyond(fixed & ~north if edges & 4 else north, 0)
            cells &= ~beyond(fixed & ~east if edges & 8 else east, 1)
            ns |= cells if edges & 5 == 5 else 0
            ew |= cells if edges & 10 == 10 else 0
            ne |= cells if edges & 3 == 3 else 0
            es |= cells if edges & 6 == 6 else 0
            sw |= cells if edges & 12 == 12 else 0
            nw |= cells if edges & 9 == 9 else 0
    return ns, ew, ne, es, sw, nw


@kernel
def animals_to_spare(state: StateArray, lifted: int) -> int:
    """The cells of the animals that an obstacle must not cut off (R4.4).

    They are those that aren't cut off already; in version 1 of the rules all, so that no obstacle
    could be placed while one was.
    """
    if state[layout.VERSION] < 2:
        return ANIMALS
    return connectable_animals(state, 0, -1, 0, lifted)


# ---- placements -------------------------------------------------------------------------------


@kernel
def cells_for(state: StateArray, shape: int, needs_water: bool, lifted: int) -> int:
    """The cells where a shape may be placed under R4 if the tiles of ``lifted`` were removed.

    The lifted cells themselves are excluded. Water isn't recomputed: ``lifted`` is for Current,
    which needs none.
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
    """The cells where an obstacle tile doesn't cut off an animal (R4.4)."""
    if cells == 0:
        return 0
    spared = animals_to_spare(state, lifted)
    for cell in range(CELL_COUNT):
        if (cells >> cell) & 1 and spared & ~connectable_animals(state, 0, cell, edges, lifted):
            cells &= ~(1 << cell)
    return cells
