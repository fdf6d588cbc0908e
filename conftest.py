"""What holds for all tests, those in tests/ and those in the folders of games.

``./test`` runs them in three parts, each in processes of its own: what needs a browser; the rules
and the core in plain Python, where coverage sees every line of a kernel; everything else, compiled.
With CI=true nothing may be left out: a test that is skipped there fails, with its reason.
Speed is measured in bench/, never in a test, so Hypothesis does not look at the clock.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from watermeet.core.kernel import deferred_compiling, runs_plain_python

collect_ignore = ["src/watermeet/testing/template"]  # Tests make games of it, and run those.
# Tests in the folders of games use the helpers and fixtures of tests/web, too.
sys.path.append(str(Path(__file__).parent))
pytest_plugins = ["tests.web.fixtures"]

PLAIN, COMPILED, BROWSER = "plain", "compiled", "browser"
"""The parts. Playwright's event loop would disturb others in the same process."""
PLAIN_FOLDERS = ("src/watermeet/core", "src/watermeet/games", "tests/core", "tests/testing")
EXAMPLES, PLAIN_EXAMPLES = 100, 40
settings.register_profile(
    "watermeet",
    deadline=None,
    max_examples=PLAIN_EXAMPLES if runs_plain_python() else EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("watermeet")

R = TypeVar("R", pytest.TestReport, pytest.CollectReport)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Compiles nothing while tests are collected, whatever they compute as they are imported.

    What is collected stays, so nobody need look for garbage in it, now or later.
    """
    gc.disable()
    try:
        with deferred_compiling():
            return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let ./test name a part; without it, whatever is named runs."""
    parser.addoption("--part", choices=(PLAIN, COMPILED, BROWSER), help="run a part of the tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to another part."""
    part = config.getoption("--part")
    if part is not None:
        left_out = [item for item in items if part_of(item) != part]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if part_of(item) == part]


def part_of(item: pytest.Item) -> str:
    """The part that a test belongs to."""
    if "browser" in getattr(item, "fixturenames", ()):
        return BROWSER
    place = item.path.relative_to(item.config.rootpath).as_posix()
    is_plain = place.startswith(PLAIN_FOLDERS)
    needs_more = any(map(item.get_closest_marker, ("compiled", "slow", "nightly")))
    return PLAIN if is_plain and not needs_more else COMPILED


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Looks for examples only where there are any: pytest would import every file twice.

    Those of training need PyTorch, which only the nightly tests install.
    """
    collectors = yield
    if "train" in file_path.parts and find_spec("torch") is None:
        return [each for each in collectors if not isinstance(each, DoctestModule)]
    if file_path.suffix != ".py" or ">>>" in file_path.read_text(encoding="utf-8"):
        return collectors
    return [each for each in collectors if not isinstance(each, DoctestModule)]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Sees to tests that are skipped one by one."""
    return _without_skip((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Sees to whole files, as ``pytest.importorskip`` skips them."""
    return _without_skip((yield))


def _without_skip(report: R) -> R:
    is_skipped = report.skipped and not hasattr(report, "wasxfail")  # An expected failure did run.
    if is_skipped and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"left out, which CI=true does not allow: {report.longrepr}"
    return report
