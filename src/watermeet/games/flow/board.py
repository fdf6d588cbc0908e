"""Bitboards: a set of cells is an integer with one bit for each of the 49 cells.

Cells are numbered along the rows from ``a1``, as in core.squaregrid. Moving all cells of a set one
step is a shift, so a query about the whole board takes a few operations.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.kernel import kernel

SIZE = 7
CELL_COUNT = SIZE * SIZE
ALL_CELLS = (1 << CELL_COUNT) - 1
BOAT_CELL = CELL_COUNT // 2
BOAT = 1 << BOAT_CELL
ANIMAL_CELLS = (0, SIZE - 1, CELL_COUNT - SIZE, CELL_COUNT - 1)
ANIMALS = sum(1 << cell for cell in ANIMAL_CELLS)
ANIMAL_COUNT = len(ANIMAL_CELLS)
_LEFT = sum(1 << (SIZE * row) for row in range(SIZE))
_NOT_LEFT = ALL_CELLS & ~_LEFT
_NOT_RIGHT = ALL_CELLS & ~(_LEFT << (SIZE - 1))
FREE_CELLS = ALL_CELLS & ~(BOAT | ANIMALS)

ANIMAL_CELL = np.array(ANIMAL_CELLS)
ANIMAL_EDGES = np.array([0b0011, 0b1001, 0b0110, 0b1100])
"""By animal: the open edges of its space, as a bit mask: N E, N W, E S, S W (R1.2)."""

# The row or column for each number of a die; the middle one has none (R6.4).
LINE_OF = np.array([-1, 0, 1, 2, 4, 5, 6])
ROW_CELLS = np.array([sum(1 << (SIZE * row + c) for c in range(SIZE)) for row in range(SIZE)])
COLUMN_CELLS = np.array([_LEFT << column for column in range(SIZE)])
NUMBERED_CELLS = sum(
    1 << (SIZE * row + column) for row in range(SIZE) for column in range(SIZE)
    if row != SIZE // 2 and column != SIZE // 2
)  # fmt: skip


@kernel
def beyond(cells: int, edge: int) -> int:
    """A set of cells shifted one step across an edge."""
    if edge == 0:
        return (cells << SIZE) & ALL_CELLS
    if edge == 1:
        return (cells & _NOT_RIGHT) << 1
    if edge == 2:
        return cells >> SIZE
    return (cells & _NOT_LEFT) >> 1


@kernel
def beside(cells: int) -> int:
    """The cells that share an edge with a set of cells."""
    return beyond(cells, 0) | beyond(cells, 1) | beyond(cells, 2) | beyond(cells, 3)


@kernel
def count_cells(cells: int) -> int:
    """The number of cells in a set."""
    count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count
