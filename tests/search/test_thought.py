"""Choosing softly."""

from __future__ import annotations

import random
from collections import Counter

from watermeet.search.thought import Candidate, Thought

THOUGHT = Thought(
    (
        Candidate(3, 0.5, 1000, 0.2),
        Candidate(5, 0.4, 600, 0.2),
        Candidate(7, -0.5, 300, 0.2),
        Candidate(9, 0.9, 1, 0.4),
    ),
    (3, 5),
    1901,
    1.0,
)


def chosen(softness: float) -> Counter[int]:
    rng = random.Random(4)
    return Counter(THOUGHT.choose(softness, rng) for _ in range(4000))


def test_who_is_not_soft_takes_the_best() -> None:
    assert chosen(0.0) == Counter({3: 4000})


def test_what_is_worse_by_the_softness_is_taken_a_third_as_often() -> None:
    counts = chosen(0.1)
    for_each_look = counts[5] / counts[3] / 0.6  # It was looked at 0.6 times as often.
    assert 0.33 < for_each_look < 0.41
    assert counts[7] < 10, "what loses much is hardly ever taken"


def test_who_does_not_care_takes_what_was_looked_at_most() -> None:
    counts = chosen(1e9)
    for candidate in THOUGHT.candidates:
        assert abs(counts[candidate.action] / 4000 - candidate.visits / 1901) < 0.03


def test_what_looks_good_at_one_look_is_hardly_taken() -> None:
    assert chosen(0.1)[9] < 200
    assert chosen(2.0)[9] < 10
