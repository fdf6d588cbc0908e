"""The pages of the games say what the games declare today."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import watermeet as wm

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference" / "games"
OURS = [name for name in wm.games() if wm.game(name).package.startswith("watermeet.")]


@pytest.fixture(scope="module")
def pages() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / "pages.py"))


@pytest.mark.parametrize("name", OURS)
def test_a_page_tells_the_facts_of_its_game(pages: dict[str, Any], name: str) -> None:
    """``make pages`` writes it anew."""
    written = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert pages["page"](wm.game(name)) == written


def test_every_game_has_its_page_and_no_other_is_there(pages: dict[str, Any]) -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.md")) == OURS
    assert [game.name for game in pages["our_games"]()] == OURS
