"""TorchRL: PPO learns Flows with three seats, on a small board, against two random players.

It needs Watermeet with the extra envs and ``torchrl``; then ``python
examples/recipes/torchrl_flows.py``. TorchRL resets parts of a batch itself, as ``Matches`` can: so
64 matches are one environment, stepped at once. It takes about a minute on one core.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import watermeet as wm
from watermeet.bots.batched import Turns, play_matches
from watermeet.envs.matches import Matches

MATCHES, STEPS, BATCHES, EPOCHS, MINIBATCH = 64, 32, 30, 4, 512
GAME = wm.game("flows", radius=2, seats=3)


class MatchesEnv(EnvBase):
    """Matches of a learner against bots as one batched environment of TorchRL."""

    def __init__(self, game: wm.Game, count: int, **settings: Any) -> None:
        super().__init__(batch_size=[count])
        self.matches = Matches(game, count, **settings)
        spec = game.features.spec
        self.observation_spec = Composite(
            observation=Unbounded((count, spec.size)),
            mask=Binary(shape=(count, spec.codes), dtype=torch.bool),
            shape=[count],
        )
        self.action_spec = Categorical(spec.codes, shape=(count,))
        self.reward_spec = Unbounded((count, 1))
        flag = Binary(shape=(count, 1), dtype=torch.bool)
        self.done_spec = Composite(
            done=flag, terminated=flag.clone(), truncated=flag.clone(), shape=[count]
        )

    def _seen(self) -> dict[str, torch.Tensor]:
        matches = self.matches
        terminated = torch.from_numpy(matches.terminated[:, None].copy())
        truncated = torch.from_numpy(matches.truncated[:, None].copy())
        return {
            "observation": torch.from_numpy(matches.new_features()),
            "mask": torch.from_numpy(matches.many.masks.copy()),
            "done": terminated | truncated,
            "terminated": terminated,
            "truncated": truncated,
        }

    def _reset(self, tensordict: TensorDict | None = None, **kwargs: Any) -> TensorDict:
        rows = None if tensordict is None else tensordict.get("_reset", None)
        self.matches.reset(rows=None if rows is None else rows.numpy().reshape(-1))
        return TensorDict(self._seen(), batch_size=self.batch_size)

    def _step(self, tensordict: TensorDict) -> TensorDict:
        self.matches.step(tensordict["action"].numpy())
        rewards = torch.from_numpy(self.matches.rewards.astype(np.float32)[:, None])
        return TensorDict({**self._seen(), "reward": rewards}, batch_size=self.batch_size)

    def _set_seed(self, seed: int | None) -> None:
        seeds = [None if seed is None else seed + row for row in range(self.matches.count)]
        self.matches.reset(seeds)


def network(inputs: int, outputs: int) -> nn.Module:
    """Two hidden layers."""
    return nn.Sequential(
        nn.Linear(inputs, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, outputs)
    )


class Learner:
    """A policy that knows masks, and a value; a batched bot as well."""

    def __init__(self, game: wm.Game) -> None:
        spec = game.features.spec
        self.logits = network(spec.size, spec.codes)
        module = TensorDictModule(self.logits, in_keys=["observation"], out_keys=["logits"])
        self.actor = ProbabilisticActor(
            module,
            in_keys=["logits", "mask"],
            out_keys=["action"],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
        )
        self.value = ValueOperator(network(spec.size, 1), in_keys=["observation"])

    def __call__(self, turns: Turns) -> Any:
        with torch.no_grad():
            logits = self.logits(torch.from_numpy(turns.features))
        mask = torch.from_numpy(turns.masks)
        return MaskedCategorical(logits=logits, mask=mask).sample().numpy()


def train(batches: int = BATCHES, seed: int = 1) -> float:
    """Train, and return the mean return against two random players, over all seats."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = MatchesEnv(GAME, MATCHES, seat="random", opponents="random")
    env.set_seed(seed)
    learner = Learner(GAME)
    collector = Collector(
        env,
        learner.actor,
        frames_per_batch=MATCHES * STEPS,
        total_frames=MATCHES * STEPS * batches,
        auto_register_policy_transforms=False,
    )
    loss = ClipPPOLoss(learner.actor, learner.value, entropy_coeff=0.01, normalize_advantage=True)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=learner.value)
    optimiser = torch.optim.Adam(loss.parameters(), lr=1e-3)
    for data in collector:
        advantage(data)
        rows = data.reshape(-1)
        for _ in range(EPOCHS):
            for part in torch.randperm(len(rows)).split(MINIBATCH):
                losses = loss(rows[part])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimiser.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 1.0)
                optimiser.step()
    collector.shutdown()
    return measure(learner)


def measure(learner: Learner, matches: int = 200) -> float:
    """The learner's mean return, with as many matches at each seat."""
    found = []
    for seat in range(GAME.seats):
        players: list[Any] = ["random"] * GAME.seats
        players[seat] = learner
        found.append(play_matches(GAME, players, matches=matches, seed=seat)[:, seat].mean())
    return float(np.mean(found))


if __name__ == "__main__":
    print(f"{train():+.2f} is its mean return against two random players")
