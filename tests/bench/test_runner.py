"""Every registered game can be measured, and figures say what they are of. No time is judged."""

from __future__ import annotations

import importlib
import importlib.util

import pytest

import watermeet as wm
from watermeet.bench import runner, startup
from watermeet.bench.runner import measure_game
from watermeet.bench.startup import Start, Starts, measure_starts

WHATS = {
    ("random playouts", "playouts/s"),
    ("random playouts", "actions/s"),
    ("random playouts, two threads", "playouts/s"),
    ("two threads against one", "times"),
    ("legal lists", "lists/s"),
    ("apply", "actions/s"),
    ("copies", "states/s"),
    ("State.play", "actions/s"),
    ("random playouts, plain Python", "playouts/s"),
    ("cold start to first playout", "s"),
    ("warm start to first playout", "s"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", wm.games())
def test_any_game_can_be_measured(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    start = Start(seconds=2.0, cpu_seconds=1.5, game_cpu_seconds=1.0)
    monkeypatch.setattr(runner, "measure_starts", lambda game: Starts(start, start))
    game = wm.game(name)
    told: list[str] = []
    measurements = measure_game(game, seconds=0.005, progress=told.append)
    own = _own_whats(game)
    assert {(each.what, each.unit) for each in measurements} == WHATS | own
    assert len(measurements) == len(WHATS) + len(own)
    assert {each.name for each in measurements} == {game.describe()}
    assert all(each.value > 0 for each in measurements)
    assert all(text.startswith(f"{game.describe()}: ") for text in told)


def _own_whats(game: wm.Game) -> set[tuple[str, str]]:
    """What a game's folder measures besides, if it does."""
    module = f"{game.package}.benchmarks"
    if importlib.util.find_spec(module) is None:
        return set()
    rows = importlib.import_module(module).measure(game, 0.001)
    return {(what, unit) for what, _, unit, _ in rows}


def test_a_rate_is_the_median_of_its_rounds() -> None:
    measured = runner.rate("game", "work", "playouts/s", [1000.0, 3000.0, 2000.0], "why")
    assert measured.value == 2000.0
    assert measured.note == "best 3,000; why"


def test_a_ratio_shows_its_spread() -> None:
    measured = runner.ratio("game", "gain", [1.9, 2.0, 1.5])
    assert (measured.value, measured.unit, measured.note) == (1.9, "times", "1.50 to 2.00")


@pytest.mark.slow
def test_starts_are_timed_in_fresh_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "WARM_STARTS", 1)
    name = wm.games()[0]
    starts = measure_starts(wm.game(name))
    for start in (starts.cold, starts.warm):
        assert 0 < start.game_cpu_seconds < start.cpu_seconds
        assert start.seconds > 0
