"""PPO with masks learns any game by self-play, through Gymnasium's vector API.

It needs Watermeet with the extras envs and train; then::

    python examples/recipes/ppo_self_play.py flume size=5 --minutes 5
    watermeet arena flume -o size=5 net:network=runs/ppo-flume/network.onnx:nodes=1 drop random

One network plays all seats. A seat's next state is the one in which it moves again, so advantages
are estimated for each seat of each match on its own; rewards are the returns at the end. Minutes
are CPU time of one core. Networks are written as ``watermeet train`` writes them: bots, the arena
and ``python -m bench learning`` take them.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import watermeet as wm
from watermeet.envs.gymnasium import env_id
from watermeet.nets.network import split
from watermeet.nets.shape import Shape, logit_places
from watermeet.train.export import export

MATCHES, STEPS = 128, 64
EPOCHS, MINIBATCH, RATE = 3, 1024, 1e-3
LAMBDA, CLIP, ENTROPY, VALUE = 0.95, 0.2, 0.01, 0.5
KEPT = (0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2)
"""After which shares of the time the network is kept, for its learning curve."""


class Network(nn.Module):
    """Two hidden layers, with the inputs and outputs that a network of ours has."""

    def __init__(self, game: wm.Game, width: int) -> None:
        super().__init__()
        self.shape = Shape.of(game)
        count, *board = game.features.spec.shape
        cells = max(1, board[0] * board[1])
        inputs = max(1, count * board[0] * board[1]) + max(1, self.shape.numbers)
        self.body = nn.Sequential(
            nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.logits = nn.Linear(width, self.shape.kinds * cells + self.shape.loose)
        self.values = nn.Linear(width, self.shape.seats)
        for head in (self.logits, self.values):
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(
        self, planes: torch.Tensor, numbers: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits of all actions, and values from -1 to 1 for each seat, the mover's first."""
        hidden = self.body(torch.cat([planes.flatten(1), numbers], dim=1))
        return self.logits(hidden), torch.tanh(self.values(hidden))


class Agent(nn.Module):
    """The network as PPO wants it: a distribution over legal actions, and the mover's value."""

    def __init__(self, game: wm.Game, width: int) -> None:
        super().__init__()
        self.network, self._planes = Network(game, width), game.features.spec.shape
        self._places = torch.as_tensor(logit_places(game))
        low, high = game.returns_range
        self._middle, self._reach = (low + high) / 2, (high - low) / 2

    def forward(
        self, features: torch.Tensor, masks: torch.Tensor
    ) -> tuple[Categorical, torch.Tensor]:
        """The distribution over legal actions, and the expected return of the seat to move."""
        logits, values = self.network(*split(features, self._planes, torch.float32))
        allowed = logits[:, self._places].masked_fill(~masks, -1e9)
        values = values[:, 0] * self._reach + self._middle
        return Categorical(logits=allowed, validate_args=False), values


class Rollout:
    """Some steps of all matches; the first two dimensions are steps and matches."""

    def __init__(self, steps: int, matches: int, features: int, codes: int) -> None:
        self.features = torch.zeros((steps, matches, features))
        self.masks = torch.zeros((steps, matches, codes), dtype=torch.bool)
        self.actions = torch.zeros((steps, matches), dtype=torch.long)
        self.logs, self.values, self.advantages = (torch.zeros((steps, matches)) for _ in range(3))
        self.seats = np.zeros((steps, matches), dtype=np.int64)
        self.ended = np.zeros((steps, matches), dtype=np.bool_)
        self.returns: list[Any] = [None] * steps
        """Of all seats, where some match ended at this step."""

    @torch.no_grad()
    def play(self, env: Any, agent: Agent, seen: Any, seats: Any) -> tuple[Any, Any]:
        """Play, and return what is seen then, and by whom."""
        for step in range(len(self.features)):
            self.features[step] = torch.as_tensor(seen["observation"])
            self.masks[step] = torch.as_tensor(seen["action_mask"]).bool()
            self.seats[step] = seats
            chances, self.values[step] = agent(self.features[step], self.masks[step])
            self.actions[step] = chances.sample()
            self.logs[step] = chances.log_prob(self.actions[step])
            seen, _, self.ended[step], _, infos = env.step(self.actions[step].numpy())
            if self.ended[step].any():
                self.returns[step] = infos["final_info"]["returns"]
            seats = infos["seat"]
        return seen, seats

    def estimate(self, seats: int) -> None:
        """Generalised advantage estimates, for each seat on its own, without discounting."""
        rows, values = np.arange(self.seats.shape[1]), self.values.numpy()
        following = np.full(
            (len(rows), seats), np.nan
        )  # What each seat expects when it moves next.
        gain = np.zeros((len(rows), seats))
        for step in reversed(range(len(values))):
            ended, mover = self.ended[step], self.seats[step]
            if ended.any():
                following[ended], gain[ended] = self.returns[step][ended], 0.0
            expected = following[rows, mover]
            # A seat that hasn't moved again by the end of the rollout learns nothing here.
            surprise = np.where(np.isnan(expected), 0.0, expected - values[step])
            gain[rows, mover] = surprise + LAMBDA * gain[rows, mover]
            following[rows, mover] = values[step]
            self.advantages[step] = torch.as_tensor(gain[rows, mover])

    def learn(self, agent: Agent, optimizer: torch.optim.Optimizer) -> None:
        """Some epochs of PPO."""
        features, masks = self.features.flatten(0, 1), self.masks.flatten(0, 1)
        actions, logs, gains = (
            self.actions.flatten(),
            self.logs.flatten(),
            self.advantages.flatten(),
        )
        targets = gains + self.values.flatten()
        gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        for _ in range(EPOCHS):
            for chosen in torch.randperm(len(gains)).split(MINIBATCH):
                chances, values = agent(features[chosen], masks[chosen])
                ratio = (chances.log_prob(actions[chosen]) - logs[chosen]).exp()
                clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
                gain = torch.minimum(ratio * gains[chosen], clipped * gains[chosen]).mean()
                error = (values - targets[chosen]).square().mean()
                loss = VALUE * error - gain - ENTROPY * chances.entropy().mean()
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()


def train(game: wm.Game, folder: Path, *, minutes: float, width: int = 256, seed: int = 0) -> int:
    """Train for some time, and write the networks; return the number of positions."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    agent = Agent(game, width)
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE, eps=1e-5)
    settings: dict[str, Any] = {"opponents": "self", "autoreset_mode": "SameStep"}
    env = gymnasium.make_vec(env_id(game), num_envs=MATCHES, **settings, **game.options)
    spec = game.features.spec
    rollout = Rollout(STEPS, MATCHES, spec.size, spec.codes)
    seen, infos = env.reset(seed=seed)
    seats, positions, kept = infos["seat"], 0, list(KEPT)
    (folder / "earlier").mkdir(parents=True, exist_ok=True)
    _, height, width = spec.shape
    board = max(1, height), max(1, width)
    words = ["python examples/recipes/ppo_self_play.py", game.name, *_texts(game)]
    command = " ".join([*words, f"--minutes {minutes:g}"])
    about = {"game": game.name, "boards": [dict(game.options)], "command": command}
    start = time.process_time()
    while True:
        share = (time.process_time() - start) / (60 * minutes)
        card = {"settings": about, "positions": positions, "seconds": 60 * minutes * share}
        if kept and share >= kept[0]:
            kept = [each for each in kept if each > share]
            export(agent.network, folder / "earlier" / f"{positions:012}.onnx", card, board)
            print(f"{card['seconds']:6.0f} s {positions:10,} positions", flush=True)
        if share >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - share)
        seen, seats = rollout.play(env, agent, seen, seats)
        rollout.estimate(game.seats)
        rollout.learn(agent, optimizer)
        positions += STEPS * MATCHES
    env.close()
    export(agent.network, folder / "network.onnx", card, board)
    print(f"{card['seconds']:6.0f} s {positions:10,} positions: {folder / 'network.onnx'}")
    return positions


def _texts(game: wm.Game) -> list[str]:
    changed = game.options.changed().items()
    return [f"{name}={game.option(name).format(value)}" for name, value in changed]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="PPO learns a game by self-play.")
    parser.add_argument("game")
    parser.add_argument("options", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--width", type=int, default=256)
    given = parser.parse_args()
    texts = dict(each.split("=", 1) for each in given.options)
    game = wm.game(given.game).with_option_texts(texts)
    folder = given.folder or Path("runs", f"ppo-{game.name}")
    train(game, folder, minutes=given.minutes, width=given.width)


if __name__ == "__main__":
    main()
