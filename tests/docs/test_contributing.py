"""The recipes to add a game work: a new game passes, built in or not, with no change elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import watermeet
from watermeet.testing import CHECKS
from watermeet.testing.completeness import REFERENCE

ROOT = Path(__file__).parents[2]


def _run(path: Path, *arguments: str, text: str = "", **variables: str) -> str:
    """What a module prints; it must succeed."""
    environment = {**os.environ, "PYTHONPATH": str(path), "XDG_STATE_HOME": str(path)} | variables
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(
        command, env=environment, input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_built_in_game_can_be_played_and_is_complete(tmp_path: Path) -> None:
    """In a copy of Watermeet in which the first step of the page has been followed."""
    ignored = shutil.ignore_patterns("static", "__pycache__")
    shutil.copytree(Path(watermeet.__file__).parent, tmp_path / "watermeet", ignore=ignored)
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    step = re.search(r"watermeet (new-game \S+ --title \S+ --in) src/watermeet/games", page)
    assert step is not None
    _run(tmp_path, "watermeet", *step[1].split(), str(tmp_path / "watermeet" / "games"))
    assert re.search(r"^hex\s.*Hex\. ", _run(tmp_path, "watermeet", "games"), re.MULTILINE)
    moves, seats = "a1\na2\nb1\nb2\nc1\n", ("--seats", "human,human")
    assert "three in a row" in _run(tmp_path, "watermeet", "play", "hex", *seats, text=moves)
    found = _run(tmp_path, "watermeet.testing", "hex", "--missing", NUMBA_DISABLE_JIT="1")
    assert "hex: complete" in found
    found = _run(tmp_path, "watermeet.testing", "hex")
    assert len(re.findall(r"^(?:ok|n/a) ", found, re.MULTILINE)) == len(CHECKS)


@pytest.mark.nightly
def test_a_package_passes_its_own_tests(tmp_path: Path) -> None:
    """As installed from outside, with seats that vary."""
    _run(ROOT / "src", "watermeet", "new-game", "trio", "--seats", "2-3", f"--in={tmp_path}")
    installed, tests = tmp_path / "installed", str(tmp_path / "trio")
    command = ["uv", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    _run(ROOT / "src", *command, "--python", sys.executable, "--target", str(installed), tests)
    path = Path(os.pathsep.join([str(installed), str(ROOT / "src")]))
    _run(path, "pytest", tests, f"--rootdir={tests}", "-q", NUMBA_DISABLE_JIT="1")


def test_sections_named_by_the_list_of_missing_parts_exist() -> None:
    headings = re.findall(r"^#+ (.+)$", (ROOT / REFERENCE).read_text("utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-") for each in headings}
    source = (ROOT / "src/watermeet/testing/completeness.py").read_text(encoding="utf-8")
    named = set(re.findall(r'"([a-z-]+)"\)\n', source))
    files = re.findall(r'\n        \("(\w+\.\w+)", "', source)
    web = {f"web{name.replace('.', '')}" for name in files}
    assert {"rulesmd", "webmessages", "tests"} <= named | web
    assert named | web <= anchors
