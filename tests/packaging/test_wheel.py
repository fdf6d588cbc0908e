"""The wheel is complete, and plays where nothing else is installed."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from platformdirs import user_cache_path

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/watermeet/server/static/index.html"


def script(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a script without the games that tests install, whose boards it would build, too."""
    variables = {key: text for key, text in os.environ.items() if key != "PYTHONPATH"}
    command = [sys.executable, str(ROOT / "scripts" / name), *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**variables, "PYTHONPATH": str(ROOT / "src")},
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this source tree, without engines."""
    if not STATIC.is_file():
        pytest.skip("NOT TESTED: the wheel; the client is not built (./test client)")
    folder = tmp_path_factory.mktemp("dist")
    done = script("package.py", "--without-engines", "--into", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "gives the same wheel" in done.stdout
    return next(folder.glob("*.whl"))


def test_the_description_has_no_relative_link() -> None:
    """PyPI shows the README, but has none of its files."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    plain = module.description(readme, "", "1.2.0")
    assert re.findall(r"\]\([^)]*\)", plain) == []
    assert "The rules of Flows, Flume,\nFlecks" in re.sub(r"\n +", "\n", plain)
    assert not re.search(r"^\|[ |]*\|$", plain, re.MULTILINE), "a row without its pictures"
    linked = module.description(readme, "https://example.org/watermeet", "1.2.0")
    targets = re.findall(r"\]\(([^)]*)\)", linked)
    begins = "https://example.org/watermeet/"
    assert all(each.startswith((begins, "#")) for each in targets)
    assert f"[![The home page with five games]({begins}raw/v1.2.0/docs/pictures/" in linked
    assert f"({begins}blob/v1.2.0/docs/guides/install.md)" in linked


@pytest.mark.slow
def test_the_check_names_what_is_wrong_with_a_wheel(wheel: Path, tmp_path: Path) -> None:
    changed = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as original, zipfile.ZipFile(changed, "w") as copy:
        for each in original.infolist():
            if not each.filename.endswith(("flume/RULES.pl.md", "static/index.html", ".wasm")):
                copy.writestr(each, original.read(each))
        copy.writestr("watermeet/games/flume/tests/test_rules.py", "")
    found = script("package.py", "--check", changed).stderr
    assert "missing: watermeet/games/flume/RULES.pl.md\n" in found
    assert "doesn't belong there: watermeet/games/flume/tests/test_rules.py\n" in found
    assert "missing: the browser client\n" in found
    assert "missing: the engine of flume\n" in found
    assert found.count("missing: watermeet") == 1


@pytest.mark.slow
@pytest.mark.soak
def test_the_installed_wheel_plays(wheel: Path) -> None:
    """In an empty environment, with an empty home: the README, tmux and Chromium."""
    for program in ("tmux", "chromium"):
        if shutil.which(program) is None:
            pytest.skip(f"NOT TESTED: the installed wheel; {program} is missing")
    cache = user_cache_path("watermeet", appauthor=False)
    done = script("install_check.py", "--pinned", "--wheel", wheel, "--cache", cache)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "a match in Chromium" in done.stdout
