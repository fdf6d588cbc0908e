"""Baseline players of Flow."""

from __future__ import annotations

import random

import numpy as np

from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.games.flow.greedy import choose_greedily


def greedy(state: State, rng: random.Random) -> int:
    """Draw and place tiles, and play cards only when no tile is left; see greedy.py."""
    array = state.array.copy()
    buffer = np.zeros(state.game.sizes.actions, dtype=np.int32)
    return int(choose_greedily(array, buffer, array.copy(), seeded(rng.random())))


PLAYERS = {"greedy": greedy}
