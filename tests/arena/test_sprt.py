"""SPRT has the error rates it promises."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from watermeet.arena.errors import InvalidJob
from watermeet.arena.ratings import expected_score
from watermeet.arena.sprt import NOT_STRONGER, OPEN, STRONGER, Sprt, Verdict


def verdict(test: Sprt, elo: float, seed: int) -> Verdict:
    """The verdict on simulated rounds of two, a third of which the seat decides."""
    rng, luck = random.Random(f"{elo} {seed}"), 1 / 3
    decided = (expected_score(elo) - 0.5) / (1 - luck) + 0.5

    def one_round() -> float:
        if rng.random() < luck:
            return 0.5
        return ((rng.random() < decided) + (rng.random() < decided)) / 2

    return test.run(one_round() for _ in range(100_000))


def error_rate(test: Sprt, elo: float, wrong: str, simulations: int) -> float:
    answers = Counter(verdict(test, elo, seed).answer for seed in range(simulations))
    assert not answers[OPEN]
    return answers[wrong] / simulations


def test_error_rates_are_low() -> None:
    test = Sprt(0, 100, alpha=0.1, beta=0.1)
    assert 0.03 < error_rate(test, 0, STRONGER, 100) < 0.17
    assert 0.03 < error_rate(test, 100, NOT_STRONGER, 100) < 0.17


@pytest.mark.nightly
@pytest.mark.parametrize(("elo0", "elo1"), [(0.0, 40.0), (-20.0, 20.0)])
def test_error_rates_are_near_alpha_and_beta(elo0: float, elo1: float) -> None:
    test = Sprt(elo0, elo1, alpha=0.05, beta=0.1)
    assert 0.025 < error_rate(test, elo0, STRONGER, 600) < 0.075
    assert 0.06 < error_rate(test, elo1, NOT_STRONGER, 600) < 0.135


def test_a_clear_result_ends_early() -> None:
    found = verdict(Sprt(0, 30), 150, 1)
    assert found.answer == STRONGER
    assert found.rounds < 150


def test_llr_agrees_with_the_normal_approximation() -> None:
    """For many rounds and small differences the ratio is that of two normal distributions."""
    counts = Counter({0.0: 100, 0.25: 200, 0.5: 400, 0.75: 220, 1.0: 110})
    total = counts.total()
    mean = sum(score * count for score, count in counts.items()) / total
    variance = sum(count * (score - mean) ** 2 for score, count in counts.items()) / total
    low, high = expected_score(0), expected_score(10)
    bells = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 10).llr(counts) == pytest.approx(bells, rel=0.02)


def test_bounds_and_json() -> None:
    test = Sprt(0, 10)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    found = test.run([])
    assert (found.answer, found.is_final, found.is_stronger) == (OPEN, False, False)
    assert found.as_json()["rounds"] == 0


@pytest.mark.parametrize("numbers", [(10, 0, 0.05, 0.05), (0, 10, 0, 0.05), (0, 10, 0.05, 0.5)])
def test_invalid_tests_are_refused(numbers: tuple[float, float, float, float]) -> None:
    with pytest.raises(InvalidJob):
        Sprt(*numbers)
