"""Tianshou: PPO learns Flows with hidden hands, on a small board, against random moves.

It needs Watermeet with the extra envs and ``tianshou``; then ``python
examples/recipes/tianshou_flows.py``. With ``hold_tile`` everybody holds a tile that nobody else
sees; an observation has one's own. The environments are Gymnasium's, and the network itself applies
the mask of the observation. It takes about a minute on one core.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn

import watermeet as wm
import watermeet.envs.gymnasium
from watermeet.bots.batched import Turns, play_matches

MATCHES, STEPS, BATCHES = 16, 1024, 40
OPTIONS = {"radius": 2, "hold_tile": True}
GAME = wm.game("flows", **OPTIONS)
SPEC = GAME.features.spec


def network(outputs: int) -> nn.Module:
    """Two hidden layers."""
    return nn.Sequential(
        nn.Linear(SPEC.size, 128),
        nn.Tanh(),
        nn.Linear(128, 128),
        nn.Tanh(),
        nn.Linear(128, outputs),
    )


class Actor(nn.Module):
    """The logits of all actions; illegal ones are masked."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = network(SPEC.codes)

    def logits(self, features: Any, masks: Any) -> torch.Tensor:
        """Of many matches."""
        found = self.layers(torch.as_tensor(features))
        return found.masked_fill(~torch.as_tensor(masks).bool(), -1e9)

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Tianshou's form: from observations to logits and a hidden state."""
        return self.logits(obs.observation, obs.action_mask), state


class Critic(nn.Module):
    """The expected return."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = network(1)

    def forward(self, obs: Any, **kwargs: Any) -> torch.Tensor:
        """Tianshou's form."""
        return self.layers(torch.as_tensor(obs.observation))


def train(batches: int = BATCHES, seed: int = 1) -> float:
    """Train, and return the mean return against random moves, over both seats."""
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - Tianshou shuffles by it
    torch.set_num_threads(1)
    actor = Actor()
    one = gymnasium.make("watermeet/flows-v1", **OPTIONS)
    policy = DiscreteActorPolicy(
        actor=actor, action_space=one.action_space, observation_space=one.observation_space
    )
    algorithm = PPO(
        policy=policy,
        critic=Critic(),
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        ent_coef=0.01,
        max_grad_norm=1.0,
    )
    matches = DummyVectorEnv(
        [lambda: gymnasium.make("watermeet/flows-v1", seat="random", **OPTIONS)] * MATCHES
    )
    matches.seed(seed)
    parameters = OnPolicyTrainerParams(
        training_collector=Collector(algorithm, matches, VectorReplayBuffer(STEPS, MATCHES)),
        max_epochs=1,
        epoch_num_steps=STEPS * batches,
        collection_step_num_env_steps=STEPS,
        batch_size=256,
        update_step_num_repetitions=4,
        test_step_num_episodes=0,
        show_progress=False,
        verbose=False,
    )
    algorithm.run_training(parameters)
    return measure(actor)


def measure(actor: Actor, matches: int = 200) -> float:
    """The actor's mean return, with as many matches at each seat."""

    def play(turns: Turns) -> Any:
        with torch.no_grad():
            logits = actor.logits(turns.features, turns.masks)
        return torch.distributions.Categorical(logits=logits).sample().numpy()

    first = play_matches(GAME, [play, "random"], matches=matches, seed=1)[:, 0]
    second = play_matches(GAME, ["random", play], matches=matches, seed=2)[:, 1]
    return float(np.mean([first, second]))


if __name__ == "__main__":
    print(f"{train():+.2f} is its mean return against random moves")
