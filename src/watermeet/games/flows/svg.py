"""A Flows state as SVG: dark tiles on a light board, strands in the colours of their owners.

Strands that are nobody's are grey and thinner; those of two owners have dashes in both colours.
Each is drawn with a casing, so that strands that cross run over or under each other. A winning
strand glows, and the last tile has a golden edge.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import cell_name, cells, centre_of
from watermeet.core.rendering import PictureLayout, svg_element, svg_picture
from watermeet.games.flows import layout
from watermeet.games.flows.board import SIDES
from watermeet.games.flows.geometry import (
    band,
    band_line,
    band_middle,
    column_label,
    number,
    piece_length,
    points,
    reach_of,
    row_label,
    strand_path,
)
from watermeet.games.flows.names import (
    SEAT_LETTERS,
    free_sides,
    last_cells,
    name_of,
    orientation_name,
    seats_by_side,
)
from watermeet.games.flows.strand_paths import (
    Step,
    Strand,
    is_winning,
    orientation_at,
    strands_by_cell,
    trace_strands,
)
from watermeet.games.flows.svg_panel import PANEL_WIDTH, panel, panel_height, tile_box
from watermeet.games.flows.svg_style import (
    BLACK_SIDE,
    EMPTY_CELL,
    EMPTY_EDGE,
    FAINT_INK,
    GOLD,
    GROUND,
    HALO,
    SEAT_COLOURS,
    TILE,
    TILE_EDGE,
    hexagon,
    owned_path,
    pattern,
    stroke,
    text_element,
)
from watermeet.games.flows.tiles import ORIENTATION_STRANDS
from watermeet.games.flows.view import sentence

_SIZE = 36.0
_STRAND = 9.5
_CASING = 15.0
_MARGIN = 34.0
_LABEL_GAP = 30.0  # Of a side's pattern, for its letter.
_LABEL_INK = "#17191d"
_FREE_INK = "#f2efe8"


def render_svg(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> str:
    """The board with its sides, and beside it the panel."""
    radius = int(array[layout.RADIUS])
    board_width, board_height = _board_extent(radius)
    height = max(board_height, panel_height(game) + 20)
    width = board_width + PANEL_WIDTH + 20
    board = [
        *_bands(array),
        *_labels(radius),
        *_cells(array, last_cells(array, last)),
        *_strands(array),
    ]
    place = f"translate({board_width / 2:.6g} {height / 2:.6g})"
    return svg_picture(
        width,
        height,
        f"Flows. {sentence(game, array)}",
        svg_element("rect", width=width, height=height, rx=10, fill=GROUND),
        svg_element("g", "".join(board), transform=place),
        *panel(game, array, seat, board_width + 6, 26),
    )


def picture_layout(game: Game, array: StateArray) -> PictureLayout:
    """Where the cells and the tile in hand are in the picture of ``render_svg``."""
    radius = int(array[layout.RADIUS])
    board_width, board_height = _board_extent(radius)
    height = max(board_height, panel_height(game) + 20)
    places = {}
    for place, cell in enumerate(cells(radius + 1)):
        x, y = centre_of(cell, _SIZE)
        places[name_of(array, place)] = x + board_width / 2, y + height / 2
    left, top, wide, tall = tile_box(game, array)
    parts = {
        "board": (0.0, (height - board_height) / 2, board_width - 12, board_height),
        "hand": (board_width + 6 + left, 26 + top, wide, tall),
    }
    return PictureLayout(places, _SIZE * 3**0.5, parts)


def _board_extent(radius: int) -> tuple[float, float]:
    """The width and height of the board with its sides and labels."""
    reach = reach_of(radius, _SIZE)
    return 2 * (reach * 2 / 3**0.5 + _MARGIN), 2 * (reach + _MARGIN)


# ---- sides ------------------------------------------------------------------------------------


def _bands(array: StateArray) -> list[str]:
    """The sides with the colour, pattern and letter of their seat; the others black."""
    radius = int(array[layout.RADIUS])
    seats = seats_by_side(array)
    elements = []
    for side in range(SIDES):
        field = points(band(radius, side, _SIZE))
        seat = seats.get(side)
        colour = BLACK_SIDE if seat is None else SEAT_COLOURS[seat]
        elements.append(
            svg_element("polygon", points=field, fill=colour, stroke=GROUND, stroke_width=1.5)
        )
        if seat is not None:
            elements += _band_pattern(radius, side, seat)
            elements.append(_band_label(radius, side, SEAT_LETTERS[seat], _LABEL_INK))
        elif side in free_sides(array):
            elements.append(_band_label(radius, side, str(side), _FREE_INK))
    return elements


def _band_pattern(radius: int, side: int, seat: int) -> list[str]:
    elements = []
    for half in band_line(radius, side, _SIZE, _LABEL_GAP):
        (x, y), (to_x, to_y) = half
        elements += pattern(f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}", seat, 9.0)
    return elements


def _band_label(radius: int, side: int, label: str, ink: str) -> str:
    (x, y), turn = band_middle(radius, side, _SIZE)
    return text_element(
        label, 0, 5, 15, weight="bold", fill=ink,
        transform=f"translate({number(x)} {number(y)}) rotate({turn:.6g})",
    )  # fmt: skip


def _labels(radius: int) -> list[str]:
    """The numbers of rows at their left ends, and the letters of columns at their lower ends."""
    labels = []
    for index in range(-radius, radius + 1):
        x, y = row_label(radius, index, _SIZE, 12)
        labels.append(text_element(str(index + radius + 1), x, y + 5, 14, fill=FAINT_INK))
        x, y = column_label(radius, index, _SIZE, 15)
        letter = cell_name((index, 0), radius + 1)[0]
        labels.append(text_element(letter, x, y + 5, 14, fill=FAINT_INK))
    return labels


# ---- cells ------------------------------------------------------------------------------------


def _cells(array: StateArray, marked: set[int]) -> list[str]:
    """The cells without strands; empty ones first, so that they don't cover the edges of tiles."""
    board = cells(int(array[layout.RADIUS]) + 1)
    passing = strands_by_cell(array)
    empty, placed, edged = [], [], []
    for place, cell in enumerate(board):
        x, y = centre_of(cell, _SIZE)
        if place not in passing:
            title = svg_element("title", name_of(array, place))
            field = hexagon(x, y, _SIZE, EMPTY_CELL, EMPTY_EDGE, 1.5)
            name = text_element(name_of(array, place), x, y + 4.5, 13, fill=FAINT_INK)
            empty.append(svg_element("g", title + field + name))
            continue
        title = svg_element("title", _tile_title(array, place, passing[place]))
        field = hexagon(x, y, _SIZE, TILE, TILE_EDGE, 1.5)
        placed.append(svg_element("g", title + field))
        if place in marked:
            edged.append(hexagon(x, y, _SIZE * 0.95, "none", GOLD, 4))
    return empty + placed + edged


def _tile_title(array: StateArray, cell: int, passing: list[Strand]) -> str:
    """The tooltip of a tile: its strands and their owners, in letters that suit every language."""
    orientation = orientation_at(array, cell)
    assert orientation is not None, "strands only cross tiles"
    owners = [
        f"{a}-{b} {'+'.join(SEAT_LETTERS[seat] for seat in strand.owners) or '-'}"
        for (a, b), strand in zip(ORIENTATION_STRANDS[orientation], passing, strict=True)
    ]
    return f"{name_of(array, cell)} {orientation_name(orientation)}: {', '.join(owners)}"


# ---- strands ----------------------------------------------------------------------------------


def _strands(array: StateArray) -> list[str]:
    """The strands: nobody's at the bottom, winning ones on top."""
    radius = int(array[layout.RADIUS])
    ordered = sorted(
        trace_strands(array), key=lambda each: (is_winning(array, each), len(each.owners))
    )
    elements = []
    for strand in ordered:
        glows = is_winning(array, strand)
        elements += _line(radius, strand.steps, strand.owners, glows=glows)
        for begun, step in _crossings(strand):
            elements += _line(radius, (step,), strand.owners, glows=glows, begun=begun)
    return elements


def _line(
    radius: int,
    steps: tuple[Step, ...],
    owners: tuple[int, ...],
    *,
    glows: bool,
    begun: float = 0.0,
) -> list[str]:
    """A strand, or one step of it, with its casing."""
    path = strand_path(radius, steps, _SIZE)
    casing = _CASING + 8 if glows else _CASING if owners else _CASING - 2.5
    elements = [stroke(path, TILE, casing)]
    if glows:
        elements.append(stroke(path, HALO, _CASING + 4))
    return elements + owned_path(path, owners, _STRAND + 1 if glows else _STRAND, begun)


def _crossings(strand: Strand) -> list[tuple[float, Step]]:
    """The steps where a strand crosses itself, each with the length of the strand before it."""
    found = []
    length = 0.0
    before: dict[int, list[Step]] = {}
    for step in strand.steps:
        if any(_cross(step, other) for other in before.get(step.cell, [])):
            found.append((length, step))
        before.setdefault(step.cell, []).append(step)
        length += piece_length(step.enter, step.leave, _SIZE)
    return found


def _cross(one: Step, other: Step) -> bool:
    """Whether two strands in a cell cross: the ends of one are on different sides of the other."""
    low, high = sorted((one.enter, one.leave))
    return (low < other.enter < high) != (low < other.leave < high)
