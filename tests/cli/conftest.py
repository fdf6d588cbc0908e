"""Fixtures of the command line's tests: ways to run it, and installed toy games."""

from __future__ import annotations

import contextlib
import importlib
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from watermeet.core.registry import packages_by_name

TOYS = Path(__file__).parent / "toys"
ENTRY_POINTS = """\
[watermeet.games]
absent = no_such_package_anywhere
cards = cards
dice = dice
kettle = kettle
pile = pile
raising = raising
"""

TIMEOUT_S, QUIET_S = 60.0, 10.0
# The first process of a session that opens a terminal gets its Ctrl-C. Where the tests run in the
# background of a shell, they ignore it, and so would the processes that they start.
TAKE_TERMINAL = """\
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
os.close(os.open(os.ttyname(0), os.O_RDWR))
os.execv(sys.executable, [sys.executable, "-m", "watermeet", *sys.argv[1:]])
"""

Run = Callable[..., Any]


class Terminal:
    """A process on a terminal of its own."""

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

    def wait_for(self, text: str, again: Callable[[], object] | None = None) -> str:
        """Read until a text appears; return the output since the last wait, up to the text."""
        while text not in self.shown:
            self._read(f"{text!r} didn't appear", again)
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def _read(self, complaint: str, again: Callable[[], object] | None = None) -> None:
        """Wait for more output, and do something again if there is none.

        A signal that arrives just before the program waits for keys goes unnoticed.
        """
        end = time.monotonic() + TIMEOUT_S
        while not select.select([self._ours], [], [], QUIET_S)[0]:
            assert time.monotonic() < end, f"{complaint} in {self.shown!r}"
            if again is not None:
                again()
        self.shown += os.read(self._ours, 65536).decode()

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def press_ctrl_c(self) -> None:
        with contextlib.suppress(OSError):  # It may have ended.
            self.type("\x03")

    def resize(self) -> None:
        """Tell the process that its window has another size."""
        self._process.send_signal(signal.SIGWINCH)

    def wait(self, again: Callable[[], object] | None = None) -> int:
        """Wait for the process and return its exit code; ``shown`` keeps the remaining output."""
        try:
            while True:
                self._read("it doesn't end", again)
        except OSError:  # The other end is closed.
            return self._process.wait(TIMEOUT_S)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep matches out of the developer's home; return where they go."""
    home = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    return home / "watermeet"


@pytest.fixture
def run() -> Run:
    """Run a command in this process."""
    from watermeet.cli.main import app

    def run_command(*arguments: str, lines: str = "") -> Any:
        runner = CliRunner()
        return runner.invoke(
            app, list(arguments), input=lines, prog_name="watermeet", catch_exceptions=False
        )

    return run_command


@pytest.fixture
def start() -> Run:
    """Run a command in its own process, through pipes."""

    def start_process(*arguments: str, lines: str = "", **environment: str) -> Any:
        return subprocess.run(
            [sys.executable, "-m", "watermeet", *arguments],
            input=lines.encode(),
            capture_output=True,
            timeout=120,
            check=False,
            env=os.environ | environment,
        )

    return start_process


@pytest.fixture(scope="session")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that registers toy games, one that raises and one that doesn't exist."""
    folder = tmp_path_factory.mktemp("outside")
    for name in ("cards", "kettle", "pile"):
        shutil.copytree(TOYS / name, folder / name)
    shutil.copytree(TOYS.parents[1] / "arena" / "toys" / "dice", folder / "dice")
    (folder / "raising.py").write_text("raise ValueError('half written')\n")
    facts = folder / "outside-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


@pytest.fixture
def toys(outside: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the toy games in this process."""
    monkeypatch.syspath_prepend(str(outside))
    importlib.invalidate_caches()
    packages_by_name.cache_clear()
    yield
    packages_by_name.cache_clear()


@pytest.fixture
def open_terminal(outside: Path) -> Iterator[Run]:
    """Run a command on a terminal in its own process, with the toy games registered."""
    opened: list[Terminal] = []

    def start_at_terminal(*arguments: str, **environment: str) -> Terminal:
        path = {"PYTHONPATH": os.pathsep.join([str(outside), *sys.path])}
        opened.append(Terminal(*arguments, **path | environment))
        return opened[-1]

    yield start_at_terminal
    for terminal in opened:
        terminal.close()
