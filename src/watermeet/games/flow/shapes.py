"""Shapes: the rotations of each kind of tile, with their open edges as lookup tables for kernels.

Edges are 0 N, 1 E, 2 S, 3 W. Shapes are numbered kind by kind, each kind clockwise.
"""

from __future__ import annotations

import numpy as np

from watermeet.games.flow.tile_sets import KINDS, TILE_SETS

EDGES = 4
EDGE_LETTERS = "NESW"
FIRST_EDGES = {"straight": "NS", "bend": "NE", "cross": "NESW", "obstacle": "N", "tee": "NES"}
STRAIGHT, BEND, CROSS, OBSTACLE, TEE = range(len(KINDS))


def turned(edges: str, turns: int) -> str:
    """The edges after a number of quarter turns clockwise, in the order N, E, S, W.

    >>> turned("NE", 3), turned("NES", 1)
    ('NW', 'ESW')
    """
    places = {(EDGE_LETTERS.index(edge) + turns) % EDGES for edge in edges}
    return "".join(EDGE_LETTERS[place] for place in sorted(places))


def _shapes() -> list[tuple[int, str]]:
    found: dict[tuple[int, str], None] = {}
    for kind, name in enumerate(KINDS):
        for turns in range(EDGES):
            found[kind, turned(FIRST_EDGES[name], turns)] = None
    return list(found)


SHAPES = tuple(_shapes())
"""By number: the kind and the open edges."""
SHAPE_COUNT = len(SHAPES)

SHAPE_KIND = np.array([kind for kind, _ in SHAPES])
SHAPE_EDGES = np.array([sum(1 << EDGE_LETTERS.index(e) for e in edges) for _, edges in SHAPES])
FIRST_SHAPE = np.array(
    [next(n for n, (kind, _) in enumerate(SHAPES) if kind == k) for k in range(len(KINDS))]
    + [SHAPE_COUNT]
)
JOINS = np.array(
    [
        [kind != OBSTACLE and tiles[KINDS[kind]] > 0 for kind, _ in SHAPES]
        for tiles in TILE_SETS.values()
    ]
)
"""By tile set and shape: whether the set has that kind, and water runs through it."""
