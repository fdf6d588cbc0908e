"""Alpha-beta over whole turns, for two players and an empty bag: then nothing is hidden or drawn.

Values are points to come, the mover's minus the opponent's. The search keeps an explicit stack, so
that it can pause after any node. Its transposition table knows a position by the tiles on the grid,
the hands, the mover and the passes: how it was reached and the points so far don't matter.

A *threat* is a turn with which the opponent could place all of their tiles and end the match. If
the mover's turn leaves it as it is, its points are a bound for what the turn is worth; few turns of
the mover have to be searched then.

Turns are searched by points, most first. That order is good enough for one search to the end: where
some turn is good enough to stop, the first one nearly always is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import OVER, StateArray
from watermeet.core.kernel import kernel
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.rules import to_move
from watermeet.games.qwirkle.tiles import size_of
from watermeet.games.qwirkle.turn_lists import (
    CELL,
    PLIES,
    POINTS,
    ROWS_LOST,
    SIZE,
    SLOT,
    WIDTH,
    Board,
    Ints,
    cell_of,
    copy_lists,
    end_of_run,
    last_equal,
    load_board,
    make_board,
    play_row,
    take_back,
    update_lists,
)

TABLE = 1 << 20
INFINITY = 10_000
EXACT, LOWER, UPPER = 1, 2, 3
PLY, NODES = range(2)
_PASS = -1
_THREATS = 4
_THREAT_SIZE = 2 + 5 * layout.HAND

_MULTIPLIER = np.uint64(4294883355)  # As in core.rng: no step overflows.
_START = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class Stack(NamedTuple):
    """The path from the root to the current node, one row per ply."""

    board: Board
    keys: npt.NDArray[np.uint64]  # [plies]: of the position in the table
    tile_keys: npt.NDArray[np.uint64]  # [plies]: of the tiles on the grid and in the hands
    hand_keys: npt.NDArray[np.uint64]  # [seats, slots]: of each tile in hand
    threats: Ints  # [plies, threats, _THREAT_SIZE]: points, number of cells, and cells
    mover: Ints  # [plies]
    passes: Ints  # [plies]: consecutive passes
    next: Ints  # [plies]: the place of the turn to search next
    played: Ints  # [plies]: the row of the turn that is being searched, or _PASS
    value: Ints  # [plies]: the best value so far
    alpha: Ints  # [plies]: what the mover is sure of
    floor: Ints  # [plies]: what it was sure of at first
    beta: Ints  # [plies]: what the opponent is sure of
    cursor: Ints  # [2]: the current PLY, and the number of NODES


class Table(NamedTuple):
    """The transposition table."""

    keys: npt.NDArray[np.uint64]
    value: npt.NDArray[np.int16]
    bound: npt.NDArray[np.int8]


def make_stack() -> Stack:
    """An empty stack."""
    arrays = [
        np.zeros(PLIES, dtype=np.uint64),
        np.zeros(PLIES, dtype=np.uint64),
        np.zeros((2, layout.HAND), dtype=np.uint64),
        np.zeros((PLIES, _THREATS, _THREAT_SIZE), dtype=np.int64),
        *[np.zeros(PLIES, dtype=np.int64) for _ in range(8)],
        np.zeros(2, dtype=np.int64),
    ]
    return Stack._make([make_board(), *arrays])


def make_table() -> Table:
    """An empty table."""
    return Table._make(np.zeros(TABLE, dtype=kind) for kind in (np.uint64, np.int16, np.int8))


def is_complete(stack: Stack) -> bool:
    """Whether there was room for all turns."""
    return bool(stack.board.counters[ROWS_LOST] == 0)


@kernel
def start_search(stack: Stack, table: Table, state: StateArray, alpha: int, beta: int) -> bool:
    """Open a full state as the root; return whether its value is known at once, in ``value[0]``."""
    stack.cursor[PLY] = 0
    if to_move(state) == OVER:
        stack.value[0] = 0
        return True
    load_board(stack.board, state)
    stack.mover[0], stack.passes[0] = int(state[layout.MOVER]), int(state[layout.PASSES])
    stack.alpha[0], stack.beta[0] = alpha, beta
    _set_root_keys(stack, state)
    return _is_known(stack, table, 0) or _is_settled(stack, table, 0)


@kernel
def search_turns(stack: Stack, table: Table, max_nodes: int) -> bool:
    """Search up to ``max_nodes`` more nodes; return whether ``value[0]`` is final."""
    left = max_nodes
    while True:
        ply = int(stack.cursor[PLY])
        row = _next_row(stack, ply)
        if row < _PASS:
            _store(stack, table, ply)
            if ply == 0:
                return True
            if stack.played[ply - 1] != _PASS:
                take_back(stack.board, int(stack.played[ply - 1]))
            stack.cursor[PLY] = ply - 1
            _update(stack, ply)
            continue
        if left == 0:
            return False
        left -= 1
        stack.cursor[NODES] += 1
        stack.next[ply] += 1
        if _is_leaf(stack, table, ply, row):
            _update(stack, ply + 1)
        else:
            stack.cursor[PLY] = ply + 1


@kernel
def _next_row(stack: Stack, ply: int) -> int:
    """The row of the next turn to search, _PASS, or less if there is none."""
    board, mover = stack.board, int(stack.mover[ply])
    count = int(board.counts[ply, mover])
    if stack.value[ply] >= stack.beta[ply]:
        return _PASS - 1
    if count == 0:
        return _PASS if stack.next[ply] == 0 else _PASS - 1
    size = size_of(int(board.hands[ply, mover]))
    while stack.next[ply] < count:
        row = int(board.lists[ply, mover, stack.next[ply]])
        if board.rows[row, SIZE] != size and not _is_refuted(stack, ply, row):
            return row
        stack.next[ply] += 1
    return _PASS - 1


@kernel
def _is_leaf(stack: Stack, table: Table, ply: int, row: int) -> bool:
    """Play a turn; return whether the value that it leads to is known, and else leave it played."""
    child, board = ply + 1, stack.board
    gain = 0 if row == _PASS else int(board.rows[row, POINTS])
    stack.played[ply] = row
    stack.mover[child] = 1 - stack.mover[ply]
    stack.passes[child] = stack.passes[ply] + 1 if row == _PASS else 0
    stack.alpha[child], stack.beta[child] = gain - stack.beta[ply], gain - stack.alpha[ply]
    if stack.passes[child] == 2:
        stack.value[child] = 0
        return True
    _set_keys(stack, ply, row)
    if _is_known(stack, table, child):
        return True
    if row == _PASS:
        copy_lists(board, child)
        return _is_settled(stack, table, child)
    play_row(board, ply, int(stack.mover[ply]), row)
    update_lists(board, child, row)
    if _is_settled(stack, table, child):
        take_back(board, row)
        return True
    return False


@kernel
def _update(stack: Stack, child: int) -> None:
    """Give a node the value of the turn that was searched last."""
    ply = child - 1
    row = int(stack.played[ply])
    gain = 0 if row == _PASS else int(stack.board.rows[row, POINTS])
    value = gain - int(stack.value[child])
    stack.value[ply] = max(stack.value[ply], value)
    stack.alpha[ply] = max(stack.alpha[ply], value)


@kernel
def _is_known(stack: Stack, table: Table, ply: int) -> bool:
    """Whether the table knows a node well enough; if so, write its value."""
    slot = int(np.int64(stack.keys[ply] % np.uint64(len(table.keys))))
    if table.keys[slot] != stack.keys[ply] or table.bound[slot] == 0:
        return False
    value, bound = int(table.value[slot]), int(table.bound[slot])
    is_high = bound == LOWER and value >= stack.beta[ply]
    is_low = bound == UPPER and value <= stack.alpha[ply]
    stack.value[ply] = value
    return bound == EXACT or is_high or is_low


@kernel
def _is_settled(stack: Stack, table: Table, ply: int) -> bool:
    """Open a node; return whether the turns that end the match settle it.

    These have a known value, and are not searched.
    """
    board, mover = stack.board, int(stack.mover[ply])
    stack.floor[ply], stack.value[ply], stack.next[ply] = stack.alpha[ply], -INFINITY, 0
    count, size = int(board.counts[ply, mover]), size_of(int(board.hands[ply, mover]))
    others = 0
    for index in range(count):
        row = int(board.lists[ply, mover, index])
        if board.rows[row, SIZE] != size:
            others += 1
        elif stack.value[ply] == -INFINITY:
            stack.value[ply] = board.rows[row, POINTS] + layout.BONUS
    stack.alpha[ply] = max(stack.alpha[ply], stack.value[ply])
    if count > 0 and (others == 0 or stack.value[ply] >= stack.beta[ply]):
        _store(stack, table, ply)
        return True
    _list_threats(stack, ply)
    return False


@kernel
def _store(stack: Stack, table: Table, ply: int) -> None:
    """Write a finished node to the table."""
    slot = int(np.int64(stack.keys[ply] % np.uint64(len(table.keys))))
    value = int(stack.value[ply])
    bound = EXACT
    if value <= stack.floor[ply]:
        bound = UPPER
    elif value >= stack.beta[ply]:
        bound = LOWER
    table.keys[slot] = stack.keys[ply]
    table.value[slot] = value
    table.bound[slot] = bound


# ---- threats ----------------------------------------------------------------------------------


@kernel
def _list_threats(stack: Stack, ply: int) -> None:
    """List the opponent's threats with the most points, and the cells that each depends on."""
    board, threats, other = stack.board, stack.threats[ply], 1 - int(stack.mover[ply])
    size, count = size_of(int(board.hands[ply, other])), 0
    for index in range(int(board.counts[ply, other])):
        row = int(board.lists[ply, other, index])
        if board.rows[row, SIZE] == size and count < _THREATS:
            threats[count, 0] = board.rows[row, POINTS] + layout.BONUS
            _list_cells(board, row, threats, count)
            count += 1
    if count < _THREATS:
        threats[count, 0] = 0


@kernel
def _list_cells(board: Board, row: int, threats: Ints, threat: int) -> None:
    """Write the cells of a turn, and those at the ends of its lines."""
    count = 2
    for index in range(int(board.rows[row, SIZE])):
        cell = int(board.rows[row, CELL + index])
        threats[threat, count] = cell
        count += 1
        for direction in range(4):
            step = layout.STEP_X[direction] + WIDTH * layout.STEP_Y[direction]
            threats[threat, count] = end_of_run(board, cell, step)
            count += 1
    threats[threat, 1] = count


@kernel
def _is_refuted(stack: Stack, ply: int, row: int) -> bool:
    """Whether a threat answers a turn; if so, note the bound that it gives."""
    rows, threats = stack.board.rows, stack.threats[ply]
    points, size = int(rows[row, POINTS]), int(rows[row, SIZE])
    for threat in range(_THREATS):
        if threats[threat, 0] == 0:
            return False
        bound = points - int(threats[threat, 0])
        if bound > stack.alpha[ply]:
            return False  # The others score no more.
        is_untouched = True
        for index in range(size):
            cell = rows[row, CELL + index]
            for place in range(2, int(threats[threat, 1])):
                if threats[threat, place] == cell:
                    is_untouched = False
        if is_untouched:
            stack.value[ply] = max(stack.value[ply], bound)
            return True
    return False


# ---- keys -------------------------------------------------------------------------------------


@kernel
def _tile_key(cell: int, tile: int) -> np.uint64:
    """A hash of a tile on a cell."""
    word = _mix(_mix(_START, np.uint64(cell)), np.uint64(tile))
    return _mix(_mix(word, _LOW), _LOW)


@kernel
def _set_root_keys(stack: Stack, state: StateArray) -> None:
    """Write the keys of the root, and those of the tiles in the hands."""
    board, key = stack.board, _START
    for tile in range(int(state[layout.COUNT])):
        cell = cell_of(int(state[layout.XS + tile]), int(state[layout.YS + tile]))
        key ^= _tile_key(cell, int(board.tiles[cell]))
    for seat in range(2):
        equals = 0
        for slot in range(layout.HAND):
            kind = int(board.kinds[seat, slot])
            equals = equals + 1 if slot > 0 and board.kinds[seat, slot - 1] == kind else 0
            outside = len(board.tiles) + 2 * equals + seat
            stack.hand_keys[seat, slot] = _tile_key(outside, kind + 1)
            if kind >= 0:
                key ^= stack.hand_keys[seat, slot]
    stack.tile_keys[0] = key
    _set_key(stack, 0)


@kernel
def _set_keys(stack: Stack, ply: int, row: int) -> None:
    """Write the keys of the node that a turn leads to."""
    key, child = stack.tile_keys[ply], ply + 1
    if row != _PASS:
        board, mover = stack.board, int(stack.mover[ply])
        hand = int(board.hands[ply, mover])
        for index in range(int(board.rows[row, SIZE])):
            slot = int(board.rows[row, SLOT + index])
            tile = int(board.kinds[mover, slot]) + 1
            key ^= _tile_key(int(board.rows[row, CELL + index]), tile)
            key ^= stack.hand_keys[mover, last_equal(board, mover, hand, slot)]
    stack.tile_keys[child] = key
    _set_key(stack, child)


@kernel
def _set_key(stack: Stack, ply: int) -> None:
    """Write the key of a node, given that of its tiles."""
    rest = int(stack.mover[ply]) + 2 * int(stack.passes[ply])
    stack.keys[ply] = _mix(_mix(_mix(stack.tile_keys[ply], np.uint64(rest)), _LOW), _LOW)


@kernel
def _mix(word: np.uint64, half: np.uint64) -> np.uint64:
    mixed: np.uint64 = ((word & _LOW) ^ half) * _MULTIPLIER + (word >> _HALF)
    return mixed
