"""The kernels written by hand play the same game as the ordinary ones, or nothing is compared."""

from __future__ import annotations

import types
from pathlib import Path

import numpy as np
import pytest

import watermeet as wm
from watermeet.core import playout
from watermeet.core.rng import seeded

MATCHES = 40_000


@pytest.fixture
def floor(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    from bench import floor

    return floor


def test_both_kernels_by_hand_play_the_same_matches(floor: types.ModuleType) -> None:
    for size in (3, 5):
        red_wins = floor.occupancy_playouts(size, 50, 12345)
        assert red_wins == floor.coloured_playouts(size, 50, 12345)
        assert 0 < red_wins < 50


@pytest.mark.compiled
@pytest.mark.parametrize("size", [3, 5, 7])
def test_red_wins_as_often_as_through_the_ordinary_kernels(
    floor: types.ModuleType, size: int
) -> None:
    by_hand = floor.occupancy_playouts(size, MATCHES, 987654321) / MATCHES
    ordinary = _red_share(wm.game("flume", size=size, pie=False))
    five_deviations = 5 * (2 * 0.25 / MATCHES) ** 0.5  # Of the difference of two such shares.
    assert by_hand == pytest.approx(ordinary, abs=five_deviations)


def _red_share(game: wm.Game) -> float:
    play = game.specialize(playout.playout)
    start = game.start().array
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    returns = np.zeros(game.seats, dtype=np.float64)
    rng = seeded("floor")
    red_wins = 0
    for _ in range(MATCHES):
        state = start.copy()
        play(state, actions, rng)
        game.kernels.score(state, returns)
        red_wins += int(returns[0] > 0)  # Without the pie rule seat 0 is red.
    return red_wins / MATCHES
