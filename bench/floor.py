"""Random playouts of Flume written by hand: how fast this machine can go if nothing else matters.

The ordinary kernels are held against these. They know one game and nothing of what a game here must
do: no state that anyone else could read, no action chosen from outside, no swap, no seats. Since
random play fills the points in a random order, a playout is a shuffle of the points with a count of
neighbours at each step.

``occupancy_playouts`` keeps only which points are taken, which is all that the turn depends on;
``coloured_playouts`` keeps whose stone lies where, as any real game must. Both return how many of
the matches Red won.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

MULTIPLIER = np.uint64(4294883355)  # MWC64X, the generator of watermeet.core.rng.
LOW_HALF = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ONE = np.uint64(1)
FREE, RED, BLUE, RIM = range(4)


def _compiled(function: F) -> F:
    compiled: F = numba.njit(nogil=True)(function)
    return compiled


@_compiled
def occupancy_playouts(size: int, count: int, seed: int) -> int:
    """Plays ``count`` matches, keeping only which points are taken; returns how many Red won."""
    width = np.uint64(size + 2)  # With the green rim on both sides.
    point_count = size * size
    taken = np.ones((size + 2) * (size + 2), dtype=np.uint8)
    order = np.zeros(point_count, dtype=np.uint16)
    for point in range(point_count):
        order[point] = (point // size + 1) * (size + 2) + point % size + 1
    word = np.uint64(seed)
    red_wins = 0
    for _ in range(count):
        for index in range(point_count):
            taken[order[index]] = 0
        is_blue = 0
        lead = 0
        for index in range(point_count):
            low = word & LOW_HALF
            carry = word >> HALF
            word = low * MULTIPLIER + carry
            # Without the rejection that makes it exact: the error is one part in 10 million.
            drawn = np.uint64(index) + (((low ^ carry) * np.uint64(point_count - index)) >> HALF)
            cell = np.uint64(order[drawn])
            order[drawn] = order[index]
            order[index] = cell
            taken[cell] = 1
            connections = taken[cell - ONE] + taken[cell + ONE]
            connections += taken[cell - width] + taken[cell + width]
            lead += 1 - 2 * is_blue
            is_blue ^= int(connections < 3)
        red_wins += int(lead > 0)
    return red_wins


@_compiled
def coloured_playouts(size: int, count: int, seed: int) -> int:
    """Plays ``count`` matches with the stones' colours on the board; returns how many Red won."""
    width = np.uint64(size + 2)
    point_count = size * size
    cells = np.full((size + 2) * (size + 2), RIM, dtype=np.uint8)
    order = np.zeros(point_count, dtype=np.uint16)
    for point in range(point_count):
        order[point] = (point // size + 1) * (size + 2) + point % size + 1
    word = np.uint64(seed)
    red_wins = 0
    for _ in range(count):
        for index in range(point_count):
            cells[order[index]] = FREE
        colour = RED
        lead = 0
        for index in range(point_count):
            low = word & LOW_HALF
            carry = word >> HALF
            word = low * MULTIPLIER + carry
            drawn = np.uint64(index) + (((low ^ carry) * np.uint64(point_count - index)) >> HALF)
            cell = np.uint64(order[drawn])
            order[drawn] = order[index]
            order[index] = cell
            connections = int(cells[cell - ONE] != FREE) + int(cells[cell + ONE] != FREE)
            connections += int(cells[cell - width] != FREE) + int(cells[cell + width] != FREE)
            cells[cell] = colour
            lead += RED + BLUE - 2 * colour  # 1 for a red stone, -1 for a blue one.
            colour = colour if connections >= 3 else RED + BLUE - colour
        red_wins += int(lead > 0)
    return red_wins
