"""Anchors: the empty cells next to tiles of earlier turns that some kind still fits, in the cache.

The term is from Scrabble programs. A cell's lines only grow, so what fits there only shrinks, and
an anchor that nothing fits is removed for good. The list isn't touched during a turn; when the turn
ends, only the cells at the ends of its lines are checked again. It is sorted by cell number.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.grid import (
    cell_number,
    cell_x,
    cell_y,
    fitting_cell,
    insert_tile,
    is_column_turn,
    run_length,
)


@kernel
def anchor_count(state: StateArray) -> int:
    """The number of anchors."""
    return 100 * int(state[layout.ANCHOR_COUNT]) + int(state[layout.ANCHOR_COUNT + 1])


@kernel
def _set_anchor_count(state: StateArray, count: int) -> None:
    state[layout.ANCHOR_COUNT] = count // 100
    state[layout.ANCHOR_COUNT + 1] = count % 100


@kernel
def anchor_cell(state: StateArray, index: int) -> int:
    """The cell number of an anchor."""
    anchor = layout.ANCHORS + layout.ANCHOR_SIZE * index
    return 4 * int(state[anchor]) + int(state[anchor + 1])


@kernel
def anchor_fits(state: StateArray, index: int, kind: int) -> bool:
    """Whether a kind fits an anchor."""
    shapes = int(state[layout.ANCHORS + layout.ANCHOR_SIZE * index + 2 + kind // 6])
    return (shapes >> (kind % 6)) & 1 != 0


@kernel
def anchor_kinds(state: StateArray, index: int) -> int:
    """The kinds that fit an anchor, as a bit set."""
    anchor = layout.ANCHORS + layout.ANCHOR_SIZE * index + 2
    kinds = 0
    for colour in range(6):
        kinds |= int(state[anchor + colour]) << (6 * colour)
    return kinds


@kernel
def _write_anchor(state: StateArray, index: int, number: int, fits: int) -> None:
    anchor = layout.ANCHORS + layout.ANCHOR_SIZE * index
    state[anchor] = number // 4
    state[anchor + 1] = number % 4
    for colour in range(6):
        state[anchor + 2 + colour] = (fits >> (6 * colour)) & 63


@kernel
def _find_anchor(state: StateArray, number: int) -> int:
    """The index of the anchor on a cell, or -1."""
    low, end = 0, anchor_count(state)
    while low < end:
        middle = (low + end) // 2
        found = anchor_cell(state, middle)
        if found == number:
            return middle
        if found < number:
            low = middle + 1
        else:
            end = middle
    return -1


@kernel
def _remove(state: StateArray, index: int) -> None:
    count = anchor_count(state) - 1
    _set_anchor_count(state, count)
    for offset in range(
        layout.ANCHORS + layout.ANCHOR_SIZE * index, layout.ANCHORS + layout.ANCHOR_SIZE * count
    ):
        state[offset] = state[offset + layout.ANCHOR_SIZE]


@kernel
def _refresh(state: StateArray, x: int, y: int) -> None:
    """Update what fits a cell, if it is an anchor."""
    number = cell_number(state, x, y)
    index = _find_anchor(state, number)
    if index >= 0:
        fits = fitting_cell(state, x, y)
        if fits == 0:
            _remove(state, index)
        else:
            _write_anchor(state, index, number, fits)


@kernel
def remove_anchor(state: StateArray, number: int) -> None:
    """Remove the anchor on a cell that is about to be filled."""
    index = _find_anchor(state, number)
    if index >= 0:
        _remove(state, index)


@kernel
def _add_around(state: StateArray, tile: int) -> None:
    """Append the cells numbered by a tile that some kind fits."""
    for number in range(4 * tile, 4 * tile + 4):
        x, y = cell_x(state, number), cell_y(state, number)
        if cell_number(state, x, y) == number:
            fits = fitting_cell(state, x, y)
            if fits != 0:
                count = anchor_count(state)
                _write_anchor(state, count, number, fits)
                _set_anchor_count(state, count + 1)


@kernel
def update_anchors(state: StateArray) -> None:
    """Update the anchors with the tiles of this turn when it ends."""
    count, laid = int(state[layout.COUNT]), int(state[layout.LAID])
    down = int(laid > 1 and is_column_turn(state))
    for index in range(laid + 1):  # The crossing line of each tile, and the line of all of them.
        tile, direction = count - laid + index, 1 - down
        if index == laid:
            tile, direction = count - 1, down
        _refresh_ends(state, tile, direction)
    for tile in range(count - laid, count):
        _add_around(state, tile)


@kernel
def _refresh_ends(state: StateArray, tile: int, down: int) -> None:
    """Check the cells at both ends of a tile's row (0) or column (1) again."""
    x, y = int(state[layout.XS + tile]), int(state[layout.YS + tile])
    for direction in range(down, 4, 2):
        step_x, step_y = layout.STEP_X[direction], layout.STEP_Y[direction]
        distance = run_length(state, x, y, step_x, step_y) + 1
        _refresh(state, x + step_x * distance, y + step_y * distance)


@kernel
def rebuild_anchors(state: StateArray) -> None:
    """Rebuild the whole cache from the tiles on the grid."""
    state[layout.LOOKUP :] = 0
    count, laid = int(state[layout.COUNT]), int(state[layout.LAID])
    for tile in range(count - laid):
        insert_tile(state, tile)
    for tile in range(count - laid):
        _add_around(state, tile)
    for tile in range(count - laid, count):
        remove_anchor(
            state, cell_number(state, int(state[layout.XS + tile]), int(state[layout.YS + tile]))
        )
        insert_tile(state, tile)
