"""Flecks states as coloured text and as SVG.

Red stones are filled (in SVG: with a light ring), blue ones hollow (with a light dot), and so are
their borders (a light line, light dots), so that nobody depends on colour alone. ``>`` (in SVG a
gold outline) marks the stones of the last turn, an arrow the cells that a row left, and ``*`` (a
light line) the winning chain.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import (
    Cell,
    cell_name,
    cells,
    centre_of,
    corners_of,
    neighbour,
)
from watermeet.core.rendering import PictureLayout, Rendering, Span, svg_element, svg_picture
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import BLUE, FREE, RED, SIDES, edge_owner, edge_ring
from watermeet.games.flecks.connection import shortest_chain
from watermeet.games.flecks.notation import RowMove, row_move_of, stone_at
from watermeet.games.flecks.view import sentence

_STONES = {
    FREE: Span("·", "dim", "."),
    RED: Span("●", "bold red", "R"),
    BLUE: Span("○", "bold dodger_blue1", "B"),
}
_EDGES = {RED: Span("•", "red", "r"), BLUE: Span("◦", "dodger_blue1", "b")}
_ARROWS = tuple(
    Span(arrow, "bold yellow", plain)
    for arrow, plain in zip("→↘↙←↖↗", (">", "\\", "/", "<", "\\", "/"), strict=True)
)
_LEGEND = (
    Span("   "),
    _STONES[RED],
    Span(" Red connects ", "dim"),
    _EDGES[RED],
    Span(" to ", "dim"),
    _EDGES[RED],
    Span(", ", "dim"),
    _STONES[BLUE],
    Span(" Blue connects ", "dim"),
    _EDGES[BLUE],
    Span(" to ", "dim"),
    _EDGES[BLUE],
)

_SIZE = 26.0  # From the centre of a hexagon to a corner.
_FILL = {RED: "#c8321f", BLUE: "#2457b0"}
_GOLD = "#e8b400"


# ---- highlights -------------------------------------------------------------------------------


def _marked(array: StateArray, last: tuple[int, ...]) -> set[Cell]:
    """The stones added or moved in the last turn."""
    side = int(array[layout.SIDE])
    marked: set[Cell] = set()
    for action in last:
        row = row_move_of(side, action)
        if row is not None:
            marked.update(_moved_row(array, row))
        elif action < len(cells(side)):
            marked.add(cells(side)[action])
    return {cell for cell in marked if stone_at(array, cell) != FREE}


def _moved_row(array: StateArray, row: RowMove) -> list[Cell]:
    """The row after its move, with any stones of its colour that it ran into."""
    rear, direction, steps = row
    now = cell = neighbour(rear, direction, steps)
    found: list[Cell] = []
    on_board = set(cells(int(array[layout.SIDE])))
    while cell in on_board and stone_at(array, cell) == stone_at(array, now):
        found.append(cell)
        cell = neighbour(cell, direction)
    return found


def _left_cells(array: StateArray, last: tuple[int, ...]) -> dict[Cell, int]:
    """The cells that rows left in the last turn, with the direction of the move."""
    rows = (row_move_of(int(array[layout.SIDE]), action) for action in last)
    left = {
        neighbour(rear, direction, step): direction
        for rear, direction, steps in filter(None, rows)
        for step in range(steps)
    }
    board = set(cells(int(array[layout.SIDE])))
    return {cell: way for cell, way in left.items() if cell in board and not stone_at(array, cell)}


def _chain(array: StateArray) -> tuple[Cell, ...]:
    winner = int(array[layout.WINNER])
    return shortest_chain(array, winner) if winner != FREE else ()


# ---- text -------------------------------------------------------------------------------------


def render_text(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> Rendering:
    """The board with its borders, column letters and row numbers."""
    side = int(array[layout.SIDE])
    chain = _chain(array)
    marked = _marked(array, last)
    left = _left_cells(array, last)
    placed: dict[Cell, tuple[Span, Span]] = {}  # By cell: the mark before it, and its content.
    for cell in edge_ring(side):
        placed[cell] = Span(" "), _EDGES[edge_owner(cell, side, int(array[layout.BORDER]))]
    for cell in cells(side):
        mark = "*" if cell in chain else ">" if cell in marked else " "
        shown = _ARROWS[left[cell]] if cell in left else _STONES[stone_at(array, cell)]
        placed[cell] = Span(mark, "bold yellow"), shown
    lines = [_line(side, height, placed) for height in range(-side - 1, side + 2)]
    return Rendering((*lines, _LEGEND))


def _line(side: int, height: int, placed: dict[Cell, tuple[Span, Span]]) -> tuple[Span, ...]:
    """One line of text; a cell takes two characters, and each row is shifted by one."""
    row = sorted(cell for cell in placed if cell[1] == height)
    start = 2 * (side + 2)  # The column of a cell with 2 q + r = 0.
    if not row:
        return _letters_line(side, height, start)
    left = start + 2 * row[0][0] + height - 1
    number = str(height + side) if abs(height) < side else ""
    spans = [Span(f"{number:>{left - 1}} ", "dim")]
    for cell in row:
        spans += placed[cell]
    after = _label_after(side, height)
    return (*spans, Span(f" {after}", "dim"))


def _label_after(side: int, height: int) -> str:
    """The label at the right end: the row's number above the corner, the column's letter below."""
    if -side < height <= 0:
        return str(height + side)
    column = side + 1 - height
    return cell_name((column, 0), side)[0] if 0 < column < side else ""


def _letters_line(side: int, height: int, start: int) -> tuple[Span, ...]:
    """The letters above the top side or below the bottom side."""
    columns = range(side) if height < 0 else range(1 - side, 1)
    left = start + 2 * columns[0] + height
    letters = " ".join(cell_name((column, 0), side)[0] for column in columns)
    return (Span(" " * left + letters, "dim"),)


# ---- SVG --------------------------------------------------------------------------------------


def render_svg(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> str:
    """The board as SVG: the cells on a large hexagon in the colours of the borders."""
    side = int(array[layout.SIDE])
    width, height = _extent(side)
    marked = _marked(array, last)
    elements = [
        *_border(side, int(array[layout.BORDER])),
        *(_cell(cell, side) for cell in cells(side)),
        *_labels(side),
        *(_arrow(row) for row in (row_move_of(side, action) for action in last) if row),
        *(
            _stone(cell, side, stone_at(array, cell), marked=cell in marked)
            for cell in cells(side)
            if stone_at(array, cell) != FREE
        ),
        *_chain_line(_chain(array)),
    ]
    moved = svg_element(
        "g", "".join(elements), transform=f"translate({width / 2:.6g} {height / 2:.6g})"
    )
    ground = svg_element("rect", width=width, height=height, rx=8, fill="#f4ead5")
    title = f"Flecks, side {side}. {sentence(game, array)}"
    return svg_picture(width, height, title, ground, moved)


def picture_layout(game: Game, array: StateArray) -> PictureLayout:
    """Where the cells are in the picture of ``render_svg``."""
    side = int(array[layout.SIDE])
    width, height = _extent(side)
    places = {}
    for cell in cells(side):
        x, y = centre_of(cell, _SIZE)
        places[cell_name(cell, side)] = x + width / 2, y + height / 2
    return PictureLayout(places, _SIZE * 3**0.5, {"board": (0.0, 0.0, width, height)})


def _extent(side: int) -> tuple[float, float]:
    """The width and height of the picture."""
    return _SIZE * (3**0.5 * (2 * side - 1) + 6), _SIZE * (3 * side - 1 + 4.5)


def _points(offsets: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.6g},{y:.6g}" for x, y in offsets)


def _outline(side: int, border: int, radius: float) -> list[tuple[int, list[tuple[float, float]]]]:
    """The four parts of the border along a large hexagon: colour and corners, clockwise."""
    tall = radius * 3**0.5 / 2
    top_left, top, top_right = (-radius / 2, -tall), (0.0, -tall), (radius / 2, -tall)
    right, left = (radius, 0.0), (-radius, 0.0)
    low_right, low, low_left = (radius / 2, tall), (0.0, tall), (-radius / 2, tall)
    if border == SIDES:
        return [
            (RED, [top_left, top_right]),
            (BLUE, [top_right, right, low_right]),
            (RED, [low_right, low_left]),
            (BLUE, [low_left, left, top_left]),
        ]
    return [
        (RED, [top, top_right, right]),
        (BLUE, [right, low_right, low]),
        (RED, [low, low_left, left]),
        (BLUE, [left, top_left, top]),
    ]


def _border(side: int, border: int) -> list[str]:
    """Four coloured areas, seen as a band around the cells; light lines on red, dots on blue."""
    max_steps = _SIZE * 3**0.5 * (side - 1)  # To the centre of a corner cell.
    fields = [
        svg_element("polygon", points=_points([(0.0, 0.0), *part]), fill=_FILL[colour])
        for colour, part in _outline(side, border, max_steps + _SIZE * 2.1)
    ]
    lines = [
        svg_element(
            "polyline",
            points=_points(part),
            fill="none",
            stroke="#fff",
            stroke_width=2 if colour == RED else 5,
            stroke_linecap="butt" if colour == RED else "round",
            stroke_dasharray="none" if colour == RED else "0 14",
            stroke_opacity=0.85,
        )
        for colour, part in _outline(side, border, max_steps + _SIZE * 1.72)
    ]
    return fields + lines


def _cell(cell: Cell, side: int) -> str:
    title = svg_element("title", cell_name(cell, side))
    return svg_element(
        "polygon",
        title,
        points=_points(corners_of(cell, _SIZE)),
        fill="#f7f0de",
        stroke="#a98f63",
        stroke_width=1.5,
    )


def _labels(side: int) -> list[str]:
    """Row numbers at their left ends, column letters at their lower ends."""
    labels: list[tuple[str, str, float, float]] = []
    max_steps = side - 1
    for index in range(-max_steps, max_steps + 1):
        x, y = centre_of((-max_steps - min(index, 0), index), _SIZE)
        out = 2.2 if index else 2.7  # The corner reaches farther out.
        labels.append((str(index + side), "end", x - out * _SIZE, y + 5.0))
        x, y = centre_of((index, max_steps - max(index, 0)), _SIZE)
        letter = cell_name((index, 0), side)[0]
        labels.append((letter, "middle", x + 1.2 * _SIZE, y + 2.05 * _SIZE + 5.0))
    return [
        svg_element(
            "text", text, x=x, y=y, font_size=14, font_family="sans-serif", text_anchor=anchor,
            fill="#5c4a2a",
        )
        for text, anchor, x, y in labels
    ]  # fmt: skip


def _arrow(row: RowMove) -> str:
    """A line from where the rear of a row was to where it is now."""
    rear, direction, steps = row
    (x, y), (to_x, to_y) = (centre_of(neighbour(rear, direction, s), _SIZE) for s in (0, steps))
    return svg_element(
        "path",
        d=f"M{x:.6g} {y:.6g}L{to_x:.6g} {to_y:.6g}",
        stroke=_GOLD,
        stroke_width=6,
        stroke_linecap="round",
    )


def _stone(cell: Cell, side: int, stone: int, *, marked: bool) -> str:
    x, y = centre_of(cell, _SIZE)
    disc = svg_element(
        "circle",
        cx=x,
        cy=y,
        r=_SIZE * 0.66,
        fill=_FILL[stone],
        stroke=_GOLD if marked else "#2b2b2b",
        stroke_width=4.0 if marked else 1.0,
    )
    mark = (
        svg_element("circle", cx=x, cy=y, r=_SIZE * 0.32, fill="none", stroke="#fff",
                    stroke_width=3)
        if stone == RED
        else svg_element("circle", cx=x, cy=y, r=_SIZE * 0.16, fill="#fff")
    )  # fmt: skip
    title = svg_element("title", f"{cell_name(cell, side)} {'red' if stone == RED else 'blue'}")
    return svg_element("g", title + disc + mark)


def _chain_line(chain: tuple[Cell, ...]) -> list[str]:
    if not chain:
        return []
    return [
        svg_element(
            "polyline",
            points=_points([centre_of(cell, _SIZE) for cell in chain]),
            fill="none",
            stroke="#fff",
            stroke_width=4,
            stroke_linecap="round",
            stroke_linejoin="round",
            stroke_opacity=0.9,
        )
    ]
