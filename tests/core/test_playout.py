"""Random play through a game's kernels, with and without chance, over every registered game."""

from __future__ import annotations

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.playout import copy_state, playouts, playouts_with_chance
from watermeet.core.rng import seeded


@pytest.mark.slow
@pytest.mark.parametrize("name", wm.games())
def test_many_matches_are_played_from_the_same_start(name: str) -> None:
    """The start is unchanged, and the last match is over."""
    game = wm.game(name)
    start = game.start().array.copy()
    state = np.zeros_like(start)
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    weights = np.zeros(game.sizes.actions, dtype=np.float64)
    if game.chance:
        played = game.specialize(playouts_with_chance)(start, state, actions, weights, seeded(1), 5)
    else:
        played = game.specialize(playouts)(start, state, actions, seeded(1), 5)
    assert 5 <= played <= 5 * game.sizes.max_length
    assert start.tolist() == game.start().array.tolist()
    assert game.kernels.to_move(state) == wm.OVER


def test_a_copy_is_a_copy() -> None:
    source, target = np.arange(5), np.zeros(5, dtype=np.int64)
    copy_state(source, target)
    assert target.tolist() == source.tolist()
