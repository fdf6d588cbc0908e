"""Sentences with values, in the part of ICU MessageFormat that the page's texts use, in English."""

from __future__ import annotations

import re
from collections.abc import Mapping

_ARGUMENT = re.compile(r"\{\s*(\w+)\s*(?:,\s*(plural|select)\s*,)?")
_BRANCH = re.compile(r"\s*(=?\w+)\s*\{")


def format_message(text: str, values: Mapping[str, str | int]) -> str:
    """A text with its values; raises ValueError if a value or a brace is missing.

    >>> format_message("{n, plural, one {# point} other {# points}} on {at}", {"n": 2, "at": "c3"})
    '2 points on c3'
    """
    found, rest = [], text
    while "{" in rest:
        before, _, _ = rest.partition("{")
        argument = _ARGUMENT.match(rest, len(before))
        if argument is None or argument[1] not in values:
            raise ValueError(f"no value for {rest[len(before) : len(before) + 20]!r}")
        value, end = values[argument[1]], _closing(rest, len(before))
        found.append(before)
        if argument[2]:
            branches = _branches(rest[argument.end() : end])
            chosen = branches[_branch(argument[2], value, branches)]
            found.append(format_message(chosen.replace("#", str(value)), values))
        else:
            found.append(str(value))
        rest = rest[end + 1 :]
    return "".join([*found, rest])


def _branch(kind: str, value: str | int, branches: Mapping[str, str]) -> str:
    wanted = str(value)
    if kind == "plural":
        wanted = f"={value}" if f"={value}" in branches else "one" if value == 1 else "other"
    return wanted if wanted in branches else "other"


def _branches(text: str) -> dict[str, str]:
    found, at = {}, 0
    while branch := _BRANCH.match(text, at):
        end = _closing(text, branch.end() - 1)
        found[branch[1]] = text[branch.end() : end]
        at = end + 1
    return found


def _closing(text: str, opening: int) -> int:
    """The index of the brace that closes another."""
    depth = 0
    for index in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return index
    raise ValueError(f"a brace isn't closed in {text!r}")
