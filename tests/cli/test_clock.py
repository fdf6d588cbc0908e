"""Games with a clock: a prompt counts down on a terminal, and time stands still in a pipe."""

from __future__ import annotations

import itertools
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import watermeet as wm
from watermeet.cli import reader
from watermeet.cli.reader import Reader

KETTLE = ("play", "kettle", "--seats", "human,human", "-o")


def last_match(state_home: Path) -> wm.Record:
    return wm.Record.parse((state_home / "last-match.txt").read_text())


def advance_clock_by(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    hasty = SimpleNamespace(monotonic=itertools.count(0.0, seconds).__next__)
    for module in ("match", "reader", "session"):
        monkeypatch.setattr(f"watermeet.cli.{module}.time", hasty)


# ---- at a terminal ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_prompt_counts_down_and_drops_what_was_not_sent_in_time(
    open_terminal: Any, state_home: Path, toys: None
) -> None:
    terminal = open_terminal(*KETTLE, "seconds=3")
    terminal.wait_for("Seat 1 0:03> ")
    terminal.wait_for("\x1b7\rSeat 1 0:02> \x1b8")  # The line being typed stays in place.
    terminal.type("nonsense\n\nhelp\n? lift\nundo\npo")
    rest = terminal.wait_for("Time is up!")
    assert "'nonsense' is no move of kettle" in rest
    assert "Show this list." in rest
    assert "There is nothing to take back." in rest
    assert "0:03> " not in rest, "none of that stops the clock"
    terminal.wait_for("Seat 2 0:03> ")  # It restarts with the next round.
    terminal.type("lift\n")
    assert "is no move" not in terminal.wait_for("Seat 2> ")
    record = last_match(state_home)
    assert record.moves == ("time", "lift")
    assert (record.entries[0].seconds or 0.0) >= 3.0


@pytest.mark.slow
def test_a_line_sent_in_time_is_played_and_the_clock_keeps_running(
    open_terminal: Any, state_home: Path, toys: None
) -> None:
    terminal = open_terminal(*KETTLE, "seconds=3")
    terminal.wait_for("Seat 1 0:02> ")
    terminal.type("po")
    terminal.wait_for("Seat 1 0:01> ")
    terminal.type("ur\n")
    rest = terminal.wait_for("Time is up!")
    assert "Seat 2 0:01> " in rest
    assert not re.search("0:0[23]> ", rest), "a move does not give time"
    terminal.wait_for("Seat 1 0:03> ")
    terminal.type("\x04")
    assert terminal.wait() == 0
    ended = r"^(\x1b\S*?m)?The input ended before the match did\."
    assert re.search(ended, terminal.shown, re.MULTILINE)
    assert last_match(state_home).moves == ("pour", "time")


# ---- where time stands still --------------------------------------------------------------------


@pytest.mark.usefixtures("toys")
def test_the_clock_stands_still_in_a_pipe(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    advance_clock_by(100, monkeypatch)
    shown = run(*KETTLE, "seconds=1", lines="pour\nnonsense\npour\npour\n").stdout
    assert "Time is up!" not in shown
    assert re.findall(r"(Seat \d)> (\w*)", shown) == [
        ("Seat 1", "pour"),
        ("Seat 2", "nonsense"),
        ("Seat 2", "pour"),
        ("Seat 1", "pour"),
        ("Seat 2", ""),
    ]


def test_the_clock_stands_still_on_a_terminal_without_polling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = Reader()
    asked.is_terminal = True
    monkeypatch.setattr(reader, "_can_poll_terminal", lambda: False)
    monkeypatch.setattr("builtins.input", lambda prompt: f"typed after {prompt}")
    late = time.monotonic() - 5
    assert asked.ask_until("{} left> ".format, late, "you> ") == "typed after you> "


@pytest.mark.usefixtures("toys")
def test_without_a_clock_no_time_is_shown_or_recorded(run: Any, state_home: Path) -> None:
    shown = run(*KETTLE, "seconds=0", lines="pour\ntime\n").stdout
    assert "Seat 1> pour" in shown
    assert last_match(state_home).entries == (wm.Entry("pour"), wm.Entry("time"))


# ---- in the record ------------------------------------------------------------------------------


@pytest.mark.usefixtures("toys")
def test_the_record_has_the_time_of_each_move(
    run: Any, state_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance_clock_by(0.25, monkeypatch)
    run(*KETTLE, "seconds=60", lines="pour\nlift pour\ntime\n")
    seconds = [entry.seconds or 0.0 for entry in last_match(state_home).entries]
    assert len(set(seconds)) == 4
    assert seconds == sorted(seconds)
    assert all(re.fullmatch(r"\d\.\d", str(each)) for each in seconds), "tenths are enough"


@pytest.mark.usefixtures("toys")
def test_a_record_with_seconds_is_resumed_and_replayed(
    run: Any, state_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance_clock_by(0.1, monkeypatch)
    run(*KETTLE, "seconds=60", lines="pour\n")
    (first,) = last_match(state_home).entries
    assert first.seconds
    shown = run("play", "--resume", lines="lift\npour\n")
    assert "Seat 2> lift" in shown.stdout
    record = last_match(state_home)
    assert record.moves == ("pour", "lift", "pour")
    assert record.entries[0] == first
    assert run("replay", str(state_home / "last-match.txt")).exit_code == 0


@pytest.mark.usefixtures("toys")
def test_a_resumed_match_continues_counting_seconds(run: Any, state_home: Path) -> None:
    text = "game: kettle@1\noptions: seconds=60\nplayed-by: human, human\n\n1. pour @100\n"
    state_home.mkdir(parents=True)
    (state_home / "last-match.txt").write_text(text)
    run("play", "--resume", lines="pour\n")
    first, second = last_match(state_home).entries
    assert (second.seconds or 0.0) >= (first.seconds or 0.0)


# ---- random players -----------------------------------------------------------------------------


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(("seconds", "says"), [(60, False), (0, True)])
def test_random_players_ignore_the_clock(
    run: Any, state_home: Path, seconds: int, says: bool
) -> None:
    played = set()
    for seed in range(4):
        options = ("-o", f"seconds={seconds}", "--seats", "random,random", "--seed", str(seed))
        assert run("play", "kettle", *options).exit_code == 0
        played |= set(last_match(state_home).moves)
    assert ("time" in played) is says
    assert {"pour", "lift"} < played | {"time"}
