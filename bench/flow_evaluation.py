"""Fits the coefficients of Flow's ``evaluate`` to matches played by its ``rollout_policy``.

python -m bench.flow_evaluation --matches 9600   prints them, and their log loss

Options are random. Matches between search bots would be better data, but they take so long that
there were too few: coefficients fitted to them predicted worse.
"""

from __future__ import annotations

import argparse
import random

import numpy as np
import numpy.typing as npt

import watermeet as wm
from watermeet.core.rng import seeded
from watermeet.games.flow import layout
from watermeet.games.flow.evaluation import rollout_policy
from watermeet.games.flow.evaluation_features import FEATURE_COUNT, NAMES, UNIT, compute_features

Floats = npt.NDArray[np.float64]

SEATS, SCENARIOS, TURNS = (1, 2, 3, 5), (0, 0, 2, 5), (8, 10, 12)
SAMPLED = 1 / 6
"""The fraction of turns that are kept: those of one match are very similar."""
RIDGE = 1e-6
HELD_OUT = 5
"""Every fifth match is held out for testing."""


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--matches", type=int, default=9600)
    chosen = parser.parse_args()
    rows, wins, matches = [], [], []
    for match in range(chosen.matches):
        sampled, is_won = play(random.Random(match))
        rows += sampled
        wins += [float(is_won)] * len(sampled)
        matches += [match] * len(sampled)
    features, won = np.array(rows), np.array(wins)
    is_held_out = np.array(matches) % HELD_OUT == 0
    coefficients = fit(features[~is_held_out], won[~is_held_out])
    print(f"{chosen.matches} matches, {len(won)} states, {won.mean():.1%} in won matches")
    print(f"log loss {loss(features[is_held_out], won[is_held_out], coefficients):.4f}")
    for name, coefficient in zip(NAMES, coefficients, strict=True):
        print(f"    {coefficient:.3f},  # {name}")


def play(rng: random.Random) -> tuple[list[Floats], bool]:
    """The features of a sample of a match's turns, and whether it was won."""
    game = wm.game(
        "flow", seats=rng.choice(SEATS), scenarios=rng.choice(SCENARIOS), turns=rng.choice(TURNS)
    )
    buffer = np.zeros(FEATURE_COUNT, dtype=np.int32)
    actions, policy_rng = np.zeros(game.sizes.actions, dtype=np.int32), seeded(rng.random())
    sampled = []
    state = game.start().sample(rng)
    while state.to_move >= 0:
        if state.array[layout.STAGE] == layout.TURN and rng.random() < SAMPLED:
            compute_features(state.array.copy(), buffer)
            sampled.append(buffer / UNIT)
        state = state.play(rollout_policy(state.array.copy(), actions, policy_rng)).sample(rng)
    assert state.outcome is not None, "a finished match has an outcome"
    return sampled, state.outcome.returns[0] > 0


def fit(features: Floats, won: Floats) -> Floats:
    """Logistic regression by Newton's method."""
    coefficients = np.zeros(features.shape[1])
    ridge = RIDGE * len(won) * np.eye(features.shape[1])
    for _ in range(30):
        probabilities = 1.0 / (1.0 + np.exp(-features @ coefficients))
        gradient = features.T @ (probabilities - won) + ridge @ coefficients
        hessian = (features * (probabilities * (1.0 - probabilities))[:, None]).T @ features + ridge
        coefficients -= np.linalg.solve(hessian, gradient)
    return coefficients


def loss(features: Floats, won: Floats, coefficients: Floats) -> float:
    """The mean log loss."""
    probabilities = 1.0 / (1.0 + np.exp(-features @ coefficients))
    losses = np.where(won > 0.5, -np.log(probabilities), -np.log1p(-probabilities))
    return float(losses.mean())


if __name__ == "__main__":
    main()
