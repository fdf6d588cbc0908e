"""Times pieces of work in turns, so that a busy machine disturbs all of them alike.

A figure taken once says as much about the neighbours on the machine as about the work. So every
task is run in several short rounds, all tasks within each round; the median is reported beside the
best, and two tasks are compared within a round, never across rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

ROUNDS = 5
MOST_WORK = 2**40
"""How often a worker is ever asked to do its work at a time, should that cost nothing."""

Worker = Callable[[int], int]
"""Does its work that many times; returns how many units of something (actions, say) came of it."""


@dataclass(frozen=True)
class Task:
    """Work to be timed; the worker does it ``count`` times in each of ``threads`` threads."""

    label: str
    worker: Worker
    threads: int = 1
    cpu_clock: Callable[[], float] = time.thread_time
    warm_up: bool = True  # Run once untimed: the first time may compile.


@dataclass(frozen=True)
class Sample:
    """One round of a task: how often its work was done, what came of it, how long it took."""

    count: int
    units: int
    cpu_seconds: float  # Of the thread that called; of the process where the task says so.
    wall_seconds: float

    @property
    def rate(self) -> float:
        """How often the work was done in a second of CPU time."""
        return self.count / self.cpu_seconds

    @property
    def unit_rate(self) -> float:
        """How many units came of a second of CPU time."""
        return self.units / self.cpu_seconds

    @property
    def wall_rate(self) -> float:
        """How often the work was done in a second by the clock on the wall."""
        return self.count / self.wall_seconds


def time_in_turns(
    tasks: Sequence[Task], *, seconds: float, progress: Callable[[str], None] | None = None
) -> list[list[Sample]]:
    """The samples of each task, round by round; a task is run for about ``seconds`` in all.

    A task that takes longer than that for a single piece of work has one round only.
    """
    plans = []
    for task in tasks:
        if progress is not None:
            progress(task.label)
        plans.append(_planned(task, seconds))
    samples: list[list[Sample]] = [[] for _ in tasks]
    for turn in range(ROUNDS):
        for task, (count, rounds), taken in zip(tasks, plans, samples, strict=True):
            if turn < rounds:
                taken.append(_timed(task, count))
    return samples


def together(workers: Sequence[Worker]) -> Worker:
    """A worker that runs others at the same time, each in a thread of its own."""

    def run(count: int) -> int:
        with ThreadPoolExecutor(len(workers)) as pool:
            return sum(pool.map(lambda worker: worker(count), workers))

    return run


def _planned(task: Task, seconds: float) -> tuple[int, int]:
    """How much work makes one round of a task, and how many rounds the time is enough for."""
    if task.warm_up:
        task.worker(1)
    share = seconds / ROUNDS
    count = 1
    spent = _timed(task, count).wall_seconds
    while spent < share / 4 and count < MOST_WORK:
        count *= 4
        spent = _timed(task, count).wall_seconds
    per_piece = spent / count
    rounds = min(ROUNDS, max(1, int(seconds / per_piece)))
    return max(1, int(share / per_piece)), rounds


def _timed(task: Task, count: int) -> Sample:
    cpu, wall = task.cpu_clock(), time.perf_counter()
    units = task.worker(count)
    cpu, wall = task.cpu_clock() - cpu, time.perf_counter() - wall
    tick = 1e-9  # A clock may stand still for a short piece of work.
    return Sample(count * task.threads, units, max(cpu, tick), max(wall, tick))
