"""Keys of Flume positions are equal exactly when the shapes are."""

from __future__ import annotations

import random

import pytest

from watermeet.core.squaregrid import neighbours, symmetries
from watermeet.games.flume import core_search
from watermeet.games.flume.canonical_keys import LOOP, canonical_key, intern_pair, rehash_pairs
from watermeet.games.flume.two_core import peel


def shapes_of(core: set[int], size: int) -> str:
    """The multiset of a core's shapes, by definition, as a text."""
    shapes = []
    while core:
        region: set[int] = set()
        ahead = {min(core)}
        while ahead:
            region |= ahead
            ahead = {each for p in ahead for each in neighbours(p, size, size)} & core - region
        core = core - region
        images = []
        for symmetry in symmetries(size):
            cells = [divmod(symmetry[point], size) for point in region]
            low, left = min(row for row, _ in cells), min(column for _, column in cells)
            images.append(sorted((row - low, column - left) for row, column in cells))
        degrees = {len(region.intersection(neighbours(point, size, size))) for point in region}
        shapes.append(f"loop {len(region)}" if degrees == {2} else str(min(images)))
    return " + ".join(sorted(shapes))


def cores_of(size: int) -> set[int]:
    """All cores of 4x4, or some of 7x7 in several regions, as bits by number of the point."""
    neighbour_sets = core_search.make_graph(size, range(size * size)).neighbours
    if size == 4:
        return {free for free in range(1, 1 << 16) if peel(free, free, neighbour_sets) == free}
    rng = random.Random(size)
    found = set()
    for _ in range(500):
        free: set[int] = set()
        for _ in range(rng.choice([3, 4, 5])):
            left, bottom = rng.randrange(size - 2), rng.randrange(size - 2)
            corner, width = bottom * size + left, rng.choice([2, 3])
            free |= {corner + row * size + column for row in range(2) for column in range(width)}
        found.add(sum(1 << point for point in free))
    return found


@pytest.mark.compiled
@pytest.mark.parametrize("size", [4, 7])
def test_keys_are_equal_exactly_when_the_shapes_are(size: int) -> None:
    graph = core_search.make_graph(size, range(size * size))
    pair_table = core_search.make_pair_table(1 << 13)
    key_by_shapes: dict[str, int] = {}
    for core in cores_of(size):
        key = canonical_key(core, graph, pair_table)
        shapes = shapes_of({point for point in range(size * size) if core >> point & 1}, size)
        assert key_by_shapes.setdefault(shapes, key) == key
    assert len(set(key_by_shapes.values())) == len(key_by_shapes)
    assert len(key_by_shapes) > {4: 60, 7: 300}[size]


def test_pairs_keep_their_numbers_when_the_register_grows() -> None:
    small, large = core_search.make_pair_table(16), core_search.make_pair_table(32)
    pairs = [(3, 7), (7, 3), (3, 3), (LOOP + 4, LOOP + 4), (1 << 54, 7)]
    numbers = [intern_pair(*pair, small) for pair in pairs]
    assert numbers == [1, 2, 3, 4, 5]
    rehash_pairs(small, large)
    assert [intern_pair(*pair, large) for pair in reversed(pairs)] == [5, 4, 3, 2, 1]
    assert intern_pair(9, 9, large) == 6
