"""The examples of the rules pages are what the games draw and say today."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LISTS = sorted((ROOT / "src" / "watermeet" / "games").glob("*/web/examples.txt"))


@pytest.mark.parametrize("file", LISTS, ids=lambda file: file.parents[1].name)
def test_examples_are_fresh(file: Path) -> None:
    """``python scripts/examples.py`` draws them anew."""
    made = runpy.run_path(str(ROOT / "scripts" / "examples.py"))["examples"](file.parents[1].name)
    for path, text in made.items():
        assert (file.parent / path).read_text(encoding="utf-8") == text, path
    assert len(list(file.parent.glob("examples/*.svg"))) == len(made) - 1


def test_every_board_has_examples() -> None:
    """Of moves that can be played, and of one that cannot."""
    boards = {file.parent for file in (ROOT / "src" / "watermeet" / "games").glob("*/web/index.ts")}
    assert {file.parent for file in LISTS} == boards != set()
    for file in LISTS:
        text = (file.parent / "examples.json").read_text(encoding="utf-8")
        assert '"legal": true' in text
        assert '"legal": false' in text
