"""Playing against bots, their thinking, and hints, on the smallest board."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import watermeet as wm

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "bots" / "first_move.py"
SMALL = ("play", "flume", "-o", "size=3", "--seed", "1")


def test_bots_and_programs_play_to_the_end(run: Any) -> None:
    shown = run(*SMALL, lines="b2\n").stdout
    assert "You (Red) against Stream (Blue)" in shown, "the default opponent"
    assert "\nStream (Blue): " in shown
    shown = run(*SMALL, "--seats", f"uct:nodes=20,exec:{sys.executable} {EXAMPLE}")
    assert shown.exit_code == 0
    assert "The board is full" in shown.stdout
    run(*SMALL, "-o", "pie=no", "--seats", "human,uct:nodes=20", lines="b2\n")
    assert "You (Red) against Uct (Blue)" in run("play", "--resume", lines="").stdout


def test_thinking_is_shown_on_request(run: Any) -> None:
    arguments = (*SMALL, "--seats", "human,uct:nodes=50")
    assert "thinks" not in run(*arguments, lines="b2\n").stdout
    shown = run(*arguments, "--thinking", lines="b2\n").stdout
    assert "Uct (Blue) thinks: " in shown
    assert "50 nodes" in shown
    later = run(*arguments, lines="thinking\nb2\n").stdout
    assert "Bots' thinking is shown now." in later
    assert "Uct (Blue) thinks: " in later


def test_a_hint_is_a_legal_move(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("watermeet.cli.opponents.HINT_SECONDS", 0.05)
    shown = run(*SMALL, "--seats", "human,human", lines="hint\n").stdout
    line = next(line for line in shown.splitlines() if "Hint: " in line)
    move = line.partition("Hint: ")[2].split()[0]
    assert move in wm.game("flume", size=3).start().legal_moves


def test_a_failing_program_is_reported_and_the_match_is_kept(run: Any, state_home: Path) -> None:
    broken = f"exec:{sys.executable} -c 1"
    shown = run(*SMALL, "--seats", f"human,{broken}", lines="b2\n")
    assert shown.exit_code != 0
    assert "has ended" in shown.stderr + shown.stdout
    assert "b2" in (state_home / "last-match.txt").read_text()


@pytest.mark.parametrize(
    ("kinds", "hint"),
    [("human,sae", "sea"), ("human,uct:nodes=x", "a whole number"), ("human,uct:noods=3", "nodes")],
)
def test_an_unknown_kind_of_player_is_refused(run: Any, kinds: str, hint: str) -> None:
    shown = run(*SMALL, "--seats", kinds)
    assert shown.exit_code == 2
    assert "isn't a kind of player" in shown.stderr
    assert hint in shown.stderr
