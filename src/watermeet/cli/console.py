"""Output of the subcommands: colour or plain text, boards, columns, JSON."""

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
    """A console without markup, in colour unless ``no_colour`` or NO_COLOR is set."""
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
    """Print an answer as JSON, ASCII only so that it survives every pipe."""
    sys.stdout.write(json.dumps(answer, indent=2) + "\n")


def can_show(text: str, encoding: str) -> bool:
    """Whether an encoding has every character of a text.

    >>> can_show("●", "utf-8"), can_show("●", "ascii")
    (True, False)
    """
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def picture(rendering: Rendering, encoding: str) -> Text:
    """A rendering as coloured text, in ASCII if the encoding needs it."""
    from rich.text import Text

    shown = rendering if can_show(rendering.plain, encoding) else rendering.ascii
    lines = (Text.assemble(*((span.text, span.style) for span in line)) for line in shown.lines)
    return Text("\n").join(lines)


def columns(words: Sequence[str], width: int) -> list[str]:
    """Arrange words in columns, row by row, to fit a width.

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
    r"""A text without control characters, which a terminal would obey.

    >>> printable("a\x1b[2Jb")
    'a?[2Jb'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)
