"""Expectimax with windows over the last placements, for two players or two teams.

A node is a position in which a tile is to be drawn. Its value is what the mover's team may expect,
from -1 (they lose) to 1: the mean, over the types of tiles, of the best placement of each. A window
says which values matter. It is cut as in **Star1** (Ballard 1983): a type needs no more search once
the others, at their worst or at their best, leave its value outside. Bounds are good from the
start: a tile that connects the mover, or that can't be placed, wins.

The transposition table keeps bounds, by what strands join and which tiles are left: how cells were
filled doesn't matter. The search keeps an explicit stack, so that it can pause after any node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows.fillings import (
    DEAD,
    END_VALUES,
    MAX_EMPTY,
    RIM,
    axes_connected,
    is_idle,
    mark_legal,
    may_connect,
    place_tile,
)
from watermeet.games.flows.tiles import (
    EDGES,
    FIRST_ORIENTATION,
    ORIENTATIONS,
    ORIENTATIONS_OF_TYPE,
    TYPE_OF_ORIENTATION,
    TYPES,
)

PLY, NODES = range(2)
EPSILON = 1e-12
_MOVES = 6 * MAX_EMPTY
"""A type has at most six orientations."""
_NONE = -1
_ONE_OF_EACH_TYPE = sum(1 << int(first) for first in FIRST_ORIENTATION[:-1])

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Stack(NamedTuple):
    """The path from the root to the current node, one row per ply."""

    ends: npt.NDArray[np.int8]  # [plies, ports]
    empty: Ints  # [plies]: the empty cells, as bits
    bag: Ints  # [plies, types]: how many tiles are left
    killers: Ints  # [plies, types]: the placement that was best in the last node
    axes: Ints  # [2]: the axis of the mover at the root, and the other one, as bits
    keys: npt.NDArray[np.uint64]  # [plies]
    legal: npt.NDArray[np.int32]  # [plies, cells]: orientations to search, as bits
    moves: npt.NDArray[np.int16]  # [plies, moves]: of the current type
    move_count: Ints  # [plies]: how many moves that are
    next: Ints  # [plies]: the place of the one to search next
    kind: Ints  # [plies]: the current type
    searched: Ints  # [plies]: the types that are done, as bits
    low: Floats  # [plies, types]: what each type is worth at least
    high: Floats  # [plies, types]: and at most
    best_low: Floats  # [plies]: the same for the moves searched so far
    best_high: Floats
    type_alpha: Floats  # [plies]: the window of the current type
    type_beta: Floats
    alpha: Floats  # [plies]: the window
    beta: Floats
    node_low: Floats  # [plies]: the result: the value is at least this
    node_high: Floats  # and at most this
    cursor: Ints  # [2]: the current PLY, and the number of NODES


class Table(NamedTuple):
    """The transposition table."""

    keys: npt.NDArray[np.uint64]
    low: Floats
    high: Floats
    board_keys: npt.NDArray[np.uint64]  # Without the tiles that are left.
    legal: npt.NDArray[np.int16]  # [size, cells]: by those keys, the legal orientations


def make_stack(cells: int) -> Stack:
    """A stack for a position with this many empty cells."""
    plies = cells + 1
    ints = [np.zeros(plies, dtype=np.int64) for _ in range(5)]
    floats = [np.zeros(plies) for _ in range(8)]
    arrays = [
        np.full((plies, EDGES * cells), DEAD, dtype=np.int8),
        ints[0],
        np.zeros((plies, TYPES), dtype=np.int64),
        np.full((plies, TYPES), _NONE, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros(plies, dtype=np.uint64),
        np.zeros((plies, cells), dtype=np.int32),
        np.zeros((plies, _MOVES), dtype=np.int16),
        *ints[1:],
        *[np.zeros((plies, TYPES)) for _ in range(2)],
        *floats,
        np.zeros(2, dtype=np.int64),
    ]
    return Stack._make(arrays)


def make_table(cells: int) -> Table:
    """An empty table for a position with this many empty cells."""
    size = 1 << min(20, 2 * cells + 5)
    return Table(
        np.zeros(size, dtype=np.uint64),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size, dtype=np.uint64),
        np.zeros((size, cells), dtype=np.int16),
    )


def _random_words(*shape: int) -> npt.NDArray[np.uint64]:
    return np.random.default_rng(2026).integers(0, 1 << 63, shape, dtype=np.uint64)


_START = np.uint64(0x9E3779B97F4A7C15)
_END_KEYS = _random_words(RIM, END_VALUES)
_BAG_KEYS = _random_words(TYPES, 64)


@kernel
def start_search(stack: Stack, table: Table, alpha: float, beta: float) -> bool:
    """Open the root, which is in the first row; return whether its value is known at once."""
    stack.cursor[PLY] = 0
    stack.alpha[0], stack.beta[0] = alpha, beta
    return _is_known(stack, table, 0)


@kernel
def search_placements(stack: Stack, table: Table, max_nodes: int) -> bool:
    """Search up to ``max_nodes`` more nodes; return whether the root is done."""
    left = max_nodes
    while True:
        ply = int(stack.cursor[PLY])
        if stack.kind[ply] == _NONE and not _next_type(stack, ply):
            _store(stack, table, ply)
            if ply == 0:
                return True
            stack.cursor[PLY] = ply - 1
            _update(stack, ply - 1)
            continue
        if stack.next[ply] >= stack.move_count[ply]:
            _finish_type(stack, ply, True)
            continue
        if left == 0:
            return False
        left -= 1
        stack.cursor[NODES] += 1
        child = ply + 1
        move = int(stack.moves[ply, stack.next[ply]])
        stack.next[ply] += 1
        _play(stack, ply, move // ORIENTATIONS, move % ORIENTATIONS)
        stack.alpha[child] = -stack.type_beta[ply]
        stack.beta[child] = -max(stack.type_alpha[ply], stack.best_low[ply])
        if _is_known(stack, table, child):
            _update(stack, ply)
        else:
            stack.cursor[PLY] = child


@kernel
def _play(stack: Stack, ply: int, cell: int, orientation: int) -> None:
    """Place a tile, and write the position to the next ply."""
    child = ply + 1
    for port in range(stack.ends.shape[1]):
        stack.ends[child, port] = stack.ends[ply, port]
    axes = int(stack.axes[0] | stack.axes[1])
    place_tile(stack.ends[child], axes, cell, orientation)
    stack.empty[child] = stack.empty[ply] & ~(1 << cell)
    for kind in range(TYPES):
        stack.bag[child, kind] = stack.bag[ply, kind]
    stack.bag[child, TYPE_OF_ORIENTATION[orientation]] -= 1


# ---- types and their windows ------------------------------------------------------------------


@kernel
def _bag_size(stack: Stack, ply: int) -> int:
    size = 0
    for kind in range(TYPES):
        size += int(stack.bag[ply, kind])
    return size


@kernel
def _sum_up(stack: Stack, ply: int) -> None:
    """The bounds of a node, from those of its types."""
    low, high, size = 0.0, 0.0, _bag_size(stack, ply)
    for kind in range(TYPES):
        low += stack.low[ply, kind] * int(stack.bag[ply, kind])
        high += stack.high[ply, kind] * int(stack.bag[ply, kind])
    stack.node_low[ply] = max(stack.node_low[ply], low / size)
    stack.node_high[ply] = min(stack.node_high[ply], high / size)


@kernel
def _is_settled(stack: Stack, ply: int) -> bool:
    """Whether the bounds of a node say all that its window asks for."""
    low, high = stack.node_low[ply], stack.node_high[ply]
    return bool(low >= stack.beta[ply] or high <= stack.alpha[ply] or high - low < EPSILON)


@kernel
def _next_type(stack: Stack, ply: int) -> bool:
    """Begin with the type that leaves most open; return False if the node is done."""
    if _is_settled(stack, ply):
        return False
    best, widest = _NONE, EPSILON
    for kind in range(TYPES):
        width = (stack.high[ply, kind] - stack.low[ply, kind]) * int(stack.bag[ply, kind])
        if (int(stack.searched[ply]) >> kind) & 1 == 0 and width > widest:
            best, widest = kind, width
    if best == _NONE:
        return False
    low, high, size = 0.0, 0.0, _bag_size(stack, ply)
    for kind in range(TYPES):
        if kind != best:
            low += stack.low[ply, kind] * int(stack.bag[ply, kind])
            high += stack.high[ply, kind] * int(stack.bag[ply, kind])
    count = int(stack.bag[ply, best])
    stack.kind[ply] = best
    stack.type_alpha[ply] = max(-1.0, (stack.alpha[ply] * size - high) / count)
    stack.type_beta[ply] = min(1.0, (stack.beta[ply] * size - low) / count)
    stack.best_low[ply] = stack.low[ply, best]
    stack.best_high[ply] = stack.low[ply, best]
    _list_moves(stack, ply, best)
    return True


@kernel
def _list_moves(stack: Stack, ply: int, kind: int) -> None:
    """List the placements of a type that don't end the match."""
    count = 0
    for cell in range(stack.legal.shape[1]):
        orientations = int(stack.legal[ply, cell]) & int(ORIENTATIONS_OF_TYPE[kind])
        for orientation in range(int(FIRST_ORIENTATION[kind]), int(FIRST_ORIENTATION[kind + 1])):
            if (orientations >> orientation) & 1:
                stack.moves[ply, count] = ORIENTATIONS * cell + orientation
                count += 1
    stack.move_count[ply], stack.next[ply] = count, 0
    for place in range(count):
        if stack.moves[ply, place] == stack.killers[ply, kind]:
            stack.moves[ply, place] = stack.moves[ply, 0]
            stack.moves[ply, 0] = stack.killers[ply, kind]


@kernel
def _update(stack: Stack, ply: int) -> None:
    """Take in the result of the placement that was searched last."""
    child = ply + 1
    if -stack.node_high[child] > stack.best_low[ply]:
        stack.best_low[ply] = -stack.node_high[child]
        stack.killers[ply, stack.kind[ply]] = stack.moves[ply, stack.next[ply] - 1]
    stack.best_high[ply] = max(stack.best_high[ply], -stack.node_low[child])
    if stack.best_low[ply] >= stack.type_beta[ply]:
        _finish_type(stack, ply, False)


@kernel
def _finish_type(stack: Stack, ply: int, is_complete: bool) -> None:
    """Note the bounds of the current type; without all its moves it may be worth more."""
    kind = int(stack.kind[ply])
    stack.low[ply, kind] = stack.best_low[ply]
    if is_complete:
        stack.high[ply, kind] = min(stack.high[ply, kind], stack.best_high[ply])
    stack.searched[ply] |= 1 << kind
    stack.kind[ply] = _NONE
    _sum_up(stack, ply)


# ---- opening and closing nodes ----------------------------------------------------------------


@kernel
def _is_known(stack: Stack, table: Table, ply: int) -> bool:
    """Look a node up, else find its legal placements; return whether that settles it."""
    key = _key_of(stack, ply)
    slot = int(np.int64(key % np.uint64(len(table.keys))))
    stack.keys[ply] = key
    stack.node_low[ply], stack.node_high[ply] = -1.0, 1.0
    if table.keys[slot] == key:
        stack.node_low[ply], stack.node_high[ply] = table.low[slot], table.high[slot]
        if _is_settled(stack, ply):
            return True
    _open(stack, table, ply)
    if _is_settled(stack, ply):
        _store(stack, table, ply)
        return True
    return False


@kernel
def _open(stack: Stack, table: Table, ply: int) -> None:
    """Find the legal placements of a node, and what those that connect somebody are worth."""
    ends, legal, empty = stack.ends[ply], scratch(MAX_EMPTY), int(stack.empty[ply])
    mover = int(stack.axes[ply % 2])
    _mark_legal(stack, table, ply, legal)
    any_legal, any_idle = 0, False
    for kind in range(TYPES):
        stack.low[ply, kind] = -2.0
    for cell in range(stack.legal.shape[1]):
        orientations = int(legal[cell])
        if may_connect(ends, cell):
            for orientation in range(ORIENTATIONS):
                connected = axes_connected(ends, cell, orientation)
                if connected != 0:
                    orientations &= ~(1 << orientation)
                    value = 1.0 if connected == mover else 0.0 if connected & mover else -1.0
                    kind = int(TYPE_OF_ORIENTATION[orientation])
                    stack.low[ply, kind] = max(stack.low[ply, kind], value)
        if (empty >> cell) & 1 and not any_idle and is_idle(ends, cell):
            orientations, any_idle = _ONE_OF_EACH_TYPE, True
        stack.legal[ply, cell] = orientations
        any_legal |= orientations
    for kind in range(TYPES):
        if any_legal & int(ORIENTATIONS_OF_TYPE[kind]) == 0:
            if stack.low[ply, kind] < -1.0:
                stack.low[ply, kind] = 1.0  # R4.3
            stack.high[ply, kind] = stack.low[ply, kind]
        else:
            stack.low[ply, kind] = max(stack.low[ply, kind], -1.0)
            stack.high[ply, kind] = 1.0
    stack.searched[ply], stack.kind[ply] = 0, _NONE
    _sum_up(stack, ply)


@kernel
def _mark_legal(stack: Stack, table: Table, ply: int, legal: Scratch) -> None:
    """Look up or find out which placements leave everyone a route."""
    ends, cells = stack.ends[ply], stack.legal.shape[1]
    key = _board_key(stack, ply)
    slot = int(np.int64(key % np.uint64(len(table.board_keys))))
    if table.board_keys[slot] == key:
        for cell in range(cells):
            legal[cell] = table.legal[slot, cell]
        return
    mark_legal(ends, int(stack.axes[0] | stack.axes[1]), legal)
    table.board_keys[slot] = key
    for cell in range(cells):
        table.legal[slot, cell] = legal[cell]


@kernel
def _store(stack: Stack, table: Table, ply: int) -> None:
    """Write the bounds of a node to the table."""
    slot = int(np.int64(stack.keys[ply] % np.uint64(len(table.keys))))
    table.keys[slot] = stack.keys[ply]
    table.low[slot], table.high[slot] = stack.node_low[ply], stack.node_high[ply]


@kernel
def _key_of(stack: Stack, ply: int) -> np.uint64:
    """A hash of what strands join, and of the tiles that are left."""
    key = _board_key(stack, ply)
    for kind in range(TYPES):
        key ^= _BAG_KEYS[kind, stack.bag[ply, kind]]
    return key


@kernel
def _board_key(stack: Stack, ply: int) -> np.uint64:
    key = _START
    for port in range(stack.ends.shape[1]):
        key ^= _END_KEYS[port, stack.ends[ply, port]]
    return key
