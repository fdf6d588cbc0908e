"""Pieces that texts of states share: rows of a board, and words such as ``turn=0``."""

from __future__ import annotations

import re
from collections.abc import Collection

_RUNS = re.compile(r"\.+")
_PIECES = re.compile(r"[0-9]+|[^0-9]")
_WORD = re.compile(r"([a-z]+)=(\S+)")


def short_row(letters: str) -> str:
    """A row of cells with numbers for its empty ones.

    >>> short_row("..rb.")
    '2rb1'
    """
    return _RUNS.sub(lambda run: str(len(run[0])), letters)


def long_row(row: str, length: int) -> str:
    """A row with a dot for each empty cell; one that is longer than it may be stays too long.

    >>> long_row("2rb1", 5), len(long_row("999999", 5))
    ('..rb.', 6)
    """
    # No number that is larger than a row is worth the memory.
    return "".join(
        "." * min(int(piece[:3]), length + 1) if piece.isdigit() else piece
        for piece in _PIECES.findall(row)
    )


def read_words(text: str, alone: Collection[str] = ()) -> dict[str, str]:
    """The values of words ``name=value`` by their names; raises ValueError.

    Words in ``alone`` may stand without a value, which is 0 then.

    >>> read_words("turn=0 Scores=7/3")
    {'turn': '0', 'scores': '7/3'}
    """
    values: dict[str, str] = {}
    for word in text.lower().split():
        match = _WORD.fullmatch(f"{word}=0" if word in alone else word)
        if match is None or match[1] in values:
            raise ValueError(f"{word!r} is not one of the words name=value, each once")
        values[match[1]] = match[2]
    return values
