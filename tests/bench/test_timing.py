"""Tasks take turns, slow ones are not repeated, and threads run at the same time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from watermeet.bench.timing import ROUNDS, Task, time_in_turns, together


class Clock:
    """A clock that moves only when a worker says that it worked."""

    def __init__(self) -> None:
        self.now = 0.0
        self.done: list[str] = []

    def __call__(self) -> float:
        return self.now

    def worker(self, name: str, seconds: float) -> Callable[[int], int]:
        def run(count: int) -> int:
            self.now += seconds * count
            self.done.append(name)
            return 3 * count

        return run


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    return clock


def test_tasks_take_turns(clock: Clock) -> None:
    tasks = [
        Task("quick", clock.worker("quick", 0.001), cpu_clock=clock),
        Task("slower", clock.worker("slower", 0.01), cpu_clock=clock),
    ]
    quick, slower = time_in_turns(tasks, seconds=1.0)
    assert clock.done[-2 * ROUNDS :] == ["quick", "slower"] * ROUNDS
    assert len(quick) == len(slower) == ROUNDS
    assert quick[0].rate == pytest.approx(1000)
    assert quick[0].unit_rate == pytest.approx(3000)
    assert slower[0].wall_rate == pytest.approx(100)


def test_a_task_is_run_for_about_the_time_it_is_given(clock: Clock) -> None:
    task = Task("work", clock.worker("work", 0.001), cpu_clock=clock)
    (samples,) = time_in_turns([task], seconds=2.0)
    assert sum(sample.wall_seconds for sample in samples) == pytest.approx(2.0, rel=0.05)


def test_what_takes_too_long_is_done_once(clock: Clock) -> None:
    task = Task("heavy", clock.worker("heavy", 60.0), cpu_clock=clock, warm_up=False)
    (samples,) = time_in_turns([task], seconds=1.0)
    assert [sample.count for sample in samples] == [1]
    assert len(clock.done) == 2  # To learn how long it takes, and to time it.


def test_progress_names_each_task(clock: Clock) -> None:
    told: list[str] = []
    task = Task("work", clock.worker("work", 0.5), cpu_clock=clock)
    time_in_turns([task], seconds=1.0, progress=told.append)
    assert told == ["work"]


def test_workers_together_run_at_the_same_time_and_count_all() -> None:
    both_here = threading.Barrier(2, timeout=60)

    def worker(count: int) -> int:
        both_here.wait()  # Neither gets on without the other.
        return count

    assert together([worker, worker])(5) == 10


def test_the_work_of_all_threads_counts(clock: Clock) -> None:
    task = Task("pair", clock.worker("pair", 0.01), threads=2, cpu_clock=clock)
    (samples,) = time_in_turns([task], seconds=1.0)
    assert samples[0].wall_rate == pytest.approx(200)


def test_a_clock_that_stands_still_divides_by_no_zero() -> None:
    (samples,) = time_in_turns(
        [Task("nothing", lambda count: count, cpu_clock=lambda: 0.0)], seconds=0.001
    )
    assert all(sample.rate > 0 for sample in samples)
