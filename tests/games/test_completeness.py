"""Built-in games are complete, and missing parts of a game are reported."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.core.registry import register
from watermeet.testing import missing
from watermeet.testing.folders import built_in_games, folder_of
from watermeet.testing.scaffold import new_game
from watermeet.testing.translations import differences


@pytest.mark.slow
@pytest.mark.compiled  # It draws pictures of whole matches.
@pytest.mark.parametrize("name", built_in_games())
def test_built_in_games_are_complete(name: str) -> None:
    """Nothing is missing, and no generated file is out of date."""
    assert [str(each) for each in missing(wm.game(name))] == []


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of a new game, which is complete."""
    new_game("gap_game", inside=tmp_path)
    yield folder_of(wm.game("gap_game"))
    register("gap_game", None)
    for module in [each for each in sys.modules if each.startswith("watermeet_gap_game")]:
        del sys.modules[module]


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("RULES.md", "**R2.3**", "**R2.9**", "tests/test_rules.py: test R2.9"),
        ("RULES.md", "**R2.3**", "**R2.9**", "tests/test_rules.py: R2.3 is tested but isn't in"),
        ("RULES.md", "- **1** The", "- **2** The", "RULES.md: list version 1"),
        ("RULES.fr.md", "- **R3.2**", "- **R3.1**", "RULES.fr.md: '- **R3.1** Si le"),
        ("RULES.de.md", "- **R2.3** Passen ist nicht erlaubt. *(Regel)*\n", "", "RULES.de.md: has"),
        (
            "web/picture.svg",
            "<svg",
            "<svg ",
            "web/picture.svg: run `python -m watermeet.testing gap_game --write pictures",
        ),
        ("web/card.ts", "pl: '", "xx: '", "web/card.ts: title in pl"),
        (
            "web/messages/pl.json",
            "option.size",
            "option.sizes",
            "web/messages/pl.json: the text 'option.size'",
        ),
        (
            "web/messages/fr.json",
            "reason.occupied",
            "reason.occupies",
            "web/messages/fr.json: the text 'reason.occupied'",
        ),
        ("web/examples.txt", "1 b2", "1 a1", "web/examples.json: run `"),
        ("web/learn/en.md", "### Stones", "#### Stones", "web/learn/en.md: '## The rules' needs"),
        ("web/learn/en.md", "![✗ ", "![", "web/learn/en.md: the caption of occupied needs ✗"),
        ("web/learn/en.md", "`d3`", "`z9`", "web/learn/en.md: the caption of after names 'z9'"),
        ("web/learn/fr.md", "occupied.svg", "place.svg", "web/learn/fr.md: '![✗ Il y a"),
        (
            "web/learn/pictures.toml",
            'illegal = "b3"',
            'illegal = "b4"',
            "web/learn/pictures.toml: [occupied] b4 isn't illegal there",
        ),
        (
            "web/learn/pictures.toml",
            'legal = "a3 c2"',
            'legal = "a3 a1"',
            "web/learn/pictures.toml: [place] a1 isn't legal there",
        ),
        ("web/learn/after.svg", "<svg", "<svg ", "web/learn/after.svg: run `"),
    ],
)
def test_missing_parts_are_reported(
    folder: Path, path: str, old: str, new: str, expected: str
) -> None:
    """Each change to a complete folder is reported."""
    text = (folder / path).read_text(encoding="utf-8")
    old = old.replace("my_game", "gap_game")
    assert old in text
    (folder / path).write_text(text.replace(old, new, 1), encoding="utf-8")
    found = [str(each) for each in missing(wm.game("gap_game"))]
    assert any(each.startswith(expected) for each in found), found


@pytest.mark.parametrize(
    "path", ["tests/oracle.py", "tests/perft.txt", "web/index.ts", "web/learn", "docs"]
)
def test_missing_files_are_reported(folder: Path, path: str) -> None:
    assert missing(wm.game("gap_game")) == []
    (folder / path).unlink() if (folder / path).is_file() else shutil.rmtree(folder / path)
    assert any(each.path.startswith(path) for each in missing(wm.game("gap_game")))


def test_an_untranslated_paragraph_is_reported() -> None:
    english = "# Title\n\nThis paragraph is five words long.\n"
    assert differences(english, "# Titre\n\nCe paragraphe compte cinq mots.\n") == []
    assert differences(english, english) == ["translate 'This paragraph is five words long.'"]
