"""The tiles of Flows: which edges each joins, and what may lie together in one cell.

A *pair* is a strand's two edges; the 15 pairs have numbers, and a set of pairs is a mask of 15
bits. A *filling* is a type with a turn; the 14 different ones (R1.6) have numbers, those of T0
first.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

EDGES = 6
TYPES = 4
FILLINGS = 14
STRANDS_OF_TYPE = (
    ((0, 2), (1, 4), (3, 5)),
    ((0, 5), (1, 3), (2, 4)),
    ((0, 5), (1, 4), (2, 3)),
    ((0, 5), (1, 2), (3, 4)),
)  # R1.5
TURNS_OF_TYPE = (3, 6, 3, 2)
PAIRS = tuple(combinations(range(EDGES), 2))
EVERY_PAIR = (1 << len(PAIRS)) - 1

Strands = tuple[tuple[int, int], ...]


def turned(strands: Strands, turns: int) -> Strands:
    """The strands of a tile that is turned clockwise by some edges.

    >>> turned(STRANDS_OF_TYPE[1], 2)
    ((0, 4), (1, 2), (3, 5))
    """
    moved = (((a + turns) % EDGES, (b + turns) % EDGES) for a, b in strands)
    return tuple(sorted((min(pair), max(pair)) for pair in moved))


def filling_number(kind: int, turns: int) -> int:
    """The number of a type's filling; turns that give the same strands have the same number.

    >>> filling_number(0, 1), filling_number(0, 4), filling_number(3, 1)
    (1, 1, 13)
    """
    return sum(TURNS_OF_TYPE[:kind]) + turns % TURNS_OF_TYPE[kind]


FILLING_TYPES = tuple(kind for kind in range(TYPES) for _ in range(TURNS_OF_TYPE[kind]))
FILLING_TURNS = tuple(turns for kind in range(TYPES) for turns in range(TURNS_OF_TYPE[kind]))
FILLING_STRANDS = tuple(
    turned(STRANDS_OF_TYPE[kind], turns)
    for kind, turns in zip(FILLING_TYPES, FILLING_TURNS, strict=True)
)


def _pair_mask(pairs: Strands) -> int:
    return sum(1 << PAIRS.index(pair) for pair in pairs)


def _clashing(pair: tuple[int, int]) -> Strands:
    """The pairs that no tile has together with this one, itself included (R5.4)."""
    straight = pair[1] - pair[0] == 3
    return tuple(
        other
        for other in PAIRS
        if set(other) & set(pair) or (straight and other[1] - other[0] == 3)
    )


# The same for kernels.
FIRST_FILLING = np.array([filling_number(kind, 0) for kind in range(TYPES)] + [FILLINGS])
KIND_OF_FILLING = np.array(FILLING_TYPES)
FILLING_MASK = np.array([_pair_mask(strands) for strands in FILLING_STRANDS])
"""By filling: its three pairs."""
ALL_FILLINGS = np.array([sum(1 << n for n in range(FILLINGS) if FILLING_TYPES[n] == kind)
                         for kind in range(TYPES)])  # fmt: skip
"""By type: its fillings as bits."""
MATE = np.array(
    [[next(a + b - edge for a, b in strands if edge in (a, b)) for edge in range(EDGES)]
     for strands in FILLING_STRANDS]
)  # fmt: skip
"""By filling and edge: the edge at the other end of the strand."""
PAIR_NUMBER = np.array(
    [[PAIRS.index((min(a, b), max(a, b))) if a != b else -1 for b in range(EDGES)]
     for a in range(EDGES)]
)  # fmt: skip
PAIR_LOW = np.array([a for a, _ in PAIRS])
PAIR_HIGH = np.array([b for _, b in PAIRS])
PAIRS_AT_EDGE = np.array(
    [_pair_mask(tuple(pair for pair in PAIRS if edge in pair)) for edge in range(EDGES)]
)
CLASHES = np.array([_pair_mask(_clashing(pair)) for pair in PAIRS])
