"""Batches and searches on a GPU, by the wall clock, beside pgx on the same GPU.

A step plays a random legal action in every match and yields the next masks, with and without
features; ended matches start again. pgx's step yields its mask and observation, too. A search is
plain UCT with random rollouts, and one core of the CPU beside the GPU runs it as well.
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from typing import Any

import watermeet as wm
from bench.environments import SIZES
from bench.peers import compile_pgx, is_installed
from bench.progress import progress
from watermeet.core.batch import VectorGame
from watermeet.search.batch import BatchSearch
from watermeet.testing.gpu_speed import measure_on_gpu, rate_on_gpu
from watermeet.testing.speed import Measurement

TITLE = "Batches on a GPU"
COUNTS = (16_384, 65_536, 262_144)
PGX_GAME = "hex"
ROUNDS = 5
SIMULATIONS = 200
TREES = {"cuda": (4_096, 65_536), "cpu": (8,)}
SLOWEST = 1.0
"""Runs per second of a search below which there is none with more trees."""


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """The games that are named, or all, with each number of matches that fits into the memory."""
    found = []
    for name in arguments or wm.games():
        for options in SIZES.get(name, ({},)):
            found += _measure_game(wm.game(name, **options), seconds)
        found += _measure_search(wm.game(name), seconds)
    if is_installed("pgx"):
        for count in COUNTS:
            found += _measure_pgx(count, seconds)
    return found


def _measure_game(game: wm.Game, seconds: float) -> list[Measurement]:
    begin = time.perf_counter()
    many: Any = VectorGame(game, 64, seed=0, device="cuda")
    many.step(many.sample_actions())
    _ = many.features.numpy()
    ready = time.perf_counter() - begin
    found = [Measurement(game.describe(), "ready to play", ready, "s", "cached or compiled")]
    return found + measure_on_gpu(game, seconds=seconds, counts=COUNTS, progress=progress)


def _measure_search(game: wm.Game, seconds: float) -> list[Measurement]:
    found = []
    for device, counts in TREES.items():
        for count in counts:
            progress(f"{game.describe()}, {count:,} trees, {device}")
            many = VectorGame(game, count, seed=0, device=device)
            search = BatchSearch(
                game, count, use_evaluation=False, max_nodes=SIMULATIONS + 1, device=device
            )
            run = partial(search.run, many.states, SIMULATIONS)
            rate = rate_on_gpu(run, search.synchronize, seconds)
            figure = count * SIMULATIONS * rate / 1e6
            where = "one core of the CPU" if device == "cpu" else "GPU"
            what = f"{count:,} trees of {SIMULATIONS} simulations, {where}"
            found.append(Measurement(game.describe(), what, figure, "M simulations/s", ""))
            if rate < SLOWEST:
                break
    return found


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
