"""Canonical keys: equal positions of Flume have the same key, and different ones never do.

A core is the disjoint union of its regions (connected components), and it doesn't matter where on
the board a region is or how it is turned. So a position is a multiset of shapes, and its *key* is
an integer that stands for exactly that multiset: it is not a hash and can't collide.

The key of a region:

    below 2^55           the shape, one bit per point in rows of eight; the least of its 8 images
    LOOP + n             a loop of n points, whatever its shape
    LABELLED + labels    a region wider or higher than seven points: its points in this graph

The key of several regions, in ascending order, is PAIR + the number of an interned pair: the key of
all regions but the last, and the key of the last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.kernel import kernel
from watermeet.games.flume.two_core import LABEL_OF, Graph, Int64Array

LOOP = 1 << 60
PAIR = 1 << 61
LABELLED = 1 << 62
LONGEST_SIDE = 7  # Of a shape that fits a key: seven rows of eight bits leave the sign bit clear.


class PairTable(NamedTuple):
    """Interned pairs: pairs by number, and a hash table that finds the number of a pair."""

    pairs: Int64Array  # [capacity, 2]; number 0 isn't used
    slots: npt.NDArray[np.int32]  # [a power of two above the capacity]: a number, 0 if empty
    used: Int64Array  # [1]: the highest number in use


@kernel
def mix_hash(word: int) -> int:
    """A hash whose low bits depend on all bits of ``word``.

    The factors are odd, and small enough that no product reaches the sign bit.
    """
    mixed = ((word & 0x7FFFFFFF) * 1640531527) ^ ((word >> 31) * 668265263)
    mixed ^= mixed >> 29
    mixed = ((mixed & 0x7FFFFFFF) * 1103515245) ^ (mixed >> 17)
    return mixed ^ (mixed >> 23)


@kernel
def flip_rows(shape: int) -> int:
    """Reverses the order of the seven rows of eight bits."""
    upper = (shape >> 48 & 0xFF) | (shape >> 32 & 0xFF00) | (shape >> 16 & 0xFF0000)
    lower = (shape & 0xFF) << 48 | (shape & 0xFF00) << 32 | (shape & 0xFF0000) << 16
    return upper | lower | (shape & 0xFF000000)


@kernel
def flip_columns(shape: int) -> int:
    """Reverses the eight bits of each row."""
    shape = (shape >> 1 & 0x55555555555555) | (shape & 0x55555555555555) << 1
    shape = (shape >> 2 & 0x33333333333333) | (shape & 0x33333333333333) << 2
    return (shape >> 4 & 0x0F0F0F0F0F0F0F) | (shape & 0x0F0F0F0F0F0F0F) << 4


@kernel
def transpose(shape: int) -> int:
    """Swaps rows and columns, in blocks of two by two, then four by four, then eight by eight."""
    change = (shape ^ (shape >> 7)) & 0x00AA00AA00AA00AA
    shape ^= change ^ (change << 7)
    change = (shape ^ (shape >> 14)) & 0x0000CCCC0000CCCC
    shape ^= change ^ (change << 14)
    change = (shape ^ (shape >> 28)) & 0x00000000F0F0F0F0
    return shape ^ change ^ (change << 28)


@kernel
def canonical_form(shape: int, height: int, width: int) -> int:
    """The least of a shape's eight images, each shifted to row 0 and column 0."""
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
    """The connected component of a point in a core."""
    region = bit
    ahead = bit
    while ahead:
        point = ahead & -ahead
        near = neighbours[LABEL_OF[point % 67]] & core & ~region
        ahead = (ahead ^ point) | near
        region |= near
    return region


@kernel
def region_key(region: int, graph: Graph) -> int:
    """The key of a region; images of each other have the same key if they fit one."""
    top, bottom, first, last = -1, 99, 99, -1
    size = 0
    is_loop = True
    left = region
    while left:
        point = left & -left
        left ^= point
        label = LABEL_OF[point % 67]
        near = graph.neighbours[label] & region
        near &= near - 1
        is_loop = is_loop and near & (near - 1) == 0
        size += 1
        top = max(top, graph.rows[label])
        bottom = min(bottom, graph.rows[label])
        first = min(first, graph.columns[label])
        last = max(last, graph.columns[label])
    if is_loop:
        return LOOP + size
    if max(top - bottom, last - first) >= LONGEST_SIDE:
        return LABELLED + region
    shape = 0
    left = region
    while left:
        point = left & -left
        left ^= point
        label = LABEL_OF[point % 67]
        shape |= 1 << ((graph.rows[label] - bottom) * 8 + graph.columns[label] - first)
    return canonical_form(shape, top - bottom + 1, last - first + 1)


@kernel
def intern_pair(key: int, word: int, pair_table: PairTable) -> int:
    """The number of a pair; a new pair gets the next one."""
    last_slot = len(pair_table.slots) - 1
    slot = mix_hash(mix_hash(key) ^ word) & last_slot
    while pair_table.slots[slot] != 0:
        number = pair_table.slots[slot]
        if pair_table.pairs[number, 0] == key and pair_table.pairs[number, 1] == word:
            return int(number)
        slot = (slot + 1) & last_slot
    pair_table.used[0] += 1
    number = pair_table.used[0]
    pair_table.slots[slot] = number
    pair_table.pairs[number, 0] = key
    pair_table.pairs[number, 1] = word
    return int(number)


@kernel
def rehash_pairs(source: PairTable, target: PairTable) -> None:
    """Copies all pairs, with their numbers, to a larger empty table."""
    for number in range(1, source.used[0] + 1):
        intern_pair(source.pairs[number, 0], source.pairs[number, 1], target)


@kernel
def canonical_key(core: int, graph: Graph, pair_table: PairTable) -> int:
    """The key of a core that isn't empty; never 0."""
    words = graph.scratch
    count = 0
    while core:
        region = region_of(core & -core, core, graph.neighbours)
        core ^= region
        word = region_key(region, graph)
        place = count
        while place > 0 and words[place - 1] > word:
            words[place] = words[place - 1]
            place -= 1
        words[place] = word
        count += 1
    key = int(words[0])
    for place in range(1, count):
        key = PAIR + intern_pair(key, int(words[place]), pair_table)
    return key
