"""Pictures of Hex: coloured text for the terminal, and SVG.

Each row stands half a cell further right than the one above. Each stone shows the letter of its
colour, and so do the sides, so nobody has to tell colours apart.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import centre_of, corners_of
from watermeet.core.rendering import PictureLayout, Rendering, Span, svg_element, svg_picture
from watermeet.core.squaregrid import COLUMN_LETTERS, point_name

from .explain import chain_names
from .notation import LETTERS, letter_rows
from .view import sentence

_STYLES = ("dim", "bold red", "bold blue")
_FILLS = ("#fffaf0", "#c5321f", "#2358b3")
_RADIUS = 20.0
"""From the centre of a cell to a corner."""
_MARGIN = 34.0
"""Around the board, for the names of columns and rows."""


def render_text(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> Rendering:
    """The board for a terminal; ``>`` marks the last move, ``*`` the chain that wins."""
    size = game.options.number("size")
    chain = chain_names(game, array)
    names = " ".join(COLUMN_LETTERS[:size])
    red_side = "r " * (size - 1) + "r"
    lines: list[tuple[Span, ...]] = [
        (Span("   " + names, "dim"),),
        (Span("    " + red_side, _STYLES[1]),),
    ]
    for row, letters in enumerate(letter_rows(game, array)):
        spans = [Span(" " * row), Span(f"{row + 1:>2} ", "dim"), Span("b", _STYLES[2])]
        for column, letter in enumerate(letters):
            cell = row * size + column
            is_last = _is_last(cell, letter, size, last)
            sign = ">" if is_last else "*" if point_name(cell, size) in chain else " "
            spans += [Span(sign, "bold"), Span(letter.upper(), _STYLES[LETTERS.index(letter)])]
        lines.append((*spans, Span(" b", _STYLES[2])))
    lines.append((Span(" " * (size + 5) + red_side, _STYLES[1]),))
    return Rendering(tuple(lines))


def render_svg(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> str:
    """The board as SVG; a dark ring marks the last move, a light line the chain that wins."""
    size = game.options.number("size")
    half_width = _RADIUS * 3**0.5 / 2
    width, height = _extent(size)
    board = [*_sides(size), *_names(size)]
    for row, letters in enumerate(letter_rows(game, array)):
        for column, letter in enumerate(letters):
            is_last = _is_last(row * size + column, letter, size, last)
            board.append(_cell(column, row, letter, is_last=is_last))
    chain = [
        (COLUMN_LETTERS.index(name[0]), int(name[1:]) - 1) for name in chain_names(game, array)
    ]
    if chain:
        board.append(_line(chain))
    shift = f"translate({half_width + _MARGIN:.6g} {_RADIUS + _MARGIN:.6g})"
    return svg_picture(
        width,
        height,
        f"Hex. {sentence(game, array)}",
        svg_element("rect", width=width, height=height, rx=8, fill="#f4ead5"),
        svg_element("g", "".join(board), transform=shift),
    )


def picture_layout(game: Game, array: StateArray) -> PictureLayout:
    """Where the cells are in the picture of ``render_svg``."""
    size = game.options.number("size")
    width, height = _extent(size)
    half_width = _RADIUS * 3**0.5 / 2
    places = {}
    for cell in range(size * size):
        x, y = centre_of((cell % size, cell // size), _RADIUS)
        places[point_name(cell, size)] = x + half_width + _MARGIN, y + _RADIUS + _MARGIN
    return PictureLayout(places, 2 * half_width, {"board": (0.0, 0.0, width, height)})


def _extent(size: int) -> tuple[float, float]:
    """The width and height of the picture."""
    right, bottom = centre_of((size - 1, size - 1), _RADIUS)
    return right + 2 * (_RADIUS * 3**0.5 / 2 + _MARGIN), bottom + 2 * (_RADIUS + _MARGIN)


def _is_last(cell: int, letter: str, size: int, last: tuple[int, ...]) -> bool:
    """Whether the last turn put this stone there; after a swap, there is only one."""
    return cell in last or (size * size in last and letter != ".")


def _points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _sides(size: int) -> list[str]:
    """A thick zigzag along each side in its owner's colour, under the cells; Blue's is dashed."""
    steps = range(size)
    sides = (
        ([(step, 0) for step in steps], (5, 0, 1), 1),
        ([(step, size - 1) for step in steps], (4, 3, 2), 1),
        ([(0, step) for step in steps], (5, 4), 2),
        ([(size - 1, step) for step in steps], (1, 2), 2),
    )
    return [
        svg_element(
            "polyline",
            points=_points(
                [corners_of(cell, _RADIUS)[corner] for cell in cells for corner in used]
            ),
            fill="none",
            stroke=_FILLS[mark],
            stroke_width=9,
            stroke_linejoin="round",
            stroke_dasharray="none" if mark == 1 else "12 4",
        )
        for cells, used, mark in sides
    ]


def _names(size: int) -> list[str]:
    names = []
    for index in range(size):
        x, y = centre_of((index, 0), _RADIUS)
        names.append(_label(COLUMN_LETTERS[index], x - _RADIUS / 2, y - 1.5 * _RADIUS))
        x, y = centre_of((0, index), _RADIUS)
        names.append(_label(str(index + 1), x - 1.65 * _RADIUS, y + 5))
    return names


def _cell(column: int, row: int, letter: str, *, is_last: bool) -> str:
    corners = corners_of((column, row), _RADIUS)
    cell = svg_element("polygon", points=_points(corners), fill=_FILLS[0], stroke="#a98f63")
    if letter == ".":
        return cell
    x, y = centre_of((column, row), _RADIUS)
    stone = svg_element(
        "circle",
        cx=x,
        cy=y,
        r=_RADIUS * 0.7,
        fill=_FILLS[LETTERS.index(letter)],
        stroke="#1b1b1b",
        stroke_width=3.5 if is_last else 0.5,
    )
    return cell + stone + _label(letter.upper(), x, y + 5, fill="#fff")


def _line(cells: list[tuple[int, int]]) -> str:
    return svg_element(
        "polyline",
        points=_points([centre_of(cell, _RADIUS) for cell in cells]),
        fill="none",
        stroke="#ffd76a",
        stroke_width=5,
        stroke_opacity=0.75,
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def _label(text: str, x: float, y: float, *, fill: str = "#5c4a2a") -> str:
    return svg_element(
        "text", text, x=x, y=y, fill=fill, font_size=14, font_family="sans-serif",
        text_anchor="middle",
    )  # fmt: skip
