"""The tiles of Flows: which edges they join, and which pairs fit together in one cell.

A *pair* is the two edges of a strand. The 15 pairs are numbered, and a set of pairs is a mask of 15
bits. An *orientation* is a type with a rotation. The 14 different ones (R1.6) are numbered, those
of T0 first.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

EDGES = 6
TYPES = 4
ORIENTATIONS = 14
STRANDS_OF_TYPE = (
    ((0, 2), (1, 4), (3, 5)),
    ((0, 5), (1, 3), (2, 4)),
    ((0, 5), (1, 4), (2, 3)),
    ((0, 5), (1, 2), (3, 4)),
)  # R1.5
ROTATIONS_OF_TYPE = (3, 6, 3, 2)
PAIRS = tuple(combinations(range(EDGES), 2))
EVERY_PAIR = (1 << len(PAIRS)) - 1
EVERY_ORIENTATION = (1 << ORIENTATIONS) - 1

Strands = tuple[tuple[int, int], ...]


def rotated(strands: Strands, rotation: int) -> Strands:
    """The strands of a tile after a rotation, counted in edges, clockwise.

    >>> rotated(STRANDS_OF_TYPE[1], 2)
    ((0, 4), (1, 2), (3, 5))
    """
    moved = (((a + rotation) % EDGES, (b + rotation) % EDGES) for a, b in strands)
    return tuple(sorted((min(pair), max(pair)) for pair in moved))


def orientation_number(kind: int, rotation: int) -> int:
    """The number of a type's orientation; rotations that give the same strands share a number.

    >>> orientation_number(0, 1), orientation_number(0, 4), orientation_number(3, 1)
    (1, 1, 13)
    """
    return sum(ROTATIONS_OF_TYPE[:kind]) + rotation % ROTATIONS_OF_TYPE[kind]


ORIENTATION_TYPES = tuple(kind for kind in range(TYPES) for _ in range(ROTATIONS_OF_TYPE[kind]))
ORIENTATION_ROTATIONS = tuple(
    rotation for kind in range(TYPES) for rotation in range(ROTATIONS_OF_TYPE[kind])
)
ORIENTATION_STRANDS = tuple(
    rotated(STRANDS_OF_TYPE[kind], rotation)
    for kind, rotation in zip(ORIENTATION_TYPES, ORIENTATION_ROTATIONS, strict=True)
)


def _pair_mask(pairs: Strands) -> int:
    return sum(1 << PAIRS.index(pair) for pair in pairs)


def _clashing(pair: tuple[int, int]) -> Strands:
    """The pairs that fit no tile together with this one, itself included (R5.4)."""
    straight = pair[1] - pair[0] == 3
    return tuple(
        other
        for other in PAIRS
        if set(other) & set(pair) or (straight and other[1] - other[0] == 3)
    )


# Tables for kernels.
FIRST_ORIENTATION = np.array(
    [orientation_number(kind, 0) for kind in range(TYPES)] + [ORIENTATIONS]
)
TYPE_OF_ORIENTATION = np.array(ORIENTATION_TYPES)
ORIENTATION_PAIRS = np.array([_pair_mask(strands) for strands in ORIENTATION_STRANDS])
"""By orientation: its three pairs, as bits."""
ORIENTATIONS_WITH = np.array(
    [sum(1 << n for n in range(ORIENTATIONS) if pair in ORIENTATION_STRANDS[n]) for pair in PAIRS]
)
"""By pair: the orientations that have it, as bits."""
ORIENTATIONS_OF_TYPE = np.array(
    [sum(1 << n for n in range(ORIENTATIONS) if ORIENTATION_TYPES[n] == kind)
     for kind in range(TYPES)]
)  # fmt: skip
"""By type: its orientations, as bits."""
MATE = np.array(
    [[next(a + b - edge for a, b in strands if edge in (a, b)) for edge in range(EDGES)]
     for strands in ORIENTATION_STRANDS]
)  # fmt: skip
"""By orientation and edge: the edge at the other end of the strand."""
PAIR_NUMBER = np.array(
    [[PAIRS.index((min(a, b), max(a, b))) if a != b else len(PAIRS) for b in range(EDGES)]
     for a in range(EDGES)]
)  # fmt: skip
PAIR_LOW = np.array([a for a, _ in PAIRS])
PAIR_HIGH = np.array([b for _, b in PAIRS])
PAIRS_AT_EDGE = np.array(
    [_pair_mask(tuple(pair for pair in PAIRS if edge in pair)) for edge in range(EDGES)]
)
CLASHES = np.array([_pair_mask(_clashing(pair)) for pair in PAIRS] + [EVERY_PAIR])
