"""What the texts of states share: rows of a board, and fields such as ``turn=0``.

A game's ``parse_state`` raises ValueError with a hint; ``Game.parse`` makes an error of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_RUNS = re.compile(r"\.+")
_PIECES = re.compile(r"[0-9]+|[^0-9]")
_FIELD = re.compile(r"([a-z]+)=(\S+)")


def require(condition: object, hint: str) -> None:
    """Raise ValueError with the hint unless the condition holds."""
    if not condition:
        raise ValueError(hint)


# ---- rows -------------------------------------------------------------------------------------


def compact_row(letters: str) -> str:
    """A row of cells with numbers in place of runs of empty ones.

    >>> compact_row("..rb.")
    '2rb1'
    """
    return _RUNS.sub(lambda run: str(len(run[0])), letters)


def expand_row(row: str, length: int) -> str:
    """A row with a dot for each empty cell; a row longer than ``length`` stays too long.

    >>> expand_row("2rb1", 5), len(expand_row("999999", 5))
    ('..rb.', 6)
    """
    # A number larger than a row is cut, so that no text can use up the memory.
    return "".join(
        "." * min(int(piece[:3]), length + 1) if piece.isdigit() else piece
        for piece in _PIECES.findall(row)
    )


# ---- fields -----------------------------------------------------------------------------------


def parse_fields(text: str, flags: Collection[str] = ()) -> dict[str, str]:
    """The values of fields ``name=value`` by name; raises ValueError.

    ``flags`` may be written without a value; then the value is 0.

    >>> parse_fields("turn=0 Scores=7/3")
    {'turn': '0', 'scores': '7/3'}
    """
    values: dict[str, str] = {}
    for word in text.lower().split():
        match = _FIELD.fullmatch(f"{word}=0" if word in flags else word)
        require(match, f"{word!r} isn't a field; write name=value")
        assert match is not None
        require(match[1] not in values, f"the field {match[1]!r} is there twice")
        values[match[1]] = match[2]
    return values


def take_stage(fields: dict[str, str], stages: Sequence[str], hint: str) -> tuple[int, str]:
    """Take out the one field that names a stage; returns its index and value.

    >>> take_stage({"turn": "1", "scores": "7/3"}, ("deal", "turn", "over"), "write turn=SEAT")
    (1, '1')
    """
    found = [name for name in stages if name in fields]
    require(len(found) == 1, hint)
    return stages.index(found[0]), fields.pop(found[0])


def parse_number(text: str, limit: int = 999) -> int:
    """A number from 0 to ``limit``; raises ValueError.

    >>> parse_number("17")
    17
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(limit))
    require(is_number and int(text) <= limit, f"{text!r} isn't a number from 0 to {limit}")
    return int(text)


def require_no_more(fields: Collection[str]) -> None:
    """Raise ValueError if a field is left that nobody has taken out."""
    require(not fields, f"the field {min(fields, default='')!r} doesn't belong here")
