"""The program on a terminal: questions, colours, curtains, Ctrl-C."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_the_menu_starts_a_match(open_terminal: Any) -> None:
    terminal = open_terminal("play")
    assert "Pile" in terminal.wait_for("Which game?")
    terminal.type("nonsense\n")
    terminal.wait_for("'nonsense' isn't in the list.")
    terminal.wait_for("Which game?")
    terminal.type("pile\n")
    terminal.wait_for("Options as name=value")
    terminal.type("size=99\n")
    terminal.wait_for("can't be 99")
    terminal.type("size=3\n")
    terminal.wait_for("Players [Enter for human,stream]")
    terminal.type("human human\n")
    terminal.wait_for("Seat 1> ")
    terminal.type("3\n")
    terminal.wait_for("Seat 1 wins.")
    terminal.wait_for("Play again? [y/N] ")
    terminal.type("\n")
    assert terminal.wait() == 0


def test_the_board_is_redrawn_in_place_until_ctrl_c(open_terminal: Any, state_home: Path) -> None:
    terminal = open_terminal("play", "flume", "-o", "size=3", "--seats", "human,human")
    assert "\x1b[1;33m" in terminal.wait_for("Red> "), "it is in colour"
    terminal.type("z9\n")
    refused = terminal.wait_for("Red> ")
    assert refused.count("\x1b[H") == 1
    assert "isn't a point of a 3x3 board" in refused
    terminal.type("a1\n")
    played = terminal.wait_for("Blue> ")
    assert played.count("\x1b[H") == 1
    assert "isn't a point" not in played, "what was said is gone with the next line"
    terminal.type("b")
    terminal.wait_for("b")
    terminal.resize()
    redrawn = terminal.wait_for("Blue> b", again=terminal.resize)
    assert "\x1b[H" in redrawn, "with the line being typed"
    terminal.press_ctrl_c()
    assert terminal.wait(again=terminal.press_ctrl_c) == 130
    assert "Traceback" not in terminal.shown
    assert "1. a1" in (state_home / "last-match.txt").read_text()


def test_files_are_overwritten_only_if_that_is_confirmed(
    open_terminal: Any, tmp_path: Path
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("precious")
    terminal = open_terminal("play", "flume", "--seats", "human,human")
    terminal.wait_for("Red> ")
    terminal.type(f"a1\nsave {file}\n")
    terminal.wait_for("Overwrite it? [y/N] ")
    terminal.type("n\n")
    terminal.wait_for("Blue> ")
    assert file.read_text() == "precious"
    terminal.type(f"save {file}\n")
    terminal.wait_for("Overwrite it? [y/N] ")
    terminal.type("y\n")
    terminal.wait_for("Saved to")
    assert "1. a1" in file.read_text()
    terminal.type("b1\nquit\n")
    terminal.wait_for("File name to save the match")
    terminal.type(f"{tmp_path}/other.txt\n")
    assert terminal.wait() == 0
    assert "2. b1" in (tmp_path / "other.txt").read_text()


def test_a_wide_window_has_a_side_column(open_terminal: Any) -> None:
    seats = ("--seats", "human,human", "--names", "Ada,Bob")
    terminal = open_terminal("play", "flume", "-o", "size=3", *seats, COLUMNS="140", LINES="40")
    terminal.wait_for("Ada (Red)> ")
    terminal.type("b3\n? a1\n")
    terminal.wait_for("Bob (Blue)> ")
    rows = re.sub("\x1b\\[[0-9;]*[A-Za-z]", "", terminal.wait_for("Bob (Blue)> ")).splitlines()
    beside = [row[18:] for row in rows]
    assert "▸ Bob (Blue)    0" in beside
    assert "Ada  b3  places a stone on b3" in beside
    assert "a1 makes 2 connections (2 with the green rim), which ends the" in " ".join(beside)


def test_another_match_can_follow(open_terminal: Any, state_home: Path) -> None:
    terminal = open_terminal(
        "play", "pile", "-o", "size=3", "--seats", "human,human", "--names", "Ada,Bob"
    )
    terminal.wait_for("Ada> ")
    terminal.type("again\n")
    assert "The match isn't over." in terminal.wait_for("Ada> ")
    terminal.type("3\n")
    assert "Ada wins." in terminal.wait_for("Play again? [y/N] ")
    terminal.type("y\n")
    terminal.wait_for("Bob> ")
    terminal.type("3\n")
    assert "Bob wins." in terminal.wait_for("Play again? [y/N] ")
    terminal.type("\n")
    assert terminal.wait() == 0
    assert "Bob" in (state_home / "last-match.txt").read_text()
    assert (state_home / "previous-match.txt").exists()


def test_a_curtain_hides_hands(open_terminal: Any) -> None:
    terminal = open_terminal("play", "cards", "--seats", "human,human")
    terminal.wait_for("Pass the screen to Seat 1")
    terminal.type("\n")
    terminal.wait_for("Seat 1> ")
    terminal.type("4\n")
    between = terminal.wait_for("Pass the screen to Seat 2")
    assert "\x1b[2J\x1b[3J" in between, "the hand is wiped from the screen and what was scrolled"
    terminal.type("\n")
    terminal.wait_for("Seat 2> ")


def test_an_option_that_hides_hands_brings_a_curtain(open_terminal: Any) -> None:
    options = ("-o", "clock=minute", "-o", "no_communication=yes", "--seed", "1")
    terminal = open_terminal("play", "flow", *options, "--seats", "human,human")
    terminal.wait_for("Pass the screen to Player 1")
    terminal.type("\n")
    terminal.wait_for("Player 1 1:00> ")
    terminal.type("draw\n")
    terminal.wait_for("to place the straight")
    terminal.type("EW@b1\n")
    assert "\x1b[2J" in terminal.wait_for("Pass the screen to Player 2")
    terminal.type("\n")
    terminal.wait_for("Player 2 0:")
    terminal.type("time\n")
    terminal.wait_for("1:00> ")  # Hands are open at the wave, so the next one needs no curtain.


def test_replay_waits_for_enter(open_terminal: Any, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text("game: flume@1\n\n1. a1 2. b1\n")
    terminal = open_terminal("replay", str(file), "--step")
    assert "1. Red" not in terminal.wait_for("Enter for the next turn")
    terminal.type("\n")
    assert "2. Blue" not in terminal.wait_for("Enter for the next turn")
    terminal.type("\x04")
    assert terminal.wait() == 0
