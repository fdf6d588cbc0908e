"""What differs between systems, with the other systems' functions in place of ours.

It shows that the right ones are called; whether they work there is for a run there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import httpx2
import pytest

from watermeet.arena import job
from watermeet.bots import external
from watermeet.cli import reader
from watermeet.client import load_players
from watermeet.core.errors import Conflict
from watermeet.server import guard, serving
from watermeet.server.errors import PortInUse
from watermeet.server.store import files


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows, for what asks; its modules that Linux has are missing."""
    monkeypatch.setattr(sys, "platform", "win32")
    for name in ("fcntl", "resource", "termios"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("windows")
def test_the_file_of_an_arena_is_locked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By one byte, which isn't one of its contents: those may be read meanwhile."""
    held: list[int] = []

    def locking(descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (2, 1)
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        if place in held:
            raise PermissionError(errno.EACCES, "Permission denied")
        held.append(place)

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    file = tmp_path / "job"
    with file.open("a+b") as first, file.open("a+b") as second:
        job._lock(first, file)
        with pytest.raises(Conflict):
            job._lock(second, file)
        first.write(b"a line")
    assert file.read_bytes() == b"a line"
    assert held[0] > 1 << 30


@pytest.mark.usefixtures("windows")
def test_programs_are_split_and_killed_by_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert external._split(r"C:\bots\mine.exe --fast") == r"C:\bots\mine.exe --fast"
    commands: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: commands.append(command))
    process: Any = SimpleNamespace(pid=7)
    external._kill(process)
    assert commands == [["taskkill", "/F", "/T", "/PID", "7"]]


def test_a_port_is_taken_for_one_program_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is an option for that; a port that can't be had is replaced by a free one."""
    options: list[int] = []

    class Socket(socket.socket):
        def setsockopt(self, level: int, option: int, *value: Any) -> None:
            assert level == socket.SOL_SOCKET
            options.append(option)

        def bind(self, address: Any) -> None:
            if address[1]:
                raise PermissionError(errno.EACCES, "reserved")
            super().bind(address)

    monkeypatch.setattr(socket, "socket", Socket)
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    with pytest.raises(PortInUse):
        serving._listen("127.0.0.1", 8765, any_port=True)
    monkeypatch.setattr(serving, "PORT_TAKEN", {errno.EACCES})
    with contextlib.closing(serving._listen("127.0.0.1", 8765, any_port=True)) as listener:
        assert listener.getsockname()[1]
    assert set(options) == {-5}


@pytest.mark.usefixtures("windows")
def test_nothing_limits_open_files() -> None:
    assert guard.raise_file_limit() == 1_000_000
    load_players._raise_file_limit()


def test_a_copy_is_synced_by_a_handle_that_may_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sqlite3.connect(tmp_path / "one.db").close()
    written: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda handle: written.append(os.write(handle, b"") == 0))
    files._copy(tmp_path / "one.db", tmp_path / "two.db")
    assert written == [True]


def test_a_terminal_that_cannot_be_polled_has_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_can_poll_terminal", lambda: False)
    lines = reader.Reader()
    lines.is_terminal = True
    monkeypatch.setattr("builtins.input", lambda prompt: f"{prompt}c3")
    assert lines.ask_until(lambda left: f"{left}> ", time.monotonic() - 1, "Red> ") == "Red> c3"


# ---- whole programs where much is missing -------------------------------------------------------

POOR = """
import builtins, os, sys
MISSING = {"grp", "pwd", "readline", "termios", "tty", "uvloop"}
for name in ("fork", "getloadavg", "getpgid", "getuid", "nice", "sched_getaffinity", "setsid"):
    delattr(os, name)
import_before = builtins.__import__

def poor_import(name, globals=None, *rest, **named):
    ours = ((globals or {}).get("__name__") or "").startswith("watermeet")
    if name in MISSING and (ours or name == "uvloop"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return import_before(name, globals, *rest, **named)

builtins.__import__ = poor_import
"""
"""Takes away what only POSIX has, from this process and those that it starts."""


@pytest.fixture
def poor(tmp_path: Path) -> dict[str, str]:
    """The environment of such a process."""
    (tmp_path / "sitecustomize.py").write_text(POOR)
    ours = {name: text for name, text in os.environ.items() if not name.startswith("WATERMEET_")}
    found = {**ours, "HOME": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    return {**found, "PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


@pytest.mark.slow
def test_matches_are_played_where_much_is_missing(poor: dict[str, str]) -> None:
    command = [sys.executable, "-m", "watermeet", "play", "flume", "-o", "size=3", "--seats"]
    moves = "\n".join(f"{column}{row}" for column in "abc" for row in "123") + "\n"
    done = subprocess.run(
        [*command, "human,human"],
        env=poor,
        input=moves,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "wins" in done.stdout, done.stderr
    command = [sys.executable, "-m", "watermeet", "arena", "flume", "random", "drop:nodes=2"]
    done = subprocess.run(
        [*command, "-o", "size=3", "--matches", "4", "--jobs", "2"],
        env=poor,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_server_runs_where_much_is_missing(poor: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "watermeet", "serve", "--no-open", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data-dir", str(tmp_path / "data")],
        env=poor,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        address = _address_in(process.stderr)
        answer = httpx2.get(f"{address}/api/games", timeout=30)
        assert "flume" in answer.text
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert process.returncode in (0, -15)


def _address_in(lines: IO[str]) -> str:
    read = []
    for line in lines:
        read.append(line)
        if "is running at " in line:
            return line.partition("is running at ")[2].split()[0].rstrip("/")
    raise AssertionError("".join(read))
