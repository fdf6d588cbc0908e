"""Pictures of My Game: coloured text for the terminal, and SVG.

Each stone shows the letter of its colour, so nobody has to tell colours apart.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.rendering import PictureLayout, Rendering, Span, svg_element, svg_picture
from watermeet.core.squaregrid import COLUMN_LETTERS, point_index, point_name

from .notation import LETTERS, letter_rows
from .view import sentence

_STYLES = ("dim", "bold red", "bold blue", "bold green", "bold yellow", "bold magenta", "bold")
_FILLS = ("", "#c5321f", "#2358b3", "#2f8043", "#b58900", "#7b3fa0", "#c4621a")
_STEP = 40.0


def render_text(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> Rendering:
    """The board for a terminal; ``>`` marks the last move."""
    size = game.options.number("size")
    footer = (Span("    " + " ".join(COLUMN_LETTERS[:size]), "dim"),)
    lines = []
    for row, letters in zip(reversed(range(size)), letter_rows(game, array), strict=True):
        spans = [Span(f"{row + 1:>2} ", "dim")]
        for column, letter in enumerate(letters):
            spans.append(Span(">" if row * size + column in last else " ", "bold"))
            spans.append(Span(letter.upper(), _STYLES[LETTERS.index(letter)]))
        lines.append(tuple(spans))
    return Rendering((*lines, footer))


def render_svg(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> str:
    """The board as SVG; a dark ring marks the last move."""
    size = game.options.number("size")
    width = _STEP * (size + 2)
    elements = [svg_element("rect", width=width, height=width, rx=8, fill="#f4ead5")]
    for index in range(size):
        elements.append(_label(COLUMN_LETTERS[index], _STEP * (index + 1.5), width - _STEP / 3))
        elements.append(_label(str(size - index), _STEP / 2, _STEP * (index + 1.6)))
    for row, letters in enumerate(letter_rows(game, array)):
        for column, letter in enumerate(letters):
            name = f"{COLUMN_LETTERS[column]}{size - row}"
            is_last = point_index(name, size, size) in last
            elements.append(_cell(column, row, letter, is_last=is_last))
    return svg_picture(width, width, f"My Game. {sentence(game, array)}", *elements)


def picture_layout(game: Game, array: StateArray) -> PictureLayout:
    """Where the cells are in the picture of ``render_svg``."""
    size = game.options.number("size")
    places = {
        point_name(row * size + column, size): (_STEP * (column + 1.5), _STEP * (size - row + 0.5))
        for row in range(size)
        for column in range(size)
    }
    width = _STEP * (size + 2)
    return PictureLayout(places, _STEP, {"board": (0.0, 0.0, width, width)})


def _cell(column: int, row: int, letter: str, *, is_last: bool) -> str:
    x, y = _STEP * (column + 1), _STEP * (row + 1)
    square = svg_element(
        "rect", x=x, y=y, width=_STEP, height=_STEP, fill="#fffaf0", stroke="#a98f63"
    )
    if letter == ".":
        return square
    middle_x, middle_y = x + _STEP / 2, y + _STEP / 2
    stone = svg_element(
        "circle",
        cx=middle_x,
        cy=middle_y,
        r=_STEP * 0.4,
        fill=_FILLS[LETTERS.index(letter)],
        stroke="#1b1b1b",
        stroke_width=4.0 if is_last else 0.5,
    )
    return square + stone + _label(letter.upper(), middle_x, middle_y + 5, fill="#fff")


def _label(text: str, x: float, y: float, *, fill: str = "#5c4a2a") -> str:
    return svg_element(
        "text", text, x=x, y=y, fill=fill, font_size=15, font_family="sans-serif",
        text_anchor="middle",
    )  # fmt: skip
