"""Fits the coefficients of Flow's ``evaluate`` to matches that its ``rollout_policy`` plays.

python -m bench.flow_evaluation --matches 9600   prints them, and how well they tell wins

Options are drawn at random. Matches of bots that search would be better ones, but take so long that
there were too few: what was fitted to them told their own ends worse.
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
NOTED = 1 / 6
"""The part of the turns that is kept: those of one match are much alike."""
RIDGE = 1e-6
HELD_BACK = 5
"""Every so-manieth match is for testing what was fitted to the others."""


def main() -> None:
    """Plays, fits and tells."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--matches", type=int, default=9600)
    chosen = parser.parse_args()
    rows, wins, matches = [], [], []
    for match in range(chosen.matches):
        noted, is_won = play(random.Random(match))
        rows += noted
        wins += [float(is_won)] * len(noted)
        matches += [match] * len(noted)
    features, won = np.array(rows), np.array(wins)
    is_held_back = np.array(matches) % HELD_BACK == 0
    coefficients = fit(features[~is_held_back], won[~is_held_back])
    print(f"{chosen.matches} matches, {len(won)} states, {won.mean():.1%} in matches that were won")
    print(f"log loss {loss(features[is_held_back], won[is_held_back], coefficients):.4f}")
    for name, coefficient in zip(NAMES, coefficients, strict=True):
        print(f"    {coefficient:.3f},  # {name}")


def play(rng: random.Random) -> tuple[list[Floats], bool]:
    """The features of some turns of a match, and whether it was won."""
    game = wm.game(
        "flow", seats=rng.choice(SEATS), scenarios=rng.choice(SCENARIOS), turns=rng.choice(TURNS)
    )
    buffer = np.zeros(FEATURE_COUNT, dtype=np.int32)
    actions, words = np.zeros(game.sizes.actions, dtype=np.int32), seeded(rng.random())
    noted = []
    state = game.start().sample(rng)
    while state.to_move >= 0:
        if state.array[layout.STAGE] == layout.TURN and rng.random() < NOTED:
            compute_features(state.array.copy(), buffer)
            noted.append(buffer / UNIT)
        state = state.play(rollout_policy(state.array.copy(), actions, words)).sample(rng)
    assert state.outcome is not None, "a match that is over has an outcome"
    return noted, state.outcome.returns[0] > 0


def fit(features: Floats, won: Floats) -> Floats:
    """Logistic regression by Newton's method."""
    coefficients = np.zeros(features.shape[1])
    ridge = RIDGE * len(won) * np.eye(features.shape[1])
    for _ in range(30):
        chances = 1.0 / (1.0 + np.exp(-features @ coefficients))
        slope = features.T @ (chances - won) + ridge @ coefficients
        curve = (features * (chances * (1.0 - chances))[:, None]).T @ features + ridge
        coefficients -= np.linalg.solve(curve, slope)
    return coefficients


def loss(features: Floats, won: Floats, coefficients: Floats) -> float:
    """How surprised the judgement is by what happened, on average."""
    chances = 1.0 / (1.0 + np.exp(-features @ coefficients))
    surprise = np.where(won > 0.5, -np.log(chances), -np.log1p(-chances))
    return float(surprise.mean())


if __name__ == "__main__":
    main()
