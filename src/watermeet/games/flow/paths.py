"""Paths of water from the animals to the boat, and the tiles they still need, for display.

The number of missing tiles is a lower bound: an empty cell counts as one tile if a tile of some
kind in the set would fit there, as in R4.4, although none may be left.
"""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import permutations
from typing import NamedTuple

from watermeet.core.contract import StateArray
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_CELLS, ANIMAL_EDGES, BOAT_CELL, CELL_COUNT, SIZE
from watermeet.games.flow.names import SCENARIO_OBSTACLE, laid_at
from watermeet.games.flow.shapes import (
    EDGE_LETTERS,
    EDGES,
    JOINS,
    OBSTACLE,
    SHAPE_COUNT,
    SHAPE_EDGES,
)
from watermeet.games.flow.tile_sets import KINDS

_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # By edge: rows up, columns right.
_ALL_EDGES = (1 << EDGES) - 1
_INSIDE = -1
"""Where water comes in at the cell that it starts from."""
Crossings = frozenset[tuple[int, int]]
"""Pairs of edges between which water runs, both ways."""


def _back(edge: int) -> int:
    return (edge + 2) % EDGES


def _neighbours(cell: int) -> tuple[tuple[int, int], ...]:
    """The edges of a cell with the neighbours beyond them."""
    row, column = divmod(cell, SIZE)
    return tuple(
        (edge, (row + up) * SIZE + column + right)
        for edge, (up, right) in enumerate(_STEPS)
        if 0 <= row + up < SIZE and 0 <= column + right < SIZE
    )


_NEIGHBOURS = tuple(_neighbours(cell) for cell in range(CELL_COUNT))


class AnimalPath(NamedTuple):
    """An animal's path to the boat, if any, or what is missing."""

    path: tuple[int, ...]
    """A shortest path from the animal to the boat, both included; empty if there is none."""
    missing: int | None
    """The fewest tiles it needs; None if it is cut off."""
    missing_cells: tuple[int, ...]
    """The empty cells of all paths with the fewest missing tiles, ascending."""


class Water(NamedTuple):
    """The board as a graph: neighbours by water, empty cells, and cells where water ends."""

    beside: tuple[tuple[tuple[int, int], ...], ...]
    """By cell: its neighbours across edges that are open on both sides, each after its edge."""
    empty: dict[int, Crossings]
    """The empty cells, with how water could run through each."""
    ends: frozenset[int]


def edge_letters(bits: int) -> str:
    """The edges of a bit mask.

    >>> edge_letters(0b1001)
    'NW'
    """
    return "".join(EDGE_LETTERS[edge] for edge in range(EDGES) if (bits >> edge) & 1)


def water_of(array: StateArray) -> Water:
    """The water graph of a state, built from its cells alone."""
    ways = {cell: int(bits) for cell, bits in zip(ANIMAL_CELLS, ANIMAL_EDGES, strict=True)}
    ways[BOAT_CELL] = int(array[layout.BOAT_EDGES])
    shut, ends = set(), set()
    for cell in range(CELL_COUNT):
        laid = laid_at(array, cell)
        if laid is not None and laid.kind == SCENARIO_OBSTACLE:
            shut.add(cell)
        elif laid is not None:
            ways[cell] = sum(1 << EDGE_LETTERS.index(edge) for edge in laid.edges)
            if laid.kind == KINDS[OBSTACLE]:
                ends.add(cell)
    if array[layout.BOAT_STOPS]:
        ends |= {*ANIMAL_CELLS, BOAT_CELL}
    tile_set, is_judged = int(array[layout.TILE_SET]), int(array[layout.VERSION]) > 2
    empty = {
        cell: _crossings(tile_set, *(_demands(ways, cell) if is_judged else (0, 0)))
        for cell in range(CELL_COUNT)
        if cell not in ways and cell not in shut
    }
    open_at = [ways.get(cell, _ALL_EDGES if cell in empty else 0) for cell in range(CELL_COUNT)]
    return Water(_beside(open_at), empty, frozenset(ends))


def _demands(ways: dict[int, int], cell: int) -> tuple[int, int]:
    """The edges of a cell that lie beside tiles, and those that must be open (R4.3)."""
    known, needed = 0, 0
    for edge, other in _NEIGHBOURS[cell]:
        if other in ways:
            known |= 1 << edge
            needed |= ((ways[other] >> _back(edge)) & 1) << edge
    return known, needed


@cache
def _crossings(tile_set: int, known: int, needed: int) -> Crossings:
    """How water could run through an empty cell: by some tile of the set that fits there (R4.4)."""
    return frozenset(
        pair
        for shape in range(SHAPE_COUNT)
        if JOINS[tile_set, shape] and int(SHAPE_EDGES[shape]) & known == needed
        for pair in permutations((e for e in range(EDGES) if int(SHAPE_EDGES[shape]) >> e & 1), 2)
    )


def _beside(open_at: list[int]) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(
        tuple(
            (edge, other)
            for edge, other in near
            if (open_at[cell] >> edge) & (open_at[other] >> _back(edge)) & 1
        )
        for cell, near in enumerate(_NEIGHBOURS)
    )


def animal_paths(array: StateArray) -> list[AnimalPath]:
    """The paths of the four animals."""
    water = water_of(array)
    from_boat = _costs(water, BOAT_CELL)
    return [_path_of(water, cell, from_boat) for cell in ANIMAL_CELLS]


def _path_of(water: Water, animal: int, from_boat: dict[tuple[int, int], int]) -> AnimalPath:
    found = [cost for (cell, _), cost in from_boat.items() if cell == animal]
    if not found:
        return AnimalPath((), None, ())
    missing = min(found)
    if missing == 0:
        return AnimalPath(_shortest_path(water, animal), 0, ())
    costs, far = _costs(water, animal), CELL_COUNT
    # Both costs include the cell itself.
    cells = (
        cell
        for cell, crossings in sorted(water.empty.items())
        if any(
            costs.get((cell, one), far) + from_boat.get((cell, other), far) == missing + 1
            for one, other in crossings
        )
    )
    return AnimalPath((), missing, tuple(cells))


def _costs(water: Water, start: int) -> dict[tuple[int, int], int]:
    """By cell and edge where water comes in: the fewest empty cells until there, itself included.

    Through tiles it runs from each open edge to the others, through an empty cell as far as some
    tile would let it.
    """
    costs = {(start, _INSIDE): 0}
    queue = deque(costs)
    while queue:
        place = cell, came_in = queue.popleft()
        if cell in water.ends and cell != start:
            continue
        for edge, other in water.beside[cell]:
            if cell in water.empty and (came_in, edge) not in water.empty[cell]:
                continue
            step, entered = int(other in water.empty), (other, _back(edge))
            if entered not in costs or costs[place] + step < costs[entered]:
                costs[entered] = costs[place] + step
                # 0-1 BFS: free steps go to the front, so cells are visited by ascending cost.
                (queue.append if step else queue.appendleft)(entered)
    return costs


def _shortest_path(water: Water, animal: int) -> tuple[int, ...]:
    """The shortest path over placed tiles; the first in the order of edges if there are several."""
    came_from = {animal: animal}
    queue = deque([animal])
    while queue and BOAT_CELL not in came_from:
        cell = queue.popleft()
        if cell in water.ends and cell != animal:
            continue
        for _, other in water.beside[cell]:
            if other not in water.empty and other not in came_from:
                came_from[other] = cell
                queue.append(other)
    path = [BOAT_CELL]
    while path[-1] != animal:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))
