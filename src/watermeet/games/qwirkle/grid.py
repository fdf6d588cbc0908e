"""Tiles on the grid: where they lie, the lines they make, and what a placement scores.

A cell is found by a table of 256 places, hashed so that a grid of up to 16 by 16 has no collision;
larger ones probe on. The table is part of the memo.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle.layout import (
    BONUS,
    COUNT,
    ELSEWHERE,
    LAID,
    LONGEST_LINE,
    LOOKUP,
    LOOKUP_SIZE,
    OCCUPIED_CELLS,
    STEP_X,
    STEP_Y,
    TILES,
    XS,
    YS,
)
from watermeet.games.qwirkle.tiles import EVERY_KIND, fitting

_LAST_PLACE = LOOKUP_SIZE - 1
_PROBE = 101  # Odd, so that probing comes to every place.


# ---- the table --------------------------------------------------------------------------------


@kernel
def tile_at(state: StateArray, x: int, y: int) -> int:
    """The index of the tile on a cell, or -1 if the cell is empty."""
    place = (x + 16 * y) & _LAST_PLACE
    tile = int(state[LOOKUP + place]) - 1
    while tile >= 0 and not (state[XS + tile] == x and state[YS + tile] == y):
        place = (place + _PROBE) & _LAST_PLACE
        tile = int(state[LOOKUP + place]) - 1
    return tile


@kernel
def note_tile(state: StateArray, tile: int) -> None:
    """Writes a tile into the table, which does not know its cell yet."""
    place = (int(state[XS + tile]) + 16 * int(state[YS + tile])) & _LAST_PLACE
    while state[LOOKUP + place] != 0:
        place = (place + _PROBE) & _LAST_PLACE
    state[LOOKUP + place] = tile + 1


@kernel
def _move_tile(state: StateArray, tile: int) -> None:
    """Gives a tile the next index, in the table and in the lists."""
    x, y = int(state[XS + tile]), int(state[YS + tile])
    place = (x + 16 * y) & _LAST_PLACE
    while state[LOOKUP + place] != tile + 1:
        place = (place + _PROBE) & _LAST_PLACE
    state[LOOKUP + place] = tile + 2
    state[XS + tile + 1] = x
    state[YS + tile + 1] = y
    state[TILES + tile + 1] = state[TILES + tile]


@kernel
def lay_tile(state: StateArray, x: int, y: int, kind: int) -> None:
    """Lays a tile on an empty cell, in its order among the tiles of this turn."""
    tile = int(state[COUNT])
    first = tile - int(state[LAID])
    while tile > first and _comes_before(state, x, y, tile - 1):
        tile -= 1
        _move_tile(state, tile)
    state[XS + tile] = x
    state[YS + tile] = y
    state[TILES + tile] = kind + 1
    state[COUNT] += 1
    state[LAID] += 1
    note_tile(state, tile)


@kernel
def _comes_before(state: StateArray, x: int, y: int, tile: int) -> bool:
    """Whether a cell comes before that of a tile: by row, then by column."""
    row = int(state[YS + tile])
    return bool(y < row or (y == row and x < state[XS + tile]))


# ---- numbers of cells -------------------------------------------------------------------------


@kernel
def cell_number(state: StateArray, x: int, y: int) -> int:
    """The number of a cell in actions, as layout.py tells."""
    if state[COUNT] == 0:
        return 0 if x == 0 and y == 0 else ELSEWHERE
    tile = tile_at(state, x, y)
    if tile >= 0:
        return OCCUPIED_CELLS + tile
    number = ELSEWHERE
    for direction in range(4):
        beside = tile_at(state, x - STEP_X[direction], y - STEP_Y[direction])
        if beside >= 0:
            number = min(number, 4 * beside + direction)
    return number


@kernel
def cell_x(state: StateArray, number: int) -> int:
    """The column of a cell that touches a tile, from its number."""
    if state[COUNT] == 0:
        return 0
    return int(state[XS + number // 4]) + STEP_X[number % 4]


@kernel
def cell_y(state: StateArray, number: int) -> int:
    """The row of a cell that touches a tile, from its number."""
    if state[COUNT] == 0:
        return 0
    return int(state[YS + number // 4]) + STEP_Y[number % 4]


# ---- lines ------------------------------------------------------------------------------------


@kernel
def reach(state: StateArray, x: int, y: int, step_x: int, step_y: int) -> int:
    """How many tiles lie in succession beside a cell in one direction."""
    length = 0
    while tile_at(state, x + step_x * (length + 1), y + step_y * (length + 1)) >= 0:
        length += 1
    return length


@kernel
def kinds_beside(
    state: StateArray, x: int, y: int, step_x: int, step_y: int
) -> tuple[int, int, int]:
    """Of the tiles in succession beside a cell: how many, their kinds, and one of the kinds."""
    length, kinds, kind = -1, 0, 0
    tile = 0
    while tile >= 0:
        length += 1
        tile = tile_at(state, x + step_x * (length + 1), y + step_y * (length + 1))
        if tile >= 0:
            kind = int(state[TILES + tile]) - 1
            kinds |= 1 << kind
    return length, kinds, kind


@kernel
def through(state: StateArray, x: int, y: int, down: int) -> tuple[int, int]:
    """Of the row or (1) column through an empty cell: how many tiles, and what fits (R5.2)."""
    count, line, kind = 0, 0, 0
    is_double = False
    for sign in range(-1, 2, 2):
        length, kinds, near = kinds_beside(state, x, y, sign * (1 - down), sign * down)
        if length > 0:
            is_double = line & kinds != 0  # Two equal tiles would come together.
            line |= kinds
            kind = near
            count += length
    if count == 0:
        return 0, EVERY_KIND
    return count, 0 if is_double else fitting(line, kind)


@kernel
def fitting_cell(state: StateArray, x: int, y: int) -> int:
    """The kinds that an empty cell can take for the sake of both its lines."""
    fits = EVERY_KIND
    for down in range(2):
        fits &= through(state, x, y, down)[1]
    return fits


@kernel
def line_points(length: int) -> int:
    """What a line of that many tiles scores (R6.1, R6.2)."""
    if length < 2:
        return 0
    return length + BONUS if length == LONGEST_LINE else length


@kernel
def line_length(state: StateArray, tile: int, down: int) -> int:
    """How many tiles the row or (1) column through a tile has."""
    x, y = int(state[XS + tile]), int(state[YS + tile])
    length = 1
    for sign in range(-1, 2, 2):
        length += reach(state, x, y, sign * (1 - down), sign * down)
    return length


@kernel
def is_column_turn(state: StateArray) -> bool:
    """Whether the tiles laid in this turn, two or more, lie in a column."""
    last = int(state[COUNT]) - 1
    return bool(state[XS + last] == state[XS + last - 1])


@kernel
def laid_points(state: StateArray) -> int:
    """What the tiles laid in this turn score as they lie (R6.1 to R6.3)."""
    count, laid = int(state[COUNT]), int(state[LAID])
    if laid == 0:
        return 0
    down = int(laid > 1 and is_column_turn(state))
    points = 0
    for index in range(laid + 1):  # The crossing line of each tile, and the line of all of them.
        tile, direction = count - laid + index, 1 - down
        if index == laid:
            tile, direction = count - 1, down
        points += line_points(line_length(state, tile, direction))
    return max(points, 1)  # A single first tile is in no line.
