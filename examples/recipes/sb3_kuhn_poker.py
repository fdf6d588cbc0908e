"""Stable-Baselines3: MaskablePPO learns Kuhn poker, whose cards are hidden, against random moves.

It needs Watermeet with the extra envs and ``stable-baselines3 sb3-contrib
./tests/fixtures/kuhn_poker``; then ``python examples/recipes/sb3_kuhn_poker.py``. An observation
has the card of the seat that looks and not the other one, so the learner has to bet and to fold
without it. What the best player wins is known, so the program says how close it came. It takes
about ten seconds on one core.
"""

from __future__ import annotations

import torch
from sb3_contrib import MaskablePPO

from watermeet.bots.batched import Snapshot, play_matches
from watermeet.envs import stable_baselines3

STEPS = 131_072
BEST = (1 / 2 + 5 / 12) / 2
"""What the best answer to random moves wins: 1/2 in the first seat, 5/12 in the second."""


def train(steps: int = STEPS, seed: int = 1) -> float:
    """Train, and return the mean return against random moves, over both seats."""
    torch.set_num_threads(1)  # The nets are small: more threads only wait for each other.
    env = stable_baselines3.make("kuhn_poker", num_envs=64, seat="random", opponents="random")
    # With less entropy it soon bets on every card, and never finds out that some are worth folding.
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=64, batch_size=1024, n_epochs=4, learning_rate=1e-3, gamma=1.0,
        ent_coef=0.3, policy_kwargs={"net_arch": [64, 64]}, seed=seed,
    )  # fmt: skip
    model.learn(steps)
    learned = Snapshot(model, deterministic=True)
    first = play_matches(env.game, [learned, "random"], matches=8000, seed=1, at_once=2000)[:, 0]
    second = play_matches(env.game, ["random", learned], matches=8000, seed=2, at_once=2000)[:, 1]
    env.close()
    return float((first.mean() + second.mean()) / 2)


if __name__ == "__main__":
    print(f"{train():+.3f} is its mean return against random moves; the best is {BEST:+.3f}")
