"""Measures environments: ours beside PettingZoo's, pgx's and OpenSpiel's own, in one run.

    python bench/environments.py                 everything that is installed; writes RESULTS.md
    python bench/environments.py --seconds 0.2   a quick look
    python bench/environments.py --print         leaves RESULTS.md as it is

Every step is of a random legal action, and yields the next mask and observation. Their games are
not ours: what can be compared is the price of a step on a board of about the same size.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import watermeet as wm
from watermeet.bench.peers import BATCHES, PGX_GAMES, compile_pgx
from watermeet.bench.report import machine, markdown, table, with_section
from watermeet.bench.runner import Measurement, rate, ratio
from watermeet.bench.timing import Sample, Task, Worker, time_in_turns
from watermeet.core.batch import VectorGame
from watermeet.core.code_cache import CACHE_FOLDER_VARIABLE
from watermeet.core.options import Value

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
BATCHED: tuple[tuple[str, dict[str, Value]], ...] = (
    ("flume", {"size": 7}),
    ("flume", {"size": 11}),
    ("flecks", {}),
    ("flow", {}),
    ("qwirkle", {}),
    ("flows", {}),
)
TURN_BY_TURN: tuple[tuple[str, dict[str, Value]], ...] = (("flume", {}), ("flecks", {}))
ZOO_GAMES = ("connect_four_v3", "go_v5")
SPIEL_GAMES = ("hex(board_size=11)", "othello", "connect_four")
TWO_THREADS = ", two threads"
VECTOR_STEPS = 16
"""How many steps of a batch one piece of work has."""


def main() -> None:
    """Measures, prints, and writes the section."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure (default 1)")
    parser.add_argument("--print", action="store_true", help="leave RESULTS.md as it is")
    arguments = parser.parse_args()
    measurements = measure(arguments.seconds)
    print(f"\n{table(measurements)}\n")
    if not arguments.print:
        _write(measurements)


def measure(seconds: float) -> list[Measurement]:
    """All figures, taken in turns, and how long it took until each could begin."""
    tasks: list[Task] = []
    found: list[Measurement] = []
    for make in (_vector_tasks, _pgx_tasks, _zoo_tasks, _spiel_tasks):
        made, waits = make()
        tasks += made
        found += waits
    timed = time_in_turns(tasks, seconds=seconds, progress=_tell)
    for task, samples in zip(tasks, timed, strict=True):
        name, _, what = task.label.partition(", ")
        rates = [sample.unit_rate for sample in samples]
        walls = [sample.units / sample.wall_seconds for sample in samples]
        note = f"by the clock {sorted(walls)[len(walls) // 2]:,.0f}"
        found.append(rate(name, what, "steps/s", rates, note))
    for (task, alone), (other, both) in itertools.pairwise(zip(tasks, timed, strict=True)):
        if other.label == f"{task.label}{TWO_THREADS}":
            found.append(_gain(task.label, alone, both))
    return sorted(found, key=lambda measurement: measurement.name)


def _gain(label: str, alone: list[Sample], both: list[Sample]) -> Measurement:
    """By the clock; so it stands beside it how much of two cores the machine gave."""
    ratios = [
        two.units / two.wall_seconds * one.wall_seconds / one.units
        for one, two in zip(alone, both, strict=False)
    ]
    cores = statistics.median(two.cpu_seconds / two.wall_seconds for two in both)
    name, _, what = label.partition(", ")
    return ratio(name, f"{what}, two threads against one", ratios, f"given {cores:.2f} of 2 cores")


Made = tuple[list[Task], list[Measurement]]


def _task(label: str, worker: Worker) -> Task:
    return Task(label, worker, cpu_clock=time.process_time)


def _vector_tasks() -> Made:
    tasks, waits = [], []
    for name, options in BATCHED:
        game = wm.game(name, **options)
        title = f"watermeet {game.describe()}"
        _tell(f"{title}: compiling all for the first time, and reading what was compiled")
        waits += _waits(title, name, options)
        tasks += [_task(f"{title}, batch {batch}", _vector(game, batch, 1)) for batch in BATCHES]
        most = BATCHES[-1]
        two = _vector(game, most, 2)
        tasks.append(_task(f"{title}, batch {most}{TWO_THREADS}", two))
    return tasks, waits


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
print(rules - begin, time.process_time() - rules)
"""


def _waits(title: str, name: str, options: dict[str, Value]) -> list[Measurement]:
    """How long a program waits for its first step: with nothing compiled, and once more."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        place = {**os.environ, CACHE_FOLDER_VARIABLE: folder}
        for when in ("first time ever", "later"):
            told = subprocess.run(
                [sys.executable, "-c", _FIRST_STEP, name, repr(options)],
                check=True, capture_output=True, env=place, text=True,
            ).stdout.split()  # fmt: skip
            rules, rest = map(float, told)
            note = f"of CPU time; the rules before that {rules:.2f}"
            found.append(Measurement(title, f"until the first step, {when}", rest, "s", note))
    return found


def _vector(game: wm.Game, batch: int, threads: int) -> Worker:
    many = VectorGame(game, batch, threads=threads)

    def run(count: int) -> int:
        for _ in range(count * VECTOR_STEPS):
            many.step(many.sample_actions())
        return count * VECTOR_STEPS * batch

    return run


def _pgx_tasks() -> Made:
    if not _is_installed("pgx", "jax"):
        return [], []
    tasks, waits = [], []
    for game in PGX_GAMES:
        for batch in BATCHES:
            _tell(f"pgx {game}: compiling for batches of {batch}")
            compiled = compile_pgx(game, batch)
            tasks.append(_task(f"pgx {game}, batch {batch}", compiled.worker))
            what, wait = f"compiling, batch {batch}", compiled.compile_seconds
            waits.append(Measurement(f"pgx {game}", what, wait, "s"))
    return tasks, waits


def _zoo_tasks() -> Made:
    if not _is_installed("pettingzoo"):
        return [], []
    from watermeet.envs import pettingzoo

    tasks = []
    for name, options in TURN_BY_TURN:
        made = pettingzoo.GameAECEnv(wm.game(name, **options))
        tasks.append(_task(f"PettingZoo watermeet {name}, turn by turn", _turns(made)))
    for name in ZOO_GAMES if _is_installed("pygame") else ():
        module = importlib.import_module(f"pettingzoo.classic.{name}")
        tasks.append(_task(f"PettingZoo {name}, turn by turn", _turns(module.raw_env())))
    return tasks, []


def _turns(env: Any) -> Worker:
    """Random matches by the face that PettingZoo gives all environments."""
    rng = np.random.default_rng(1)
    env.reset(seed=1)

    def run(count: int) -> int:
        for _ in range(count):
            observation, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                env.reset()
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        return count

    return run


def _spiel_tasks() -> Made:
    if not _is_installed("pyspiel"):
        return [], []
    import pyspiel

    games = [pyspiel.load_game(name) for name in SPIEL_GAMES]
    name = "C++ driven from Python"
    return [_task(f"OpenSpiel {game}, {name}", _spiel(game)) for game in games], []


def _spiel(game: Any) -> Worker:
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


def _is_installed(*modules: str) -> bool:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    for module in missing:
        _tell(f"{module} is not installed, so it is left out")
    return not missing


def _tell(text: str) -> None:
    print(f"... {text}", file=sys.stderr, flush=True)


def _write(measurements: list[Measurement]) -> None:
    peers = ("pgx", "jax", "pettingzoo", "open_spiel")
    told = [f"{package} {version(package)}" for package in peers if _is_known(package)]
    when = datetime.now(tz=UTC).date().isoformat()
    load = f"load of the machine {os.getloadavg()[0]:.1f}, of which 1 or 2 are ours"
    heading = f"## Environments\n\n{when}; {', '.join([machine(), *told, load])}."
    page = RESULTS.read_text(encoding="utf-8")
    page = with_section(page, "environments", f"{heading}\n\n{markdown(measurements)}")
    RESULTS.write_text(page, encoding="utf-8")


def _is_known(package: str) -> bool:
    module = {"open_spiel": "pyspiel"}.get(package, package)
    return importlib.util.find_spec(module) is not None


if __name__ == "__main__":
    main()
