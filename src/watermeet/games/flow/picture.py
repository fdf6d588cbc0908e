"""Flow states as SVG: tiles of sand in the sea, with channels from the animals to the boat.

Beside each row and above each column is the die that hits it. The last tile and the last dice have
a gold frame, and paler bands mark the lines the dice hit. A dashed frame marks the cell that
Current took the tile in hand from.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.rendering import PictureLayout, svg_element, svg_picture
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_CELLS, BOAT_CELL, CELL_COUNT, LINE_OF, SIZE
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
    GROUND,
    HALF,
    JOINED,
    LAND,
    LAND_EDGE,
    SEA,
    SEA_EDGE,
    SEA_INK,
    SHALLOWS,
    WHITE,
    animal,
    at,
    bird,
    boat,
    box,
    die,
    disc,
    frame,
    scenario_obstacle,
    stroke,
    tile,
    waterway,
    words,
)
from watermeet.games.flow.panel import PANEL_WIDTH, panel, scenarios
from watermeet.games.flow.paths import AnimalPath, animal_paths
from watermeet.games.flow.sentences import sentence
from watermeet.games.flow.shapes import OBSTACLE
from watermeet.games.flow.tile_sets import KINDS
from watermeet.games.flow.view import is_wet, open_edges

_LEFT, _TOP = 36.0, 50.0
_BOARD = SIZE * CELL
_PANEL_X = _LEFT + _BOARD + 62
_WIDTH = _PANEL_X + PANEL_WIDTH + 14
_UNDER_BOARD = _TOP + _BOARD + 34


def render_svg(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> str:
    """The board with its dice, and beside it the tile in hand, hands and supplies."""
    beside, panel_height = panel(game, array, _PANEL_X, 22.0)
    below, scenarios_height = scenarios(array, _LEFT - 5, _UNDER_BOARD)
    height = max(_UNDER_BOARD, scenarios_height, panel_height) + 30
    text = sentence(game, array)
    return svg_picture(
        _WIDTH,
        height,
        f"Flow. {text}",
        svg_element("rect", width=_WIDTH, height=height, rx=12, fill=GROUND),
        *_sea(),
        *_bands(array, last),
        *_labels(array, last),
        *_cells(array),
        *_marks(array, last),
        *beside,
        *below,
        words(text, _WIDTH / 2, height - 14, min(15.0, 1.65 * _WIDTH / len(text)), weight="bold"),
    )


def picture_layout(game: Game, array: StateArray) -> PictureLayout:
    """Where the cells and the tile in hand are in the picture of ``render_svg``."""
    places = {cell_name(cell): _middle(cell) for cell in range(CELL_COUNT)}
    parts = {
        "board": (8.0, 8.0, _LEFT + _BOARD + 38, _TOP + _BOARD + 22),
        "hand": (_PANEL_X - 4, 78.0, PANEL_WIDTH, 61.0),
    }
    return PictureLayout(places, CELL, parts)


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


def _rolled(array: StateArray, last: tuple[int, ...]) -> tuple[int, int]:
    """What the white and black dice show; 0 if not rolled."""
    white, black = last_dice(last)
    return white or int(array[layout.WHITE]), black


def _bands(array: StateArray, last: tuple[int, ...]) -> list[str]:
    """Paler water along the row and column that the dice hit."""
    row, column = (int(LINE_OF[pips]) for pips in _rolled(array, last))
    y, x = _middle(SIZE * row)[1] - HALF, _middle(column)[0] - HALF
    bands = [_band(_LEFT, y, _BOARD, CELL)] if row >= 0 else []
    return bands + ([_band(x, _TOP, CELL, _BOARD)] if column >= 0 else [])


def _band(x: float, y: float, width: float, height: float) -> str:
    return svg_element("rect", x=x, y=y, width=width, height=height, rx=7, fill=SHALLOWS)


def _labels(array: StateArray, last: tuple[int, ...]) -> list[str]:
    """Names of rows and columns, and the dice that hit them; the middle ones have none."""
    white, black = _rolled(array, last)
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
            text = f"white {pips}: row {place + 1}", f"black {pips}: column {letter}"
            elements.append(at(_LEFT + _BOARD + 26, y, for_row, title=text[0]))
            elements.append(at(x, _TOP - 24, for_column, title=text[1]))
    return elements


# ---- cells ------------------------------------------------------------------------------------


def _cells(array: StateArray) -> list[str]:
    """Empty cells, tiles, animals and the boat."""
    found = dict(
        zip(ANIMAL_CELLS, zip(ANIMAL_NAMES, animal_paths(array), strict=True), strict=True)
    )
    elements = []
    for cell in range(CELL_COUNT):
        laid = laid_at(array, cell)
        edges, wet = open_edges(array, cell), is_wet(array, cell)
        if cell in found:
            drawn = _animal(*found[cell], edges)
        elif cell == BOAT_CELL:
            drawn = _boat(edges, wet)
        elif laid is None:
            drawn = _empty(cell)
        else:
            drawn = _laid(laid, wet)
        title = f"{cell_name(cell)} {_cell_words(array, cell, found)}".strip()
        elements.append(at(*_middle(cell), drawn, title=title))
    return elements


def _cell_words(array: StateArray, cell: int, found: dict[int, tuple[str, AnimalPath]]) -> str:
    """The tooltip of a cell."""
    laid = laid_at(array, cell)
    if cell in found:
        name, each = found[cell]
        return f"{name}, {_animal_words(each)}"
    water = ", water" if is_wet(array, cell) else ", no water"
    if cell == BOAT_CELL:
        return f"boat {open_edges(array, cell)}{water}"
    if laid is None:
        return "where the tile in hand was" if array[layout.LIFTED_FROM] == 1 + cell else ""
    on_it = ", a bird" if laid.has_bird else ""
    if laid.kind == SCENARIO_OBSTACLE:
        return f"scenario obstacle{on_it}"
    return f"{laid.kind} {laid.edges}{water}{on_it}"


def _animal_words(found: AnimalPath) -> str:
    if found.path:
        return "connected to the boat"
    if found.missing is None:
        return "cut off from the boat"
    return f"at least {counted(found.missing, 'tile')} to go"


def _empty(cell: int) -> str:
    ripple = stroke("M-18 15q5 -5 9 0t9 0M2 -16q4 -4 8 0t8 0", SEA_EDGE, 2, cap="round")
    name = words(cell_name(cell), 0, 5, 13, fill=SEA_INK)
    return box(HALF - 1, 7, "none", SEA_EDGE, 1) + ripple + name


def _laid(laid: Laid, wet: bool) -> str:
    if laid.kind == SCENARIO_OBSTACLE:
        drawn = scenario_obstacle()
    else:
        drawn = tile(laid.edges, is_dead_end=laid.kind == KINDS[OBSTACLE], is_wet=wet)
    place = (13.0, 17.0) if laid.edges == "NW" else (-17.5, -18.5)  # Beside the waves.
    return drawn + (at(*place, bird(), scale=0.85) if laid.has_bird else "")


def _boat(edges: str, wet: bool) -> str:
    """The boat in shallow water."""
    animal_paths = waterway(edges, is_wet=wet, reach=25.0, wave_scale=0.7)
    return box(HALF - 1, 7, SHALLOWS, SEA_INK, 1.2) + animal_paths + boat()


def _animal(name: str, found: AnimalPath, edges: str) -> str:
    """An animal's space, with a tick if it is connected, else the number of tiles to go."""
    y = 22.5 if "N" in edges else -22.5
    x = -22.5 if "E" in edges else 22.5
    if found.path:
        sign = disc(0, 0, 10, JOINED) + stroke("M-5 0L-1.5 4L5 -4", WHITE, 2.6, cap="round")
    else:
        text = "x" if found.missing is None else str(found.missing)
        size = 14.0 if len(text) == 1 else 12.0
        number = words(text, 0, 0.36 * size, size, weight="bold", fill=WHITE)
        sign = disc(0, 0, 10, BLACK) + number
    return "".join(
        (
            box(HALF - 1, 7, LAND, LAND_EDGE, 1.2),
            waterway(edges, is_wet=True, reach=0.0),
            at(0, 0, animal(name)),
            at(x, y, sign, scale=0.85),
        )
    )


def _marks(array: StateArray, last: tuple[int, ...]) -> list[str]:
    """A gold frame around the last tile, a dashed one where the tile in hand was."""
    marks = [at(*_middle(cell), frame(HALF - 3, 4)) for cell in sorted(last_cells(array, last))]
    lifted = int(array[layout.LIFTED_FROM])
    dashed = frame(HALF - 3, 4, dashes="10 7")
    return marks + ([at(*_middle(lifted - 1), dashed)] if lifted else [])
