"""The recipe "Add a game" works: a new game passes, built in or not, with no change elsewhere."""

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
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def _run(
    path: Path, *arguments: str, text: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(path), "XDG_STATE_HOME": str(path)} | variables
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of Watermeet in which the recipe's first step has been followed."""
    folder = tmp_path_factory.mktemp("clone")
    ignored = shutil.ignore_patterns("static", "__pycache__")
    shutil.copytree(Path(watermeet.__file__).parent, folder / "watermeet", ignore=ignored)
    step = re.search(r"watermeet (new-game \S+ --title \S+) --in src/watermeet/games", PAGE)
    assert step is not None
    games = folder / "watermeet" / "games"
    done = _run(folder, "watermeet", *step[1].split(), "--in", str(games))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_new_game_can_be_listed_and_played(source: Path) -> None:
    listed = _run(source, "watermeet", "games").stdout
    assert re.search(r"^hex\s.*Hex\. ", listed, re.MULTILINE)
    moves = "a1\na2\nb1\nb2\nc1\n"
    done = _run(source, "watermeet", "play", "hex", "--seats", "human,human", text=moves)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "three in a row" in done.stdout


@pytest.mark.slow
def test_the_new_game_is_complete(source: Path) -> None:
    done = _run(source, "watermeet.testing", "hex", "--missing", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "hex: complete" in done.stdout


@pytest.mark.slow
def test_the_new_game_passes_the_kit(source: Path) -> None:
    done = _run(source, "watermeet.testing", "hex")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall(r"^(?:ok|n/a) ", done.stdout, re.MULTILINE)) == len(CHECKS)


@pytest.mark.soak
@pytest.mark.slow
def test_a_package_passes_its_own_tests(tmp_path: Path) -> None:
    """As installed from outside, with seats that vary."""
    made = _run(ROOT / "src", "watermeet", "new-game", "trio", "--seats", "2-3", f"--in={tmp_path}")
    assert made.returncode == 0, made.stderr
    installed = tmp_path / "installed"
    command = ["uv", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    options = ["--python", sys.executable, "--target", str(installed), str(tmp_path / "trio")]
    done = _run(ROOT / "src", *command, *options)
    assert done.returncode == 0, done.stderr
    path = os.pathsep.join([str(installed), str(ROOT / "src")])
    tests = str(tmp_path / "trio")
    done = _run(Path(path), "pytest", tests, f"--rootdir={tests}", "-q", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stdout + done.stderr


def test_sections_named_by_the_list_of_missing_parts_exist() -> None:
    headings = re.findall(r"^#+ (.+)$", (ROOT / REFERENCE).read_text("utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", each).strip().lower().replace(" ", "-") for each in headings}
    source = (ROOT / "src/watermeet/testing/completeness.py").read_text(encoding="utf-8")
    named = set(re.findall(r'"([a-z-]+)"\)\n', source))
    web = {
        f"web{name.replace('.', '')}" for name in re.findall(r'\n        \("(\w+\.\w+)", "', source)
    }
    assert {"rulesmd", "webtextsts", "tests"} <= named | web
    assert named | web <= anchors
