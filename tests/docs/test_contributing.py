"""The recipe "Add a game" really works, word by word, with no change elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import watermeet

ROOT = Path(__file__).parents[2]


def _recipe() -> dict[str, str]:
    """The files that the recipe shows, by name."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = re.findall(r'^ *```python title="(\S+)"\n(.*?)^ *```', page, re.DOTALL | re.MULTILINE)
    return {name: textwrap.dedent(content) for name, content in blocks}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the package with the recipe's folder in it."""
    package = tmp_path / "watermeet"
    shutil.copytree(Path(watermeet.__file__).parent, package)
    folder = package / "games" / "tictactoe"
    folder.mkdir()
    for name, content in _recipe().items():
        (folder / name).write_text(content, encoding="utf-8")
    return tmp_path


def _run(source: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(source), "XDG_STATE_HOME": str(source)}
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_recipe_has_its_two_files() -> None:
    assert set(_recipe()) == {"__init__.py", "rules.py"}


@pytest.mark.slow
def test_the_game_passes_the_whole_kit(source: Path) -> None:
    done = _run(source, "watermeet.testing", "tictactoe")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tictactoe: compiled_equals_plain: ok" in done.stdout


@pytest.mark.slow
def test_the_game_can_be_listed_and_played(source: Path) -> None:
    assert "tictactoe" in _run(source, "watermeet", "games").stdout
    done = _run(
        source, "watermeet", "play", "tictactoe", "--seats", "human,human", text="0\n3\n1\n4\n2\n"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "over" in done.stdout
