"""The wheel is complete, and plays where nothing else is installed."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[2]
WORKFLOWS = [*sorted((ROOT / ".github/workflows").glob("*.yml")), ROOT / ".gitlab-ci.yml"]
STATIC = ROOT / "src/watermeet/server/static/index.html"


def test_the_description_has_no_relative_link() -> None:
    """PyPI shows the README, but has none of its files."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    readme = "[![Home](docs/home.webp)](docs/play.md) [Rules](RULES.md), [below](#rules)\n"
    assert re.findall(r"\]\([^)]*\)", module.description(readme, "", "1.2.0")) == ["](#rules)"]
    begins = "https://example.org/watermeet"
    blob = f"{begins}/blob/v1.2.0"
    assert module.description(readme, begins, "1.2.0") == (
        f"[![Home]({begins}/raw/v1.2.0/docs/home.webp)]({blob}/docs/play.md)"
        f" [Rules]({blob}/RULES.md), [below](#rules)\n"
    )


def _commands(content: Any) -> list[str]:
    """What a workflow runs, wherever it stands."""
    if isinstance(content, dict):
        own = [content["run"]] if isinstance(content.get("run"), str) else []
        own += content.get("script", []) + content.get("before_script", [])
        return own + [line for each in content.values() for line in _commands(each)]
    parts = content if isinstance(content, list) else []
    return [line for each in parts for line in _commands(each)]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_call_what_exists(file: Path) -> None:
    commands = "\n".join(_commands(yaml.safe_load(file.read_text(encoding="utf-8"))))
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    called = re.findall(r"\bmake ([a-z]+)", commands)
    scripts = re.findall(r"(?:scripts/\w+\.(?:py|sh)|\.ci/run|\./test|\./play)", commands)
    assert called + scripts
    assert set(called) <= set(targets)
    assert all((ROOT / script).is_file() for script in scripts)


@pytest.mark.nightly
def test_an_installed_wheel_plays(tmp_path: Path) -> None:
    """A wheel is built from the source distribution, and plays in an empty environment and home."""
    if not STATIC.is_file():
        pytest.skip("NOT TESTED: the wheel; the client is not built (make client)")
    kept = {key: text for key, text in os.environ.items() if key != "PYTHONPATH"}
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "build", "--out-dir", tmp_path, ROOT], check=True, env=kept)
    wheel = next(tmp_path.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "watermeet/server/static/index.html" in names
    assert "watermeet/notebook/static/board.js" in names
    assert "watermeet/games/flume/network.onnx" in names
    assert not [name for name in names if re.search(r"/(tests|web)/|\.svelte$", name)]

    home, pins = tmp_path / "home", str(ROOT / "requirements/run.txt")
    subprocess.run([*uv, "venv", "-q", "--python", sys.executable, tmp_path / "v"], check=True)
    python = str(tmp_path / "v" / ("Scripts" if os.name == "nt" else "bin") / "python")
    install = [*uv, "pip", "install", "-q", "--python", python, "-c", pins, str(wheel)]
    subprocess.run(install, check=True)
    home.mkdir()
    clean = {key: text for key, text in kept.items() if not key.startswith("WATERMEET_")}
    options: dict[str, Any] = {"cwd": home, "env": {**clean, "HOME": str(home)}, "text": True}

    readme = [python, "-m", "doctest", "-o", "ELLIPSIS", str(ROOT / "README.md")]
    subprocess.run(readme, check=True, **options)
    play = [python, "-m", "watermeet", "play", "flume", "-o", "size=3", "--seats", "human,human"]
    moves = "".join(f"{column}{row}\n" for column in "abc" for row in "123")
    played = subprocess.run(play, check=False, input=moves, capture_output=True, **options)
    assert "wins" in played.stdout, played.stderr
    serve = [python, "-m", "watermeet", "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(serve, stderr=subprocess.PIPE, **options) as server:
        try:
            assert server.stderr is not None
            running = next(line for line in server.stderr if "is running at" in line)
            address = running.split("is running at ")[1].split()[0]
            with urlopen(address) as answer:  # noqa: S310 # Our own server.
                assert b"<script" in answer.read()
        finally:
            server.terminate()
