"""A simple baseline player."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from watermeet.core.state import State


def nearest(state: State, rng: random.Random) -> int:
    """Look one action ahead and take the best evaluation, breaking ties at random."""
    kernels, evaluation = state.game.kernels, state.game.evaluation
    evaluate: Any = evaluation.by_name["evaluate"]
    values = np.zeros(2)
    found: list[tuple[float, int]] = []
    for action in state.legal_actions:
        array = state.array.copy()
        kernels.apply(array, action)
        if kernels.to_move(array) < 0:
            kernels.score(array, values)
        else:
            evaluate(array, values)
        found.append((float(values[state.to_move]), action))
    best, _ = max(found)
    return rng.choice([action for value, action in found if value == best])


PLAYERS = {"nearest": nearest}
