"""The move generator: every placement that a hand allows, as a whole turn with its points.

A placement fills empty cells of one line, and is generated from its first anchor, the leftmost or
topmost cell that touches a tile of an earlier turn. From there the search goes outwards over the
cells before the anchor, which touch nothing else, and then over the cells after it. So each
placement is found once, in an order in which its tiles can be placed.
"""

# Held to full coverage, as the rules are.
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import RandomArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.core.rng import next_below
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.anchors import anchor_cell, anchor_count, anchor_kinds
from watermeet.games.qwirkle.grid import (
    cell_number,
    cell_x,
    cell_y,
    kinds_beside,
    line_points,
    line_through,
    tile_at,
)
from watermeet.games.qwirkle.legal_actions import must_play_full_set
from watermeet.games.qwirkle.tiles import fitting, hand_kinds, largest_set

Scratch = npt.NDArray[np.int64]  # [BUFFER_ROWS, BUFFER_COLUMNS]: working memory of a search
Rows = npt.NDArray[np.int16]  # [turn, ROW]: points, number of tiles, then x, y and kind of each

ROW = 2 + 3 * layout.HAND
_LOWEST = np.array(
    [(bits & -bits).bit_length() - 1 for bits in range(1 << layout.HAND)], dtype=np.int64
)

# The first six rows of the buffer are the tiles being placed, one per depth: the cell, its side of
# the anchor and its index there; the slot being tried, bit masks of the slots left to try and used
# before; and the line with this cell filled: its other kinds, its length, the points of crossing
# lines, and the kinds that fit.
_X, _Y, _SIDE, _INDEX, _CHOICE, _CHOICES, _USED, _LINE, _LENGTH, _POINTS, _FITS = range(11)
_FIRST, _BEFORE, _AFTER = range(3)
# Then come the cells after the anchor: the distance, what fits and scores in the crossing line, and
# the kinds and number of the tiles that follow.
_CELLS = layout.HAND
_DISTANCE, _CROSS, _CROSS_POINTS, _JOINED, _JOINED_COUNT = range(5)
# The last row holds the length and kinds of the runs from the anchor in the four directions.
_AROUND = 2 * layout.HAND
BUFFER_ROWS, BUFFER_COLUMNS = 2 * layout.HAND + 1, 11


@kernel(inline=False, signature="int8[::1], int64[:, ::1], int16[:, ::1], boolean, uint64[::1]")
def list_turns(
    state: StateArray, buffer: Scratch, rows: Rows, best_only: bool, rng: RandomArray
) -> int:
    """Write every whole turn of the mover into ``rows``; return the number of turns.

    Turns beyond the last row are only counted. With ``best_only`` the first row gets a random one
    of those with the most points, and only these are counted. Call it at the start of a turn.
    """
    rows[0, 0] = 0
    own = hand_kinds(state, int(state[layout.MOVER]))
    count, x, y, fits = 0, 0, 0, own
    is_first = state[layout.COUNT] == 0
    for index in range(1 if is_first else anchor_count(state)):
        if not is_first:
            fits = anchor_kinds(state, index) & own
            number = anchor_cell(state, index)
            x, y = cell_x(state, number), cell_y(state, number)
        if fits != 0:
            count = _search_cell(state, buffer, rows, count, best_only, rng, x, y, fits)
    return count


@kernel
def _search_cell(
    state: StateArray,
    buffer: Scratch,
    rows: Rows,
    count: int,
    best_only: bool,
    rng: RandomArray,
    x: int,
    y: int,
    fits: int,
) -> int:
    """Add the turns whose first anchor is this cell, in its row and in its column."""
    for direction in range(4):
        length, kinds, _ = kinds_beside(
            state, x, y, layout.STEP_X[direction], layout.STEP_Y[direction]
        )
        buffer[_AROUND, 2 * direction], buffer[_AROUND, 2 * direction + 1] = length, kinds
    buffer[0, _X], buffer[0, _Y], buffer[0, _SIDE], buffer[0, _USED] = x, y, _FIRST, 0
    buffer[0, _FITS] = fits
    for down in range(2):
        count = _search_line(state, buffer, rows, count, best_only, rng, down)
    return count


@kernel
def _search_line(
    state: StateArray,
    buffer: Scratch,
    rows: Rows,
    count: int,
    best_only: bool,
    rng: RandomArray,
    down: int,
) -> int:
    """Add the turns from the anchor in its row (0) or column (1)."""
    hand = layout.HANDS + layout.HAND * int(state[layout.MOVER])
    own = hand_kinds(state, int(state[layout.MOVER]))
    needed = largest_set(own) if must_play_full_set(state) else 0  # R9.1
    _open(buffer, down)
    _list_choices(state, buffer, 0, hand)
    # Cells before and after the anchor are examined when they are first needed.
    free_before, described, depth = 0, 0, 0
    is_closed = bool(state[layout.COUNT] == 0 or buffer[_AROUND, 4 + 2 * down] > 0)
    while depth >= 0:
        choices = int(buffer[depth, _CHOICES])
        if choices != 0:
            buffer[depth, _CHOICES] = choices & (choices - 1)
            buffer[depth, _CHOICE] = _LOWEST[choices]
            # A single tile belongs to a row and a column; list it with the row.
            if (depth > 0 or down == 0) and (needed == 0 or needed == depth + 1):
                count = _record_turn(state, buffer, rows, count, best_only, rng, depth + 1)
            if depth + 1 == layout.HAND or _extend_line(state, buffer, depth + 1, hand) & own == 0:
                continue
            depth += 1
            if buffer[depth - 1, _SIDE] != _AFTER:
                if depth > free_before and not is_closed:
                    is_closed = not _is_free_before(state, buffer, depth, down)
                    free_before += int(not is_closed)
                if depth <= free_before:
                    _enter_before(buffer, depth, down)
                    _list_choices(state, buffer, depth, hand)
                    continue
        elif buffer[depth, _SIDE] != _BEFORE:
            depth -= 1
            continue
        # The cells before are exhausted: continue after the anchor.
        index = int(buffer[depth - 1, _INDEX]) + 1 if buffer[depth - 1, _SIDE] == _AFTER else 0
        if index == described:
            _describe_after(state, buffer, index, down)
            described += 1
        _enter_after(state, buffer, depth, index, hand, down)
        _list_choices(state, buffer, depth, hand)
    return count


@kernel
def _open(buffer: Scratch, down: int) -> None:
    """Start at the anchor, and record where the line continues after it."""
    after, before = int(buffer[_AROUND, 2 * down]), int(buffer[_AROUND, 2 * down + 4])
    crossing = buffer[_AROUND, 2 - 2 * down] + buffer[_AROUND, 6 - 2 * down]
    buffer[0, _LINE] = buffer[_AROUND, 2 * down + 1] | buffer[_AROUND, 2 * down + 5]
    buffer[0, _LENGTH] = before + 1 + after
    buffer[0, _POINTS] = line_points(int(crossing) + 1)
    buffer[_CELLS, _DISTANCE] = after + 1


@kernel
def _describe_after(state: StateArray, buffer: Scratch, index: int, down: int) -> None:
    """Record the crossing line of a cell after the anchor, and where the next cell is."""
    row = _CELLS + index
    distance = int(buffer[row, _DISTANCE])
    x, y = int(buffer[0, _X]) + distance * (1 - down), int(buffer[0, _Y]) + distance * down
    crossing, fits = line_through(state, x, y, 1 - down)
    buffer[row, _CROSS], buffer[row, _CROSS_POINTS] = fits, line_points(crossing + 1)
    length, kinds, _ = kinds_beside(state, x, y, 1 - down, down)
    buffer[row, _JOINED], buffer[row, _JOINED_COUNT] = kinds, length
    if index + 1 < layout.HAND:
        buffer[row + 1, _DISTANCE] = distance + 1 + length


@kernel
def _is_free_before(state: StateArray, buffer: Scratch, index: int, down: int) -> bool:
    """Whether the cell ``index`` steps before the anchor touches only the next one."""
    x, y = int(buffer[0, _X]) - index * (1 - down), int(buffer[0, _Y]) - index * down
    for turn in range(1, 4):  # All directions except towards the anchor.
        direction = (down + turn) % 4
        if tile_at(state, x + layout.STEP_X[direction], y + layout.STEP_Y[direction]) >= 0:
            return False
    return True


@kernel
def _enter_before(buffer: Scratch, depth: int, down: int) -> None:
    """Continue with the next cell before the anchor."""
    buffer[depth, _X] = buffer[0, _X] - depth * (1 - down)
    buffer[depth, _Y] = buffer[0, _Y] - depth * down
    buffer[depth, _SIDE] = _BEFORE


@kernel
def _enter_after(
    state: StateArray, buffer: Scratch, depth: int, index: int, hand: int, down: int
) -> None:
    """Continue with a cell after the anchor; the tiles that follow it join the line."""
    row = _CELLS + index
    distance = int(buffer[row, _DISTANCE])
    buffer[depth, _X] = buffer[0, _X] + distance * (1 - down)
    buffer[depth, _Y] = buffer[0, _Y] + distance * down
    buffer[depth, _SIDE], buffer[depth, _INDEX] = _AFTER, index
    fits = _extend_line(state, buffer, depth, hand)
    joined, line = int(buffer[row, _JOINED]), int(buffer[depth, _LINE])
    if joined != 0:
        kind = int(state[hand + buffer[depth - 1, _CHOICE]]) - 1
        fits = fitting(line | joined, kind) if line & joined == 0 else 0
        buffer[depth, _LINE] = line | joined
    buffer[depth, _LENGTH] += buffer[row, _JOINED_COUNT]
    buffer[depth, _POINTS] += buffer[row, _CROSS_POINTS]
    buffer[depth, _FITS] = fits & int(buffer[row, _CROSS])


@kernel
def _extend_line(state: StateArray, buffer: Scratch, depth: int, hand: int) -> int:
    """Extend the line by the previous tile; return the kinds that fit it."""
    choice = int(buffer[depth - 1, _CHOICE])
    kind = int(state[hand + choice]) - 1
    line = int(buffer[depth - 1, _LINE]) | (1 << kind)
    buffer[depth, _USED] = buffer[depth - 1, _USED] | (1 << choice)
    buffer[depth, _LINE] = line
    buffer[depth, _LENGTH] = buffer[depth - 1, _LENGTH] + 1
    buffer[depth, _POINTS] = buffer[depth - 1, _POINTS]
    buffer[depth, _FITS] = fitting(line, kind)
    return int(buffer[depth, _FITS])


@kernel
def _list_choices(state: StateArray, buffer: Scratch, depth: int, hand: int) -> None:
    """Record the slots whose tiles fit, as a bit mask; the first of equal tiles."""
    fits, used = int(buffer[depth, _FITS]), int(buffer[depth, _USED])
    choices, before = 0, 0
    for slot in range(layout.HAND):
        tile = int(state[hand + slot])
        is_free = tile > 0 and (used >> slot) & 1 == 0
        if is_free and tile != before:
            choices |= ((fits >> (tile - 1)) & 1) << slot
        before = tile if is_free else before
    buffer[depth, _CHOICES] = choices


@kernel
def _record_turn(
    state: StateArray,
    buffer: Scratch,
    rows: Rows,
    count: int,
    best_only: bool,
    rng: RandomArray,
    tiles: int,
) -> int:
    """Write a turn into its row; with ``best_only``, ``count`` is the number of best turns."""
    last = tiles - 1
    points = max(int(buffer[last, _POINTS]) + line_points(int(buffer[last, _LENGTH])), 1)
    row = count
    if best_only:
        row = 0
        if points < rows[0, 0]:
            return count
        if points > rows[0, 0]:
            count = 0
        elif next_below(rng, count + 1) > 0:
            return count + 1
    if row < len(rows):
        hand = layout.HANDS + layout.HAND * int(state[layout.MOVER])
        rows[row, 0], rows[row, 1] = points, tiles
        for index in range(tiles):
            rows[row, 2 + 3 * index] = buffer[index, _X]
            rows[row, 3 + 3 * index] = buffer[index, _Y]
            rows[row, 4 + 3 * index] = state[hand + buffer[index, _CHOICE]] - 1
    return count + 1


@kernel
def lay_action(state: StateArray, rows: Rows, row: int, index: int) -> int:
    """The action that places a tile of a row, after those before it."""
    first = 2 + 3 * index
    hand = layout.HANDS + layout.HAND * int(state[layout.MOVER])
    slot = 0
    while state[hand + slot] != rows[row, first + 2] + 1:
        slot += 1
    return (
        layout.SLOTS * cell_number(state, int(rows[row, first]), int(rows[row, first + 1])) + slot
    )
