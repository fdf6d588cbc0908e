"""What is measured of search, with a search that takes no time."""

from __future__ import annotations

import time

import pytest

import watermeet as wm
from watermeet.bench import search
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.search.thought import Thought

FLUME = wm.game("flume", size=3)


def test_by_how_much_a_search_is_late_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "LIMITS", (0.01,))

    def think(state: State, limits: Limits) -> None:
        until = time.perf_counter() + (limits.seconds or 0.0) + 0.02
        while time.perf_counter() < until and not limits.stop.is_set():
            time.sleep(0.001)

    late, stopped = search.measure_limits(FLUME, think, "sleeper", states=2)
    assert late.unit == "ms"
    assert late.value >= 19
    assert "sleeper" in late.name
    assert 0 <= stopped.value < 5000


def test_two_threads_are_held_against_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "TOGETHER_S", 0.001)

    def make_think(threads: int) -> search.Think:
        return lambda state, limits: Thought((), (), 100 * threads, 0.5)

    (found,) = search.measure_threads(FLUME, make_think, "pretender", states=3)
    assert found.value == pytest.approx(2.0)
    assert "pretender" in found.name
    assert search.measure_threads(FLUME, lambda _: lambda *_: Thought((), (), 0, 0.0), "x") == []


@pytest.mark.costly
def test_simulations_are_counted() -> None:
    assert search.search_worker(FLUME, simulations=15)(2) == 30
