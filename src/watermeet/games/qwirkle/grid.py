"""Tiles on the grid: looking them up, their lines, and what a placement scores.

Cells are found in a hash table of 256 buckets with open addressing. A grid of up to 16 by 16 has no
collisions. The table is part of the cache.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.tiles import EVERY_KIND, fitting

_MASK = layout.LOOKUP_SIZE - 1
_PROBE = 101  # Odd, so that probing visits every bucket.


# ---- the hash table ---------------------------------------------------------------------------


@kernel
def tile_at(state: StateArray, x: int, y: int) -> int:
    """The index of the tile on a cell, or -1 if the cell is empty."""
    bucket = (x + 16 * y) & _MASK
    tile = int(state[layout.LOOKUP + bucket]) - 1
    while tile >= 0 and not (state[layout.XS + tile] == x and state[layout.YS + tile] == y):
        bucket = (bucket + _PROBE) & _MASK
        tile = int(state[layout.LOOKUP + bucket]) - 1
    return tile


@kernel
def insert_tile(state: StateArray, tile: int) -> None:
    """Insert a tile into the table; its cell must not be in there yet."""
    bucket = (int(state[layout.XS + tile]) + 16 * int(state[layout.YS + tile])) & _MASK
    while state[layout.LOOKUP + bucket] != 0:
        bucket = (bucket + _PROBE) & _MASK
    state[layout.LOOKUP + bucket] = tile + 1


@kernel
def _move_tile(state: StateArray, tile: int) -> None:
    """Shift a tile to the next index, in the table and in the lists."""
    x, y = int(state[layout.XS + tile]), int(state[layout.YS + tile])
    bucket = (x + 16 * y) & _MASK
    while state[layout.LOOKUP + bucket] != tile + 1:
        bucket = (bucket + _PROBE) & _MASK
    state[layout.LOOKUP + bucket] = tile + 2
    state[layout.XS + tile + 1] = x
    state[layout.YS + tile + 1] = y
    state[layout.TILES + tile + 1] = state[layout.TILES + tile]


@kernel
def lay_tile(state: StateArray, x: int, y: int, kind: int) -> None:
    """Place a tile on an empty cell, in order among the tiles of this turn."""
    tile = int(state[layout.COUNT])
    first = tile - int(state[layout.LAID])
    while tile > first and _comes_before(state, x, y, tile - 1):
        tile -= 1
        _move_tile(state, tile)
    state[layout.XS + tile] = x
    state[layout.YS + tile] = y
    state[layout.TILES + tile] = kind + 1
    state[layout.COUNT] += 1
    state[layout.LAID] += 1
    insert_tile(state, tile)


@kernel
def _comes_before(state: StateArray, x: int, y: int, tile: int) -> bool:
    """Whether a cell comes before that of a tile, by row, then by column."""
    row = int(state[layout.YS + tile])
    return bool(y < row or (y == row and x < state[layout.XS + tile]))


# ---- cell numbers -----------------------------------------------------------------------------


@kernel
def cell_number(state: StateArray, x: int, y: int) -> int:
    """The number of a cell in actions, see layout.py."""
    if state[layout.COUNT] == 0:
        return 0 if x == 0 and y == 0 else layout.ELSEWHERE
    tile = tile_at(state, x, y)
    if tile >= 0:
        return layout.OCCUPIED_CELLS + tile
    number = layout.ELSEWHERE
    for direction in range(4):
        beside = tile_at(state, x - layout.STEP_X[direction], y - layout.STEP_Y[direction])
        if beside >= 0:
            number = min(number, 4 * beside + direction)
    return number


@kernel
def cell_x(state: StateArray, number: int) -> int:
    """The column of a cell that touches a tile, from its number."""
    if state[layout.COUNT] == 0:
        return 0
    return int(state[layout.XS + number // 4]) + layout.STEP_X[number % 4]


@kernel
def cell_y(state: StateArray, number: int) -> int:
    """The row of a cell that touches a tile, from its number."""
    if state[layout.COUNT] == 0:
        return 0
    return int(state[layout.YS + number // 4]) + layout.STEP_Y[number % 4]


# ---- lines ------------------------------------------------------------------------------------


@kernel
def run_length(state: StateArray, x: int, y: int, step_x: int, step_y: int) -> int:
    """The number of adjacent tiles from a cell in one direction, the cell excluded."""
    length = 0
    while tile_at(state, x + step_x * (length + 1), y + step_y * (length + 1)) >= 0:
        length += 1
    return length


@kernel
def kinds_beside(
    state: StateArray, x: int, y: int, step_x: int, step_y: int
) -> tuple[int, int, int]:
    """The run of tiles from a cell in one direction: its length, its kinds, and one of them."""
    length, kinds, kind = -1, 0, 0
    tile = 0
    while tile >= 0:
        length += 1
        tile = tile_at(state, x + step_x * (length + 1), y + step_y * (length + 1))
        if tile >= 0:
            kind = int(state[layout.TILES + tile]) - 1
            kinds |= 1 << kind
    return length, kinds, kind


@kernel
def line_through(state: StateArray, x: int, y: int, down: int) -> tuple[int, int]:
    """The row (0) or column (1) through an empty cell: its length and the kinds that fit (R5.2)."""
    count, line, kind = 0, 0, 0
    is_double = False
    for sign in range(-1, 2, 2):
        length, kinds, near = kinds_beside(state, x, y, sign * (1 - down), sign * down)
        if length > 0:
            is_double = line & kinds != 0  # The line would have two equal tiles.
            line |= kinds
            kind = near
            count += length
    if count == 0:
        return 0, EVERY_KIND
    return count, 0 if is_double else fitting(line, kind)


@kernel
def fitting_cell(state: StateArray, x: int, y: int) -> int:
    """The kinds that fit both lines of an empty cell, as a bit set."""
    fits = EVERY_KIND
    for down in range(2):
        fits &= line_through(state, x, y, down)[1]
    return fits


@kernel
def line_points(length: int) -> int:
    """The points of a line of this length (R6.1, R6.2)."""
    if length < 2:
        return 0
    return length + layout.BONUS if length == layout.LONGEST_LINE else length


@kernel
def line_length(state: StateArray, tile: int, down: int) -> int:
    """The length of the row (0) or column (1) through a tile."""
    x, y = int(state[layout.XS + tile]), int(state[layout.YS + tile])
    length = 1
    for sign in range(-1, 2, 2):
        length += run_length(state, x, y, sign * (1 - down), sign * down)
    return length


@kernel
def is_column_turn(state: StateArray) -> bool:
    """Whether the tiles placed in this turn, two or more, are in one column."""
    last = int(state[layout.COUNT]) - 1
    return bool(state[layout.XS + last] == state[layout.XS + last - 1])


@kernel
def laid_points(state: StateArray) -> int:
    """The points of the tiles placed in this turn (R6.1 to R6.3)."""
    count, laid = int(state[layout.COUNT]), int(state[layout.LAID])
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
