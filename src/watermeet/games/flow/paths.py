"""Paths of water from the animals to the boat, and the tiles they still need, for display.

The number of missing tiles is a lower bound: an empty cell counts as one tile, although no suitable
tile may be left or fit its neighbours.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from watermeet.core.contract import StateArray
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_CELLS, ANIMAL_EDGES, BOAT_CELL, CELL_COUNT, SIZE
from watermeet.games.flow.names import laid_at
from watermeet.games.flow.shapes import EDGE_LETTERS, EDGES, OBSTACLE
from watermeet.games.flow.tile_sets import KINDS

_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # By edge: rows up, columns right.


def _neighbours(cell: int) -> list[tuple[int, str, str]]:
    """The neighbours of a cell, with the edge that leads there and the one that leads back."""
    row, column = divmod(cell, SIZE)
    return [
        ((row + up) * SIZE + column + right, EDGE_LETTERS[edge], EDGE_LETTERS[(edge + 2) % EDGES])
        for edge, (up, right) in enumerate(_STEPS)
        if 0 <= row + up < SIZE and 0 <= column + right < SIZE
    ]


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

    beside: tuple[tuple[int, ...], ...]
    """By cell: its neighbours across edges that are open on both sides, in order of edges."""
    empty: frozenset[int]
    ends: frozenset[int]


def edge_letters(bits: int) -> str:
    """The edges of a bit mask.

    >>> edge_letters(0b1001)
    'NW'
    """
    return "".join(EDGE_LETTERS[edge] for edge in range(EDGES) if (bits >> edge) & 1)


def water_of(array: StateArray) -> Water:
    """The water graph of a state, built from its cells alone."""
    open_at, empty, ends = [], set(), set()
    fixed = {
        cell: edge_letters(int(bits)) for cell, bits in zip(ANIMAL_CELLS, ANIMAL_EDGES, strict=True)
    } | {BOAT_CELL: edge_letters(int(array[layout.BOAT_EDGES]))}
    for cell in range(CELL_COUNT):
        laid = laid_at(array, cell)
        if cell in fixed:
            open_at.append(fixed[cell])
        elif laid is None:
            open_at.append(EDGE_LETTERS)
            empty.add(cell)
        else:
            open_at.append(laid.edges)
            if laid.kind == KINDS[OBSTACLE]:
                ends.add(cell)
    if array[layout.BOAT_STOPS]:
        ends |= {*ANIMAL_CELLS, BOAT_CELL}
    return Water(_beside(open_at), frozenset(empty), frozenset(ends))


def _beside(open_at: list[str]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(other for other, out, back in near if out in open_at[cell] and back in open_at[other])
        for cell, near in enumerate(_NEIGHBOURS)
    )


def animal_paths(array: StateArray) -> list[AnimalPath]:
    """The paths of the four animals."""
    water = water_of(array)
    to_boat = _costs(water, BOAT_CELL)
    return [_path_of(water, cell, to_boat) for cell in ANIMAL_CELLS]


def _path_of(water: Water, animal: int, to_boat: dict[int, int]) -> AnimalPath:
    missing = to_boat.get(animal)
    if missing == 0:
        return AnimalPath(_shortest_path(water, animal), 0, ())
    if missing is None:
        return AnimalPath((), None, ())
    costs = _costs(water, animal)
    # Both costs include the cell itself.
    cells = (c for c in sorted(water.empty) if c in costs and c in to_boat)
    return AnimalPath((), missing, tuple(c for c in cells if costs[c] + to_boat[c] == missing + 1))


def _costs(water: Water, start: int) -> dict[int, int]:
    """For each reachable cell, the fewest empty cells on a path to it, itself included."""
    costs = {start: 0}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell in water.ends and cell != start:
            continue
        for other in water.beside[cell]:
            step = 1 if other in water.empty else 0
            if costs[cell] + step < costs.get(other, CELL_COUNT):
                costs[other] = costs[cell] + step
                # 0-1 BFS: free steps go to the front, so cells are visited by ascending cost.
                (queue.append if step else queue.appendleft)(other)
    return costs


def _shortest_path(water: Water, animal: int) -> tuple[int, ...]:
    """The shortest path over placed tiles; the first in the order of edges if there are several."""
    came_from = {animal: animal}
    queue = deque([animal])
    while queue and BOAT_CELL not in came_from:
        cell = queue.popleft()
        if cell in water.ends and cell != animal:
            continue
        for other in water.beside[cell]:
            if other not in water.empty and other not in came_from:
                came_from[other] = cell
                queue.append(other)
    path = [BOAT_CELL]
    while path[-1] != animal:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))
