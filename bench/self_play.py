"""Self-play for training, wholly on one device: moves played a second, each after a search.

Each move is found by Gumbel search with 32 simulations, whose leaves a network of 64 channels and
four blocks evaluates. Games that are named are measured, or Flume on three sizes of board.
Arguments: ``--device cpu``, ``--matches N``, ``--option NAME=VALUE``, and names of games.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import watermeet as wm
from watermeet.testing.speed import Measurement

TITLE = "Self-play"
SIMULATIONS = 32
BOARDS: dict[str, tuple[dict[str, int], ...]] = {"flume": ({"size": 7}, {"size": 9}, {"size": 11})}
STEPS = 4
"""Moves of every match that are measured."""


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """Positions a second."""
    parser = argparse.ArgumentParser(prog="bench self_play")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--matches", type=int, default=16_384)
    parser.add_argument("games", nargs="*", default=["flume"])
    given = parser.parse_args(arguments)
    found = []
    for name in given.games:
        for options in BOARDS.get(name, ({},)):
            found += _measure(wm.game(name, **options), given.matches, given.device, seconds)
    return found


def _measure(game: wm.Game, matches: int, device: str, seconds: float) -> list[Measurement]:
    from watermeet.train.run import Run
    from watermeet.train.settings import TrainSettings

    settings = TrainSettings(
        game.name, boards=(dict(game.options),), channels=64, blocks=4, matches=matches,
        simulations=SIMULATIONS, window=STEPS, device=device,
    )  # fmt: skip
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        play = Run(Path(folder), settings).plays[0]
    play.play(1)
    play.known().cpu()
    ready = time.perf_counter() - begin
    begin, steps = time.perf_counter(), 0
    while steps == 0 or time.perf_counter() - begin < seconds:
        play.play(STEPS)
        play.known().cpu()  # Waits for the GPU.
        steps += STEPS
    rate = steps * matches / (time.perf_counter() - begin)
    what = f"{matches:,} matches on {device}"
    return [
        Measurement(game.describe(), "ready to play", ready, "s", what),
        Measurement(game.describe(), "self-play", rate, "positions/s", what),
    ]
