"""The program as a whole: help, version, errors, pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import watermeet


def test_what_is_not_a_file_is_refused(run: Any, tmp_path: Path) -> None:
    assert "Is a directory" in run("replay", str(tmp_path)).stderr
    assert "too large to be a record" in run("replay", "/dev/zero").stderr


def test_without_arguments_help_is_shown(run: Any) -> None:
    shown = run()
    assert "Commands:" in shown.stdout + shown.stderr
    assert "..." not in run("--help").stdout.split("Commands:")[1], "a sentence was cut"
    assert run("--version").stdout == f"watermeet {watermeet.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ("games flum", "there is no game 'flum'", "did you mean 'flume'?"),
        ("play --bogus", "No such option: --bogus", "watermeet play --help"),
        ("--bogus", "No such option: --bogus", "watermeet --help"),
        ("perft flume", "Missing argument 'DEPTH'", "watermeet perft --help"),
        ("perft flume -o size 1", "'size' doesn't set an option", "write name=value"),
        ("perft flume -o size=3 -o size=5 1", "the option 'size' is set twice", "set it once"),
        ("perft flume -o size=4 1", "", "it must be a whole"),
    ],
)
def test_bad_input_is_reported_in_two_lines(
    run: Any, arguments: str, message: str, hint: str
) -> None:
    shown = run(*arguments.split())
    assert (shown.exit_code, shown.stdout) == (2, "")
    first, second = shown.stderr.splitlines()
    assert first.startswith("error: ")
    assert second.startswith("hint: ")
    assert message in first
    assert hint in second


def test_json_errors(run: Any) -> None:
    shown = run("games", "flum", "--json")
    assert (shown.exit_code, shown.stderr) == (2, "")
    assert json.loads(shown.stdout)["error"] == {
        "code": "unknown_game",
        "message": "there is no game 'flum'",
        "hint": "did you mean 'flume'?",
    }
    shown = run("games", "--json", "--bogus")
    assert json.loads(shown.stdout)["error"]["code"] == "usage"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "can't be read: No such file"),
        (b"\xff\xfe\x00\x01", "isn't UTF-8 text (byte 0)"),
        (b"", "line 1, column 1: the header 'game' is missing"),
        (b"\x7fELF\x00\x00", "isn't a header"),
        (b"game: flume@1\nresult: 1 -1\n\n1. c3", "line 2, column 1: the result is given as"),
    ],
)
def test_invalid_records_are_refused(
    run: Any, tmp_path: Path, content: bytes | None, message: str
) -> None:
    file = tmp_path / "match.txt"
    if content is not None:
        file.write_bytes(content)
    shown = run("replay", str(file))
    assert shown.exit_code == 2
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "watermeet", "games"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=buffered,
            check=False,
        )
    assert ended.returncode == 2
    assert b"error: [Errno 28]" in ended.stderr
    assert b"Traceback" not in ended.stderr
    assert b"Exception" not in ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["games --json", "play flume --seats random,random", "--help"])
def test_a_closed_pipe_is_not_an_error(command: str) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-m", "watermeet", *command.split()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert writer.stdout is not None
    assert writer.stderr is not None
    writer.stdout.close()
    assert writer.stderr.read() == b""
    writer.stderr.close()
    assert writer.wait(60) == 1


@pytest.mark.slow
def test_the_package_runs_as_a_module_without_input_or_output() -> None:
    for redirection in ("<&-", ">&-", "<&- >&-"):
        command = f"{sys.executable} -m watermeet play flume {redirection}"
        ended = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
        assert (ended.returncode, ended.stderr) == (0, b""), redirection
