"""Batches on a GPU: steps per second by the wall clock, beside pgx on the same GPU.

A step plays a random legal action in every match and yields the next masks, with and without
features; ended matches start again. pgx's step yields its mask and observation, too.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import watermeet as wm
from bench.environments import SIZES
from bench.peers import compile_pgx, is_installed
from bench.progress import progress
from watermeet.core.batch import VectorGame
from watermeet.testing.speed import Measurement

TITLE = "Batches on a GPU"
COUNTS = (16_384, 65_536, 262_144)
PGX_GAME = "hex"
ROUNDS = 5
STEPS_BEFORE = 150
"""Steps that aren't measured: after them matches are in all stages, and no longer in the same."""


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """The games that are named, or all, with each number of matches that fits into the memory."""
    found = []
    for name in arguments or wm.games():
        for options in SIZES.get(name, ({},)):
            found += _measure_game(wm.game(name, **options), seconds)
    if is_installed("pgx"):
        for count in COUNTS:
            found += _measure_pgx(count, seconds)
    return found


def _measure_game(game: wm.Game, seconds: float) -> list[Measurement]:
    found = []
    begin = time.perf_counter()
    _play(VectorGame(game, 64, seed=0, device="cuda"), with_features=True)
    ready = time.perf_counter() - begin
    found.append(Measurement(game.describe(), "ready to play", ready, "s", "cached or compiled"))
    for count in COUNTS:
        progress(f"{game.describe()}, {count:,} matches")
        try:
            many = VectorGame(game, count, seed=0, device="cuda")
            for _ in range(STEPS_BEFORE):
                _play(many, with_features=False)
            for with_features in (False, True):
                what = f"{count:,} matches, masks{' and features' if with_features else ''}"
                rate = _rate(lambda: _play(many, with_features), many.synchronize, seconds)  # noqa: B023
                figure = count * rate / 1e6
                found.append(Measurement(game.describe(), what, figure, "M steps/s", ""))
        except wm.GpuFailed as error:
            progress(str(error))
    return found


def _play(many: Any, with_features: bool) -> None:
    many.step(many.sample_actions())
    if with_features:
        _ = many.features


def _rate(run: Callable[[], None], wait: Callable[[], None], seconds: float) -> float:
    """Runs per second: the median of some rounds, in which the GPU is never waited for."""
    run()
    wait()
    begin = time.perf_counter()
    run()
    wait()
    count = max(3, int(seconds / ROUNDS / (time.perf_counter() - begin)))
    rates = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(count):
            run()
        wait()
        rates.append(count / (time.perf_counter() - begin))
    return statistics.median(rates)


def _measure_pgx(count: int, seconds: float) -> list[Measurement]:
    progress(f"pgx {PGX_GAME}, {count:,} matches")
    steps = compile_pgx(PGX_GAME, count, device="gpu").worker
    steps(1)
    rates = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        played = steps(1)
        rates.append(played / (time.perf_counter() - begin))
    figure = statistics.median(rates) / 1e6
    what = f"{count:,} matches, masks and observations"
    return [Measurement(f"pgx {PGX_GAME} 11x11", what, figure, "M steps/s", "")]
