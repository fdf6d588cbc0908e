"""PPO in PyTorch learns Flume 7x7 against random moves, everything on the GPU.

It needs Watermeet with the extras envs and cuda and ``torch``; then ``python
examples/recipes/torch_flume.py``. Matches, observations, network and gradients stay on the GPU;
Python only says what is next. The guide is docs/guides/environments.md. ``--device cpu --matches
256 --size 5`` tries it without a GPU.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, NamedTuple

import gymnasium
import torch
from torch import nn

import watermeet.envs.gymnasium

MATCHES, STEPS, ROUNDS = 32_768, 32, 40
EPOCHS, MINIBATCH, RATE = 2, 32_768, 1e-3
LAMBDA, CLIP, ENTROPY = 0.95, 0.2, 0.01


class Policy(nn.Module):
    """A network from what a seat sees to the logits of all actions, and the value."""

    def __init__(self, features: int, codes: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.logits, self.value = nn.Linear(width, codes), nn.Linear(width, 1)

    def forward(
        self, features: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """The distribution over legal actions, and the expected return."""
        hidden = self.body(features)
        logits = self.logits(hidden).masked_fill(~mask, -1e9)
        chances = torch.distributions.Categorical(logits=logits, validate_args=False)
        return chances, self.value(hidden).squeeze(-1)


class Matches:
    """A learner's matches against random moves, as tensors on one device."""

    def __init__(self, count: int, size: int, device: str) -> None:
        settings: dict[str, Any] = {"size": size, "seat": "random", "autoreset_mode": "SameStep"}
        if device == "cuda":
            settings |= {"device": device, "convert": torch.from_dlpack}
        self.env = gymnasium.make_vec("watermeet/flume-v1", num_envs=count, **settings)
        self._seen, _ = self.env.reset(seed=1)
        self._device = device

    @property
    def features(self) -> torch.Tensor:
        """[matches, features]: what the learner sees."""
        return torch.as_tensor(self._seen["observation"], device=self._device)

    @property
    def mask(self) -> torch.Tensor:
        """[matches, actions]: what it may play."""
        return torch.as_tensor(self._seen["action_mask"], device=self._device).bool()

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Play; return rewards, and which matches have ended. New ones have begun there."""
        given = actions if self._device == "cuda" else actions.numpy()
        self._seen, rewards, terminated, _, _ = self.env.step(given)
        return torch.as_tensor(rewards).float(), torch.as_tensor(terminated)


class Rollout(NamedTuple):
    """What was seen, done and gained; [steps, matches, ...] each."""

    features: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    likelihoods: torch.Tensor
    values: torch.Tensor
    rewards: torch.Tensor
    ended: torch.Tensor


@torch.no_grad()
def play(matches: Matches, policy: Policy, steps: int) -> tuple[Rollout, torch.Tensor]:
    """Play some steps; return them, and the values of the states in which they end."""
    rows = []
    for _ in range(steps):
        features, mask = matches.features.clone(), matches.mask.clone()
        chances, values = policy(features, mask)
        actions = chances.sample()
        rewards, ended = matches.step(actions)
        rows.append(
            (features, mask, actions, chances.log_prob(actions), values, rewards, ended.clone())
        )
    _, last = policy(matches.features, matches.mask)
    return Rollout(*map(torch.stack, zip(*rows, strict=True))), last


@torch.no_grad()
def advantages(rollout: Rollout, last: torch.Tensor) -> torch.Tensor:
    """Generalised advantage estimates, without discounting: a match has an end."""
    found = torch.zeros_like(rollout.values)
    following, gain = last, torch.zeros_like(last)
    for step in reversed(range(len(rollout.rewards))):
        goes_on = (~rollout.ended[step]).float()
        surprise = rollout.rewards[step] + goes_on * following - rollout.values[step]
        gain = surprise + LAMBDA * goes_on * gain
        found[step], following = gain, rollout.values[step]
    return found


def learn(
    policy: Policy, optimizer: torch.optim.Optimizer, rollout: Rollout, gains: torch.Tensor
) -> None:
    """Some epochs of PPO on what was played."""
    targets = (gains + rollout.values).flatten()
    gains = ((gains - gains.mean()) / (gains.std() + 1e-6)).flatten()
    features, masks, actions, likelihoods = (each.flatten(0, 1) for each in rollout[:4])
    for _ in range(EPOCHS):
        order = torch.randperm(len(gains), device=gains.device)
        for chosen in order.split(MINIBATCH):
            chances, values = policy(features[chosen], masks[chosen])
            ratio = (chances.log_prob(actions[chosen]) - likelihoods[chosen]).exp()
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            gain = torch.minimum(ratio * gains[chosen], clipped * gains[chosen]).mean()
            error = (values - targets[chosen]).square().mean()
            loss = 0.5 * error - gain - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimizer.step()


def train(
    *, matches: int = MATCHES, size: int = 7, rounds: int = ROUNDS, device: str = "cuda"
) -> float:
    """Train, and print progress; return the share of matches won at the end."""
    torch.manual_seed(1)
    spec = watermeet.game("flume", size=size).features.spec
    policy = Policy(spec.size, spec.codes).to(device)
    optimizer = torch.optim.Adam(policy.parameters(), lr=RATE)
    table = Matches(matches, size, device)
    start, won = time.monotonic(), 0.0
    for number in range(1, rounds + 1):
        rollout, last = play(table, policy, STEPS)
        learn(policy, optimizer, rollout, advantages(rollout, last))
        won = float((rollout.rewards[rollout.ended] > 0).float().mean())
        seconds = time.monotonic() - start
        print(
            f"{seconds:6.1f} s  {number * STEPS * matches / 1e6:7.2f} M steps  "
            f"{int(rollout.ended.sum()):7,} matches ended, {won:6.1%} of them won"
        )
    return won


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="PPO learns Flume on a GPU.")
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    train(**vars(parser.parse_args()))
