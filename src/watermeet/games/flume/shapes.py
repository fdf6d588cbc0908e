"""Shapes: a position of Flume under a name that all its equals share, and no other position has.

Regions of a core that do not touch are independent, and it does not matter where on the board a
region lies or how it is turned. So a position is a multiset of shapes, and its *key* a whole number
that stands for exactly that multiset: nothing here is a hash that could collide.

The word of a region:

    below 2^55           the shape, one bit a point, rows of eight, turned so that it is lowest
    RING + n             a ring of n points, whatever way it takes
    LABELLED + labels    a region wider or higher than seven points: which points, within this graph

The key of one region is its word; that of several is PAIR + the number of a pair in a register: the
key of all regions but the last, and the word of that one, by ascending words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.kernel import kernel
from watermeet.games.flume.cores import LABEL_OF, Graph, Int64Array

RING = 1 << 60
PAIR = 1 << 61
LABELLED = 1 << 62
LONGEST_SIDE = 7  # Of a shape that fits into a word: seven rows of eight bits leave the sign clear.


class Register(NamedTuple):
    """Pairs by their number, and a hash table that finds the number of a pair."""

    pairs: Int64Array  # [capacity, 2], from number 1 on
    slots: npt.NDArray[np.int32]  # [a power of two above the capacity]: a number, 0 if none
    used: Int64Array  # [1]: the highest number given


@kernel
def scatter(word: int) -> int:
    """A number whose low bits depend on all bits of ``word``: where to look in a table.

    The factors are odd and so small that no product reaches the sign; no more is asked of them.
    """
    mixed = ((word & 0x7FFFFFFF) * 1640531527) ^ ((word >> 31) * 668265263)
    mixed ^= mixed >> 29
    mixed = ((mixed & 0x7FFFFFFF) * 1103515245) ^ (mixed >> 17)
    return mixed ^ (mixed >> 23)


@kernel
def flip_rows(shape: int) -> int:
    """Upside down: seven rows of eight bits in the opposite order."""
    upper = (shape >> 48 & 0xFF) | (shape >> 32 & 0xFF00) | (shape >> 16 & 0xFF0000)
    lower = (shape & 0xFF) << 48 | (shape & 0xFF00) << 32 | (shape & 0xFF0000) << 16
    return upper | lower | (shape & 0xFF000000)


@kernel
def flip_columns(shape: int) -> int:
    """Left for right: the eight bits of each row in the opposite order."""
    shape = (shape >> 1 & 0x55555555555555) | (shape & 0x55555555555555) << 1
    shape = (shape >> 2 & 0x33333333333333) | (shape & 0x33333333333333) << 2
    return (shape >> 4 & 0x0F0F0F0F0F0F0F) | (shape & 0x0F0F0F0F0F0F0F) << 4


@kernel
def transpose(shape: int) -> int:
    """Rows for columns: in blocks of two by two, then of four by four, then of eight by eight."""
    change = (shape ^ (shape >> 7)) & 0x00AA00AA00AA00AA
    shape ^= change ^ (change << 7)
    change = (shape ^ (shape >> 14)) & 0x0000CCCC0000CCCC
    shape ^= change ^ (change << 14)
    change = (shape ^ (shape >> 28)) & 0x00000000F0F0F0F0
    return shape ^ change ^ (change << 28)


@kernel
def lowest_image(shape: int, height: int, width: int) -> int:
    """The lowest of a shape's eight images, each of them moved to row 0 and column 0."""
    upside_down = flip_rows(shape) >> (8 * (LONGEST_SIDE - height))
    mirrored = flip_columns(shape) >> (8 - width)
    turned = flip_columns(upside_down) >> (8 - width)
    return min(
        shape,
        upside_down,
        mirrored,
        turned,
        transpose(shape),
        transpose(upside_down),
        transpose(mirrored),
        transpose(turned),
    )


@kernel
def region_of(bit: int, core: int, neighbours: Int64Array) -> int:
    """The region of a core around one point: all that is joined to it."""
    region = bit
    ahead = bit
    while ahead:
        point = ahead & -ahead
        near = neighbours[LABEL_OF[point % 67]] & core & ~region
        ahead = (ahead ^ point) | near
        region |= near
    return region


@kernel
def word_of(region: int, graph: Graph) -> int:
    """The word of a region; equal for regions that are images of each other, if they fit a word."""
    top, bottom, first, last = -1, 99, 99, -1
    size = 0
    is_ring = True
    left = region
    while left:
        point = left & -left
        left ^= point
        label = LABEL_OF[point % 67]
        near = graph.neighbours[label] & region
        near &= near - 1
        is_ring = is_ring and near & (near - 1) == 0
        size += 1
        top = max(top, graph.rows[label])
        bottom = min(bottom, graph.rows[label])
        first = min(first, graph.columns[label])
        last = max(last, graph.columns[label])
    if is_ring:
        return RING + size
    if max(top - bottom, last - first) >= LONGEST_SIDE:
        return LABELLED + region
    shape = 0
    left = region
    while left:
        point = left & -left
        left ^= point
        label = LABEL_OF[point % 67]
        shape |= 1 << ((graph.rows[label] - bottom) * 8 + graph.columns[label] - first)
    return lowest_image(shape, top - bottom + 1, last - first + 1)


@kernel
def pair_number(key: int, word: int, register: Register) -> int:
    """The number of a pair, which it is given when it is first asked for."""
    last_slot = len(register.slots) - 1
    slot = scatter(scatter(key) ^ word) & last_slot
    while register.slots[slot] != 0:
        number = register.slots[slot]
        if register.pairs[number, 0] == key and register.pairs[number, 1] == word:
            return int(number)
        slot = (slot + 1) & last_slot
    register.used[0] += 1
    number = register.used[0]
    register.slots[slot] = number
    register.pairs[number, 0] = key
    register.pairs[number, 1] = word
    return int(number)


@kernel
def copy_pairs(source: Register, target: Register) -> None:
    """Gives all pairs of one register the same numbers in another one, empty and large enough."""
    for number in range(1, source.used[0] + 1):
        pair_number(source.pairs[number, 0], source.pairs[number, 1], target)


@kernel
def key_of(core: int, graph: Graph, register: Register) -> int:
    """The key of a core that is not empty: never 0, and equal only where the values are."""
    words = graph.room
    count = 0
    while core:
        region = region_of(core & -core, core, graph.neighbours)
        core ^= region
        word = word_of(region, graph)
        place = count
        while place > 0 and words[place - 1] > word:
            words[place] = words[place - 1]
            place -= 1
        words[place] = word
        count += 1
    key = int(words[0])
    for place in range(1, count):
        key = PAIR + pair_number(key, int(words[place]), register)
    return key
