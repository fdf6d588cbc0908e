"""Releases: versions, the changelog, and the workflows of forges."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[2]
WORKFLOWS = [*sorted((ROOT / ".github/workflows").glob("*.yml")), ROOT / ".gitlab-ci.yml"]
CHANGELOG = """# Changelog

## Unreleased

### Added

- A thing.

## 0.9.0 (2026-01-01)

- Another.
"""


@pytest.fixture(scope="module")
def release() -> Any:
    """scripts/release.py."""
    spec = importlib.util.spec_from_file_location("release_script", ROOT / "scripts/release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "scripts")
        spec.loader.exec_module(module)
    return module


def test_versions_are_semantic_and_sorted(release: Any) -> None:
    versions = ["1.0.0", "0.10.0", "0.10.0rc1", "0.10.0b2", "0.10.0a1", "0.9.10"]
    assert sorted(versions, key=release.order, reverse=True) == versions
    assert release.order("0.10.0rc2") < release.order("0.10.0rc10")
    for wrong in ("1.0", "v1.0.0", "1.0.01", "1.0.0-rc1", "1.0.0 "):
        with pytest.raises(SystemExit, match="isn't a version"):
            release.order(wrong)


def test_the_changelog_gets_a_section_and_an_empty_one_is_refused(release: Any) -> None:
    changed = release.released(CHANGELOG, "1.0.0", "2026-11-17")
    assert "## Unreleased\n\n## 1.0.0 (2026-11-17)\n\n### Added\n" in changed
    assert release.section(changed, "1.0.0") == "### Added\n\n- A thing."
    assert release.section(changed, "0.9.0") == "- Another."
    with pytest.raises(SystemExit, match="nothing under Unreleased"):
        release.released(changed, "1.1.0", "2026-11-18")


def _commands(content: Any) -> list[str]:
    """What a workflow runs, wherever it stands."""
    if isinstance(content, dict):
        lines: list[str] = []
        for key, value in content.items():
            if key == "run":
                lines.append(value)
            elif key in ("script", "before_script"):
                lines += value
            else:
                lines += _commands(value)
        return lines
    return (
        [line for each in content for line in _commands(each)] if isinstance(content, list) else []
    )


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_call_scripts_that_exist(file: Path) -> None:
    commands = _commands(yaml.safe_load(file.read_text(encoding="utf-8")))
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    called = set(re.findall(r"\bmake ([a-z]+)", "\n".join(commands)))
    scripts = set(re.findall(r"(?:scripts/\w+\.(?:py|sh)|\.ci/run)", "\n".join(commands)))
    assert called | scripts
    assert called <= targets
    assert all((ROOT / script).is_file() for script in scripts)
