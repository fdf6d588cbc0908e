"""Qwirkle states as SVG: dark tiles with a coloured shape and the colour's letter.

Nothing but the title of the whole picture is in words, so that it suits every language.
"""

from __future__ import annotations

import math

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.rendering import PictureLayout, svg_element, svg_picture
from watermeet.games.qwirkle import layout, rules
from watermeet.games.qwirkle.explain import laid_cells
from watermeet.games.qwirkle.names import (
    COLOUR_LETTERS,
    Cell,
    cell_name,
    grid_of,
    hand_of,
    tile_name,
)
from watermeet.games.qwirkle.view import last_cells, sentence

_STEP = 48.0
_SIZE = 44.0
_HAND_STEP = 40.0
_COLOURS = ("#ef4136", "#ff9a1f", "#ffe14d", "#4cc355", "#4aa3ff", "#c77dff")


def render_svg(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> str:
    """The grid with a margin of one cell, and below it points and hands."""
    grid = grid_of(array)
    left, top, columns, rows = _extent(grid)
    width = max(_STEP * (columns + 1.5), 520.0)
    shift = (width - _STEP * columns) / 2
    grid_height = _STEP * (rows + 1)
    height = grid_height + _HAND_STEP * game.seats + 64
    marked = laid_cells(array) or last_cells(array)
    elements = [
        svg_element("rect", width=width, height=height, rx=10, fill="#eee7db"),
        *_rim(left, top, columns, rows, shift),
    ]
    for cell, kind in grid.items():
        x, y = shift + _STEP * (cell[0] - left), _STEP * (cell[1] - top + 1)
        elements.append(
            _tile(kind, x + 2, y + 2, _SIZE, f"{cell_name(cell)} ", marked=cell in marked)
        )
    for index in range(game.seats):
        elements += _seat(array, index, grid_height + 24 + _HAND_STEP * index)
    elements += _bag(int(array[layout.BAG_LEFT]), height - 14)
    return svg_picture(width, height, f"Qwirkle. {sentence(game, array)}", *elements)


def _extent(grid: dict[Cell, int]) -> tuple[int, int, int, int]:
    """The first column and row shown, and how many there are."""
    xs, ys = [x for x, _ in grid] or [0], [y for _, y in grid] or [0]
    left, top = min(xs) - 1, min(ys) - 1
    return left, top, max(xs) - left + 2, max(ys) - top + 2


def picture_layout(game: Game, array: StateArray) -> PictureLayout:
    """Where the cells and the mover's hand are in the picture of ``render_svg``."""
    left, top, columns, rows = _extent(grid_of(array))
    width = max(_STEP * (columns + 1.5), 520.0)
    shift = (width - _STEP * columns) / 2
    grid_height = _STEP * (rows + 1)
    places = {
        cell_name((left + column, top + row)): (
            shift + _STEP * (column + 0.5),
            _STEP * (row + 1.5),
        )
        for column in range(columns)
        for row in range(rows)
    }
    hand_top = grid_height + 24 + _HAND_STEP * max(0, int(array[layout.MOVER])) - 11
    parts = {
        "board": (shift - 30, _STEP * 0.3, _STEP * columns + 34, grid_height - _STEP * 0.3),
        "hand": (184.0, hand_top, 6 * _HAND_STEP + 8, _HAND_STEP + 2),
    }
    return PictureLayout(places, _STEP, parts)


def _text(
    text: str, x: float, y: float, size: float, *, anchor: str = "middle", weight: str = "normal"
) -> str:
    return svg_element(
        "text", text, x=x, y=y, font_size=size, font_family="sans-serif", text_anchor=anchor,
        font_weight=weight, fill="#4a4032",
    )  # fmt: skip


def _rim(left: int, top: int, columns: int, rows: int, shift: float) -> list[str]:
    """Dots for the empty cells, and the column and row numbers."""
    elements = []
    for column in range(columns):
        x = shift + _STEP * (column + 0.5)
        elements.append(_text(str(left + column), x, _STEP * 0.65, 13))
        for row in range(rows):
            y = _STEP * (row + 1.5)
            elements.append(svg_element("circle", cx=x, cy=y, r=2, fill="#cdbf9f"))
    for row in range(rows):
        elements.append(_text(str(top + row), shift - 8, _STEP * (row + 1.5) + 5, 13, anchor="end"))
    return elements


def _seat(array: StateArray, seat: int, y: float) -> list[str]:
    is_mover = seat == int(array[layout.MOVER]) and array[layout.STAGE] != layout.FINISHED
    weight = "bold" if is_mover else "normal"
    points = str(int(rules.points_of(array, seat)))
    elements = [
        _text("▸" if is_mover else "", 24, y + 16, 16, anchor="start"),
        svg_element("circle", cx=56, cy=y + 10, r=13, fill="none", stroke="#4a4032"),
        _text(str(seat + 1), 56, y + 16, 16, weight=weight),
        _text(points, 165, y + 16, 16, anchor="end", weight=weight),
    ]
    for slot, kind in enumerate(hand_of(array, seat)):
        elements.append(_tile(kind, 190 + _HAND_STEP * slot, y - 8, _HAND_STEP - 4, ""))
    return elements


def _bag(left: int, y: float) -> list[str]:
    """A bag, and how many tiles are in it."""
    path = f"M28 {y - 12}q-8 8 -5 15h18q3 -7 -5 -15ZM26 {y - 17}l3 4h6l3 -4q-6 3 -12 0Z"
    return [
        svg_element("path", d=path, fill="#8a6c36"),
        _text(str(left), 52, y, 16, anchor="start"),
    ]


# ---- tiles ------------------------------------------------------------------------------------


def _tile(kind: int, x: float, y: float, size: float, where: str, *, marked: bool = False) -> str:
    """A tile with its top left corner at a point; hidden tiles show their back."""
    edge, width = ("#f2b705", 4.0) if marked else ("#0d0d0d", 1.0)
    body = svg_element(
        "rect", x=x, y=y, width=size, height=size, rx=size * 0.14,
        fill="#1d1b1a" if kind >= 0 else "#6b655c", stroke=edge, stroke_width=width,
    )  # fmt: skip
    if kind < 0:
        return svg_element("g", svg_element("title", "?") + body)
    colour = _COLOURS[kind // 6]
    shape = _SHAPES[kind % 6](x + size / 2, y + size / 2, size * 0.34, colour)
    letter = svg_element(
        "text", COLOUR_LETTERS[kind // 6], x=x + size * 0.15, y=y + size * 0.29,
        font_size=size * 0.23, font_family="sans-serif", font_weight="bold", text_anchor="middle",
        fill=colour,
    )  # fmt: skip
    title = svg_element("title", f"{where}{tile_name(kind)}")
    return svg_element("g", title + body + shape + letter)


def _points(pairs: list[Cell] | list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in pairs)


def _star(x: float, y: float, outer: float, inner: float, rays: int, turn: float) -> str:
    pairs = []
    for index in range(2 * rays):
        radius = inner if index % 2 else outer
        angle = turn + math.pi * index / rays
        pairs.append((x + radius * math.sin(angle), y - radius * math.cos(angle)))
    return _points(pairs)


def _circle(x: float, y: float, radius: float, colour: str) -> str:
    return svg_element("circle", cx=x, cy=y, r=radius * 0.95, fill=colour)


def _criss_cross(x: float, y: float, radius: float, colour: str) -> str:
    points = _star(x, y, radius * 1.32, radius * 0.42, 4, math.pi / 4)
    return svg_element("polygon", points=points, fill=colour)


def _diamond(x: float, y: float, radius: float, colour: str) -> str:
    reach = radius * 1.15
    points = _points([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)])
    return svg_element("polygon", points=points, fill=colour)


def _square(x: float, y: float, radius: float, colour: str) -> str:
    side = radius * 1.7
    return svg_element("rect", x=x - side / 2, y=y - side / 2, width=side, height=side, fill=colour)


def _starburst(x: float, y: float, radius: float, colour: str) -> str:
    points = _star(x, y, radius * 1.15, radius * 0.62, 8, 0.0)
    return svg_element("polygon", points=points, fill=colour)


def _clover(x: float, y: float, radius: float, colour: str) -> str:
    leaf = radius * 0.52
    leaves = "".join(
        svg_element("circle", cx=x + leaf * step_x, cy=y + leaf * step_y, r=leaf)
        for step_x, step_y in ((1.05, 0), (-1.05, 0), (0, 1.05), (0, -1.05))
    )
    return svg_element("g", leaves + svg_element("circle", cx=x, cy=y, r=leaf * 0.6), fill=colour)


_SHAPES = (_circle, _criss_cross, _diamond, _square, _starburst, _clover)
