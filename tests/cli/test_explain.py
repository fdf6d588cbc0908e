"""``watermeet explain``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("words", "exit_code", "sentence"),
    [
        (("start", "c3"), 0, "c3 makes no connections, which ends the turn.\n"),
        (("5/5/2r2/5/5 b 0", "c3", "-o", "size=5"), 1, "There is already a red stone on c3.\n"),
    ],
)
def test_a_move_is_explained(
    run: Any, words: tuple[str, ...], exit_code: int, sentence: str
) -> None:
    shown = run("explain", "flume", *words)
    assert (shown.exit_code, shown.stdout) == (exit_code, sentence)


def test_json_has_the_whole_explanation(run: Any) -> None:
    answer = json.loads(run("explain", "flume", "start", "c3", "--json").stdout)
    assert (answer["state"], answer["legal"]) == ("7/7/7/7/7/7/7 r 0", True)
    assert (answer["cells"], answer["facts"]["connections"]) == (["c3"], 0)
    shown = run("explain", "flume", "start", "zz", "--json")
    assert (shown.exit_code, json.loads(shown.stdout)["code"]) == (1, "unreadable")


def test_the_last_state_of_a_record(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text("game: flume@1\n\n1. c3\n")
    shown = run("explain", "swap", "--record", str(file))
    assert (shown.exit_code, shown.stdout.split()[0]) == (0, "Swapping")
    assert run("explain", "swap", "-o", "size=5", "--record", str(file)).exit_code == 2
    assert "expected MOVE" in run("explain", "flume", "c3", "--record", str(file)).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("flume", "expected GAME, STATE and MOVE"),
        ("flume 7 r 0 c3", "expected GAME, STATE and MOVE"),
        ("flume nonsense c3", "'nonsense' isn't a state of flume@1"),
    ],
)
def test_wrong_arguments_are_refused(run: Any, words: str, message: str) -> None:
    shown = run("explain", *words.split())
    assert shown.exit_code == 2
    assert message in shown.stderr
