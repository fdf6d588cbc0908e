"""Pictures of a state: coloured text for the terminal, and small helpers for SVG.

A game's ``rendering.py`` returns lines of spans. A span is a text with a style, in the terminal's
words ("red", "bold blue", "dim", "reverse", or "" for none). The style alone carries no meaning:
everybody must be able to read the plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

_FRAME = re.compile(r' viewBox="[^"]*" width="[^"]*" height="[^"]*"')


@dataclass(frozen=True)
class Span:
    """A run of text in one style; ``ascii`` replaces it on terminals that can't show it."""

    text: str
    style: str = ""
    ascii: str = ""


@dataclass(frozen=True)
class Rendering:
    r"""A picture made of text: lines of spans.

    >>> Rendering(((Span("a "), Span("X", "red")), (Span("b"),))).plain
    'a X\nb'
    """

    lines: tuple[tuple[Span, ...], ...]

    @property
    def plain(self) -> str:
        """The picture without colour."""
        return "\n".join("".join(span.text for span in line).rstrip() for line in self.lines)

    @property
    def ascii(self) -> Rendering:
        """The picture for terminals that only show ASCII."""
        return Rendering(
            tuple(
                tuple(Span(span.ascii or span.text, span.style) for span in line)
                for line in self.lines
            )
        )


def from_text(text: str) -> Rendering:
    """A text without style."""
    return Rendering(tuple((Span(line),) for line in text.splitlines()))


class Canvas:
    r"""Characters by line and column, each with its style, that become lines of spans.

    ``fallbacks`` maps characters that some terminals can't show to others; see ``str.maketrans``.

    >>> canvas = Canvas()
    >>> canvas.put(1, 2, ("X", "red"), ("y", ""))
    >>> Rendering(tuple(canvas.lines())).plain
    '\n  Xy'
    """

    def __init__(self, fallbacks: Mapping[int, int] | None = None) -> None:
        self._rows: dict[int, dict[int, tuple[str, str]]] = {}
        self._fallbacks = fallbacks or {}

    def put(self, line: int, column: int, *pieces: tuple[str, str]) -> None:
        """Write texts, each with its style, one after the other."""
        row = self._rows.setdefault(line, {})
        for text, style in pieces:
            for letter in text:
                row[column] = letter, style
                column += 1

    def lines(self) -> list[tuple[Span, ...]]:
        """The lines from 0, in runs of one style."""
        return [self._spans(self._rows.get(line, {})) for line in range(1 + max(self._rows))]

    def _spans(self, row: Mapping[int, tuple[str, str]]) -> tuple[Span, ...]:
        runs: list[tuple[str, str]] = []
        for column in range(1 + max(row, default=-1)):
            letter, style = row.get(column, (" ", ""))
            is_blank = letter == " " and bool(runs) and "reverse" not in runs[-1][1]
            if runs and (runs[-1][1] == style or is_blank):
                runs[-1] = runs[-1][0] + letter, runs[-1][1]
            else:
                runs.append((letter, style))
        return tuple(Span(text, style, self._fallback(text)) for text, style in runs)

    def _fallback(self, text: str) -> str:
        return "" if text.isascii() else text.translate(self._fallbacks)


@dataclass(frozen=True)
class PictureLayout:
    """Where things are in the SVG picture of a state, for cropping it and drawing marks on it.

    ``parts`` are boxes (left, top, width, height) without words: ``board``, and where a hand is
    drawn, ``hand``.
    """

    cells: Mapping[str, tuple[float, float]]  # The centre of each cell, by name.
    cell_width: float
    parts: Mapping[str, tuple[float, float, float, float]]


def svg_element(name: str, /, content: str = "", **attributes: str | float) -> str:
    """One SVG element; ``content`` is markup, attributes are escaped, ``_`` becomes ``-``.

    >>> svg_element("circle", r=4, stroke_width=0.5)
    '<circle r="4" stroke-width="0.5"/>'
    """
    listed = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_svg_value(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{listed}>{content}</{name}>" if content else f"<{name}{listed}/>"


def _svg_value(value: str | float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def crop_svg(svg: str, box: tuple[float, float, float, float]) -> str:
    """The part of a picture in a box (left, top, width, height).

    >>> crop_svg(svg_picture(9, 9, "Nine"), (1, 2, 3, 4))[39:80]
    ' viewBox="1 2 3 4" width="3" height="4" r'
    """
    left, top, width, height = (f"{number:.6g}" for number in box)
    seen = f' viewBox="{left} {top} {width} {height}" width="{width}" height="{height}"'
    return _FRAME.sub(seen, svg, count=1)


def svg_picture(width: float, height: float, title: str, *elements: str) -> str:
    """A complete SVG picture, with a title for screen readers."""
    body = svg_element("title", escape(title)) + "".join(elements)
    return svg_element(
        "svg",
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_svg_value(width)} {_svg_value(height)}",
        width=width,
        height=height,
        role="img",
    )
