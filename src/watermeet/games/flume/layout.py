"""The layout of a Flume state in its array (int16), and the numbering of actions; n = size.

    0  SIZE       n
    1  PIE        1 if the second player may swap (R5)
    2  NO_CENTRE  1 if the first stone may not be placed on the centre (R6)
    3  COLOUR     the colour to move: RED or BLUE
    4  RED_SEAT   the seat that plays red: 0, or 1 after a swap
    5  FREE_LEFT  how many points are free
    6  FREE_LIST  the start of the cache
    7  CELLS ...  (n + 2) rows of n + 1 cells and one more: the points within the green rim (R1.2)
       cache ...  n*n entries, the first FREE_LEFT of which are the free points, in any order; then,
                  for each of the n*n points, its index in that list while it is free

This is the mailbox of chess programs: the rim is stored, so counting connections (R3.1) needs no
test for the edges of the board. One column is the right rim of a row and the left rim of the next;
the corners of the rim touch no point. The cache makes sampling a free point one look-up, and isn't
part of a state's identity.

Actions: 0 ... n*n - 1 place a stone on a point, numbered along the rows from a1; n*n swaps.

Import this module, not its names: ``layout.SIZE``.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

SIZE, PIE, NO_CENTRE, COLOUR, RED_SEAT, FREE_LEFT, FREE_LIST, CELLS = range(8)
FREE, RED, BLUE, GREEN = range(4)
MIN_SIZE = 3
MAX_SIZE = 19


def state_size(size: int) -> int:
    """The length of the array."""
    return CELLS + (size + 2) * (size + 1) + 1 + cache_size(size)


def cache_size(size: int) -> int:
    """The length of the cache."""
    return 2 * size * size


def _cell_table() -> npt.NDArray[np.uint16]:
    """[size, point]: the cell of a point; a table is faster than a division."""
    table = np.zeros((MAX_SIZE + 1, MAX_SIZE * MAX_SIZE), dtype=np.uint16)
    for size in range(1, MAX_SIZE + 1):
        for point in range(size * size):
            row, column = divmod(point, size)
            table[size, point] = CELLS + (row + 1) * (size + 1) + 1 + column
    return table


CELL_OF = _cell_table()
