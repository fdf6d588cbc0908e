"""The rules in other languages say as much as the English ones, paragraph by paragraph.

Whether they say the same, people have to read. But nothing can be left out, added or moved, no
number of a rule, no move and no option be another one.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import watermeet as wm

GAMES = Path(wm.__file__).parent / "games"
ENGLISH = sorted(GAMES.glob("*/RULES.md"))
LANGUAGES = ("de", "fr", "pl")
TEXTS = [file.with_name(f"RULES.{language}.md") for file in ENGLISH for language in LANGUAGES]
_CODE = re.compile(r"`[^`]+`")
_RULE = re.compile(r"\bR\d+(?:\.\d+)?\b")
_LINK = re.compile(r"\]\(([^)]+)\)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_START = re.compile(r"^(#+ |- |\d+\. |\|)")


def blocks(text: str) -> list[str]:
    """Headings, items, rows of tables and paragraphs, in their order."""
    found: list[str] = []
    is_open = False
    for line in text.splitlines():
        if not line.strip():
            is_open = False
        elif _START.match(line.lstrip()) or not is_open:
            found.append(line)
            is_open = not line.startswith(("#", "|"))
        else:
            found[-1] += f" {line.strip()}"
    return found


def outline(text: str) -> list[tuple[str, list[str], list[str], list[str], int]]:
    """What stays the same in every language: of each block its sort, and what is no word in it."""
    told = []
    for block in blocks(text):
        sort = _START.match(block.lstrip())
        told.append(
            (
                sort[1] if sort else "",
                sorted(_CODE.findall(block)),
                sorted(_RULE.findall(_CODE.sub("", block))),
                _LINK.findall(block),
                block.count("|"),
            )
        )
    return told


def test_every_game_has_its_rules_in_every_language() -> None:
    assert ENGLISH
    assert {file.name for file in TEXTS if not file.is_file()} == set()


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_nothing_is_left_out_or_added(file: Path) -> None:
    english = outline(file.with_name("RULES.md").read_text(encoding="utf-8"))
    other = outline(file.read_text(encoding="utf-8"))
    for number, (wanted, found) in enumerate(zip(english, other, strict=False)):
        assert found == wanted, f"block {number}"
    assert len(other) == len(english)


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_it_is_translated(file: Path) -> None:
    """No paragraph of words stands there in English; names, and headings such as Notation, may."""
    english = set(blocks(file.with_name("RULES.md").read_text(encoding="utf-8")))
    same = [each for each in blocks(file.read_text(encoding="utf-8")) if each in english]
    assert [each for each in same if len(_WORD.findall(_CODE.sub("", each))) > 4] == []
