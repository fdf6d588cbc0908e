"""Turns in progress: the ways to continue them, and the value of the whole turn.

Values are in hundredths of a point. Every set of further tiles is examined once: first the cells
before the tiles already placed (above or to the left), then those after them.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.kernel import Scratch, in_rows, kernel, scratch
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.grid import (
    cell_x,
    cell_y,
    fitting_cell,
    is_column_turn,
    kinds_beside,
    laid_points,
    lay_tile,
)
from watermeet.games.qwirkle.legal_actions import list_further_tiles, may_end
from watermeet.games.qwirkle.placements import Rows
from watermeet.games.qwirkle.tiles import fitting, hand_size, take_tile

POINT = 100
WORST = -1_000_000
"""Less than the value of any turn."""

_DEPTHS = layout.HAND
_LIST = 32
"""Capacity for what can follow a tile: four cells, six tiles each."""
_COPIED = layout.ANCHOR_COUNT
"""The part of a state that is copied: all but the anchors, which don't change during a turn."""
_COPY = (_COPIED + 7) // 8 * 8
COPY_SIZE = _COPY // 4  # In 4-byte words.
_COPIES_SIZE = _DEPTHS * COPY_SIZE
_LISTS_SIZE = _DEPTHS * _LIST
_NEXT, _LISTED, _AFTER = range(3)
_MARKS_SIZE = 3 * _DEPTHS
_QWIRKLE_GIVEAWAY = 8 * POINT
"""The cost of an opponent completing a line of six, compared with their next best turn."""


# ---- the value of a turn ------------------------------------------------------------------------


@kernel
def value_of(state: StateArray, is_defensive: bool) -> int:
    """The value of the turn if it ends now, less what it gives away if ``is_defensive``."""
    value = POINT * laid_points(state)
    if state[layout.BAG_LEFT] == 0 and hand_size(state, int(state[layout.MOVER])) == 0:
        return value + POINT * layout.BONUS
    return value - _giveaways(state) if is_defensive else value


@kernel
def _giveaways(state: StateArray) -> int:
    """The expected gain of the next player from the lines of five that the turn leaves."""
    count, laid = int(state[layout.COUNT]), int(state[layout.LAID])
    down = int(laid > 1 and is_column_turn(state))
    giveaways = 0
    for index in range(laid + 1):  # The crossing line of each tile, and the line of all of them.
        tile, direction = count - laid + index, 1 - down
        if index == laid:
            tile, direction = count - 1, down
        giveaways += _giveaway_of_line(state, tile, direction)
    return giveaways


@kernel
def _giveaway_of_line(state: StateArray, tile: int, down: int) -> int:
    """The expected gain of the next player from the row (0) or column (1) through a tile."""
    x, y = int(state[layout.XS + tile]), int(state[layout.YS + tile])
    kind = int(state[layout.TILES + tile]) - 1
    after, kinds_after, _ = kinds_beside(state, x, y, 1 - down, down)
    before, kinds_before, _ = kinds_beside(state, x, y, down - 1, -down)
    if after + before + 1 != layout.HAND - 1:
        return 0
    missing = fitting(kinds_after | kinds_before | (1 << kind), kind)
    steps = after + 1
    open_for = fitting_cell(state, x + steps * (1 - down), y + steps * down)
    steps = before + 1
    open_for |= fitting_cell(state, x - steps * (1 - down), y - steps * down)
    missing &= open_for
    return int(_QWIRKLE_GIVEAWAY * _chance_of(state, missing)) if missing != 0 else 0


@kernel
def _chance_of(state: StateArray, kinds: int) -> float:
    """The probability that the next player holds one of these kinds, as the mover sees it."""
    mover, seats = int(state[layout.MOVER]), int(state[layout.SEATS])
    unseen, wanted = 0, 0
    for kind in range(layout.KINDS):
        unseen += int(state[layout.BAG + kind])
        wanted += int(state[layout.BAG + kind]) * ((kinds >> kind) & 1)
    for seat in range(seats):
        if seat == mover:
            continue
        for index in range(
            layout.HANDS + layout.HAND * seat, layout.HANDS + layout.HAND * seat + layout.HAND
        ):
            tile = int(state[index])
            if tile > 0:
                unseen += 1
                wanted += (kinds >> (tile - 1)) & 1
    without = 1.0
    for drawn in range(hand_size(state, (mover + 1) % seats)):
        without *= max(0.0, 1.0 - wanted / max(1, unseen - drawn))
    return 1.0 - without


# ---- whole turns --------------------------------------------------------------------------------


@kernel
def value_of_row(state: StateArray, rows: Rows, row: int, is_defensive: bool) -> int:
    """The value of a whole turn that ``list_turns`` wrote for this state."""
    value, tiles = POINT * int(rows[row, 0]), int(rows[row, 1])
    if state[layout.BAG_LEFT] == 0 and tiles == hand_size(state, int(state[layout.MOVER])):
        return value + POINT * layout.BONUS
    if not is_defensive:
        return value
    copy = scratch(COPY_SIZE).view(np.int8)
    copy_hands_and_grid(state, copy)
    for index in range(tiles):
        first = 2 + 3 * index
        lay_tile(copy, int(rows[row, first]), int(rows[row, first + 1]), int(rows[row, first + 2]))
    return value - _giveaways(copy)


# ---- turns in progress --------------------------------------------------------------------------


@kernel(inline=False, signature="int8[::1], int32[::1], int64, boolean, int32[::1]")
def rate_continuations(
    state: StateArray, actions: ActionArray, count: int, is_defensive: bool, out: Scratch
) -> None:
    """Write for each action of a placement the value of the best turn it leads to."""
    copies = in_rows(scratch(_COPIES_SIZE).view(np.int8), _COPY)
    lists = in_rows(scratch(_LISTS_SIZE), _LIST)
    for index in range(count):
        action = int(actions[index])
        if action == layout.END:
            out[index] = value_of(state, is_defensive)
            continue
        copy_hands_and_grid(state, copies[0])
        is_after = _is_after(state, action)
        place(copies[0], action)
        out[index] = _best_from(copies, lists, is_defensive, is_after)


@kernel
def _best_from(copies: StateArray, lists: ActionArray, is_defensive: bool, is_after: bool) -> int:
    """The value of the best turn that continues the first of the copies."""
    marks = in_rows(scratch(_MARKS_SIZE), 3)
    depth = 0
    best = _enter(copies[0], lists[0], marks[0], is_defensive, is_after)
    while depth >= 0:
        if marks[depth, _NEXT] == marks[depth, _LISTED]:
            depth -= 1
            continue
        action = int(lists[depth, marks[depth, _NEXT]])
        marks[depth, _NEXT] += 1
        is_after = _is_after(copies[depth], action)
        if marks[depth, _AFTER] != 0 and not is_after:
            continue
        depth += 1
        copy_hands_and_grid(copies[depth - 1], copies[depth])
        place(copies[depth], action)
        value = _enter(copies[depth], lists[depth], marks[depth], is_defensive, is_after)
        best = max(best, value)
    return best


@kernel
def _enter(
    state: StateArray, actions: ActionArray, marks: Scratch, is_defensive: bool, is_after: bool
) -> int:
    """List how the turn can continue; return its value if it ends now."""
    marks[_NEXT] = 0
    marks[_LISTED] = list_further_tiles(state, actions)
    marks[_AFTER] = int(is_after)
    return value_of(state, is_defensive) if may_end(state) else WORST


@kernel
def _is_after(state: StateArray, action: int) -> bool:
    """Whether a tile would be below or to the right of those of this turn."""
    first = int(state[layout.COUNT]) - int(state[layout.LAID])
    number = action // layout.SLOTS
    x, y = cell_x(state, number), cell_y(state, number)
    return bool(
        y > state[layout.YS + first]
        or (y == state[layout.YS + first] and x > state[layout.XS + first])
    )


@kernel
def place(state: StateArray, action: int) -> None:
    """Place a tile on a copy, whose anchors aren't updated."""
    number = action // layout.SLOTS
    x, y = cell_x(state, number), cell_y(state, number)
    tile = take_tile(
        state, layout.HANDS + layout.HAND * int(state[layout.MOVER]), action % layout.SLOTS
    )
    lay_tile(state, x, y, tile - 1)


@kernel
def copy_hands_and_grid(source: StateArray, target: StateArray) -> None:
    """Copy all of a state but the anchors, which don't change during a turn."""
    for index in range(_COPIED):
        target[index] = source[index]
