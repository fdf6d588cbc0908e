"""Measure how fast a game runs on a GPU: playouts, batches and searches.

By the wall clock: the median of some rounds, in which nobody waits for the GPU. The matches of a
batch began together, as those of any program do, and have played 150 actions.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from watermeet.core.batch import VectorGame
from watermeet.core.batch_functions import BatchFunctions
from watermeet.core.errors import GpuFailed
from watermeet.core.game import Game
from watermeet.testing.speed import Measurement, Progress

COUNTS = (16_384, 65_536, 262_144)
STEPS_BEFORE = 150
ROUNDS = 5


def measure_on_gpu(
    game: Game,
    *,
    seconds: float,
    counts: Sequence[int] = COUNTS,
    progress: Progress | None = None,
) -> list[Measurement]:
    """Measure a game with each number of matches that fits into the GPU's memory."""
    found: list[Measurement] = []
    report: Progress = progress or (lambda text: None)
    for count in counts:
        report(f"{game.describe()}: {count:,} matches")
        try:
            found.append(_measure_playouts(game, count, seconds))
            many: Any = VectorGame(game, count, seed=0, device="cuda")
            for _ in range(STEPS_BEFORE):
                many.step(many.sample_actions())
            found += [_measure_batch(many, seconds, with_features=each) for each in (False, True)]
        except GpuFailed as error:
            report(str(error))
    return found


def _measure_playouts(game: Game, count: int, seconds: float) -> Measurement:
    rules = BatchFunctions(game, count, device="cuda")
    actions = float(np.sum(rules.playouts().numpy()))
    figure = actions * rate_on_gpu(rules.playouts, rules.synchronize, seconds) / 1e6
    return Measurement(game.describe(), f"{count:,} playouts", figure, "M actions/s", "")


def _measure_batch(many: Any, seconds: float, with_features: bool) -> Measurement:
    def step() -> None:
        many.step(many.sample_actions())
        if with_features:
            _ = many.features

    figure = many.count * rate_on_gpu(step, many.synchronize, seconds) / 1e6
    what = f"{many.count:,} matches, masks{' and features' if with_features else ''}"
    return Measurement(many.game.describe(), what, figure, "M steps/s", "")


def rate_on_gpu(run: Callable[[], object], wait: Callable[[], None], seconds: float) -> float:
    """Runs per second."""
    run()
    wait()
    begin = time.perf_counter()
    run()
    wait()
    count = max(1, int(seconds / ROUNDS / (time.perf_counter() - begin)))
    rates = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(count):
            run()
        wait()
        rates.append(count / (time.perf_counter() - begin))
    return statistics.median(rates)
