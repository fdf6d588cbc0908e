"""The program in its own process: encodings, colour, width, and imports."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

HEAVY = ("numba", "llvmlite")


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
        "games",
        "play flume",
        pytest.param("games --json", marks=pytest.mark.slow),
        pytest.param("perft flume 2", marks=pytest.mark.slow),
        pytest.param("explain flume start c3", marks=pytest.mark.slow),
    ],
)
def test_the_compiler_is_not_loaded_unless_needed(command: str) -> None:
    loaded = modules_after(*command.split())
    assert "watermeet.cli.main" in loaded
    assert not loaded & set(HEAVY)


def test_help_loads_nothing_heavy() -> None:
    code = "import json, sys, watermeet; print(json.dumps(sorted(sys.modules)))"
    bare = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    added = modules_after("--help") - set(json.loads(bare.stdout))
    assert not {name for name in added if name.split(".")[0] in ("numpy", "rich", "pydantic")}


@pytest.mark.slow
def test_an_ascii_terminal(start: Any) -> None:
    ended = start(
        "play", "flume", "--seats", "human,human", lines="a1\nb1\nrules\n", PYTHONIOENCODING="ascii"
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    shown = ended.stdout.decode("ascii")
    assert " R" in shown
    assert " + " in shown


@pytest.mark.slow
def test_names_outside_the_encoding_do_not_crash(start: Any) -> None:
    names = "\u017b\u00f3\u0142w,Bob"
    ended = start("play", "flume", "--names", names, lines="a1\n", PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"??" in ended.stdout


@pytest.mark.slow
def test_a_pipe_gets_no_colour(start: Any) -> None:
    for arguments in (("games",), ("play", "flume")):
        assert b"\x1b" not in start(*arguments, lines="a1\n").stdout


@pytest.mark.slow
def test_colour_can_be_forced_or_disabled(start: Any) -> None:
    colourful = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    assert b"\x1b[" in start("play", "flume", lines="a1\n", **colourful).stdout
    refused = start("play", "flume", lines="a1\n", NO_COLOR="1", **colourful)
    assert b"\x1b" not in refused.stdout
    assert b"\x1b" not in start("play", "flume", "--no-colour", lines="a1\n", **colourful).stdout


@pytest.mark.slow
def test_narrow_and_wide_terminals(start: Any) -> None:
    for width in (40, 80, 120):
        shown = start("games", COLUMNS=str(width)).stdout.decode()
        assert max(len(line) for line in shown.splitlines()) <= width


@pytest.mark.slow
def test_json_passes_through_an_ascii_pipe(start: Any) -> None:
    ended = start("games", "--json", PYTHONIOENCODING="ascii")
    assert json.loads(ended.stdout)["games"]
