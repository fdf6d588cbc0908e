"""``watermeet bench``: what it hands to the benchmarks, and how it shows their figures."""

from __future__ import annotations

import json
from typing import Any

import pytest

import watermeet as wm
from watermeet.bench import peers, runner


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, float]]:
    """Replaces the measuring, which takes long, and notes what was asked of it."""
    asked: list[tuple[object, float]] = []

    def measure_game(game: wm.Game, *, seconds: float, progress: Any) -> list[Any]:
        progress("something")
        asked.append((game, seconds))
        return [runner.Measurement(game.describe(), "random playouts", 1234.0, "playouts/s", "")]

    monkeypatch.setattr(runner, "measure_game", measure_game)
    return asked


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


def test_peers_are_measured_when_asked_for(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    row = runner.Measurement("a peer", "random playouts", 1.0, "playouts/s", "")
    monkeypatch.setattr(peers, "measure_peers", lambda *, seconds, progress: [row])
    assert "a peer" not in run("bench", "flume").stdout
    assert "a peer" in run("bench", "flume", "--peers").stdout


def test_options_need_a_game(run: Any) -> None:
    assert run("bench", "-o", "size=5").exit_code == 2
    assert run("bench", "flume", "--seconds", "0").exit_code == 2
