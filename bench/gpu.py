"""Batches, searches and self-play on a GPU, by the wall clock, beside pgx on the same GPU.

A step plays a random legal action in every match and yields the next masks, with and without
features; ended matches start again. pgx's step yields its mask and observation, too. Nothing has to
be installed beside Numba, PyTorch, JAX and the folders in PYTHONPATH:

    pip install --no-deps --target .venv/peers pgx svgwrite ./examples/hex
    PYTHONPATH=src:.venv/peers python -m bench gpu --commit 1a2b3c4 --out somewhere
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import watermeet as wm
from bench.peers import compile_pgx
from bench.report import Row, is_installed, label, progress, versus
from watermeet.core.batch import VectorGame
from watermeet.core.errors import GpuFailed
from watermeet.search.batch import BatchSearch
from watermeet.testing.gpu_speed import measure_on_gpu, rate_on_gpu

TITLE = "On a GPU"
ABOUT = (
    "By the wall clock, a second: actions of whole random matches; steps of matches side by side, "
    "with masks, and with features as well (65,536 or 262,144 matches, whichever is faster); "
    "simulations of 16,384 searches; positions for training, each found by 32 simulations with a "
    "network."
)
COLUMNS = {
    "": "game",
    "actions": "actions",
    "with masks": "steps, masks",
    "with features": "steps, masks and features",
    "simulations": "simulations",
    "self-play": "positions for training",
    "first step": "first step after, s",
}
DEVICE = "cuda"
COUNTS = (65_536, 262_144)
PGX_GAME = "hex"
ROUNDS = 5
TREES, SIMULATIONS = 16_384, 200
SELF_PLAY = {"flume": 16_384}
"""How many matches at a time; the others 4,096."""


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """All games, then our Hex beside pgx's, by turns."""
    rows = []
    for name in games or wm.games():
        rows += _measure_game(wm.game(name), seconds)
    if "hex" in wm.games() and is_installed("pgx", "jax"):
        row = _beside_pgx(seconds)
        rows = [each for each in rows if (each.name, each.what) != (row.name, row.what)]
        rows.append(row)
    return rows


def _measure_game(game: wm.Game, seconds: float) -> list[Row]:
    name, rows = label(game), []
    progress(f"{name}: first step")
    begin = time.perf_counter()
    many: Any = VectorGame(game, 64, seed=0, device=DEVICE)
    many.step(many.sample_actions())
    _ = many.features.numpy()
    rows.append(Row(name, "first step", time.perf_counter() - begin, "s", "compiled or cached"))
    best: dict[str, Row] = {}
    for each in measure_on_gpu(game, seconds=seconds, counts=COUNTS, progress=progress):
        count, _, work = each.what.partition(" ")
        what = {"playouts": "actions", "matches, masks": "with masks"}.get(work, "with features")
        row = Row(name, what, 1e6 * each.value, each.unit.removeprefix("M "), f"{count} matches")
        best[what] = max(row, best.get(what, row), key=lambda found: found.value)
    rows += best.values()
    for measure_more in (_search, _self_play):
        try:
            rows += measure_more(game, seconds)
        except GpuFailed as error:
            progress(f"{name}: {error}")
    return rows


def _search(game: wm.Game, seconds: float) -> list[Row]:
    """Plain tree search with random rollouts, a tree for each match."""
    progress(f"{label(game)}: {TREES:,} searches")
    many = VectorGame(game, TREES, seed=0, device=DEVICE)
    search = BatchSearch(
        game, TREES, use_evaluation=False, max_nodes=SIMULATIONS + 1, device=DEVICE
    )
    run = partial(search.run, many, SIMULATIONS)
    rate = TREES * SIMULATIONS * rate_on_gpu(run, search.synchronize, seconds)
    note = f"{TREES:,} trees of {SIMULATIONS} simulations"
    return [Row(label(game), "simulations", rate, "simulations/s", note)]


def _self_play(game: wm.Game, seconds: float) -> list[Row]:
    """Gumbel search with a network of 64 channels and four blocks at its leaves."""
    if not is_installed("torch"):
        return []
    from watermeet.train.run import Run
    from watermeet.train.settings import TrainSettings

    matches, steps = SELF_PLAY.get(game.name, 4_096), 4
    progress(f"{label(game)}: self-play of {matches:,} matches")
    settings = TrainSettings(
        game.name, boards=(dict(game.options),), channels=64, blocks=4, matches=matches,
        simulations=32, window=steps, device=DEVICE,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        play = Run(Path(folder), settings).plays[0]
    play.play(1)
    play.known().cpu()
    begin, done = time.perf_counter(), 0
    while done == 0 or time.perf_counter() - begin < seconds:
        play.play(steps)
        play.known().cpu()  # Waits for the GPU.
        done += steps
    rate = done * matches / (time.perf_counter() - begin)
    return [Row(label(game), "self-play", rate, "positions/s", f"{matches:,} matches")]


def _beside_pgx(seconds: float) -> Row:
    """Steps with masks and features, in turns, with the number of matches that suits each best."""
    game = wm.game("hex")
    ours: dict[int, Any] = {}
    theirs: dict[int, Any] = {}
    for count in COUNTS:
        progress(f"hex beside pgx: {count:,} matches")
        many: Any = VectorGame(game, count, seed=0, device=DEVICE)
        ours[count] = partial(_step, many)
        theirs[count] = compile_pgx(PGX_GAME, count, device="gpu")
        ours[count](150)  # Matches that began together are in different stages by then.
        theirs[count](10)
    rounds: dict[str, list[float]] = {"ours": [], "theirs": []}
    for _ in range(ROUNDS):
        for who, workers in (("ours", ours), ("theirs", theirs)):
            rounds[who].append(max(_rate(work, seconds / ROUNDS) for work in workers.values()))
    name = label(game)
    one, two = rounds["ours"], rounds["theirs"]
    return versus(name, "with features", "steps/s", one, "pgx", two)


def _step(many: Any, count: int) -> int:
    for _ in range(count):
        many.step(many.sample_actions())
        _ = many.features
    many.synchronize()
    return count * int(many.count)


def _rate(work: Any, seconds: float) -> float:
    begin = time.perf_counter()
    played = work(1)
    count = max(1, int(seconds / max(time.perf_counter() - begin, 1e-6)))
    begin = time.perf_counter()
    played = work(count)
    return float(played / (time.perf_counter() - begin))
