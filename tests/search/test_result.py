"""Choosing by temperature."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from watermeet.search.result import Candidate, SearchResult

RESULT = SearchResult(
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


def chosen(temperature: float) -> Counter[int]:
    rng = random.Random(4)
    return Counter(RESULT.choose(temperature, rng) for _ in range(4000))


def test_zero_temperature_chooses_the_best_action() -> None:
    assert chosen(0.0) == Counter({3: 4000})


def test_temperature_is_the_value_gap_that_divides_the_odds_by_e() -> None:
    counts = chosen(0.1)
    per_visit = counts[5] / counts[3] / 0.6  # It has 0.6 times the visits.
    assert 0.33 < per_visit < 0.41
    assert counts[7] < 10, "much worse actions are hardly ever chosen"


def test_a_high_temperature_chooses_by_visits() -> None:
    counts = chosen(1e9)
    for candidate in RESULT.candidates:
        assert abs(counts[candidate.action] / 4000 - candidate.visits / 1901) < 0.03


def test_a_good_value_from_one_visit_hardly_counts() -> None:
    assert chosen(0.1)[9] < 200
    assert chosen(2.0)[9] < 10


def test_the_temperature_never_drops_a_proven_win_and_takes_no_proven_loss() -> None:
    rng = random.Random(4)
    wins, loses = Candidate(1, 1.0, 1, 0.1, 120), Candidate(2, -1.0, 5000, 0.1, -120)
    sure = replace(RESULT, candidates=(wins, *RESULT.candidates))
    assert {sure.choose(9.0, rng) for _ in range(100)} == {1}
    risky = replace(RESULT, candidates=(*RESULT.candidates, loses))
    assert 2 not in {risky.choose(9.0, rng) for _ in range(1000)}
    unvisited = Candidate(3, 0.0, 0, 0.1)
    assert replace(RESULT, candidates=(unvisited, loses)).choose(9.0, rng) == 3
