"""Stable-Baselines3: MaskablePPO learns Flume on 5x5 points against random moves.

It needs Watermeet with the extra envs and ``stable-baselines3 sb3-contrib``; then ``python
examples/recipes/sb3_flume.py``. All 64 matches are stepped at once by one ``VecEnv``; the learner
draws a seat for every match. It takes about a minute on one core.
"""

from __future__ import annotations

import torch
from sb3_contrib import MaskablePPO

from watermeet.bots.batched import Snapshot, play_matches
from watermeet.envs import stable_baselines3

STEPS = 102_400


def train(steps: int = STEPS, seed: int = 1) -> float:
    """Train, and return the share of matches won against random moves, at both seats."""
    torch.set_num_threads(1)  # The nets are small: more threads only wait for each other.
    env = stable_baselines3.make(
        "flume", num_envs=64, size=5, pie=False, seat="random", opponents="random"
    )
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=32, batch_size=512, n_epochs=4, learning_rate=1e-3, gamma=1.0,
        ent_coef=0.01, policy_kwargs={"net_arch": [128, 128]}, seed=seed,
    )  # fmt: skip
    model.learn(steps)
    learned = Snapshot(model)
    first = play_matches(env.game, [learned, "random"], matches=200, seed=1)[:, 0]
    second = play_matches(env.game, ["random", learned], matches=200, seed=2)[:, 1]
    env.close()
    return float(((first > 0).mean() + (second > 0).mean()) / 2)


if __name__ == "__main__":
    print(f"{train():.0%} won against random moves")
