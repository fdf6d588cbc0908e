"""Renderings of a Flume state: coloured text, and SVG for notebooks and pages.

Red stones are filled, blue ones hollow; in SVG they have a light ring and a light dot. So nobody
needs colours to tell them apart. A ``>``, in SVG a gold edge, marks the last turn.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.rendering import PictureLayout, Rendering, Span, svg_element, svg_picture
from watermeet.core.squaregrid import COLUMN_LETTERS, point_name
from watermeet.games.flume import layout
from watermeet.games.flume.notation import board_rows
from watermeet.games.flume.view import sentence

_SPANS = {
    layout.FREE: Span("·", "dim", "."),
    layout.RED: Span("●", "bold red", "R"),
    layout.BLUE: Span("○", "bold dodger_blue1", "B"),
}
_RIM = Span(" ∘", "green", " +")

_STEP = 40.0
_FILL = {layout.RED: "#c8321f", layout.BLUE: "#2457b0"}


def render_text(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> Rendering:
    """The points within their green rim, with the names of columns and rows on all sides."""
    size = game.options.number("size")
    letters = Span("      " + " ".join(COLUMN_LETTERS[:size]), "dim")
    rim = (Span("   "), *([_RIM] * (size + 2)))
    lines = [(letters,), rim]
    for height, row in zip(reversed(range(size)), board_rows(game, array), strict=True):
        spans = [Span(f"{height + 1:>2} ", "dim"), _RIM]
        for column, stone in enumerate(row):
            marked = height * size + column in last
            spans += [Span(">" if marked else " ", "bold yellow"), _SPANS[stone]]
        lines.append((*spans, _RIM, Span(f" {height + 1}", "dim")))
    return Rendering((*lines, rim, (letters,)))


def render_svg(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> str:
    """The board as SVG."""
    size = game.options.number("size")
    width = _STEP * (size + 3)
    title = f"Flume {size}x{size}. {sentence(game, array)}"
    elements = [
        svg_element("rect", width=width, height=width, rx=8, fill="#f4ead5"),
        *_grid(size),
        *_rim(size),
        *_names(size),
    ]
    for height, row in zip(reversed(range(size)), board_rows(game, array), strict=True):
        for column, stone in enumerate(row):
            if stone != layout.FREE:
                point = height * size + column
                elements.append(_stone(size, column, height, stone, marked=point in last))
    return svg_picture(width, width, title, *elements)


def picture_layout(game: Game, array: StateArray) -> PictureLayout:
    """Where the points are in the picture of ``render_svg``."""
    size = game.options.number("size")
    width = _STEP * (size + 3)
    places = {
        point_name(height * size + column, size): _place(size, column, height)
        for height in range(size)
        for column in range(size)
    }
    return PictureLayout(places, _STEP, {"board": (0.0, 0.0, width, width)})


def _place(size: int, column: int, height: int) -> tuple[float, float]:
    """The place of a point; -1 and ``size`` are the rim."""
    return _STEP * (column + 2), _STEP * (size + 1 - height)


def _grid(size: int) -> list[str]:
    near, far = _STEP, _STEP * (size + 2)
    lines = []
    for index in range(size):
        x, y = _place(size, index, index)
        for path in (f"M{x:g} {near:g}V{far:g}", f"M{near:g} {y:g}H{far:g}"):
            lines.append(svg_element("path", d=path, stroke="#a98f63", stroke_width=1.5))
    return lines


def _rim(size: int) -> list[str]:
    ends = (-1, size)
    places = [(column, height) for column in range(size) for height in ends]
    places += [(column, height) for column in ends for height in range(size)]
    return [
        svg_element("circle", cx=x, cy=y, r=_STEP * 0.3, fill="#3f8f4f", stroke="#276235")
        for x, y in (_place(size, column, height) for column, height in places)
    ]


def _names(size: int) -> list[str]:
    labels = []
    for index in range(size):
        x, y = _place(size, index, index)
        labels += [(COLUMN_LETTERS[index], x, _STEP * (size + 2.75)), (str(index + 1), 10.0, y + 5)]
    return [
        svg_element(
            "text", text, x=x, y=y, font_size=14, font_family="sans-serif", text_anchor="middle",
            fill="#5c4a2a",
        )
        for text, x, y in labels
    ]  # fmt: skip


def _stone(size: int, column: int, height: int, stone: int, *, marked: bool) -> str:
    x, y = _place(size, column, height)
    disc = svg_element(
        "circle",
        cx=x,
        cy=y,
        r=_STEP * 0.42,
        fill=_FILL[stone],
        stroke="#e8b400" if marked else "#2b2b2b",
        stroke_width=4.0 if marked else 1.0,
    )
    mark = (
        svg_element("circle", cx=x, cy=y, r=_STEP * 0.2, fill="none", stroke="#fff", stroke_width=3)
        if stone == layout.RED
        else svg_element("circle", cx=x, cy=y, r=_STEP * 0.1, fill="#fff")
    )
    name = point_name(height * size + column, size)
    title = svg_element("title", f"{name} {'red' if stone == layout.RED else 'blue'}")
    return svg_element("g", title + disc + mark)
