"""The board of Flows: tables of cells, edges and sides for every radius.

A *port* is an edge of a cell, seen from inside: 6 * cell + edge. An *end* is a port or an edge of
the rim; rim edges are numbered after the ports, side by side (R1.3, R1.4). Every strand between
empty cells, and every edge that two cells share, has two ends.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from watermeet.core.hexgrid import Cell, cell_index, cells, neighbour, opposite
from watermeet.games.flows.tiles import EDGES

SIDES = 6
AXES = 3
"""An axis is a pair of opposite sides; its number is theirs modulo 3."""
MIN_RADIUS = 2
MAX_RADIUS = 5


def cell_count(radius: int) -> int:
    """How many cells a board has.

    >>> cell_count(3)
    37
    """
    return 3 * radius * (radius + 1) + 1


def side_length(radius: int) -> int:
    """How many edges a side has.

    >>> side_length(3)
    7
    """
    return 2 * radius + 1


def end_count(radius: int) -> int:
    """How many ends a board has: its ports and its rim edges."""
    return EDGES * cell_count(radius) + SIDES * side_length(radius)


MAX_CELLS = cell_count(MAX_RADIUS)
MAX_ENDS = end_count(MAX_RADIUS)


def direction_of(edge: int) -> int:
    """The direction of an edge, as hexgrid numbers directions.

    >>> direction_of(0)
    2
    """
    return (edge + 2) % EDGES


@cache
def rim_ports(radius: int) -> tuple[tuple[Cell, int], ...]:
    """The cell and the edge of every rim edge, side by side, each side clockwise.

    >>> [cell for cell, edge in rim_ports(1)[:3]], [edge for cell, edge in rim_ports(1)[:3]]
    ([(0, 1), (0, 1), (-1, 1)], [5, 0, 5])
    """
    found = []
    cell = (0, radius)  # Where side 0 begins: the lower right corner.
    for side in range(SIDES):
        for _ in range(radius):
            found += [(cell, (side + 5) % EDGES), (cell, side)]
            cell = neighbour(cell, direction_of((side + 1) % EDGES))
        found.append((cell, (side + 5) % EDGES))
    return tuple(found)


def _ends_of_empty_board(radius: int) -> list[int]:
    """For every end the other one, before any tile is placed."""
    ports = EDGES * cell_count(radius)
    others = [-1] * end_count(radius)
    for number, cell in enumerate(cells(radius + 1)):
        for edge in range(EDGES):
            beyond = cell_index(neighbour(cell, direction_of(edge)), radius + 1)
            if beyond is not None:
                others[EDGES * number + edge] = EDGES * beyond + opposite(edge)
    for place, (cell, edge) in enumerate(rim_ports(radius)):
        rim_cell = cell_index(cell, radius + 1)
        assert rim_cell is not None, "a rim edge belongs to a cell"
        others[ports + place] = EDGES * rim_cell + edge
        others[EDGES * rim_cell + edge] = ports + place
    return others


def _table() -> npt.NDArray[np.int16]:
    table = np.full((MAX_RADIUS + 1, MAX_ENDS), -1, dtype=np.int16)
    for radius in range(MIN_RADIUS, MAX_RADIUS + 1):
        table[radius, : end_count(radius)] = _ends_of_empty_board(radius)
    return table


EMPTY_BOARD = _table()
"""By radius and end: the other end on the empty board."""
EDGES_TOWARDS = np.array(
    [[(side + step) % EDGES for step in (2, 3, 1, 4, 0, 5)] for side in range(SIDES)]
)
"""By side: two edges of a cell that lead away from it, two along it, and two towards it."""
CELLS_OF = np.array([cell_count(radius) for radius in range(MAX_RADIUS + 1)])
