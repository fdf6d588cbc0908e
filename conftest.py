"""What holds for all tests, those in tests/ and those in the folders of games.

With CI=true nothing may be left out: a test that is skipped there fails, with its reason.
Speed is measured in bench/, never in a test, so Hypothesis does not look at the clock.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
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

EXAMPLES, PLAIN_EXAMPLES = 100, 40
"""In plain Python, where the same tests run once more for coverage, fewer do."""
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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first, or one worker would be alone with the last of them."""
    items.sort(key=lambda item: item.get_closest_marker("soak") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Looks for examples only where there are any: pytest would import every file twice."""
    collectors = yield
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
