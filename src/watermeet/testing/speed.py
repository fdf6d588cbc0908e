"""Measure how fast a game runs, through the kernels and the API that everything else uses.

A single timing says as much about the other programs on a machine as about the work. So all tasks
take turns in several short rounds; the median is reported beside the best, and two tasks are
compared within a round, never across rounds.
"""

from __future__ import annotations

import itertools
import os
import random
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core import playout
from watermeet.core.contract import ActionArray, StateArray, apply, legal
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.kernel import kernel, plain_python
from watermeet.core.playout import copy_state
from watermeet.core.rng import seeded
from watermeet.testing.matches import random_match

ROUNDS = 5
MATCHES, MAX_STATES = 16, 1024
"""How many random matches are replayed, and how many of their states are used."""
CACHE_LINE_BYTES = 128  # Two lines of 64: they are fetched in pairs.
_MAX_COUNT = 2**40

Worker = Callable[[int], int]
"""Does its work n times; returns how many units (actions, say) that made."""
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Measurement:
    """One figure: of which game (or other library), of what work, and a note on how to read it."""

    name: str
    what: str
    value: float
    unit: str
    note: str = ""


@dataclass(frozen=True)
class Task:
    """Work to time; ``threads`` is how many copies of it the worker runs at once."""

    label: str
    worker: Worker
    threads: int = 1
    cpu_clock: Callable[[], float] = time.thread_time
    warm_up: bool = True  # Run once untimed, because the first time may compile.


@dataclass(frozen=True)
class Sample:
    """One round of a task."""

    count: int
    units: int
    cpu_seconds: float  # By the task's own CPU clock.
    wall_seconds: float

    @property
    def rate(self) -> float:
        """Repetitions per CPU second."""
        return self.count / self.cpu_seconds

    @property
    def unit_rate(self) -> float:
        """Units per CPU second."""
        return self.units / self.cpu_seconds

    @property
    def wall_rate(self) -> float:
        """Repetitions per second by the wall clock."""
        return self.count / self.wall_seconds


def time_in_turns(
    tasks: Sequence[Task], *, seconds: float, progress: Progress | None = None
) -> list[list[Sample]]:
    """Time each task for about ``seconds`` in all; return its samples, round by round.

    A task that takes longer than that once gets a single round.
    """
    plans = []
    for task in tasks:
        if progress is not None:
            progress(task.label)
        plans.append(_plan(task, seconds))
    samples: list[list[Sample]] = [[] for _ in tasks]
    for turn in range(ROUNDS):
        for task, (count, rounds), taken in zip(tasks, plans, samples, strict=True):
            if turn < rounds:
                taken.append(_sample(task, count))
    return samples


def _plan(task: Task, seconds: float) -> tuple[int, int]:
    """How many repetitions make a round, and how many rounds there is time for."""
    if task.warm_up:
        task.worker(1)
    share, count = seconds / ROUNDS, 1
    spent = _sample(task, count).wall_seconds
    while spent < share / 4 and count < _MAX_COUNT:
        count *= 4
        spent = _sample(task, count).wall_seconds
    each = spent / count
    return max(1, int(share / each)), min(ROUNDS, max(1, int(seconds / each)))


def _sample(task: Task, count: int) -> Sample:
    cpu, wall = task.cpu_clock(), time.perf_counter()
    units = task.worker(count)
    cpu, wall = task.cpu_clock() - cpu, time.perf_counter() - wall
    tick = 1e-9  # A clock may not advance during short work.
    return Sample(count * task.threads, units, max(cpu, tick), max(wall, tick))


def rate(name: str, what: str, unit: str, rates: Sequence[float], note: str = "") -> Measurement:
    """The median rate of several rounds, with the best in the note."""
    notes = [f"best {max(rates):,.0f}", *([note] if note else [])]
    return Measurement(name, what, statistics.median(rates), unit, "; ".join(notes))


def ratio(name: str, what: str, ratios: Sequence[float], note: str = "") -> Measurement:
    """The median of ratios, each taken within one round, with their range in the note."""
    notes = [f"{min(ratios):.2f} to {max(ratios):.2f}", *([note] if note else [])]
    return Measurement(name, what, statistics.median(ratios), "times", "; ".join(notes))


# ---- what is measured of a game -----------------------------------------------------------------


def measure_game(
    game: Game, *, seconds: float = 1.0, progress: Progress | None = None
) -> list[Measurement]:
    """Measure a game, each figure for about ``seconds`` after compiling.

    Figures are per CPU second of one core; those of two threads are by the wall clock. A game can
    add figures: a module ``benchmarks`` in its folder with a function ``measure(game, seconds)``
    that returns rows of what, value, unit and note.
    """
    name = game.describe()
    report: Progress = (lambda text: progress(f"{name}: {text}")) if progress else (lambda _: None)
    report("playing random matches")
    matches = [random_match(game, random.Random(seed)) for seed in range(MATCHES)]
    actions = [match.actions for match in matches]
    arrays = [state.array for match in matches for state in match.states[:-1]]
    states = np.array(arrays[:: -(-len(arrays) // MAX_STATES)])
    two = _together([playout_worker(game, seed="first"), playout_worker(game, seed="second")])
    tasks = [
        Task("random playouts", playout_worker(game)),
        Task("random playouts, two threads", two, threads=2, cpu_clock=time.process_time),
        Task("legal lists", _legal_worker(game, states)),
        Task("apply", _apply_worker(game, actions)),
        Task("State.play", _play_worker(game, actions)),
        Task("random playouts, plain Python", _plain(playout_worker(game)), warm_up=False),
    ]
    samples = time_in_turns(tasks, seconds=seconds, progress=report)
    one, both, lists, applied, played, plain = samples
    mean = sum(sample.units for sample in lists) / sum(sample.count for sample in lists)
    gains = [two.wall_rate / one.wall_rate for one, two in zip(one, both, strict=False)]
    cores = statistics.median(sample.cpu_seconds / sample.wall_seconds for sample in both)
    found = [
        rate(name, "random playouts", "playouts/s", [s.rate for s in one]),
        rate(name, "random playouts", "actions/s", [s.unit_rate for s in one]),
        ratio(name, "two threads against one", gains, f"{cores:.1f} of {os.cpu_count()} cores"),
        rate(name, "legal lists", "lists/s", [s.rate for s in lists], f"mean length {mean:.0f}"),
        rate(name, "apply", "actions/s", [s.unit_rate for s in applied]),
        rate(name, "State.play", "actions/s", [s.unit_rate for s in played]),
        rate(name, "random playouts, plain Python", "playouts/s", [s.rate for s in plain]),
    ]
    measure = getattr(import_optional(game.package, "benchmarks"), "measure", None)
    if measure is not None:
        report("the game's own benchmarks")
        found += [Measurement(name, *row) for row in measure(game, seconds)]
    return found


def playout_worker(game: Game, seed: object = 1) -> Worker:
    """Plays random matches from the start, as rollouts do; its units are actions."""
    start = game.start().array.copy()
    buffers = [_padded(start), _padded(np.zeros(game.sizes.actions, dtype=np.int32))]
    if game.chance:
        buffers.append(_padded(np.zeros(game.sizes.actions, dtype=np.float64)))
    buffers.append(_padded(seeded(seed)))
    play: Any = game.specialize(playout.playouts_with_chance if game.chance else playout.playouts)
    return lambda count: int(play(start, *buffers, count))


def _padded(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy with a margin: threads that write to the same cache line slow each other down."""
    margin = CACHE_LINE_BYTES // array.itemsize
    padded = np.zeros(len(array) + 2 * margin, dtype=array.dtype)
    inner = padded[margin:-margin]
    inner[:] = array
    return inner


def _together(workers: Sequence[Worker]) -> Worker:
    """Runs workers at the same time, each in its own thread."""

    def run(count: int) -> int:
        with ThreadPoolExecutor(len(workers)) as pool:
            return sum(pool.map(lambda worker: worker(count), workers))

    return run


def _plain(worker: Worker) -> Worker:
    def run(count: int) -> int:
        with plain_python():
            return worker(count)

    return run


@kernel
def list_many(states: npt.NDArray[Any], actions: ActionArray, count: int) -> int:
    """List the legal actions ``count`` times, cycling through the states; returns their number."""
    listed = 0
    for index in range(count):
        listed += legal(states[index % len(states)], actions)
    return listed


def _legal_worker(game: Game, states: npt.NDArray[Any]) -> Worker:
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    run = game.specialize(list_many)
    return lambda count: int(run(states, actions, count))


@kernel
def replay_many(
    start: StateArray,
    state: StateArray,
    taken: npt.NDArray[np.int64],
    bounds: npt.NDArray[np.int64],
    count: int,
) -> int:
    """Replay ``count`` matches, cycling through the recorded ones; returns the actions played.

    The actions of match i are ``taken[bounds[i] : bounds[i + 1]]``; ``state`` is scratch space.
    """
    played = 0
    for number in range(count):
        match = number % (len(bounds) - 1)
        copy_state(start, state)
        for index in range(bounds[match], bounds[match + 1]):
            apply(state, int(taken[index]))
        played += bounds[match + 1] - bounds[match]
    return played


def _apply_worker(game: Game, matches: Sequence[Sequence[int]]) -> Worker:
    start = game.start().array.copy()
    state = start.copy()
    taken = np.array([*itertools.chain(*matches)], dtype=np.int64)
    bounds = np.array([0, *itertools.accumulate(map(len, matches))], dtype=np.int64)
    run = game.specialize(replay_many)
    return lambda count: int(run(start, state, taken, bounds, count))


def _play_worker(game: Game, matches: Sequence[Sequence[int]]) -> Worker:
    def run(count: int) -> int:
        played = 0
        for actions in itertools.islice(itertools.cycle(matches), count):
            game.start().play_all(actions)
            played += len(actions)
        return played

    return run
