"""The chain of stones that wins, found by a search; play itself needs none."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator


def neighbours(cell: int, size: int) -> Iterator[int]:
    """The up to six neighbours of a cell, clockwise from the upper left (R1.2)."""
    row, column = divmod(cell, size)
    steps = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
    for down, right in steps:
        if 0 <= row + down < size and 0 <= column + right < size:
            yield cell + down * size + right


def sides(size: int, seat: int) -> tuple[range, range]:
    """The cells along the two sides of a seat: top and bottom for Red, left and right for Blue."""
    cells = size * size
    if seat == 0:
        return range(size), range(cells - size, cells)
    return range(0, cells, size), range(size - 1, cells, size)


def winning_chain(own: Collection[int], size: int, seat: int) -> list[int]:
    """The cells of a shortest chain between a seat's sides, in order; empty if there is none."""
    first, second = sides(size, seat)
    came_from = {cell: cell for cell in first if cell in own}
    queue = deque(came_from)
    while queue:
        cell = queue.popleft()
        if cell in second:
            return _path(came_from, cell)
        for near in neighbours(cell, size):
            if near in own and near not in came_from:
                came_from[near] = cell
                queue.append(near)
    return []


def _path(came_from: dict[int, int], cell: int) -> list[int]:
    path = [cell]
    while came_from[cell] != cell:
        cell = came_from[cell]
        path.append(cell)
    return path[::-1]
