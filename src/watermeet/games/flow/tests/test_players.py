"""The greedy player, and the benchmarks that use it."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.games.flow.benchmarks import greedy_wins, measure


@pytest.mark.slow
@pytest.mark.compiled
def test_longer_rounds_are_won_more_often() -> None:
    shares = [greedy_wins(wm.game("flow", turns=turns), 100) / 100 for turns in (6, 10, 14)]
    assert shares == sorted(shares)
    assert 0.05 < shares[0] < 0.4
    assert shares[2] > 0.8


@pytest.mark.slow
@pytest.mark.compiled
def test_benchmarks_run() -> None:
    ((what, rate, unit, note),) = measure(wm.game("flow"), 0.1)
    assert (what, unit) == ("greedy matches", "matches/s")
    assert rate > 0
    assert "won" in note
