"""The evaluation of Flow states for search: values, priors and a rollout policy.

total_distance.py measures how far the animals are from the boat, and wave_costs.py what a wave may
cost; evaluation_features.py combines them, and rollout_policy.py plays without looking ahead.
"""

from __future__ import annotations

import numpy as np

from watermeet.core import portable_math
from watermeet.core.contract import ActionArray, FloatArray, StateArray
from watermeet.core.kernel import kernel, scratch
from watermeet.games.flow import layout
from watermeet.games.flow.evaluation_features import FEATURE_COUNT, UNIT, compute_features
from watermeet.games.flow.rollout_policy import (
    IMPOSSIBLE,
    best_distance_by,
    rollout_policy,
    total_distance_aimed,
)
from watermeet.games.flow.total_distance import (
    total_distance,
    total_distance_after,
    total_distance_without,
)

__all__ = ["evaluate", "priors", "rollout_policy"]

# In the order of evaluation_features.NAMES. Logistic regression of wins on 60,483 turns of 9,600
# matches that ``rollout_policy`` played (bench/flow_evaluation.py): 1, 2, 3 and 5 seats, 0, 2
# and 5 scenario cards, 8, 10 and 12 turns. Log loss 0.508; always predicting the base rate gives
# 0.664. The features are correlated, so no coefficient says much on its own.
_COEFFICIENTS = np.array(
    [
        1.817, -0.104, 0.642, 1.664, 0.883, -0.524, 1.340, -0.811, -2.728, -8.834, -1.923, -0.340,
        0.123, 0.138, 0.125, -0.001, 0.458, 0.374,  # Cards held.
        -0.970,
    ]
)  # fmt: skip
_CERTAINTY = 0.98  # Values of 1 and -1 are reserved for proven results.

_DRAW = 3.0  # Priors, relative to 1 for the most helpful card.
_CALM = 0.5
_FISHING = 0.3
_BIRD_BY_COST = 0.05
_IDLE_CARD = 0.02
_MIN_PRIOR = 0.01


@kernel
def evaluate(state: StateArray, out: FloatArray) -> None:
    """Estimate the probability of winning, which all seats share."""
    buffer = scratch(FEATURE_COUNT)
    compute_features(state, buffer)
    total = 0.0
    for place in range(FEATURE_COUNT):
        total += int(buffer[place]) * _COEFFICIENTS[place]
    value = _CERTAINTY * portable_math.tanh(0.5 * total / UNIT)  # P(win) - P(loss).
    for seat in range(len(out)):
        out[seat] = value


@kernel
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """Halve the prior for each tile missing after an action; never call time."""
    before, best = total_distance(state), IMPOSSIBLE
    for place in range(count):
        found = _distance_after(state, int(actions[place]), before)
        out[place] = found
        best = min(best, found)
    for place in range(count):
        action = int(actions[place])
        if action == layout.TIME:
            out[place] = 0.0 if count > 1 else 1.0
            continue
        weight = portable_math.exp2(best - out[place])
        if state[layout.STAGE] == layout.TURN:
            weight = _turn_prior(state, action, weight, before, out[place] < before)
        out[place] = max(weight, _MIN_PRIOR)


@kernel
def _distance_after(state: StateArray, action: int, before: int) -> int:
    """The smallest total distance after an action."""
    stage = int(state[layout.STAGE])
    if action < layout.PLAY_SUPPORT:
        return total_distance_after(state, action, 0)
    if stage == layout.TURN:
        return best_distance_by(state, action, before)
    if stage == layout.CHOOSE_BOAT_EDGE:
        return total_distance_aimed(state, action - layout.BOAT_EDGE)
    return before


@kernel
def _turn_prior(state: StateArray, action: int, weight: float, before: int, helps: bool) -> float:
    """The prior of an action that starts a turn, given the one for its distance."""
    if action == layout.DRAW_FACE_DOWN:
        return _DRAW
    if layout.TAKE_FACE_UP <= action < layout.PLAY_FISHING:
        return _DRAW * weight
    if layout.PLAY_BIRD <= action < layout.PLAY_CURRENT:
        cost = total_distance_without(state, 1 << (action - layout.PLAY_BIRD)) - before
        return _IDLE_CARD + _BIRD_BY_COST * cost
    if action == layout.PLAY_CALM:
        return _CALM
    if action == layout.PLAY_FISHING:
        return _FISHING
    return weight if helps else _IDLE_CARD
