"""Paths of water from the animals to the boat, and the tiles they still need, for display.

The number of missing tiles is a lower bound: an empty cell counts as one tile if a tile of some
kind in the set would fit there, as in R4.4, although none may be left.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from watermeet.core.contract import StateArray
from watermeet.games.flow import layout
from watermeet.games.flow.board import ALL_CELLS, ANIMAL_CELLS, ANIMALS, BOAT, BOAT_CELL, SIZE
from watermeet.games.flow.shapes import EDGE_LETTERS, EDGES, JOINS, SHAPE_EDGES

Cells = int
"""A set of cells, as in board.py. Python adds numbers faster than it calls a kernel."""
ByEdge = tuple[Cells, Cells, Cells, Cells]
_LEFT = sum(1 << (SIZE * row) for row in range(SIZE))
_NOT_LEFT, _NOT_RIGHT = ALL_CELLS & ~_LEFT, ALL_CELLS & ~(_LEFT << (SIZE - 1))
_PAIRS = ((0, 2), (1, 3), (0, 1), (1, 2), (2, 3), (0, 3))
_JOINING = tuple(
    tuple(int(edges) for edges, joins in zip(SHAPE_EDGES, row, strict=True) if joins)
    for row in JOINS
)
"""By tile set: the open edges of each tile through which water runs."""


class AnimalPath(NamedTuple):
    """An animal's path to the boat, if any, or what is missing."""

    path: tuple[int, ...]
    """A shortest path from the animal to the boat, both included; empty if there is none."""
    missing: int | None
    """The fewest tiles it needs; None if it is cut off."""
    missing_cells: tuple[int, ...]
    """The empty cells of all paths with the fewest missing tiles, ascending."""


class Water(NamedTuple):
    """Where water runs, and could run."""

    open: ByEdge
    """By edge: the tiles, animals and boat that are open there."""
    empty: Cells
    across: tuple[Cells, ...]
    """By pair of edges: the empty cells that water could cross there."""
    ends: Cells
    """Where it comes in, but not out."""


def edge_letters(bits: int) -> str:
    """The edges of a bit mask.

    >>> edge_letters(0b1001)
    'NW'
    """
    return "".join(EDGE_LETTERS[edge] for edge in range(EDGES) if (bits >> edge) & 1)


def _moved(north: Cells, east: Cells, south: Cells, west: Cells) -> ByEdge:
    """Where water comes in that leaves cells by these edges: from the south what leaves north."""
    return (
        south >> SIZE,
        (west & _NOT_LEFT) >> 1,
        (north << SIZE) & ALL_CELLS,
        (east & _NOT_RIGHT) << 1,
    )


def water_of(array: StateArray) -> Water:
    """Where water runs in a state."""
    north, east, south, west = (int(array[layout.OPEN + edge]) for edge in range(EDGES))
    empty, ends = int(array[layout.EMPTY]), int(array[layout.DEAD_ENDS])
    if array[layout.BOAT_STOPS]:
        ends |= ANIMALS | BOAT
    water = Water((north, east, south, west), empty, (empty,) * len(_PAIRS), ends)
    if array[layout.VERSION] < 3:
        return water
    joining = _JOINING[int(array[layout.TILE_SET])]
    return water._replace(across=_across(water, int(array[layout.FIXED]), joining))


def _across(water: Water, fixed: Cells, joining: tuple[int, ...]) -> tuple[Cells, ...]:
    """By pair of edges: the empty cells where a tile that is open at both would fit (R4.3)."""
    needed = _moved(*water.open)
    closed = _moved(*(fixed & ~cells for cells in water.open))
    found = [0] * len(_PAIRS)
    for edges in joining:
        cells = water.empty
        for edge in range(EDGES):
            cells &= ~(closed[edge] if (edges >> edge) & 1 else needed[edge])
        for pair, (one, other) in enumerate(_PAIRS):
            if (edges >> one) & (edges >> other) & 1:
                found[pair] |= cells
    return tuple(found)


def animal_paths(array: StateArray) -> list[AnimalPath]:
    """The paths of the four animals."""
    water = water_of(array)
    from_boat = _layers(water, BOAT, SIZE * SIZE)
    return [_path_of(water, cell, from_boat) for cell in ANIMAL_CELLS]


def _path_of(water: Water, animal: int, from_boat: list[ByEdge]) -> AnimalPath:
    bit = 1 << animal
    counts = [tiles for tiles, entered in enumerate(from_boat) if any(c & bit for c in entered)]
    if not counts:
        return AnimalPath((), None, ())
    missing = counts[0]
    if missing == 0:
        return AnimalPath(_shortest_path(water, animal), 0, ())
    on_way, own = 0, _layers(water, bit, missing)
    for tiles in range(1, missing + 1):  # Both counts include the cell itself.
        here, there = from_boat[tiles], own[missing + 1 - tiles]
        for (one, other), cells in zip(_PAIRS, water.across, strict=True):
            on_way |= cells & (here[one] & there[other] | here[other] & there[one])
    return AnimalPath((), missing, tuple(c for c in range(SIZE * SIZE) if (on_way >> c) & 1))


def _layers(water: Water, start: Cells, most: int) -> list[ByEdge]:
    """By the number of empty cells until there: where water comes in for the first time, by edge.

    An empty cell counts itself; water could run through it as far as some tile would let it.
    """
    ns, ew, ne, es, sw, nw = water.across
    seen, entered = [0] * EDGES, [0] * EDGES
    out = [start & cells for cells in water.open]
    found: list[ByEdge] = []
    while True:
        new = [0] * EDGES
        while any(out):  # Tiles cost nothing.
            tiles = 0
            for edge, cells in enumerate(_moved(*out)):
                fresh = cells & ~seen[edge]
                laid = fresh & water.open[edge]
                seen[edge] |= fresh
                entered[edge] |= laid
                new[edge] |= fresh & water.empty
                tiles |= laid
            out = [tiles & ~water.ends & cells for cells in water.open]
        found.append((entered[0], entered[1], entered[2], entered[3]))
        if len(found) > most or not any(new):
            return found
        north, east, south, west = entered = new
        out = [
            south & ns | east & ne | west & nw,
            west & ew | north & ne | south & es,
            north & ns | east & es | west & sw,
            east & ew | south & sw | north & nw,
        ]


def _shortest_path(water: Water, animal: int) -> tuple[int, ...]:
    """The shortest path over placed tiles; the first in the order of edges if there are several."""
    came_from = {animal: animal}
    queue = deque([animal])
    while queue and BOAT_CELL not in came_from:
        cell = queue.popleft()
        if (water.ends >> cell) & 1 and cell != animal:
            continue
        leaving = (cells & 1 << cell for cells in water.open)
        # What leaves north comes in from the south.
        come_in = _moved(*leaving)
        for edge in range(EDGES):
            back = (edge + 2) % EDGES
            bit = come_in[back] & water.open[back]
            other = bit.bit_length() - 1
            if bit and other not in came_from:
                came_from[other] = cell
                queue.append(other)
    path = [BOAT_CELL]
    while path[-1] != animal:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))
