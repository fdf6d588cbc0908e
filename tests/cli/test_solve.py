"""``watermeet solve``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from watermeet.core.solution import Solution

pytestmark = pytest.mark.usefixtures("toys")


def test_the_value_and_the_best_moves(run: Any) -> None:
    shown = run("solve", "pile")
    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        "Seat 1 to move wins by 1 with best play.",
        "Best move: 3",
        "7 nodes searched.",
    ]
    answer = json.loads(run("solve", "pile", "--every-move", "--json").stdout)
    assert (answer["value"], answer["seat"], answer["nodes"]) == (1, 0, 7)
    assert (answer["best_moves"], answer["moves"]) == (["3"], {"1": -1, "2": -1, "3": 1})
    shown = run("solve", "pile", "-o", "size=4", "--every-move")
    assert shown.stdout.splitlines()[:3] == [
        "Seat 1 to move loses by 1 with best play.",
        "Best moves: 1 2 3",
        "  1  -1  loses by 1",
    ]


def test_what_cannot_be_solved_is_refused(run: Any) -> None:
    shown = run("solve", "pile", "--node-limit", "3")
    assert shown.exit_code == 1
    assert shown.stderr.splitlines() == ["error: 3 nodes are not enough", "hint: allow more"]
    shown = run("solve", "kettle", "--json")
    error = json.loads(shown.stdout)["error"]
    assert error["code"] == "no_solver"
    assert "pile" in error["hint"]
    assert "no game given" in run("solve").stderr
    assert "unexpected argument 'more'" in run("solve", "pile", "start", "more").stderr


def test_where_chance_plays_a_part_the_value_is_expected(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Solution(0.25, (3,), {1: -1.0, 3: 0.25}, 9, is_expected=True)
    monkeypatch.setattr("watermeet.cli.solve.find_solver", lambda game: lambda array, **_: found)
    assert run("solve", "pile", "--every-move").stdout.splitlines() == [
        "Seat 1 to move expects a return of +0.250 with best play.",
        "Best move: 3",
        "  3  expects a return of +0.250",
        "  1  expects a return of -1.000",
        "9 nodes searched.",
    ]


def test_a_record_is_solved_at_its_end(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text("game: pile@1\n\n1. 1 2. 1\n")
    assert run("solve", "--record", str(file)).stdout.startswith("Seat 1 to move wins")
    file.write_text("game: pile@1\noptions: size=3\n\n1. 3\n")
    shown = run("solve", "--record", str(file))
    assert shown.exit_code == 2
    assert "no seat is to move" in shown.stderr


@pytest.mark.compiled
@pytest.mark.slow
def test_a_built_in_game(run: Any) -> None:
    answer = json.loads(run("solve", "flume", "-o", "size=3", "-o", "pie=no", "--json").stdout)
    assert (answer["value"], answer["best_moves"]) == (7, ["b2"])
