"""A Flow state as SVG: tiles of sand in the sea, with ways of water between animals and boat.

Beside each row and above each column is the die that names it. The tile laid last has a golden
frame; so have the dice that were rolled last.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.drawing import svg_element, svg_picture
from watermeet.core.game import Game
from watermeet.games.flow.board import ANIMAL_CELLS, BOAT_CELL, CELL_COUNT, SIZE
from watermeet.games.flow.layout import WHITE
from watermeet.games.flow.names import (
    ANIMAL_NAMES,
    SCENARIO_OBSTACLE,
    Laid,
    cell_name,
    column_letter,
    counted,
    die_number,
    laid_at,
    last_cells,
    last_dice,
)
from watermeet.games.flow.paint import (
    BLACK,
    CELL,
    FAINT_INK,
    GOLD,
    GROUND,
    HALF,
    JOINED,
    LAND,
    LAND_EDGE,
    SEA,
    SEA_EDGE,
    SEA_INK,
    animal,
    at,
    bird,
    boat,
    box,
    die,
    disc,
    scenario_obstacle,
    stroke,
    tile,
    waterway,
    words,
)
from watermeet.games.flow.paint import WHITE as WHITE_PAINT
from watermeet.games.flow.panel import PANEL_WIDTH, panel
from watermeet.games.flow.sentences import sentence
from watermeet.games.flow.shapes import OBSTACLE
from watermeet.games.flow.tile_sets import KINDS
from watermeet.games.flow.view import is_wet, open_edges
from watermeet.games.flow.ways import Ways, ways

_LEFT, _TOP = 36.0, 50.0
_BOARD = SIZE * CELL
_PANEL_X = _LEFT + _BOARD + 62
_WIDTH = _PANEL_X + PANEL_WIDTH + 14
_LEAST_HEIGHT = _TOP + _BOARD + 34


def draw_svg(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> str:
    """The board with its dice, and beside it hands, the tile in hand and what is left."""
    beside, panel_height = panel(game, array, _PANEL_X, 22.0)
    height = max(_LEAST_HEIGHT, panel_height) + 30
    told = sentence(game, array)
    return svg_picture(
        _WIDTH,
        height,
        f"Flow. {told}",
        svg_element("rect", width=_WIDTH, height=height, rx=12, fill=GROUND),
        *_sea(),
        *_labels(array, last),
        *_cells(array),
        *_marks(array, last),
        *beside,
        words(told, _WIDTH / 2, height - 14, min(15.0, 1.65 * _WIDTH / len(told)), weight="bold"),
    )


def _middle(cell: int) -> tuple[float, float]:
    """The middle of a cell in the picture."""
    row, column = divmod(cell, SIZE)
    return _LEFT + CELL * column + HALF, _TOP + CELL * (SIZE - 1 - row) + HALF


def _sea() -> list[str]:
    return [
        svg_element(
            "rect", x=_LEFT - 5, y=_TOP - 5, width=_BOARD + 10, height=_BOARD + 10, rx=12,
            fill=SEA, stroke=SEA_INK, stroke_width=2,
        )
    ]  # fmt: skip


def _labels(array: StateArray, last: tuple[int, ...]) -> list[str]:
    """Names of rows and columns, and the dice that name them; the middle ones have none."""
    white, black = last_dice(last)
    white = white or int(array[WHITE])
    elements = []
    for place in range(SIZE):
        pips = die_number(place)
        letter = column_letter(place)
        x, y = _middle(place)[0], _middle(SIZE * place)[1]
        elements.append(words(str(place + 1), _LEFT - 18, y + 5, 15, fill=FAINT_INK))
        elements.append(words(letter, x, _TOP + _BOARD + 24, 15, fill=FAINT_INK))
        if pips is not None:
            for_row = die(pips, is_white=True, is_rolled=pips == white)
            for_column = die(pips, is_white=False, is_rolled=pips == black)
            told = f"white {pips}: row {place + 1}", f"black {pips}: column {letter}"
            elements.append(at(_LEFT + _BOARD + 26, y, for_row, title=told[0]))
            elements.append(at(x, _TOP - 24, for_column, title=told[1]))
    return elements


# ---- cells ------------------------------------------------------------------------------------


def _cells(array: StateArray) -> list[str]:
    """Empty cells, tiles, animals and the boat."""
    found = dict(zip(ANIMAL_CELLS, zip(ANIMAL_NAMES, ways(array), strict=True), strict=True))
    elements = []
    for cell in range(CELL_COUNT):
        laid = laid_at(array, cell)
        edges, wet = open_edges(array, cell), is_wet(array, cell)
        if cell in found:
            drawn = _animal(*found[cell], edges)
        elif cell == BOAT_CELL:
            drawn = waterway(edges, is_wet=wet, reach=25.0) + boat()
        elif laid is None:
            drawn = _empty(cell)
        else:
            drawn = _laid(laid, wet)
        title = f"{cell_name(cell)} {_cell_words(array, cell, found)}".strip()
        elements.append(at(*_middle(cell), drawn, title=title))
    return elements


def _cell_words(array: StateArray, cell: int, found: dict[int, tuple[str, Ways]]) -> str:
    """What is in a cell, for those who point at it."""
    laid = laid_at(array, cell)
    if cell in found:
        name, each = found[cell]
        return f"{name}, {_animal_words(each)}"
    water = ", water" if is_wet(array, cell) else ", no water"
    if cell == BOAT_CELL:
        return f"boat {open_edges(array, cell)}{water}"
    if laid is None:
        return ""
    on_it = ", a bird" if laid.has_bird else ""
    if laid.kind == SCENARIO_OBSTACLE:
        return f"scenario obstacle{on_it}"
    return f"{laid.kind} {laid.edges}{water}{on_it}"


def _animal_words(found: Ways) -> str:
    if found.way:
        return "joined with the boat"
    if found.lacking is None:
        return "cannot be joined"
    return f"lacks {counted(found.lacking, 'tile')} or more"


def _empty(cell: int) -> str:
    ripple = stroke("M-18 15q5 -5 9 0t9 0M2 -16q4 -4 8 0t8 0", SEA_EDGE, 2, cap="round")
    name = words(cell_name(cell), 0, 5, 13, fill=SEA_INK)
    return box(HALF - 1, 7, "none", SEA_EDGE, 1) + ripple + name


def _laid(laid: Laid, wet: bool) -> str:
    if laid.kind == SCENARIO_OBSTACLE:
        drawn = scenario_obstacle()
    else:
        drawn = tile(laid.edges, is_dead_end=laid.kind == KINDS[OBSTACLE], is_wet=wet)
    return drawn + (at(-15, -17, bird(), scale=1.15) if laid.has_bird else "")


def _animal(name: str, found: Ways, edges: str) -> str:
    """An animal's space, with a sign that it is joined, or how much it lacks."""
    y = 21.0 if "N" in edges else -21.0
    x = -21.0 if "E" in edges else 21.0
    if found.way:
        sign = disc(0, 0, 10, JOINED) + stroke("M-5 0L-1.5 4L5 -4", WHITE_PAINT, 2.6, cap="round")
    else:
        text = "x" if found.lacking is None else str(found.lacking)
        sign = disc(0, 0, 10, BLACK) + words(text, 0, 5, 14, weight="bold", fill=WHITE_PAINT)
    return "".join(
        (
            box(HALF - 1, 7, LAND, LAND_EDGE, 1.2),
            waterway(edges, is_wet=True, reach=0.0),
            at(0, 0, animal(name)),
            at(x, y, sign),
        )
    )


def _marks(array: StateArray, last: tuple[int, ...]) -> list[str]:
    """A golden frame around what was laid last."""
    frame = box(HALF - 2.5, 6, "none", GOLD, 4)
    return [at(*_middle(cell), frame) for cell in sorted(last_cells(array, last))]
