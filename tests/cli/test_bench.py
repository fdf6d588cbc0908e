"""``watermeet bench``: what it measures, and how it shows the figures."""

from __future__ import annotations

import json
from typing import Any

import pytest

import watermeet as wm
from watermeet.testing import speed


def test_games_are_measured_with_their_options(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[tuple[object, float]] = []

    def measure_game(game: wm.Game, *, seconds: float, progress: Any) -> list[Any]:
        progress("something")
        measured.append((game, seconds))
        return [speed.Measurement(game.describe(), "random playouts", 1234.0, "playouts/s", "")]

    monkeypatch.setattr(speed, "measure_game", measure_game)  # The real one takes long.
    shown = run("bench", "flume", "-o", "size=5", "--seconds", "0.5").stdout
    assert measured == [(wm.game("flume", size=5), 0.5)]
    assert "flume@1 size=5" in shown
    assert "1,234" in shown
    (row,) = json.loads(run("bench", "flume", "--json").stdout)["measurements"]
    assert (row["what"], row["value"], row["unit"]) == ("random playouts", 1234.0, "playouts/s")
    measured.clear()
    run("bench")
    assert [game for game, _ in measured] == [wm.game(name) for name in wm.games()]
    assert run("bench", "-o", "size=5").exit_code == 2, "options need a game"
    assert run("bench", "flume", "--seconds", "0").exit_code == 2
