"""Sets of pairs, looked up instead of looped over.

For every cell that it enters, the search for a route asks by which edges it can leave again. Loops
over pairs would branch on each, which costs more than the rest of the search. A set of pairs has 15
bits, so every table comes in two halves that stay in the processor's cache: one by the low 8 bits,
one by the high 7.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from watermeet.core.kernel import kernel
from watermeet.games.flows.tiles import (
    CLASHES,
    EDGES,
    EVERY_ORIENTATION,
    ORIENTATIONS_WITH,
    PAIRS,
)

_LOW_BITS = 8
_LOW = (1 << _LOW_BITS) - 1


def _unions(of_pairs: Sequence[int]) -> npt.NDArray[np.int16]:
    """By set of some pairs, as bits: the union of what each of them stands for."""
    unions = [0]
    for bits in of_pairs:
        unions += [union | bits for union in unions]
    return np.array(unions, dtype=np.int16)


def _exits(pair: tuple[int, int], edge: int) -> int:
    """Where a pair leads from an edge, as bits."""
    return sum(1 << other for other in pair if edge in pair and other != edge)


_EXITS_LOW = np.array(
    [_unions([_exits(pair, edge) for pair in PAIRS[:_LOW_BITS]]) for edge in range(EDGES)]
)
_EXITS_HIGH = np.array(
    [_unions([_exits(pair, edge) for pair in PAIRS[_LOW_BITS:]]) for edge in range(EDGES)]
)
_CLASHES_LOW = _unions(CLASHES[:_LOW_BITS].tolist())
_CLASHES_HIGH = _unions(CLASHES[_LOW_BITS : len(PAIRS)].tolist())
_HAVING_LOW = _unions(ORIENTATIONS_WITH[:_LOW_BITS].tolist())
_HAVING_HIGH = _unions(ORIENTATIONS_WITH[_LOW_BITS:].tolist())
_WITHOUT = [EVERY_ORIENTATION & ~int(having) for having in ORIENTATIONS_WITH]
_WITHOUT_LOW, _WITHOUT_HIGH = _unions(_WITHOUT[:_LOW_BITS]), _unions(_WITHOUT[_LOW_BITS:])


@kernel
def exits_from(edge: int, pairs: int) -> int:
    """The edges by which some pairs leave a cell that is entered by an edge, as bits."""
    row, low, high = np.uint64(edge), np.uint64(pairs & _LOW), np.uint64(pairs >> _LOW_BITS)
    return int(_EXITS_LOW[row, low]) | int(_EXITS_HIGH[row, high])


@kernel
def clashes_with(pairs: int) -> int:
    """The pairs that clash with one of these, as bits: CLASHES of all of them."""
    low, high = np.uint64(pairs & _LOW), np.uint64(pairs >> _LOW_BITS)
    return int(_CLASHES_LOW[low]) | int(_CLASHES_HIGH[high])


@kernel
def orientations_with(pairs: int) -> int:
    """The orientations that have all these pairs, as bits."""
    low, high = np.uint64(pairs & _LOW), np.uint64(pairs >> _LOW_BITS)
    return EVERY_ORIENTATION & ~(int(_WITHOUT_LOW[low]) | int(_WITHOUT_HIGH[high]))


@kernel
def orientations_with_any(pairs: int) -> int:
    """The orientations that have at least one of these pairs, as bits."""
    low, high = np.uint64(pairs & _LOW), np.uint64(pairs >> _LOW_BITS)
    return int(_HAVING_LOW[low]) | int(_HAVING_HIGH[high])
