"""Random numbers inside kernels: the same in both faces, uniform, and well seeded."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from watermeet.core.kernel import plain_python
from watermeet.core.rng import next_below, next_weighted, next_word, seeded


def test_compiled_and_plain_numbers_are_the_same() -> None:
    compiled, plain = seeded("same"), seeded("same")
    with plain_python():
        expected = [int(next_word(plain)) for _ in range(1000)]
    assert [int(next_word(compiled)) for _ in range(1000)] == expected
    assert compiled[0] == plain[0]


def test_the_generator_is_the_published_one() -> None:
    """x' = low * A + carry, and the word is low xor carry."""
    rng = np.array([(5 << 32) | 7], dtype=np.uint64)
    assert next_word(rng) == 5 ^ 7
    assert int(rng[0]) == 7 * 4294883355 + 5


@pytest.mark.parametrize("count", [1, 2, 3, 49, 1000])
def test_numbers_are_uniform(count: int) -> None:
    rng = seeded(count)
    tries = 200 * min(count, 100)
    drawn = [next_below(rng, count) for _ in range(tries)]
    assert min(drawn) >= 0
    assert max(drawn) < count
    if count <= 49:
        assert max(abs(n - 200) for n in Counter(drawn).values()) < 200 * 0.5
        assert len(set(drawn)) == count


def test_biased_numbers_are_rejected() -> None:
    """With a span of three quarters of the range, a third of the words must be drawn again."""
    span = 3 << 30
    counts = []
    with plain_python():
        rng, mirror = seeded("reject"), seeded("reject")
        for _ in range(300):
            next_below(rng, span)
            words = 0
            while mirror[0] != rng[0]:
                next_word(mirror)
                words += 1
            counts.append(words)
    assert 1.2 < sum(counts) / len(counts) < 1.5


def test_samples_follow_the_weights() -> None:
    rng = seeded("weights")
    weights = np.array([0.5, 0.25, 0.25, 99.0])  # Weights past the count are ignored.
    drawn = Counter(next_weighted(rng, weights, 3) for _ in range(4000))
    assert set(drawn) == {0, 1, 2}
    assert abs(drawn[0] - 2000) < 200
    assert abs(drawn[1] - 1000) < 160


def test_seeds_differ() -> None:
    starts = {int(seeded(seed)[0]) for seed in range(1000)}
    assert len(starts) == 1000
    assert all(0 < start >> 32 < 4294883355 for start in starts)
