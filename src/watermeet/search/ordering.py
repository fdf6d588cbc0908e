"""Lists of actions by weight, the heaviest first."""

from __future__ import annotations

from watermeet.core.contract import ActionArray, FloatArray
from watermeet.core.kernel import kernel


@kernel
def share_out(weights: FloatArray, count: int) -> None:
    """Makes weights parts of 1."""
    total = 0.0
    for place in range(count):
        total += weights[place]
    for place in range(count):
        weights[place] /= total


@kernel
def sort_by_weight(actions: ActionArray, weights: FloatArray, count: int) -> None:
    """Sorts both; equal weights keep their order. Lists are short: insertion will do."""
    for place in range(1, count):
        action, weight = int(actions[place]), weights[place]
        hole = place
        while hole > 0 and weights[hole - 1] < weight:
            actions[hole], weights[hole] = actions[hole - 1], weights[hole - 1]
            hole -= 1
        actions[hole], weights[hole] = action, weight
