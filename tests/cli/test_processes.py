"""The program in its own process: encodings, colour, width, and imports."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest


def modules_after(*arguments: str) -> set[str]:
    """The modules that a new process has imported when a command ends."""
    code = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: sys.stderr.write(json.dumps(sorted(sys.modules))))\n"
        f"sys.argv = ['watermeet', *{list(arguments)!r}]\n"
        "from watermeet.cli.main import main\n"
        "main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    names: list[str] = json.loads(ended.stderr)
    return set(names)


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "play flume",
        pytest.param("games --json", marks=pytest.mark.slow),
        pytest.param("perft flume 2", marks=pytest.mark.slow),
        pytest.param("explain flume start c3", marks=pytest.mark.slow),
    ],
)
def test_the_compiler_is_not_loaded_unless_needed(command: str) -> None:
    loaded = {name.split(".")[0] for name in modules_after(*command.split())}
    assert "watermeet" in loaded
    assert not loaded & {"numba", "llvmlite"}
    if command == "--help":
        assert not loaded & {"rich", "pydantic"}


@pytest.mark.slow
def test_colour_is_for_terminals_but_can_be_forced_or_disabled(start: Any) -> None:
    colourful = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    words = ("play", "flume")
    assert b"\x1b" not in start(*words, lines="a1\n").stdout
    assert b"\x1b[" in start(*words, lines="a1\n", **colourful).stdout
    assert b"\x1b" not in start(*words, lines="a1\n", NO_COLOR="1", **colourful).stdout
    assert b"\x1b" not in start(*words, "--no-colour", lines="a1\n", **colourful).stdout


@pytest.mark.slow
def test_an_ascii_terminal(start: Any) -> None:
    words = ("play", "flume", "--seats", "human,human", "--names", "\u017b\u00f3\u0142w,Bob")
    ended = start(*words, lines="a1\nb1\nrules\n", PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, b"")
    shown = ended.stdout.decode("ascii")
    assert " R" in shown
    assert " + " in shown
    assert "??" in shown, "the name can't be written"
    ended = start("games", "--json", PYTHONIOENCODING="ascii")
    assert json.loads(ended.stdout)["games"]


@pytest.mark.slow
def test_narrow_and_wide_terminals(start: Any) -> None:
    for width in (40, 120):
        shown = start("games", COLUMNS=str(width)).stdout.decode()
        assert max(len(line) for line in shown.splitlines()) <= width
