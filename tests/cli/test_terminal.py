"""The program at a terminal, as a person sees it: questions, colours, curtains, Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PATIENCE_S = 60.0
# The first process of a session that opens a terminal gets its Ctrl-C. Where the tests run in the
# background of a shell they are told to ignore it, and so would be what they start.
TAKE_TERMINAL = """\
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
os.close(os.open(os.ttyname(0), os.O_RDWR))
os.execv(sys.executable, [sys.executable, "-m", "watermeet", *sys.argv[1:]])
"""


class Terminal:
    """A process with a terminal of its own at both ends."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env=os.environ
            | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "30"}
            | environment,
        )
        os.close(theirs)
        self.shown = ""

    def wait_for(self, text: str) -> str:
        """Reads until a text appears; returns what came up to there since the last wait."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.shown:
            ready, _, _ = select.select([self._ours], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{text!r} did not appear in {self.shown!r}"
            self.shown += os.read(self._ours, 65536).decode()
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def ends(self) -> int:
        """Waits for the end; returns the exit code, and leaves the rest in ``shown``."""
        end = time.monotonic() + PATIENCE_S
        try:
            while True:
                ready, _, _ = select.select([self._ours], [], [], max(0.0, end - time.monotonic()))
                assert ready, f"it does not end after {self.shown!r}"
                self.shown += os.read(self._ours, 65536).decode()
        except OSError:  # The other end is closed.
            return self._process.wait(PATIENCE_S)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_the_menu_leads_to_a_match(terminals: list[Terminal], outside: Path) -> None:
    terminal = Terminal("play", PYTHONPATH=os.pathsep.join([str(outside), *sys.path]))
    terminals.append(terminal)
    assert "Pile" in terminal.wait_for("Which game?")
    terminal.type("nonsense\n")
    terminal.wait_for("There is no 'nonsense' in the list.")
    terminal.wait_for("Which game?")
    terminal.type("pile\n")
    terminal.wait_for("Options as name=value")
    terminal.type("size=99\n")
    terminal.wait_for("cannot be 99")
    terminal.type("size=3\n")
    terminal.wait_for("Players [Enter for human,random]")
    terminal.type("human human\n")
    terminal.wait_for("Seat 0> ")
    terminal.type("3\n")
    terminal.wait_for("Seat 0 wins.")
    terminal.wait_for("over> ")
    terminal.type("\n")
    assert terminal.ends() == 0


def test_a_match_is_in_colour(terminals: list[Terminal]) -> None:
    terminals.append(terminal := Terminal("play", "flume"))
    assert "\x1b[" in terminal.wait_for("Red> ")


def test_ctrl_c_leaves_quietly(terminals: list[Terminal], state_home: Path) -> None:
    terminals.append(terminal := Terminal("play", "flume", "--seats", "human,human"))
    terminal.wait_for("Red> ")
    terminal.type("a1\n")
    terminal.wait_for("Blue> ")
    time.sleep(1)  # A signal that comes between the prompt and the wait for keys goes unnoticed,
    terminal.type("\x03")
    time.sleep(2)  # and then a person presses the keys again.
    with contextlib.suppress(OSError):
        terminal.type("\x03")
    assert terminal.ends() == 130
    assert "Traceback" not in terminal.shown
    assert "1. a1" in (state_home / "last-match.txt").read_text()


def test_quit_asks_for_a_file(terminals: list[Terminal], tmp_path: Path) -> None:
    terminals.append(terminal := Terminal("play", "flume", "--seats", "human,human"))
    terminal.wait_for("Red> ")
    terminal.type("a1\n")
    terminal.wait_for("Blue> ")
    terminal.type("quit\n")
    terminal.wait_for("A file name to save the match")
    terminal.type(f"{tmp_path}/mine.txt\n")
    assert terminal.ends() == 0
    assert "1. a1" in (tmp_path / "mine.txt").read_text()


def test_a_person_is_asked_before_a_file_is_overwritten(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("precious")
    terminals.append(terminal := Terminal("play", "flume"))
    terminal.wait_for("Red> ")
    terminal.type(f"save {file}\n")
    terminal.wait_for("Overwrite it? [y/N] ")
    terminal.type("n\n")
    terminal.wait_for("Red> ")
    assert file.read_text() == "precious"
    terminal.type(f"save {file}\n")
    terminal.wait_for("Overwrite it? [y/N] ")
    terminal.type("y\n")
    terminal.wait_for("Written to")
    assert file.read_text() != "precious"


def test_a_curtain_hides_each_hand(terminals: list[Terminal], outside: Path) -> None:
    path = os.pathsep.join([str(outside), *sys.path])
    terminal = Terminal("play", "cards", "--seats", "human,human", PYTHONPATH=path)
    terminals.append(terminal)
    terminal.wait_for("Pass the screen to Seat 0")
    terminal.type("\n")
    terminal.wait_for("Seat 0> ")
    terminal.type("4\n")
    between = terminal.wait_for("Pass the screen to Seat 1")
    assert "\x1b[2J\x1b[3J" in between, "the hand is wiped from the screen and what was scrolled"
    terminal.type("\n")
    terminal.wait_for("Seat 1> ")


def test_replay_waits_for_enter(terminals: list[Terminal], tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text("game: flume@1\n\n1. a1 2. b1\n")
    terminals.append(terminal := Terminal("replay", str(file), "--step"))
    assert "1. Red" not in terminal.wait_for("Enter for the next turn")
    terminal.type("\n")
    assert "2. Blue" not in terminal.wait_for("Enter for the next turn")
    terminal.type("\x04")
    assert terminal.ends() == 0
