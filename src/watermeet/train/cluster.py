"""Training on a Ray cluster: actors on several machines play, and the learner is in this process.

Each actor plays matches of its own with the last weights that it got. When it has played a round,
the positions whose outcome it knows by then come back as arrays, and it plays on with the newest
weights while the network learns. An actor that dies is replaced, and its matches are lost.
"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from watermeet.core.errors import WatermeetError
from watermeet.core.game import Game
from watermeet.nets.network import Network, Size
from watermeet.nets.shape import common_shape
from watermeet.train.run import Run
from watermeet.train.self_play import Positions, SelfPlay
from watermeet.train.settings import TrainSettings

LOCAL = "local"
"""The address of a cluster that is started on this machine alone."""
MAX_DEATHS = 3
"""After so many deaths without a round in between, replacing an actor won't help."""

Weights = dict[str, NDArray[Any]]
Arrays = tuple[NDArray[Any], ...]
"""Positions as they travel, with less precision where it doesn't matter."""


class ActorFailed(WatermeetError):
    """An actor died again and again."""

    code = "actor_failed"


class Actor:
    """Plays matches of all boards, on any machine of the cluster."""

    def __init__(self, settings: TrainSettings, seed: int) -> None:
        torch.set_num_threads(settings.threads)
        torch.manual_seed(seed)
        games = settings.games()
        size = Size(settings.channels, settings.blocks)
        self._settings = settings
        self.network = Network(common_shape(games), size).to(settings.device)
        self._plays = [
            SelfPlay(game, self.network, settings, seed + 17 * index)
            for index, game in enumerate(games)
        ]

    def play(self, weights: Weights) -> list[Arrays]:
        """Play a round with these weights; for each board, what there is to learn from now."""
        self.network.load_state_dict({name: torch.tensor(weights[name]) for name in weights})
        found = []
        for play in self._plays:
            play.play(self._settings.steps)
            known = play.positions(play.new())
            small = known._replace(
                features=known.features.half(), codes=known.codes.int(), policy=known.policy.half()
            )
            found.append(tuple(each.cpu().numpy() for each in small))
        return found


class Replay:
    """The latest positions of one board from all actors; the learner takes them from here."""

    def __init__(self, game: Game, capacity: int, device: str) -> None:
        self.game, self._capacity, self._device = game, capacity, device
        self._kept: tuple[Tensor, ...] = ()
        self._next = self._count = 0
        self._new = torch.zeros(0, dtype=torch.int64, device=device)

    def add(self, arrays: Arrays) -> None:
        """Add positions, in place of the oldest ones if there is no room."""
        new = [torch.tensor(each[-self._capacity :], device=self._device) for each in arrays]
        if not self._kept:
            self._kept = tuple(each.new_zeros((self._capacity, *each.shape[1:])) for each in new)
        rows = (torch.arange(len(new[0]), device=self._device) + self._next) % self._capacity
        for kept, each in zip(self._kept, new, strict=True):
            kept[rows] = each
        self._next = (self._next + len(rows)) % self._capacity
        self._count = min(self._capacity, self._count + len(rows))
        self._new = torch.cat([self._new, rows]).unique()

    def known(self) -> Tensor:
        """The numbers of all positions."""
        return torch.arange(self._count, device=self._device)

    def new(self) -> Tensor:
        """The numbers of those that were added since the last call."""
        new, self._new = self._new, self._new[:0]
        return new

    def positions(self, numbers: Tensor) -> Positions:
        """Some of them, as the network learns from them."""
        found = Positions(*(each[numbers] for each in self._kept))
        return found._replace(
            features=found.features.float(), codes=found.codes.long(), policy=found.policy.float()
        )


class ClusterRun(Run):
    """A training run whose matches are played on a cluster; one actor's round is a round of it."""

    def __init__(
        self, folder: Path, settings: TrainSettings | None, *, address: str, actors: int
    ) -> None:
        self._count = actors
        super().__init__(folder, settings)
        import ray

        self._ray = ray
        with contextlib.redirect_stdout(sys.stderr):  # Ray prints anywhere.
            if address == LOCAL:
                gpus = {"num_gpus": actors} if self.settings.device == "cuda" else {}
                ray.init(address=LOCAL, num_cpus=actors, log_to_driver=False, **gpus)
            else:
                ray.init(address=address, log_to_driver=False)
        needs = {"num_cpus": 1, "num_gpus": int(self.settings.device == "cuda")}
        self._new_actor = ray.remote(**needs)(Actor).remote
        self._made = 0
        self._deaths = [0] * actors
        self._weights = self._broadcast()
        self._actors = [self._start() for _ in range(actors)]
        self._playing = {self._ask(number): number for number in range(actors)}

    def _new_plays(self, games: list[Game], seed: int) -> list[Any]:
        """Nobody plays in this process."""
        del seed
        capacity = self.settings.window * self.settings.matches * self._count
        return [Replay(game, capacity, self.settings.device) for game in games]

    def _start(self) -> Any:
        """A new actor, with matches that no other has."""
        self._made += 1
        seed = self.settings.seed + 1_000_003 * self.progress.round + 7919 * self._made
        return self._new_actor(replace(self._settings_left(), details={}), seed)

    def _broadcast(self) -> Any:
        """Put the weights where all machines find them."""
        state = self.network.state_dict()
        return self._ray.put({name: value.cpu().numpy() for name, value in state.items()})

    def _ask(self, number: int) -> Any:
        return self._actors[number].play.remote(self._weights)

    def _play(self) -> None:
        """Wait for the round of any actor, and let it play the next one."""
        while True:
            (done, *_), _ = self._ray.wait(list(self._playing), num_returns=1)
            number = self._playing.pop(done)
            try:
                found = self._ray.get(done)
            except self._ray.exceptions.RayActorError as error:
                self._deaths[number] += 1
                if self._deaths[number] > MAX_DEATHS:
                    raise ActorFailed(
                        f"an actor has died {MAX_DEATHS + 1} times: {error}",
                        "install the same Watermeet with the extras train and ray everywhere",
                    ) from error
                self._actors[number] = self._start()
                self._playing[self._ask(number)] = number
                continue
            self._deaths[number] = 0
            self._playing[self._ask(number)] = number
            for replay, arrays in zip(self.plays, found, strict=True):
                replay.add(arrays)
            return

    def _learn(self, rate: float) -> dict[str, float]:
        """Learn, and broadcast what was learnt."""
        losses = super()._learn(rate)
        self._weights = self._broadcast()
        return losses

    def close(self) -> None:
        """Leave the cluster; one on this machine ends."""
        self._ray.shutdown()
