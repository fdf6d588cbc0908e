"""What is measured of search, with a search that takes no time."""

from __future__ import annotations

import time

import pytest

import watermeet as wm
from watermeet.bench import search
from watermeet.core.state import State
from watermeet.search.limits import Limits

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


@pytest.mark.costly
def test_simulations_are_counted() -> None:
    assert search.search_worker(FLUME, 1, simulations=15)(30) == 30
    assert search.search_worker(FLUME, 2, simulations=10)(30) == 30
