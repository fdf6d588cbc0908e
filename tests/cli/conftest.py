"""What the tests of the command line share: ways to run it, and games from outside."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
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
pile = pile
raising = raising
"""

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keeps matches out of the home of whoever runs the tests; returns where they go."""
    home = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    return home / "watermeet"


@pytest.fixture
def run() -> Run:
    """Runs a command line in this process."""
    from watermeet.cli.main import app

    def run_command(*arguments: str, lines: str = "") -> Any:
        runner = CliRunner()
        return runner.invoke(
            app, list(arguments), input=lines, prog_name="watermeet", catch_exceptions=False
        )

    return run_command


@pytest.fixture
def start() -> Run:
    """Runs a command line in a process of its own, with a pipe at either end."""

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
    """A folder that, on the path, registers toys, a game that raises and one that is not there."""
    folder = tmp_path_factory.mktemp("outside")
    for name in ("cards", "pile"):
        shutil.copytree(TOYS / name, folder / name)
    (folder / "raising.py").write_text("raise ValueError('half written')\n")
    facts = folder / "outside-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


@pytest.fixture
def toys(outside: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Registers the games from outside in this process."""
    monkeypatch.syspath_prepend(str(outside))
    importlib.invalidate_caches()
    packages_by_name.cache_clear()
    yield
    packages_by_name.cache_clear()
