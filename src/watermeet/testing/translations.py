"""Comparing the rules in another language with the English ones, paragraph by paragraph.

Whether they say the same, people have to read. But nothing may be left out, added or moved, and
numbers of rules, moves and options must be the same.
"""

from __future__ import annotations

import re

_CODE = re.compile(r"`[^`]+`")
_RULE = re.compile(r"\bR\d+(?:\.\d+)?\b")
_LINK = re.compile(r"\]\(([^)]+)\)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_START = re.compile(r"^(#+ |- |\d+\. |\|)")
NAMES = 4
"""A paragraph of at most this many words may be the same in two languages: names, headings."""


def differences(english: str, other: str) -> list[str]:
    """What is wrong with a translation of RULES.md, one sentence each."""
    wanted, found = blocks(english), blocks(other)
    pairs = zip(wanted, found, strict=False)
    # Only the first: what follows a missing paragraph differs as well.
    problems = [
        f"{theirs[:50]!r} doesn't match {ours[:50]!r}"
        for ours, theirs in pairs
        if _outline(ours) != _outline(theirs)
    ][:1]
    if len(wanted) != len(found):
        problems.append(f"has {len(found)} paragraphs where the English text has {len(wanted)}")
    same = [each for each in found if each in set(wanted)]
    problems += [
        f"translate {each[:40]!r}"
        for each in same
        if len(_WORD.findall(_CODE.sub("", each))) > NAMES
    ]
    return problems


def blocks(text: str) -> list[str]:
    """Headings, list items, table rows and paragraphs, in order."""
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


def _outline(block: str) -> tuple[object, ...]:
    """What must be the same in every language: the kind of block, and what isn't words in it."""
    kind = _START.match(block.lstrip())
    return (
        kind[1] if kind else "",
        sorted(_CODE.findall(block)),
        sorted(_RULE.findall(_CODE.sub("", block))),
        _LINK.findall(block),
        block.count("|"),
    )
