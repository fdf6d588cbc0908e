"""``watermeet explain``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def test_a_legal_move(run: Any) -> None:
    shown = run("explain", "flume", "start", "c3")
    assert (shown.exit_code, shown.stdout) == (0, "c3 makes no connections, which ends the turn.\n")


def test_an_illegal_move_exits_with_1(run: Any) -> None:
    shown = run("explain", "flume", "5/5/2r2/5/5 b 0", "c3", "-o", "size=5")
    assert (shown.exit_code, shown.stdout) == (1, "There is already a red stone on c3.\n")


def test_an_unreadable_move_exits_with_1(run: Any) -> None:
    shown = run("explain", "flume", "start", "zz", "--json")
    assert shown.exit_code == 1
    assert json.loads(shown.stdout)["code"] == "unreadable"


def test_json_has_the_whole_explanation(run: Any) -> None:
    answer = json.loads(run("explain", "flume", "start", "c3", "--json").stdout)
    assert answer["state"] == "7/7/7/7/7/7/7 r 0"
    assert answer["legal"] is True
    assert answer["cells"] == ["c3"]
    assert answer["facts"]["connections"] == 0


def test_the_last_state_of_a_record(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text("game: flume@1\n\n1. c3\n")
    shown = run("explain", "swap", "--record", str(file))
    assert (shown.exit_code, shown.stdout.split()[0]) == (0, "Swapping")
    assert run("explain", "swap", "-o", "size=5", "--record", str(file)).exit_code == 2


def test_a_wrong_number_of_arguments(run: Any, tmp_path: Path) -> None:
    for words in (["flume"], ["flume", "start"], ["flume", "7", "r", "0", "c3"]):
        shown = run("explain", *words)
        assert shown.exit_code == 2
        assert "expected GAME, STATE and MOVE" in shown.stderr
    assert "expected MOVE" in run("explain", "flume", "c3", "--record", str(tmp_path)).stderr


def test_an_invalid_state(run: Any) -> None:
    shown = run("explain", "flume", "nonsense", "c3")
    assert shown.exit_code == 2
    assert "'nonsense' isn't a state of flume@1" in shown.stderr
