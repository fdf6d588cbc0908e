"""What the subcommands write with: text in colour or not, pictures, columns, JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from watermeet.core.rendering import Rendering


def make_console(*, no_colour: bool = False, stderr: bool = False) -> Console:
    """A console that writes what it is given, in colour unless somebody does not want it."""
    from rich.console import Console

    plain = no_colour or bool(os.environ.get("NO_COLOR"))
    return Console(
        stderr=stderr,
        color_system=None if plain else "auto",
        highlight=False,
        markup=False,
        emoji=False,
    )


def write_json(answer: object) -> None:
    """Writes an answer for programs; only ASCII, so that it passes every pipe."""
    sys.stdout.write(json.dumps(answer, indent=2) + "\n")


def can_show(text: str, encoding: str) -> bool:
    """Whether every character of a text exists in an encoding.

    >>> can_show("●", "utf-8"), can_show("●", "ascii")
    (True, False)
    """
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def picture(drawing: Rendering, encoding: str) -> Text:
    """A drawing as text in colour, with other characters where the encoding lacks some."""
    from rich.text import Text

    shown = drawing if can_show(drawing.plain, encoding) else drawing.ascii
    lines = (Text.assemble(*((span.text, span.style) for span in line)) for line in shown.lines)
    return Text("\n").join(lines)


def columns(words: Sequence[str], width: int) -> list[str]:
    """Words in columns, read row by row, that fit into a width.

    >>> columns(["a1", "b1", "swap"], 12)
    ['a1    b1', 'swap']
    """
    if not words:
        return []
    cell = max(len(word) for word in words) + 2
    per_line = max(1, (width + 2) // cell)
    rows = (words[index : index + per_line] for index in range(0, len(words), per_line))
    return ["".join(word.ljust(cell) for word in row).rstrip() for row in rows]


def printable(text: str) -> str:
    r"""A text from outside without control characters, which a terminal would obey.

    >>> printable("a\x1b[2Jb")
    'a?[2Jb'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)
