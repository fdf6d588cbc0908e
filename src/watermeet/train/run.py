"""A training run: rounds of self-play and learning, checkpoints, and the curves of both.

A run lives in a folder: ``checkpoint.pt`` has everything to resume from, ``curve.csv`` a line for
each round. A run that was killed resumes from its last checkpoint.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from watermeet.core.errors import InvalidOptions, NotInstalled
from watermeet.core.game import Game
from watermeet.nets.network import Network, Size
from watermeet.nets.shape import common_shape
from watermeet.train.learner import Learner
from watermeet.train.self_play import SelfPlay
from watermeet.train.settings import TrainSettings
from watermeet.train.start import weights_of

CHECKPOINT, CURVE = "checkpoint.pt", "curve.csv"
SAVE_EVERY_S = 60.0


@dataclass
class Progress:
    """Where a run stands."""

    round: int = 0
    positions: int = 0
    """How many moves were played, in all matches."""
    seconds: float = 0.0
    """How long it has run, earlier runs of the same training included."""
    results: dict[str, float] = field(default_factory=dict)
    """What the last round measured."""


class Run:
    """A training run in a folder, new or continued."""

    def __init__(self, folder: Path, settings: TrainSettings | None = None) -> None:
        self.folder, self.progress = folder, Progress()
        saved: dict[str, Any] | None = None
        if (folder / CHECKPOINT).exists():
            saved = torch.load(folder / CHECKPOINT, map_location="cpu", weights_only=True)
            known = TrainSettings.from_dict(saved["settings"])
            if settings is not None and settings != known:
                raise InvalidOptions(
                    f"{folder} has a run with other settings",
                    "resume it with the same ones, or choose another folder",
                )
            settings = known
        if settings is None:
            raise InvalidOptions(f"{folder} has no checkpoint", "name the folder of a run")
        self.settings = settings
        if settings.device == "cuda" and not torch.cuda.is_available():
            raise NotInstalled("PyTorch finds no GPU", "choose the device cpu")
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        games = settings.games()
        size = Size(settings.channels, settings.blocks)
        self.network = Network(common_shape(games), size).to(settings.device)
        if settings.device == "cuda":
            self.network = self.network.to(memory_format=torch.channels_last)
        self.learner = Learner(self.network, settings)
        if saved is not None:
            self.network.load_state_dict(saved["network"])
            self.learner.optimizer.load_state_dict(saved["optimizer"])
            self.progress = Progress(**saved["progress"])
        elif settings.start:
            self._begin_with(Path(settings.start))
        seed = settings.seed + 1_000_003 * self.progress.round
        self.plays = self._new_plays(games, seed)
        self._played = 0

    def _begin_with(self, start: Path) -> None:
        """Take over the weights that have the same shape from another run, or from a network."""
        if start.is_file():
            found = weights_of(start)
        elif (start / CHECKPOINT).exists():
            found = torch.load(start / CHECKPOINT, map_location="cpu", weights_only=True)["network"]
        else:
            raise InvalidOptions(
                f"{start} has no checkpoint", "name the folder of a run, or an .onnx file"
            )
        own = self.network.state_dict()
        fitting = {
            name: found[name]
            for name, weights in own.items()
            if name in found and found[name].shape == weights.shape
        }
        if "blocks.0.first.weight" not in fitting:
            raise InvalidOptions(
                f"the network in {start} is of another size", "choose the same --channels"
            )
        self.network.load_state_dict(own | fitting)

    def _new_plays(self, games: list[Game], seed: int) -> list[Any]:
        """What the learner takes positions from, for each board."""
        settings = self._settings_left()
        return [
            SelfPlay(game, self.network, settings, seed + 17 * index)
            for index, game in enumerate(games)
        ]

    def _settings_left(self) -> TrainSettings:
        """The settings of those who play from now on: the teacher's rounds may be over."""
        left = max(0, self.settings.teacher_rounds - self.progress.round)
        return replace(self.settings, teacher_rounds=left)

    def train(
        self,
        seconds: float,
        *,
        report: Callable[[Progress], None] = lambda progress: None,
        rate: Callable[[float], float] = lambda share: 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Train for some time by a clock; ``rate`` scales the learning rate by the share passed."""
        begin, last_save = clock(), time.monotonic()
        before = self.progress.seconds
        while True:
            passed = clock() - begin
            if passed >= seconds:
                break
            self.round(rate(passed / seconds))
            self.progress.seconds = before + clock() - begin
            self._write_curve()
            report(self.progress)
            if time.monotonic() - last_save > SAVE_EVERY_S:
                self.save()
                last_save = time.monotonic()
        self.save()

    def round(self, rate: float = 1.0) -> None:
        """Play some moves in every match, and learn from what is known by then."""
        progress, settings = self.progress, self.settings
        started = self._now()
        self._play()
        played = self._now()
        self._played += 1
        losses = self._learn(rate) if self._played > settings.warm_up else {}
        new = settings.steps * settings.matches * len(self.plays)
        progress.round += 1
        progress.positions += new
        progress.results = {
            **losses,
            "play_s": played - started,
            "learn_s": self._now() - played,
        }

    def _now(self) -> float:
        """The time when the GPU has done all it was asked to do, or now without one."""
        if self.settings.device == "cuda":
            torch.cuda.synchronize()
        return time.monotonic()

    def _play(self) -> None:
        for play in self.plays:
            play.play(self.settings.steps)

    def _learn(self, rate: float) -> dict[str, float]:
        return self.learner.learn(self.plays, rate)

    def close(self) -> None:
        """Nothing is open here."""

    def _write_curve(self) -> None:
        file, progress = self.folder / CURVE, self.progress
        columns = (
            "policy_loss", "value_loss", "target_entropy", "play_s", "learn_s", "new_value_loss"
        )  # fmt: skip
        is_new = not file.exists()
        with file.open("a", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            if is_new:
                writer.writerow(["round", "positions", "seconds", *columns])
            row = [progress.round, progress.positions, f"{progress.seconds:.1f}"]
            values = [progress.results.get(name) for name in columns]
            writer.writerow([*row, *("" if v is None else f"{v:.4f}" for v in values)])

    def save(self) -> None:
        """Write a checkpoint; the last one stays whole if this is interrupted."""
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / (CHECKPOINT + ".partial")
        torch.save(
            {
                "settings": self.settings.to_dict(),
                "network": self.network.state_dict(),
                "optimizer": self.learner.optimizer.state_dict(),
                "progress": vars(self.progress),
            },
            partial,
        )
        partial.replace(self.folder / CHECKPOINT)
