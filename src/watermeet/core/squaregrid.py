"""Geometry of square boards: points, their names and their indices.

A point is (column, row), both from 0. Its name is the column's letter and the row's number from the
bottom: ``a1`` is the lower left corner. Its index counts along the rows from ``a1``. Boards have up
to 26 columns.
"""

from __future__ import annotations

import re
from functools import lru_cache

COLUMN_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAME = re.compile(r"([a-z])([1-9][0-9]?)")


@lru_cache(maxsize=4096)
def point_name(index: int, columns: int) -> str:
    """The name of the point with this index.

    >>> point_name(0, 7), point_name(8, 7)
    ('a1', 'b2')
    """
    row, column = divmod(index, columns)
    return f"{COLUMN_LETTERS[column]}{row + 1}"


def point_index(name: str, columns: int, rows: int) -> int | None:
    """The index of the point with this name; None if the board has no such point.

    >>> point_index("b2", 7, 7), point_index("z9", 7, 7), point_index("hello", 7, 7)
    (8, None, None)
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    column, row = COLUMN_LETTERS.index(match[1]), int(match[2]) - 1
    if column >= columns or row >= rows:
        return None
    return row * columns + column


def neighbours(index: int, columns: int, rows: int) -> list[int]:
    """The orthogonal neighbours on the board, ascending.

    >>> neighbours(0, 3, 3), neighbours(4, 3, 3)
    ([1, 3], [1, 3, 5, 7])
    """
    row, column = divmod(index, columns)
    steps = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [r * columns + c for r, c in steps if 0 <= r < rows and 0 <= c < columns]


def symmetries(size: int) -> list[list[int]]:
    """The eight symmetries of a square board: each lists the image of every point.

    The first is the identity.

    >>> [images[0] for images in symmetries(3)]
    [0, 2, 6, 8, 0, 6, 2, 8]
    """
    last = size - 1
    maps = []
    for transpose in (False, True):
        for flip_row in (False, True):
            for flip_column in (False, True):
                images = []
                for index in range(size * size):
                    row, column = divmod(index, size)
                    row = last - row if flip_row else row
                    column = last - column if flip_column else column
                    row, column = (column, row) if transpose else (row, column)
                    images.append(row * size + column)
                maps.append(images)
    return maps
