"""The rules of Flume as kernels. Paragraphs (R2.1 ...) are those of RULES.md beside this file.

State layout (int16), n = size:

    0  SIZE       n
    1  PIE        1 if the second player may swap (R5)
    2  NO_CENTRE  1 if the first stone may not be on the centre (R6)
    3  COLOUR     whose stone is next: RED or BLUE
    4  RED_SEAT   the seat that plays red: 0, or 1 after the swap
    5  FREE_LEFT  free points left
    6  FREE_LIST  where the memo begins
    7  CELLS ...  (n + 2) rows of n + 1 cells and one more: the points with the green rim (R1.2)
       memo ...   n*n places for points, of which the first FREE_LEFT hold the free ones, in any
                  order; then for each of the n*n points its place, while it is free

The rim is stored, so that counting connections (R3.1) needs no look at the edges of the board. One
column serves as the right rim of a row and the left rim of the next. Corners of the rim touch no
point. The memo makes drawing a random free point one look-up; it is no part of a state's identity.

Actions: 0 ... n*n - 1 a stone on that point (counted along the rows from a1), n*n the swap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import (
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
)
from watermeet.core.kernel import kernel
from watermeet.core.rng import next_below

SIZE, PIE, NO_CENTRE, COLOUR, RED_SEAT, FREE_LEFT, FREE_LIST, CELLS = range(8)
FREE, RED, BLUE, GREEN = range(4)
CONNECTIONS_TO_MOVE_AGAIN = 3  # R3.2
LARGEST = 19


def _cell_table() -> npt.NDArray[np.uint16]:
    """[size, point]: where a point lies in a state; a table, for a division would cost more."""
    table = np.zeros((LARGEST + 1, LARGEST * LARGEST), dtype=np.uint16)
    for size in range(1, LARGEST + 1):
        for point in range(size * size):
            row, column = divmod(point, size)
            table[size, point] = CELLS + (row + 1) * (size + 1) + 1 + column
    return table


CELL_OF = _cell_table()


class Options(NamedTuple):
    """The declared options, as integers."""

    size: int
    pie: int
    no_centre_first: int


@kernel
def setup(state: StateArray, options: Options) -> None:
    """The empty board within its green rim."""
    size = options.size
    state[SIZE] = size
    state[PIE] = options.pie
    state[NO_CENTRE] = options.no_centre_first
    state[COLOUR] = RED  # R2.1
    state[RED_SEAT] = 0
    state[FREE_LEFT] = size * size
    state[FREE_LIST] = CELLS + (size + 2) * (size + 1) + 1
    state[CELLS : state[FREE_LIST]] = GREEN
    for point in range(size * size):
        state[CELL_OF[size, point]] = FREE
    rebuild_cache(state)


@kernel
def rebuild_cache(state: StateArray) -> None:
    """Writes the memo: the free points, ascending."""
    size = int(state[SIZE])
    free_list = int(state[FREE_LIST])
    places = free_list + size * size
    state[free_list:] = 0
    place = 0
    for point in range(size * size):
        if state[CELL_OF[size, point]] == FREE:
            state[free_list + place] = point
            state[places + point] = place
            place += 1


@kernel
def connections(state: StateArray, cell: int) -> int:
    """How many neighbours of a cell hold a stone, of whatever colour (R3.1)."""
    stride = state[SIZE] + 1
    count = int(state[np.uint64(cell - 1)] != FREE)
    count += int(state[np.uint64(cell + 1)] != FREE)
    count += int(state[np.uint64(cell - stride)] != FREE)
    count += int(state[np.uint64(cell + stride)] != FREE)
    return count


@kernel
def all_connections(state: StateArray, out: ActionArray) -> None:
    """For each point, how many connections a stone on it would make; -1 where one lies (R3.1)."""
    size = int(state[SIZE])
    for point in range(size * size):
        cell = int(CELL_OF[size, point])
        out[point] = connections(state, cell) if state[cell] == FREE else -1


@kernel
def to_move(state: StateArray) -> int:
    """The seat of the colour that is next; OVER when no point is free (R4.1)."""
    if state[FREE_LEFT] == 0:
        return OVER
    return seat_of(state, state[COLOUR])


@kernel
def seat_of(state: StateArray, colour: int) -> int:
    """The seat that plays a colour."""
    # Compared with 0, so that the compiler sees: this is 0 or 1, never OVER.
    return int(state[RED_SEAT] != 0) ^ int(colour == BLUE)


@kernel
def may_swap(state: StateArray) -> bool:
    """Whether the pie rule offers the swap: one stone lies, and there was none yet (R5.1, R5.3)."""
    size = int(state[SIZE])
    return bool(
        state[PIE] != 0
        and state[FREE_LEFT] == size * size - 1
        and state[RED_SEAT] == 0
        and state[COLOUR] == BLUE
    )


@kernel
def is_centre_barred(state: StateArray) -> bool:
    """Whether the centre is closed because this is the very first stone (R6.1)."""
    size = int(state[SIZE])
    return bool(state[NO_CENTRE] != 0 and state[FREE_LEFT] == size * size)


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """Every free point (R2.3), less the centre for a first stone by R6.1, and the swap (R5.1)."""
    if state[FREE_LEFT] == 0:
        return 0
    size = int(state[SIZE])
    count = 0
    for point in range(size * size):
        # Written always and counted if free: no branch to mispredict.
        out[np.uint64(count)] = point
        count += int(state[CELL_OF[size, point]] == FREE)
    if is_centre_barred(state):
        count -= 1
        for index in range(size * size // 2, count):
            out[index] = index + 1
    if may_swap(state):
        out[count] = size * size
        count += 1
    return count


@kernel
def sample_action(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """A legal action, each as likely as any other, without listing them all."""
    size = int(state[SIZE])
    free = int(state[FREE_LEFT])
    is_opening = free >= size * size - 1  # Later there is nothing but the free points to draw.
    choices = free
    if is_opening:
        choices += int(may_swap(state)) - int(is_centre_barred(state))
    place = next_below(rng, choices)
    if is_opening:
        if place == free:
            return size * size
        if is_centre_barred(state) and place >= size * size // 2:
            place += 1  # On the empty board the free list is in order.
    return int(state[np.uint64(state[FREE_LIST] + place)])


@kernel
def apply(state: StateArray, action: int) -> None:
    """A stone of the colour that is next, or the swap of colours."""
    size = int(state[SIZE])
    if action == size * size:
        state[RED_SEAT] = 1  # R5.2: the colour to move stays, its player changes.
        return
    cell = int(CELL_OF[np.uint64(size), np.uint64(action)])
    colour = int(state[COLOUR])
    # The neighbours are read before anything is written, or they would wait for the writes.
    moves_again = connections(state, cell) >= CONNECTIONS_TO_MOVE_AGAIN  # R3.2
    _forget_free_point(state, action)
    state[np.uint64(cell)] = colour
    state[COLOUR] = colour if moves_again else RED + BLUE - colour


@kernel
def _forget_free_point(state: StateArray, point: int) -> None:
    """Takes a point off the free list: the last one of the list gets its place."""
    size = int(state[SIZE])
    left = int(state[FREE_LEFT]) - 1
    state[FREE_LEFT] = left
    free_list = int(state[FREE_LIST])
    places = free_list + size * size
    place = state[np.uint64(places + point)]
    last = state[np.uint64(free_list + left)]
    state[np.uint64(free_list + int(place))] = last
    state[np.uint64(places + int(last))] = place


@kernel
def count_stones(state: StateArray, colour: int) -> int:
    """How many stones of a colour lie on the board."""
    stones = 0
    for index in range(CELLS, int(state[FREE_LIST])):
        stones += int(state[index] == colour)
    return stones


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """More stones win; the number of points is odd, so there is no draw (R4.2)."""
    red = seat_of(state, RED)
    gain = 1.0 if count_stones(state, RED) > count_stones(state, BLUE) else -1.0
    out[red] = gain
    out[1 - red] = -gain
