"""The rules of Hex as kernels; ``layout.py`` describes the state array.

A win is noticed without a search: each stone knows which side its group reaches, if any. A new
stone learns what its six neighbours know, and tells those of its group that knew of none. Nobody is
told twice, because a group that reaches both sides has won.
"""

from __future__ import annotations

from typing import NamedTuple

from watermeet.core.contract import OVER, ActionArray, FloatArray, RandomArray, StateArray
from watermeet.core.kernel import kernel, scratch
from watermeet.core.rng import next_below

from .layout import (
    BLUE_SHIFT,
    BOTH_SIDES,
    CELLS,
    FIRST_SIDE,
    INVERSE,
    LARGEST_SIZE,
    PIE,
    SECOND_SIDE,
    SIZE,
    STONES,
    SWAPPED,
    UNAWARE,
    WINNER,
)

_STACK = LARGEST_SIZE * LARGEST_SIZE


class Options(NamedTuple):
    """The options that __init__.py declares, as integers."""

    size: int
    pie: int


# ---- the contract -----------------------------------------------------------------------------


@kernel
def setup(state: StateArray, options: Options) -> None:
    """Write the starting position: an empty board (R1.4)."""
    state[SIZE] = options.size
    state[PIE] = options.pie
    state[INVERSE] = 65536 // options.size + 1
    rebuild_cache(state)


@kernel
def to_move(state: StateArray) -> int:
    """Red and Blue take turns (R2.1) until one has won (R4.1); a swap is a turn (R3.2)."""
    if state[WINNER] != 0:
        return OVER
    return (int(state[STONES]) + int(state[SWAPPED])) & 1


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """Every empty cell (R2.2), and the swap while it is open (R3.1)."""
    if state[WINNER] != 0:
        return 0
    count = 0
    cells = int(state[SIZE]) * int(state[SIZE])
    for cell in range(cells):
        if state[CELLS + cell] == 0:
            out[count] = cell
            count += 1
    if may_swap(state):
        out[count] = cells
        count += 1
    return count


@kernel
def apply(state: StateArray, action: int) -> None:
    """Place the mover's stone and note a win (R4.1), or swap."""
    size = int(state[SIZE])
    cells = size * size
    if action == cells:
        _swap(state)
        return
    stones = int(state[STONES])
    mover = (stones + int(state[SWAPPED])) & 1
    state[CELLS + action] = mover + 1
    state[STONES] = stones + 1
    free = CELLS + cells + (size + 2) * (size + 2)
    _take(state, free, free + cells, cells - stones - 1, action)
    if _join(state, _bordered(state, action), size + 2, mover * BLUE_SHIFT):
        state[WINNER] = mover + 1


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """Return 1 to the winner and -1 to the other; there are no draws (R4.2)."""
    winner = int(state[WINNER]) - 1
    out[winner] = 1.0
    out[1 - winner] = -1.0


@kernel
def rebuild_cache(state: StateArray) -> None:
    """Write the bordered board, the list of empty cells, and each cell's place in it."""
    size = int(state[SIZE])
    cells = size * size
    width = size + 2
    board = CELLS + cells
    free = board + width * width
    for index in range(board, free):
        state[index] = 0
    for step in range(1, size + 1):
        state[board + step] = FIRST_SIDE
        state[free - width + step] = SECOND_SIDE
        state[board + step * width] = FIRST_SIDE << BLUE_SHIFT
        state[board + step * width + width - 1] = SECOND_SIDE << BLUE_SHIFT
    empty = 0
    for cell in range(cells):
        mark = int(state[CELLS + cell])
        state[free + cell] = 0
        state[free + cells + cell] = 0
        if mark == 0:
            state[free + empty] = cell
            state[free + cells + cell] = empty
            empty += 1
        else:
            _join(state, _bordered(state, cell), width, (mark - 1) * BLUE_SHIFT)


@kernel
def sample_action(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A random empty cell, or the swap while it is open."""
    size = int(state[SIZE])
    cells = size * size
    empty = cells - int(state[STONES])
    if may_swap(state):
        drawn = next_below(rng, empty + 1)
        if drawn == empty:
            return cells
    else:
        drawn = next_below(rng, empty)
    return int(state[CELLS + cells + (size + 2) * (size + 2) + drawn])


# ---- the parts --------------------------------------------------------------------------------


@kernel
def may_swap(state: StateArray) -> bool:
    """Whether only the first stone has been played, with the pie rule (R3.1)."""
    return int(state[STONES]) == 1 and int(state[PIE]) == 1 and int(state[SWAPPED]) == 0


@kernel
def first_stone(state: StateArray) -> int:
    """The first cell that holds a stone."""
    cell = 0
    while state[CELLS + cell] == 0:
        cell += 1
    return cell


@kernel
def mirrored(state: StateArray, cell: int) -> int:
    """The cell whose row and column are exchanged: c2 for b3."""
    size = int(state[SIZE])
    row = cell * int(state[INVERSE]) >> 16
    return (cell - row * size) * size + row


@kernel
def _swap(state: StateArray) -> None:
    """Take the red stone off, and put a blue one on the mirror image of its cell (R3.2)."""
    cell = first_stone(state)
    state[CELLS + cell] = 0
    state[CELLS + mirrored(state, cell)] = 2
    state[SWAPPED] = 1
    rebuild_cache(state)


@kernel
def _take(state: StateArray, free: int, places: int, left: int, cell: int) -> None:
    """Take a cell out of the list of empty cells; the last one moves to its place."""
    place = int(state[places + cell])
    moved = int(state[free + left])
    state[free + place] = moved
    state[places + moved] = place


@kernel
def _bordered(state: StateArray, cell: int) -> int:
    """Where a cell is on the bordered board."""
    size = int(state[SIZE])
    row = cell * int(state[INVERSE]) >> 16
    return CELLS + size * size + cell + 2 * row + size + 3


@kernel
def _join(state: StateArray, at: int, width: int, shift: int) -> bool:
    """Put a stone on the bordered board; whether its group now reaches both sides (R4.1)."""
    around = (
        int(state[at - width])
        | int(state[at - width + 1])
        | int(state[at - 1])
        | int(state[at + 1])
        | int(state[at + width - 1])
        | int(state[at + width])
    )
    known = (around >> shift) & (BOTH_SIDES | UNAWARE)
    sides = known & BOTH_SIDES
    state[at] = (sides | int(sides == 0)) << shift
    if known == FIRST_SIDE | UNAWARE or known == SECOND_SIDE | UNAWARE:
        _spread(state, at, width, UNAWARE << shift, sides << shift)
    return sides == BOTH_SIDES


@kernel
def _spread(state: StateArray, start: int, width: int, unaware: int, news: int) -> None:
    """Tell a group which side it reaches: all of its stones that know of none."""
    stack = scratch(_STACK)
    stack[0] = start
    height = 1
    while height > 0:
        height -= 1
        at = int(stack[height])
        for step in (-width, 1 - width, -1, 1, width - 1, width):
            if state[at + step] == unaware:
                state[at + step] = news
                stack[height] = at + step
                height += 1
