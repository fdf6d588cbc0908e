"""``watermeet bench``: what it measures, and how it shows the figures."""

from __future__ import annotations

import json
from typing import Any

import pytest

import watermeet as wm
from watermeet.testing import speed


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, float]]:
    """Replace the measurement, which takes long, and record the calls."""
    calls: list[tuple[object, float]] = []

    def measure_game(game: wm.Game, *, seconds: float, progress: Any) -> list[Any]:
        progress("something")
        calls.append((game, seconds))
        return [speed.Measurement(game.describe(), "random playouts", 1234.0, "playouts/s", "")]

    monkeypatch.setattr(speed, "measure_game", measure_game)
    return calls


def test_one_game_with_options(run: Any, measured: list[tuple[object, float]]) -> None:
    shown = run("bench", "flume", "-o", "size=5", "--seconds", "0.5")
    assert shown.exit_code == 0
    assert measured == [(wm.game("flume", size=5), 0.5)]
    assert "flume@1 size=5" in shown.stdout
    assert "1,234" in shown.stdout


def test_every_game(run: Any, measured: list[tuple[object, float]]) -> None:
    run("bench")
    assert [game for game, _ in measured] == [wm.game(name) for name in wm.games()]


def test_json(run: Any) -> None:
    answer = json.loads(run("bench", "flume", "--json").stdout)
    (row,) = answer["measurements"]
    assert (row["what"], row["value"], row["unit"]) == ("random playouts", 1234.0, "playouts/s")


def test_options_need_a_game(run: Any) -> None:
    assert run("bench", "-o", "size=5").exit_code == 2
    assert run("bench", "flume", "--seconds", "0").exit_code == 2
