"""Environments: ours beside those of PettingZoo, pgx and OpenSpiel, in one run.

Every step plays a random legal action and yields the next mask and observation. Their games are not
ours: compare the price of a step on a board of about the same size.
"""

from __future__ import annotations

import importlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

import watermeet as wm
from bench.peers import BATCHES, PGX_GAMES, compile_pgx, is_installed
from bench.progress import progress
from watermeet.core.batch import VectorGame
from watermeet.core.options import Value
from watermeet.testing.folders import built_in_games
from watermeet.testing.speed import Measurement, Task, Worker, rate, ratio, time_in_turns

TITLE = "Environments"
SIZES: dict[str, tuple[dict[str, Value], ...]] = {"flume": ({"size": 7}, {"size": 11})}
"""The options to measure a game with; default: its defaults."""
BATCHED = [(name, options) for name in built_in_games() for options in SIZES.get(name, ({},))]
SINGLE: tuple[tuple[str, dict[str, Value]], ...] = (("flume", {}), ("flecks", {}))
PETTINGZOO_GAMES = ("connect_four_v3", "go_v5")
OPEN_SPIEL_GAMES = ("hex(board_size=11)", "othello", "connect_four")
VECTOR_STEPS = 16
"""Steps of a batch per repetition."""

_FIRST_STEP = """
import random, sys, time
import watermeet as wm
game = wm.game(sys.argv[1], **eval(sys.argv[2]))
begin = time.process_time()
state = game.start().sample(random.Random(0))
state.play(state.legal_actions[0]).outcome
rules = time.process_time()
many = wm.VectorGame(game, 1)
many.step(many.sample_actions())
many.features
print(rules - begin, time.process_time() - rules)
"""


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """All environments, in turns, and how long the first step takes."""
    tasks: list[Task] = []
    found: list[Measurement] = []
    for make in (_vector_tasks, _pgx_tasks, _aec_tasks, _gymnasium_tasks, _open_spiel_tasks):
        made, waits = make()
        tasks += made
        found += waits
    samples = time_in_turns(tasks, seconds=seconds, progress=progress)
    by_label = {task.label: taken for task, taken in zip(tasks, samples, strict=True)}
    for label, taken in by_label.items():
        name, _, what = label.partition(", ")
        wall = statistics.median(sample.units / sample.wall_seconds for sample in taken)
        rates = [sample.unit_rate for sample in taken]
        found.append(rate(name, what, "steps/s", rates, f"by the wall clock {wall:,.0f}"))
        alone = by_label.get(label.removesuffix(", two threads"))
        if alone is not None and label.endswith(", two threads"):
            gains = [
                two.units / two.wall_seconds * one.wall_seconds / one.units
                for one, two in zip(alone, taken, strict=False)
            ]
            cores = statistics.median(two.cpu_seconds / two.wall_seconds for two in taken)
            found.append(ratio(name, f"{what} against one", gains, f"{cores:.2f} of 2 cores"))
    return sorted(found, key=lambda each: each.name)


Made = tuple[list[Task], list[Measurement]]


def _task(label: str, worker: Worker) -> Task:
    return Task(label, worker, cpu_clock=time.process_time)


def _vector_tasks() -> Made:
    tasks, waits = [], []
    for name, options in BATCHED:
        game = wm.game(name, **options)
        title = f"watermeet {game.describe()}"
        progress(f"{title}: compiling from scratch, then loading from the cache")
        waits += _waits(title, name, options)
        tasks += [_task(f"{title}, batch {size}", _vector_worker(game, size)) for size in BATCHES]
        label = f"{title}, batch {BATCHES[-1]}, two threads"
        tasks.append(_task(label, _vector_worker(game, BATCHES[-1], threads=2)))
    return tasks, waits


def _waits(title: str, name: str, options: dict[str, Value]) -> list[Measurement]:
    """The CPU time to a program's first step: with nothing compiled, and from the cache."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for when in ("cold", "warm"):
            printed = subprocess.run(
                [sys.executable, "-c", _FIRST_STEP, name, repr(options)],
                check=True, capture_output=True, text=True,
                env={**os.environ, "WATERMEET_CACHE_DIR": folder},
            ).stdout.split()  # fmt: skip
            rules, rest = map(float, printed)
            note = f"CPU time; {rules:.2f} s more for the rules"
            found.append(Measurement(title, f"to the first step, {when}", rest, "s", note))
    return found


def _vector_worker(game: wm.Game, batch: int, threads: int = 1) -> Worker:
    many = VectorGame(game, batch, threads=threads)

    def run(count: int) -> int:
        for _ in range(count * VECTOR_STEPS):
            many.step(many.sample_actions())
            many.features  # noqa: B018 - they are computed when they are read
        return count * VECTOR_STEPS * batch

    return run


def _pgx_tasks() -> Made:
    if not is_installed("pgx", "jax"):
        return [], []
    tasks, waits = [], []
    for name in PGX_GAMES:
        for batch in BATCHES:
            progress(f"pgx {name}: compiling for batches of {batch}")
            compiled = compile_pgx(name, batch)
            tasks.append(_task(f"pgx {name}, batch {batch}", compiled.worker))
            what = f"compiling, batch {batch}"
            waits.append(Measurement(f"pgx {name}", what, compiled.compile_seconds, "s"))
    return tasks, waits


def _aec_tasks() -> Made:
    if not is_installed("pettingzoo"):
        return [], []
    from watermeet.envs import pettingzoo

    envs: dict[str, Any] = {
        f"watermeet {name}": pettingzoo.GameAECEnv(wm.game(name, **options))
        for name, options in SINGLE
    }
    if is_installed("pygame"):
        for name in PETTINGZOO_GAMES:
            envs[name] = importlib.import_module(f"pettingzoo.classic.{name}").raw_env()
    return [_task(f"PettingZoo {name}, AEC", _aec_worker(env)) for name, env in envs.items()], []


def _gymnasium_tasks() -> Made:
    if not is_installed("gymnasium"):
        return [], []
    import gymnasium

    from watermeet.envs.gymnasium import env_id

    tasks = []
    for name, options in SINGLE:
        settings: dict[str, Any] = {**options, "disable_env_checker": True}
        env = gymnasium.make(env_id(wm.game(name)), **settings)
        label = f"Gymnasium watermeet {name}, against random moves"
        tasks.append(_task(label, _gymnasium_worker(env)))
    return tasks, []


def _gymnasium_worker(env: Any) -> Worker:
    rng = np.random.default_rng(1)
    carried = [env.reset(seed=1)[1]]

    def run(count: int) -> int:
        for _ in range(count):
            action = int(rng.choice(np.flatnonzero(carried[0]["action_mask"])))
            _, _, terminated, truncated, carried[0] = env.step(action)
            if terminated or truncated:
                carried[0] = env.reset()[1]
        return count

    return run


def _aec_worker(env: Any) -> Worker:
    rng = np.random.default_rng(1)
    env.reset(seed=1)

    def run(count: int) -> int:
        for _ in range(count):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        return count

    return run


def _open_spiel_tasks() -> Made:
    if not is_installed("pyspiel"):
        return [], []
    labels = [f"OpenSpiel {name}, C++ driven from Python" for name in OPEN_SPIEL_GAMES]
    workers = map(_open_spiel_worker, OPEN_SPIEL_GAMES)
    return [_task(*pair) for pair in zip(labels, workers, strict=True)], []


def _open_spiel_worker(name: str) -> Worker:
    import pyspiel

    game: Any = pyspiel.load_game(name)
    rng = np.random.default_rng(1)
    carried = [game.new_initial_state()]

    def run(count: int) -> int:
        for _ in range(count):
            state = carried[0]
            if state.is_terminal():
                state = carried[0] = game.new_initial_state()
            state.apply_action(int(rng.choice(state.legal_actions())))
            if not state.is_terminal():
                state.observation_tensor(state.current_player())
                state.legal_actions_mask()
        return count

    return run
