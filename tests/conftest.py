"""Installs the packages of fixtures and examples before tests are collected, as a user would.

They go to a folder of pytest's cache, so the environment stays as it is, and are installed again
only when something in them changes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

_FOLDER_VARIABLE = "WATERMEET_TEST_PACKAGES"
_FIXTURES = Path(__file__).parent / "fixtures"
_EXAMPLES = Path(__file__).parents[1] / "examples"


def pytest_configure(config: pytest.Config) -> None:
    """Install in the main process; workers find the folder in the environment."""
    if _FOLDER_VARIABLE not in os.environ:
        projects = *_FIXTURES.glob("*/pyproject.toml"), *_EXAMPLES.glob("*/pyproject.toml")
        packages = sorted(project.parent for project in projects)
        folder = str(_installed(packages, config))
        os.environ[_FOLDER_VARIABLE] = folder
        inherited = os.environ.get("PYTHONPATH")  # For the programs that tests start.
        os.environ["PYTHONPATH"] = f"{folder}{os.pathsep}{inherited}" if inherited else folder
    if os.environ[_FOLDER_VARIABLE] not in sys.path:
        sys.path.insert(0, os.environ[_FOLDER_VARIABLE])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report what the tests counted."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "counted":
                terminalreporter.write_line(f"COUNTED: {value}")


def _installed(packages: list[Path], config: pytest.Config) -> Path:
    """A folder with the packages as they are now."""
    digest = hashlib.sha256(f"{sys.executable} {sys.version}".encode())
    for package in packages:
        for file in sorted(package.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(package)}\0".encode() + file.read_bytes())
    if config.pluginmanager.has_plugin("cacheprovider") and config.cache is not None:
        home = config.cache.mkdir("watermeet-packages")
    else:
        home = Path(tempfile.mkdtemp(prefix="watermeet-test-packages-"))
        config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    folder = home / digest.hexdigest()[:20]
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=home) as new:
            _install(packages, f"{new}/packages")
            with contextlib.suppress(OSError):  # Another run may have been quicker.
                Path(new, "packages").rename(folder)
    return folder


def _install(packages: list[Path], folder: str) -> None:
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--python", sys.executable, "--target", folder]
    with tempfile.TemporaryDirectory() as copies:  # Building leaves nothing in the tree.
        for package in packages:
            shutil.copytree(package, Path(copies) / package.name)
        subprocess.run([*command, *map(str, Path(copies).iterdir())], check=True)
