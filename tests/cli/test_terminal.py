"""The program on a terminal: questions, colours, curtains, Ctrl-C."""

from __future__ import annotations

import contextlib
import re
import time
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


def test_a_match_is_in_colour(open_terminal: Any) -> None:
    terminal = open_terminal("play", "flume")
    assert "\x1b[1;33m" in terminal.wait_for("You (Red)> ")
    plain = open_terminal("play", "flume", NO_COLOR="1")
    assert "m" not in re.findall("\x1b\\[[0-9;]*([A-Za-z])", plain.wait_for("You (Red)> "))


def test_the_board_is_redrawn_in_place(open_terminal: Any) -> None:
    terminal = open_terminal("play", "flume", "-o", "size=3", "--seats", "human,human")
    terminal.wait_for("Red> ")
    terminal.type("z9\n")
    refused = terminal.wait_for("Red> ")
    assert refused.count("\x1b[H") == 1
    assert "isn't a point of a 3x3 board" in refused
    terminal.type("a1\n")
    played = terminal.wait_for("Blue> ")
    assert played.count("\x1b[H") == 1
    assert "isn't a point" not in played, "what was said is gone with the next line"


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


def test_a_resized_window_is_drawn_again_with_the_line_being_typed(open_terminal: Any) -> None:
    terminal = open_terminal("play", "flume", "--seats", "human,human")
    terminal.wait_for("Red> ")
    terminal.type("b")
    terminal.wait_for("b")
    time.sleep(0.5)
    terminal.resize()
    assert "\x1b[H" in terminal.wait_for("Red> b")
    terminal.type("2\n")
    terminal.wait_for("Blue> ")


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


def test_ctrl_c_exits_quietly(open_terminal: Any, state_home: Path) -> None:
    terminal = open_terminal("play", "flume", "--seats", "human,human")
    terminal.wait_for("Red> ")
    terminal.type("a1\n")
    terminal.wait_for("Blue> ")
    time.sleep(1)  # A signal between the prompt and the wait for keys goes unnoticed,
    terminal.type("\x03")
    time.sleep(2)  # and then a person presses the keys again.
    with contextlib.suppress(OSError):
        terminal.type("\x03")
    assert terminal.wait() == 130
    assert "Traceback" not in terminal.shown
    assert "1. a1" in (state_home / "last-match.txt").read_text()


def test_quit_offers_to_save(open_terminal: Any, tmp_path: Path) -> None:
    terminal = open_terminal("play", "flume", "--seats", "human,human")
    terminal.wait_for("Red> ")
    terminal.type("a1\n")
    terminal.wait_for("Blue> ")
    terminal.type("quit\n")
    terminal.wait_for("File name to save the match")
    terminal.type(f"{tmp_path}/mine.txt\n")
    assert terminal.wait() == 0
    assert "1. a1" in (tmp_path / "mine.txt").read_text()


def test_overwriting_a_file_needs_confirmation(open_terminal: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("precious")
    terminal = open_terminal("play", "flume")
    terminal.wait_for("You (Red)> ")
    terminal.type(f"save {file}\n")
    terminal.wait_for("Overwrite it? [y/N] ")
    terminal.type("n\n")
    terminal.wait_for("You (Red)> ")
    assert file.read_text() == "precious"
    terminal.type(f"save {file}\n")
    terminal.wait_for("Overwrite it? [y/N] ")
    terminal.type("y\n")
    terminal.wait_for("Saved to")
    assert file.read_text() != "precious"


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


def test_no_curtain_when_all_hands_are_open(open_terminal: Any) -> None:
    terminal = open_terminal("play", "flow", "-o", "clock=free", "--seats", "human,human")
    shown = terminal.wait_for("Player 1> ")
    terminal.type("time\n")
    shown += terminal.wait_for("Player 2> ")
    assert "Pass the screen" not in shown
    assert "\x1b[2J" not in shown


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
