"""Alpha-beta over whole turns, for two players and an empty bag: then nothing is hidden or drawn.

Values are points to come, the mover's minus the opponent's. The search keeps an explicit stack, so
that it can pause after any node. Its transposition table knows a position by the tiles on the grid,
the hands, the mover and the passes: how it was reached and the points so far don't matter.

A *threat* is a turn with which the opponent could place all of their tiles and end the match. If
the mover's turn leaves it as it is, its points are a bound for what the turn is worth; few turns of
the mover have to be searched then.

Turns are searched by points, most first. That order is good enough for one search to the end:
searching one turn deeper each time takes more than twice as many nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import OVER, StateArray
from watermeet.core.kernel import in_rows, kernel, scratch
from watermeet.core.playout import copy_state
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.grid import tile_at
from watermeet.games.qwirkle.placements import (
    BUFFER_COLUMNS,
    BUFFER_ROWS,
    ROW,
    Rows,
    lay_action,
    list_turns,
)
from watermeet.games.qwirkle.rules import apply, points_of, to_move
from watermeet.games.qwirkle.tiles import hand_kinds, hand_size, largest_set, size_of

PLIES = 4 * layout.HAND + 2
"""Twelve placements, with a pass after each but the last, and two to end the match."""
ROWS = 1024
TABLE = 1 << 20
INFINITY = 10_000
EXACT, LOWER, UPPER = 1, 2, 3
PLY, NODES = range(2)
_BUFFER_SIZE = 2 * BUFFER_ROWS * BUFFER_COLUMNS
_THREATS = 4
_THREATENING_HAND = 3
"""Threats of more tiles are rare, and take longer to find."""
_THREAT_SIZE = 2 + 2 * 5 * _THREATENING_HAND

_MULTIPLIER = np.uint64(4294883355)  # As in core.rng: no step overflows.
_START = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)

Ints = npt.NDArray[np.int64]


class Stack(NamedTuple):
    """The path from the root to the current node, one row per ply."""

    states: npt.NDArray[np.int8]  # [plies, state size]
    rows: npt.NDArray[np.int16]  # [plies, turns, ROW]
    order: npt.NDArray[np.int16]  # [plies, turns]: the turns, most promising first
    keys: npt.NDArray[np.uint64]  # [plies]
    grid_keys: npt.NDArray[np.uint64]  # [plies]: of the tiles on the grid alone
    replies: npt.NDArray[np.int16]  # [turns, ROW]: the opponent's turns, while they are listed
    threats: npt.NDArray[np.int16]  # [plies, threats, _THREAT_SIZE]: points, cells, x and y of each
    turns: Ints  # [plies]: how many turns there are to search
    is_pass: Ints  # [plies]: 1 if there is none at all
    next: Ints  # [plies]: the place of the turn to search next
    value: Ints  # [plies]: the best value so far
    best: Ints  # [plies]: the place in ``rows`` of its turn
    alpha: Ints  # [plies]: what the mover is sure of
    floor: Ints  # [plies]: what it was sure of at first
    beta: Ints  # [plies]: what the opponent is sure of
    cursor: Ints  # [2]: the current PLY, and the number of NODES


class Table(NamedTuple):
    """The transposition table."""

    keys: npt.NDArray[np.uint64]
    value: npt.NDArray[np.int16]
    bound: npt.NDArray[np.int8]
    best: npt.NDArray[np.int16]


def make_stack() -> Stack:
    """An empty stack."""
    arrays = [
        np.zeros((PLIES, layout.STATE_SIZE), dtype=np.int8),
        np.zeros((PLIES, ROWS, ROW), dtype=np.int16),
        np.zeros((PLIES, ROWS), dtype=np.int16),
        np.zeros(PLIES, dtype=np.uint64),
        np.zeros(PLIES, dtype=np.uint64),
        np.zeros((ROWS, ROW), dtype=np.int16),
        np.zeros((PLIES, _THREATS, _THREAT_SIZE), dtype=np.int16),
        *[np.zeros(PLIES, dtype=np.int64) for _ in range(8)],
        np.zeros(2, dtype=np.int64),
    ]
    return Stack._make(arrays)


def make_table() -> Table:
    """An empty table."""
    kinds = (np.uint64, np.int16, np.int8, np.int16)
    return Table._make(np.zeros(TABLE, dtype=kind) for kind in kinds)


@kernel
def start_search(stack: Stack, table: Table, alpha: int, beta: int) -> bool:
    """Open the root, ``states[0]``; return whether its value is known at once, in ``value[0]``."""
    stack.cursor[PLY] = 0
    stack.alpha[0], stack.beta[0] = alpha, beta
    stack.grid_keys[0] = _grid_key(stack.states[0])
    return _is_known(stack, table, 0)


@kernel
def search_turns(stack: Stack, table: Table, max_nodes: int) -> bool:
    """Search up to ``max_nodes`` more nodes; return whether ``value[0]`` is final."""
    left = max_nodes
    while True:
        ply = int(stack.cursor[PLY])
        if stack.next[ply] >= stack.turns[ply] + stack.is_pass[ply]:
            _store(stack, table, ply)
            if ply == 0:
                return True
            stack.cursor[PLY] = ply - 1
            _update(stack, ply)
            continue
        if _is_refuted(stack, ply):
            stack.next[ply] += 1
            continue
        if left == 0:
            return False
        left -= 1
        stack.cursor[NODES] += 1
        child = ply + 1
        gain = _play_next(stack, ply)
        stack.alpha[child] = gain - stack.beta[ply]
        stack.beta[child] = gain - stack.alpha[ply]
        if _is_known(stack, table, child):
            _update(stack, child)
        else:
            stack.cursor[PLY] = child


@kernel
def _play_next(stack: Stack, ply: int) -> int:
    """Play the next turn of a node into the next ply; return what it scores."""
    state, child = stack.states[ply], stack.states[ply + 1]
    copy_state(state, child)
    place = int(stack.next[ply])
    stack.next[ply] += 1
    stack.grid_keys[ply + 1] = stack.grid_keys[ply]
    if stack.is_pass[ply] != 0:
        apply(child, layout.PASS)
        return 0
    row = int(stack.order[ply, place])
    rows = stack.rows[ply]
    for index in range(int(rows[row, 1])):
        x, y = int(rows[row, 2 + 3 * index]), int(rows[row, 3 + 3 * index])
        stack.grid_keys[ply + 1] ^= _tile_key(x, y, int(rows[row, 4 + 3 * index]) + 1)
        apply(child, lay_action(child, rows, row, index))
    mover = to_move(state)
    apply(child, layout.END)
    return points_of(child, mover) - points_of(state, mover)


@kernel
def _update(stack: Stack, child: int) -> None:
    """Give a node the value of the turn that was searched last."""
    ply = child - 1
    mover = int(stack.states[ply, layout.MOVER])
    gain = points_of(stack.states[child], mover) - points_of(stack.states[ply], mover)
    value = gain - int(stack.value[child])
    if value > stack.value[ply]:
        stack.value[ply] = value
        if stack.is_pass[ply] == 0:
            stack.best[ply] = stack.order[ply, stack.next[ply] - 1]
        stack.alpha[ply] = max(stack.alpha[ply], value)
        if value >= stack.beta[ply]:
            stack.next[ply] = stack.turns[ply] + stack.is_pass[ply]


@kernel
def _is_known(stack: Stack, table: Table, ply: int) -> bool:
    """Whether a node is over or in the table; if so, write its value, else list its turns."""
    state = stack.states[ply]
    if to_move(state) == OVER:
        stack.value[ply] = 0
        return True
    key = _key_of(state, stack.grid_keys[ply])
    stack.keys[ply] = key
    slot = int(np.int64(key % np.uint64(len(table.keys))))
    known = -1
    if table.keys[slot] == key and table.bound[slot] != 0:
        value, bound = int(table.value[slot]), int(table.bound[slot])
        is_exact = bound == EXACT
        is_high = bound == LOWER and value >= stack.beta[ply]
        is_low = bound == UPPER and value <= stack.alpha[ply]
        if is_exact or is_high or is_low:
            stack.value[ply] = value
            return True
        known = int(table.best[slot])
    stack.floor[ply] = stack.alpha[ply]
    stack.value[ply] = -INFINITY
    stack.next[ply], stack.best[ply] = 0, -1
    if _list_in_order(stack, ply, known):
        _store(stack, table, ply)
        return True
    _find_threats(stack, ply)
    return False


@kernel
def _list_in_order(stack: Stack, ply: int, known: int) -> bool:
    """List the turns of a node: the one of the table first, then by points.

    A turn that ends the match has a known value, and is not among those to be searched. Returns
    whether the best of these settles the node.
    """
    buffer = in_rows(scratch(_BUFFER_SIZE).view(np.int64), BUFFER_COLUMNS)
    rng = scratch(2).view(np.uint64)  # Not used when all turns are listed.
    state, rows, order = stack.states[ply], stack.rows[ply], stack.order[ply]
    ranks = scratch(ROWS)
    count = min(ROWS, list_turns(state, buffer, rows, False, rng))
    size = hand_size(state, int(state[layout.MOVER]))
    listed = 0
    for row in range(count):
        if rows[row, 1] == size:
            if rows[row, 0] + layout.BONUS > stack.value[ply]:
                stack.value[ply], stack.best[ply] = rows[row, 0] + layout.BONUS, row
            continue
        rank = INFINITY if row == known else int(rows[row, 0])
        place = listed
        while place > 0 and ranks[place - 1] < rank:
            order[place], ranks[place] = order[place - 1], ranks[place - 1]
            place -= 1
        order[place], ranks[place] = row, rank
        listed += 1
    stack.turns[ply] = listed
    stack.is_pass[ply] = int(count == 0)
    stack.alpha[ply] = max(stack.alpha[ply], stack.value[ply])
    return count > 0 and (listed == 0 or bool(stack.value[ply] >= stack.beta[ply]))


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
    table.best[slot] = stack.best[ply]


# ---- threats ----------------------------------------------------------------------------------


@kernel
def _find_threats(stack: Stack, ply: int) -> None:
    """List the opponent's threats with the most points, and the cells that each depends on."""
    threats = stack.threats[ply]
    for index in range(_THREATS):
        threats[index, 0] = 0
    state, rows = stack.states[ply], stack.replies
    mover = int(state[layout.MOVER])
    size = hand_size(state, 1 - mover)
    if size > _THREATENING_HAND or not _may_be_one_turn(state, 1 - mover, size):
        return
    buffer = in_rows(scratch(_BUFFER_SIZE).view(np.int64), BUFFER_COLUMNS)
    rng = scratch(2).view(np.uint64)
    state[layout.MOVER] = 1 - mover
    count = min(ROWS, list_turns(state, buffer, rows, False, rng))
    state[layout.MOVER] = mover
    for row in range(count):
        if rows[row, 1] != size:
            continue
        lowest = 0
        for index in range(1, _THREATS):
            if threats[index, 0] < threats[lowest, 0]:
                lowest = index
        points = int(rows[row, 0]) + layout.BONUS
        if points > threats[lowest, 0]:
            threats[lowest, 0] = points
            _list_cells(state, rows, row, threats, lowest)


@kernel
def _may_be_one_turn(state: StateArray, seat: int, size: int) -> bool:
    """Whether the tiles of a hand could be in one line: distinct, of one colour or one shape."""
    kinds = hand_kinds(state, seat)
    return size_of(kinds) == size == largest_set(kinds)


@kernel
def _list_cells(state: StateArray, rows: Rows, row: int, threats: Rows, threat: int) -> None:
    """Write the cells of a turn, and the empty ones at the ends of its lines."""
    count, size = 0, int(rows[row, 1])
    for index in range(size):
        first_x, first_y = int(rows[row, 2 + 3 * index]), int(rows[row, 3 + 3 * index])
        for direction in range(5):  # The last is the cell itself.
            x, y = first_x, first_y
            while direction < 4 and (
                tile_at(state, x, y) >= 0 or _is_among(x, y, rows, row, 2, 3, size)
            ):
                x, y = x + layout.STEP_X[direction], y + layout.STEP_Y[direction]
            threats[threat, 2 + 2 * count], threats[threat, 3 + 2 * count] = x, y
            count += 1
    threats[threat, 1] = count


@kernel
def _is_among(x: int, y: int, rows: Rows, row: int, first: int, step: int, count: int) -> bool:
    """Whether a cell is one of those in a row of numbers."""
    for index in range(count):
        place = first + step * index
        if rows[row, place] == x and rows[row, place + 1] == y:
            return True
    return False


@kernel
def _is_refuted(stack: Stack, ply: int) -> bool:
    """Whether a threat answers the next turn; if so, note the bound that it gives."""
    if stack.is_pass[ply] != 0:
        return False
    rows, threats = stack.rows[ply], stack.threats[ply]
    row = int(stack.order[ply, stack.next[ply]])
    size = int(rows[row, 1])
    for threat in range(_THREATS):
        bound = int(rows[row, 0]) - int(threats[threat, 0])
        if threats[threat, 0] == 0 or bound > stack.alpha[ply]:
            continue
        is_untouched = True
        for index in range(size):
            x, y = int(rows[row, 2 + 3 * index]), int(rows[row, 3 + 3 * index])
            if _is_among(x, y, threats, threat, 2, 2, int(threats[threat, 1])):
                is_untouched = False
        if is_untouched:
            stack.value[ply] = max(stack.value[ply], bound)
            return True
    return False


# ---- keys -------------------------------------------------------------------------------------


@kernel
def _tile_key(x: int, y: int, tile: int) -> np.uint64:
    """A hash of a tile on a cell."""
    word = _mix(_mix(_START, np.uint64(x + 128)), np.uint64(y + 128))
    return _mix(_mix(_mix(word, np.uint64(tile)), _LOW), _LOW)


@kernel
def _grid_key(state: StateArray) -> np.uint64:
    """A hash of the tiles on the grid, whatever the order in which they were placed."""
    key = _START
    for tile in range(int(state[layout.COUNT])):
        x, y = int(state[layout.XS + tile]), int(state[layout.YS + tile])
        key ^= _tile_key(x, y, int(state[layout.TILES + tile]))
    return key


@kernel
def _key_of(state: StateArray, grid_key: np.uint64) -> np.uint64:
    """A hash of the position, given that of the grid."""
    key = _mix(grid_key, np.uint64(int(state[layout.MOVER]) + 2 * int(state[layout.PASSES])))
    for slot in range(layout.HANDS, layout.HANDS + 2 * layout.HAND):
        key = _mix(key, np.uint64(int(state[slot])))
    return _mix(_mix(key, _LOW), _LOW)


@kernel
def _mix(word: np.uint64, half: np.uint64) -> np.uint64:
    mixed: np.uint64 = ((word & _LOW) ^ half) * _MULTIPLIER + (word >> _HALF)
    return mixed
