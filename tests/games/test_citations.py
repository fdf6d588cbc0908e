"""Every paragraph of every game's RULES.md is cited by a test of that game."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import watermeet as wm

AT_HOME = [name for name in wm.games() if wm.game(name).package.startswith("watermeet.")]


def _folder(name: str) -> Path:
    module = importlib.import_module(wm.game(name).package)
    assert module.__file__ is not None
    return Path(module.__file__).parent


@pytest.mark.parametrize("name", AT_HOME)
def test_every_paragraph_is_cited(name: str) -> None:
    """A paragraph R3.2 is cited by a test whose name begins test_r3_2_."""
    folder = _folder(name)
    rules = (folder / "RULES.md").read_text(encoding="utf-8")
    paragraphs = re.findall(r"^- \*\*(R\d+\.\d+)\*\*", rules, re.MULTILINE)
    assert len(paragraphs) == len(set(paragraphs)) > 5
    tests = "".join(file.read_text("utf-8") for file in (folder / "tests").glob("test_*.py"))
    cited = set(re.findall(r"def test_(r\d+_\d+)_", tests))
    assert {paragraph.lower().replace(".", "_") for paragraph in paragraphs} == cited


@pytest.mark.parametrize("name", AT_HOME)
def test_the_rules_tell_the_version_in_force(name: str) -> None:
    """The history of versions ends with the declared one."""
    rules = (_folder(name) / "RULES.md").read_text(encoding="utf-8")
    history = rules.split("## Versions")[1]
    assert max(map(int, re.findall(r"\*\*(\d+)\*\*", history))) == wm.game(name).version
