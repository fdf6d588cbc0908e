"""The rules of Flume as kernels. Paragraphs (R2.1 ...) are those of RULES.md."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from watermeet.core.contract import (
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
)
from watermeet.core.kernel import kernel
from watermeet.core.rng import next_below
from watermeet.games.flume import layout

CONNECTIONS_TO_MOVE_AGAIN = 3  # R3.2


class Options(NamedTuple):
    """The declared options, as integers."""

    size: int
    pie: int
    no_centre_first: int


@kernel
def setup(state: StateArray, options: Options) -> None:
    """The empty board within its green rim."""
    size = options.size
    state[layout.SIZE] = size
    state[layout.PIE] = options.pie
    state[layout.NO_CENTRE] = options.no_centre_first
    state[layout.COLOUR] = layout.RED  # R2.1
    state[layout.RED_SEAT] = 0
    state[layout.FREE_LEFT] = size * size
    state[layout.FREE_LIST] = layout.CELLS + (size + 2) * (size + 1) + 1
    state[layout.CELLS : state[layout.FREE_LIST]] = layout.GREEN
    for point in range(size * size):
        state[layout.CELL_OF[size, point]] = layout.FREE
    rebuild_cache(state)


@kernel
def rebuild_cache(state: StateArray) -> None:
    """Writes the free points into the cache, ascending."""
    size = int(state[layout.SIZE])
    free_list = int(state[layout.FREE_LIST])
    places = free_list + size * size
    state[free_list:] = 0
    place = 0
    for point in range(size * size):
        if state[layout.CELL_OF[size, point]] == layout.FREE:
            state[free_list + place] = point
            state[places + point] = place
            place += 1


@kernel
def connections(state: StateArray, cell: int) -> int:
    """How many connections a stone on a cell makes: neighbours of any colour, green too (R3.1)."""
    return neighbours(state, cell, int(state[layout.SIZE]) + 1)


@kernel
def neighbours(state: StateArray, cell: int, stride: int) -> int:
    """How many of the four cells around a cell are taken; ``stride`` leads to the next row."""
    count = int(state[np.uint64(cell - 1)] != layout.FREE)
    count += int(state[np.uint64(cell + 1)] != layout.FREE)
    count += int(state[np.uint64(cell - stride)] != layout.FREE)
    count += int(state[np.uint64(cell + stride)] != layout.FREE)
    return count


@kernel
def all_connections(state: StateArray, out: ActionArray) -> None:
    """For each point, the connections that a stone there would make (R3.1); -1 if it is taken."""
    size = int(state[layout.SIZE])
    for point in range(size * size):
        cell = int(layout.CELL_OF[size, point])
        out[point] = connections(state, cell) if state[cell] == layout.FREE else -1


@kernel
def to_move(state: StateArray) -> int:
    """The seat of the colour to move; OVER when no point is free (R4.1)."""
    if state[layout.FREE_LEFT] == 0:
        return OVER
    return seat_of(state, state[layout.COLOUR])


@kernel
def seat_of(state: StateArray, colour: int) -> int:
    """The seat that plays a colour."""
    # Comparing with 0 shows the compiler that the result is 0 or 1, never OVER.
    return int(state[layout.RED_SEAT] != 0) ^ int(colour == layout.BLUE)


@kernel
def may_swap(state: StateArray) -> bool:
    """Whether the player to move may swap: after the first stone, and only once (R5.1, R5.3)."""
    size = int(state[layout.SIZE])
    return bool(
        state[layout.PIE] != 0
        and state[layout.FREE_LEFT] == size * size - 1
        and state[layout.RED_SEAT] == 0
        and state[layout.COLOUR] == layout.BLUE
    )


@kernel
def is_centre_barred(state: StateArray) -> bool:
    """Whether the centre is barred because this is the first stone (R6.1)."""
    size = int(state[layout.SIZE])
    return bool(state[layout.NO_CENTRE] != 0 and state[layout.FREE_LEFT] == size * size)


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """Every free point (R2.3), except a barred centre (R6.1), and the swap (R5.1)."""
    if state[layout.FREE_LEFT] == 0:
        return 0
    size = int(state[layout.SIZE])
    count = 0
    for point in range(size * size):
        # Always written, but counted only if free: no branch to mispredict.
        out[np.uint64(count)] = point
        count += int(state[layout.CELL_OF[size, point]] == layout.FREE)
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
    """A uniformly random legal action, without listing them all."""
    size = int(state[layout.SIZE])
    free = int(state[layout.FREE_LEFT])
    is_opening = free >= size * size - 1  # Later only free points are legal.
    choices = free
    if is_opening:
        choices += int(may_swap(state)) - int(is_centre_barred(state))
    place = next_below(rng, choices)
    if is_opening:
        if place == free:
            return size * size
        if is_centre_barred(state) and place >= size * size // 2:
            place += 1  # On the empty board the free list is sorted.
    return int(state[np.uint64(state[layout.FREE_LIST] + place)])


@kernel
def apply(state: StateArray, action: int) -> None:
    """Places a stone of the colour to move, or swaps colours."""
    size = int(state[layout.SIZE])
    if action == size * size:
        state[layout.RED_SEAT] = 1  # R5.2: blue is still to move, but its player changes.
        return
    cell = int(layout.CELL_OF[np.uint64(size), np.uint64(action)])
    colour = int(state[layout.COLOUR])
    # Read the neighbours before writing anything: otherwise the loads wait for the stores.
    moves_again = connections(state, cell) >= CONNECTIONS_TO_MOVE_AGAIN  # R3.2
    _remove_free_point(state, action)
    state[np.uint64(cell)] = colour
    state[layout.COLOUR] = colour if moves_again else layout.RED + layout.BLUE - colour


@kernel
def _remove_free_point(state: StateArray, point: int) -> None:
    """Removes a point from the free list; the last one takes its place."""
    size = int(state[layout.SIZE])
    left = int(state[layout.FREE_LEFT]) - 1
    state[layout.FREE_LEFT] = left
    free_list = int(state[layout.FREE_LIST])
    places = free_list + size * size
    place = state[np.uint64(places + point)]
    last = state[np.uint64(free_list + left)]
    state[np.uint64(free_list + int(place))] = last
    state[np.uint64(places + int(last))] = place


@kernel
def count_stones(state: StateArray, colour: int) -> int:
    """How many stones of a colour are on the board."""
    stones = 0
    for index in range(layout.CELLS, int(state[layout.FREE_LIST])):
        stones += int(state[index] == colour)
    return stones


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """The colour with more stones wins; the number of points is odd, so nothing is drawn (R4.2)."""
    red = seat_of(state, layout.RED)
    gain = 1.0 if count_stones(state, layout.RED) > count_stones(state, layout.BLUE) else -1.0
    out[red] = gain
    out[1 - red] = -gain
