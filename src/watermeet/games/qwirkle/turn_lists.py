"""The turns of two hands while nothing is drawn, kept up to date from turn to turn.

The grid is a flat array of cells here: a neighbour is one step away, and a turn is taken back by
emptying its cells. A turn that has been played changes only those turns that fill one of its cells,
or a cell at the end of one of its lines. So the lists of both hands are filtered after a turn, and
only the turns through those cells are generated again.

Of equal tiles in a hand, turns use the first, and playing takes the last. So a turn stays in its
list as long as the hand still has such a tile.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.grid import line_points
from watermeet.games.qwirkle.tiles import EVERY_KIND, fitting

Ints = npt.NDArray[np.int64]

PLIES = 4 * layout.HAND + 2
"""Twelve placements, with a pass after each but the last, and two to end the match."""
MAX_TURNS = 4096
_MAX_ROWS = 1 << 15
WIDTH = 256
_CENTRE = WIDTH // 2 * (WIDTH + 1)

# A row holds a turn: its points, how many tiles it has, a bit mask of their slots in the hand, and
# for each tile the cell and the slot.
POINTS, SIZE, SLOTS, CELL = range(4)
SLOT = CELL + layout.HAND
ROW = SLOT + layout.HAND

STAMP, ROWS_LOST = range(2)

# The tiles of a turn that is being generated, one row each: the cell; the slot being tried, bit
# masks of those to try and those used before; the next empty cells to both sides of the line; the
# line with this cell filled: its other kinds, its length, the points of crossing lines; and whether
# the tile is before or after the first one.
_AT, _CHOICE, _CHOICES, _USED, _LOW, _HIGH, _LINE, _LENGTH, _CROSSING, _SIDE = range(10)
_BEFORE, _AFTER = range(2)


class Board(NamedTuple):
    """The grid, the hands, and the lists of turns at each ply."""

    tiles: npt.NDArray[np.int8]  # [cells]: kind + 1, or 0
    marks: Ints  # [cells]: the stamp of those that a turn has changed
    bans: Ints  # [cells]: the stamp of those whose turns have been generated
    kinds: Ints  # [seats, slots]: the kind of each tile in hand at the start
    firsts: Ints  # [seats]: bit mask of the slots whose kind isn't in a slot before
    hands: Ints  # [plies, seats]: bit mask of the slots that still have their tile
    rows: npt.NDArray[np.int32]  # [rows, ROW]: turns that are in some list
    row_counts: Ints  # [plies]: how many rows there are
    lists: npt.NDArray[np.int32]  # [plies, seats, turns]: rows, most points first
    counts: Ints  # [plies, seats]: the lengths of the lists
    ends: Ints  # [cells]: those through which turns are generated
    frames: Ints  # [tiles, 10]: the turn that is being generated
    counters: Ints  # [2]: the last STAMP, and how many ROWS_LOST for want of room


def make_board() -> Board:
    """An empty board."""
    arrays = [
        np.zeros(WIDTH * WIDTH, dtype=np.int8),
        np.zeros(WIDTH * WIDTH, dtype=np.int64),
        np.zeros(WIDTH * WIDTH, dtype=np.int64),
        np.zeros((2, layout.HAND), dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros((PLIES, 2), dtype=np.int64),
        np.zeros((_MAX_ROWS, ROW), dtype=np.int32),
        np.zeros(PLIES, dtype=np.int64),
        np.zeros((PLIES, 2, MAX_TURNS), dtype=np.int32),
        np.zeros((PLIES, 2), dtype=np.int64),
        np.zeros(layout.MAX_ANCHORS, dtype=np.int64),
        np.zeros((layout.HAND, 10), dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    ]
    return Board._make(arrays)


@kernel
def cell_of(x: int, y: int) -> int:
    """The cell at a column and a row."""
    return _CENTRE + WIDTH * y + x


@kernel
def load_board(board: Board, state: StateArray) -> None:
    """Take over a state with two full hands, and list both hands' turns at ply 0."""
    board.tiles[:] = 0
    for tile in range(int(state[layout.COUNT])):
        cell = cell_of(int(state[layout.XS + tile]), int(state[layout.YS + tile]))
        board.tiles[cell] = state[layout.TILES + tile]
    for seat in range(2):
        board.firsts[seat], board.hands[0, seat] = 0, 0
        before = 0
        for slot in range(layout.HAND):
            tile = int(state[layout.HANDS + layout.HAND * seat + slot])
            board.kinds[seat, slot] = tile - 1
            if tile > 0:
                board.hands[0, seat] |= 1 << slot
                board.firsts[seat] |= int(tile != before) << slot
            before = tile
    board.row_counts[0] = 0
    count = _list_ends(board, state)
    for seat in range(2):
        board.counts[0, seat] = 0
        _generate(board, 0, seat, count)


@kernel
def _list_ends(board: Board, state: StateArray) -> int:
    """List every empty cell beside a tile; return their number."""
    board.counters[STAMP] += 1
    count = 0
    for tile in range(int(state[layout.COUNT])):
        cell = cell_of(int(state[layout.XS + tile]), int(state[layout.YS + tile]))
        for direction in range(4):
            beside = cell + layout.STEP_X[direction] + WIDTH * layout.STEP_Y[direction]
            count = _mark_end(board, beside, count)
    return count


@kernel
def _mark_end(board: Board, cell: int, count: int) -> int:
    """Add an empty cell to the ends, unless it is marked; return their number."""
    stamp = board.counters[STAMP]
    if board.tiles[cell] == 0 and board.marks[cell] != stamp:
        board.marks[cell] = stamp
        board.ends[count] = cell
        count += 1
    return count


# ---- playing ------------------------------------------------------------------------------------


@kernel
def play_row(board: Board, ply: int, seat: int, row: int) -> None:
    """Place the tiles of a turn, and write the hands of the next ply."""
    hand = int(board.hands[ply, seat])
    for index in range(int(board.rows[row, SIZE])):
        slot = int(board.rows[row, SLOT + index])
        board.tiles[board.rows[row, CELL + index]] = board.kinds[seat, slot] + 1
        hand &= ~(1 << last_equal(board, seat, hand, slot))
    board.hands[ply + 1, seat] = hand
    board.hands[ply + 1, 1 - seat] = board.hands[ply, 1 - seat]


@kernel
def last_equal(board: Board, seat: int, hand: int, slot: int) -> int:
    """The last slot of a hand with the same kind as this one."""
    last = slot
    for other in range(slot + 1, layout.HAND):
        if board.kinds[seat, other] == board.kinds[seat, slot] and (hand >> other) & 1:
            last = other
    return last


@kernel
def take_back(board: Board, row: int) -> None:
    """Empty the cells of a turn."""
    for index in range(int(board.rows[row, SIZE])):
        board.tiles[board.rows[row, CELL + index]] = 0


@kernel
def update_lists(board: Board, ply: int, row: int) -> None:
    """Write the lists of a ply, which a turn has led to."""
    board.counters[STAMP] += 1
    stamp, count = int(board.counters[STAMP]), 0
    for index in range(int(board.rows[row, SIZE])):
        cell = int(board.rows[row, CELL + index])
        board.marks[cell] = stamp
        for direction in range(4):
            step = layout.STEP_X[direction] + WIDTH * layout.STEP_Y[direction]
            count = _mark_end(board, end_of_run(board, cell, step), count)
    board.row_counts[ply] = board.row_counts[ply - 1]
    for seat in range(2):
        _filter(board, ply, seat, stamp)
        _generate(board, ply, seat, count)


@kernel
def copy_lists(board: Board, ply: int) -> None:
    """Write the hands and lists of a ply, which a pass has led to."""
    board.row_counts[ply] = board.row_counts[ply - 1]
    for seat in range(2):
        board.hands[ply, seat] = board.hands[ply - 1, seat]
        board.counts[ply, seat] = board.counts[ply - 1, seat]
        for index in range(int(board.counts[ply, seat])):
            board.lists[ply, seat, index] = board.lists[ply - 1, seat, index]


@kernel
def end_of_run(board: Board, cell: int, step: int) -> int:
    """The first empty cell after a cell in one direction."""
    cell += step
    while board.tiles[cell] != 0:
        cell += step
    return cell


@kernel
def _filter(board: Board, ply: int, seat: int, stamp: int) -> None:
    """Keep the turns of the ply before that are still possible and fill no marked cell."""
    missing = ~int(board.hands[ply, seat])
    before, after, rows = board.lists[ply - 1, seat], board.lists[ply, seat], board.rows
    count = 0
    for index in range(int(board.counts[ply - 1, seat])):
        row = int(before[index])
        is_kept = rows[row, SLOTS] & missing == 0
        tile = 0
        while is_kept and tile < rows[row, SIZE]:
            is_kept = board.marks[rows[row, CELL + tile]] != stamp
            tile += 1
        if is_kept:
            after[count] = row
            count += 1
    board.counts[ply, seat] = count


# ---- generating ---------------------------------------------------------------------------------


@kernel
def _generate(board: Board, ply: int, seat: int, count: int) -> None:
    """Add the turns that fill at least one of the first ``count`` ends."""
    board.counters[STAMP] += 1
    stamp = board.counters[STAMP]
    choices, own = int(board.hands[ply, seat] & board.firsts[seat]), 0
    for slot in range(layout.HAND):
        if (choices >> slot) & 1:
            own |= 1 << int(board.kinds[seat, slot])
    for index in range(count):
        cell = int(board.ends[index])
        across, fits = _line_through(board, cell, 1)
        down, fits_down = _line_through(board, cell, WIDTH)
        fits &= fits_down & own
        if fits != 0:
            _generate_line(board, ply, seat, cell, 1, fits, own, down)
            _generate_line(board, ply, seat, cell, WIDTH, fits, own, across)
        board.bans[cell] = stamp


@kernel
def _run(board: Board, cell: int, step: int) -> tuple[int, int, int, int]:
    """The tiles from a cell in one direction: number, kinds, one of them, the empty cell after."""
    length, kinds, kind = 0, 0, 0
    cell += step
    while board.tiles[cell] != 0:
        kind = int(board.tiles[cell]) - 1
        kinds |= 1 << kind
        length += 1
        cell += step
    return length, kinds, kind, cell


@kernel
def _line_through(board: Board, cell: int, step: int) -> tuple[int, int]:
    """The line through an empty cell: its length without the cell, and the kinds that fit."""
    length, kinds, kind, _ = _run(board, cell, step)
    before, kinds_before, kind_before, _ = _run(board, cell, -step)
    if kinds & kinds_before != 0:
        return length + before, 0
    if length + before == 0:
        return 0, EVERY_KIND
    return length + before, fitting(kinds | kinds_before, kind if length > 0 else kind_before)


@kernel
def _generate_line(
    board: Board, ply: int, seat: int, cell: int, step: int, fits: int, own: int, crossing: int
) -> None:
    """Add the turns through a cell in its row (step 1) or column: first before it, then after."""
    frames = board.frames
    after, kinds_after, _, high = _run(board, cell, step)
    before, kinds_before, _, low = _run(board, cell, -step)
    frames[0, _AT], frames[0, _LOW], frames[0, _HIGH] = cell, low, high
    frames[0, _LINE], frames[0, _LENGTH] = kinds_after | kinds_before, before + 1 + after
    frames[0, _CROSSING], frames[0, _SIDE], frames[0, _USED] = line_points(crossing + 1), _BEFORE, 0
    _list_choices(board, ply, seat, 0, fits)
    depth = 0
    while depth >= 0:
        choices = int(frames[depth, _CHOICES])
        if choices == 0:
            if depth > 0 and frames[depth, _SIDE] == _BEFORE:
                _enter(board, ply, seat, depth, step, own, _AFTER)
            else:
                depth -= 1
            continue
        slot = 0
        while (choices >> slot) & 1 == 0:
            slot += 1
        frames[depth, _CHOICE], frames[depth, _CHOICES] = slot, choices & (choices - 1)
        if depth > 0 or step == 1:  # A single tile belongs to a row and a column.
            _add_turn(board, ply, seat, depth + 1)
        if depth + 1 < layout.HAND:
            depth += 1
            _enter(board, ply, seat, depth, step, own, int(frames[depth - 1, _SIDE]))


@kernel
def _enter(board: Board, ply: int, seat: int, depth: int, step: int, own: int, side: int) -> None:
    """Continue a turn with the next cell to one side of the line."""
    frames, last = board.frames, depth - 1
    slot = int(frames[last, _CHOICE])
    kind = int(board.kinds[seat, slot])
    line = int(frames[last, _LINE]) | (1 << kind)
    frames[depth, _SIDE], frames[depth, _CHOICES] = side, 0
    fits = fitting(line, kind) & own
    cell = int(frames[last, _LOW if side == _BEFORE else _HIGH])
    if fits == 0 or board.bans[cell] == board.counters[STAMP]:
        return
    length, kinds, _, beyond = _run(board, cell, -step if side == _BEFORE else step)
    if length > 0:
        if line & kinds != 0:
            return
        line |= kinds
        fits &= fitting(line, kind)
    crossing, fits_crossing = _line_through(board, cell, WIDTH + 1 - step)
    frames[depth, _AT], frames[depth, _LINE] = cell, line
    frames[depth, _USED] = frames[last, _USED] | (1 << slot)
    frames[depth, _LOW] = beyond if side == _BEFORE else frames[last, _LOW]
    frames[depth, _HIGH] = frames[last, _HIGH] if side == _BEFORE else beyond
    frames[depth, _LENGTH] = frames[last, _LENGTH] + 1 + length
    frames[depth, _CROSSING] = frames[last, _CROSSING] + line_points(crossing + 1)
    _list_choices(board, ply, seat, depth, fits & fits_crossing)


@kernel
def _list_choices(board: Board, ply: int, seat: int, depth: int, fits: int) -> None:
    """Record the slots whose tiles fit."""
    left = int(board.hands[ply, seat] & board.firsts[seat])
    choices = 0
    for slot in range(layout.HAND):
        if (left >> slot) & 1 and (fits >> int(board.kinds[seat, slot])) & 1:
            choices |= 1 << slot
    board.frames[depth, _CHOICES] = choices


@kernel
def _add_turn(board: Board, ply: int, seat: int, size: int) -> None:
    """Add the turn in the frames to a list, in the order of points."""
    frames, rows, order = board.frames, board.rows, board.lists[ply, seat]
    row, place = int(board.row_counts[ply]), int(board.counts[ply, seat])
    if row == len(rows) or place == len(order):
        board.counters[ROWS_LOST] += 1
        return
    last = size - 1
    points = max(int(frames[last, _CROSSING]) + line_points(int(frames[last, _LENGTH])), 1)
    rows[row, POINTS], rows[row, SIZE] = points, size
    rows[row, SLOTS] = frames[last, _USED] | (1 << int(frames[last, _CHOICE]))
    for index in range(size):
        rows[row, CELL + index] = frames[index, _AT]
        rows[row, SLOT + index] = frames[index, _CHOICE]
    board.row_counts[ply] += 1
    board.counts[ply, seat] += 1
    while place > 0 and rows[order[place - 1], POINTS] < points:
        order[place] = order[place - 1]
        place -= 1
    order[place] = row
