"""Tasks take turns, slow ones aren't repeated, and any game can be measured."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import watermeet as wm
from watermeet.testing.speed import ROUNDS, Task, measure_game, rate, ratio, time_in_turns


class Clock:
    """A clock that advances only when a worker works."""

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


def test_tasks_take_turns_for_about_their_time(clock: Clock) -> None:
    tasks = [
        Task("quick", clock.worker("quick", 0.001), cpu_clock=clock),
        Task("pair", clock.worker("pair", 0.01), threads=2, cpu_clock=clock),
    ]
    labels: list[str] = []
    quick, pair = time_in_turns(tasks, seconds=1.0, progress=labels.append)
    assert labels == ["quick", "pair"]
    assert clock.done[-2 * ROUNDS :] == ["quick", "pair"] * ROUNDS
    assert sum(sample.wall_seconds for sample in quick) == pytest.approx(1.0, rel=0.05)
    assert quick[0].rate == pytest.approx(1000)
    assert quick[0].unit_rate == pytest.approx(3000)
    assert pair[0].wall_rate == pytest.approx(200)


def test_slow_work_is_timed_once(clock: Clock) -> None:
    task = Task("heavy", clock.worker("heavy", 60.0), cpu_clock=clock, warm_up=False)
    (samples,) = time_in_turns([task], seconds=1.0)
    assert [sample.count for sample in samples] == [1]
    assert len(clock.done) == 2  # Once to plan, once to time.


def test_a_clock_that_does_not_advance_gives_a_finite_rate() -> None:
    task = Task("nothing", lambda count: count, cpu_clock=lambda: 0.0)
    (samples,) = time_in_turns([task], seconds=0.001)
    assert all(sample.rate > 0 for sample in samples)


def test_rates_and_ratios_show_their_spread() -> None:
    measured = rate("game", "work", "playouts/s", [1000.0, 3000.0, 2000.0], "why")
    assert (measured.value, measured.note) == (2000.0, "best 3,000; why")
    measured = ratio("game", "gain", [1.9, 2.0, 1.5])
    assert (measured.value, measured.unit, measured.note) == (1.9, "times", "1.50 to 2.00")


SMALL = 100
"""Actions of a game that takes no long time to compile and to measure."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.nightly if wm.game(name).sizes.actions > SMALL else ())
        for name in wm.games()
    ],
)
def test_any_game_can_be_measured(name: str) -> None:
    game = wm.game(name)
    reports: list[str] = []
    found = measure_game(game, seconds=0.005, progress=reports.append)
    figures = {(each.what, each.unit) for each in found}
    assert {("random playouts", "actions/s"), ("legal lists", "lists/s")} <= figures
    assert {each.name for each in found} == {game.describe()}
    assert all(each.value > 0 for each in found)
    assert all(text.startswith(f"{game.describe()}: ") for text in reports)
