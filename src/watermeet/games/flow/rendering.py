"""Flow states as coloured text; SVG is in picture.py.

A cell is three lines of five characters. Channels with water are drawn with double lines and dry
ones with single lines, from the middle of a cell to its open edges, so that the channels of
neighbours meet. Beside each row and above each column is the number that a die shows for it.
"""

from __future__ import annotations

import textwrap

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.rendering import Canvas, Rendering, Span
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_CELLS, BOAT_CELL, CELL_COUNT, SIZE
from watermeet.games.flow.names import (
    ANIMAL_NAMES,
    SCENARIO_OBSTACLE,
    SCENARIO_TITLES,
    Laid,
    cell_name,
    column_letter,
    counted,
    die_number,
    hand_words,
    laid_at,
    last_cells,
    last_dice,
    pile_left,
    player_name,
    tile_title,
)
from watermeet.games.flow.paths import AnimalPath, animal_paths
from watermeet.games.flow.picture import picture_layout, render_svg
from watermeet.games.flow.sentences import turns_left
from watermeet.games.flow.shapes import OBSTACLE, SHAPES
from watermeet.games.flow.tile_sets import KINDS, TILE_SETS
from watermeet.games.flow.view import is_wet, open_edges

__all__ = ["picture_layout", "render_svg", "render_text"]

_CELL_WIDTH, _CELL_HEIGHT = 5, 3
_LEFT, _TOP = 2, 1  # Where the cells begin.
_DICE_COLUMN = _LEFT + SIZE * _CELL_WIDTH + 1
_PANEL = _DICE_COLUMN + 5
_PANEL_WIDTH = 80 - _PANEL

_WET, _DRY, _FAINT, _MARK = "bold dodger_blue1", "", "dim", "bold yellow"
_MIDDLES = {
    "NS": "│║", "EW": "─═", "NE": "└╚", "ES": "┌╔", "SW": "┐╗", "NW": "┘╝", "NESW": "┼╬",
    "NES": "├╠", "ESW": "┬╦", "NSW": "┤╣", "NEW": "┴╩",
}  # fmt: skip
_LINES = {"N": "│║", "S": "│║", "E": "─═", "W": "─═"}
_ARMS = {"N": ((0, 2),), "E": ((1, 3), (1, 4)), "S": ((2, 2),), "W": ((1, 0), (1, 1))}
_DEAD_END = "●"
_ASCII = str.maketrans("│║─═└╚┌╔┐╗┘╝┼╬├╠┬╦┤╣┴╩●·", ":|-=+#+#+#+#+#+#+#+#+#o.")
_LEGEND = "═ water  ─ dry  ● dead end  (X) obstacle  v bird  * last"

Line = tuple[Span, ...]
Piece = tuple[str, str]
"""A text and its style."""


def render_text(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> Rendering:
    """The board, and beside it the tile in hand, animals, players and supplies."""
    canvas = Canvas(_ASCII)
    found = animal_paths(array)
    _put_labels(canvas, array, last)
    marked = last_cells(array, last)
    for cell in range(CELL_COUNT):
        _put_cell(canvas, array, cell, found)
        if cell in marked:
            canvas.put(*_corner(cell, 4), ("*", _MARK))
    line = _put_tile(canvas, array, _put_round(canvas, array, last))
    for pieces in [
        *_animal_lines(found), (), *_seat_lines(game, array), (), *_supply_lines(array),
    ]:  # fmt: skip
        canvas.put(line, _PANEL, *pieces)
        line += 1
    lines = canvas.lines()
    return Rendering((*lines, (Span(_LEGEND, _FAINT, _LEGEND.translate(_ASCII)),)))


# ---- the board --------------------------------------------------------------------------------


def _corner(cell: int, right: int = 0) -> tuple[int, int]:
    """The first line of a cell, and a column counted from its left edge."""
    row, column = divmod(cell, SIZE)
    return _TOP + _CELL_HEIGHT * (SIZE - 1 - row), _LEFT + _CELL_WIDTH * column + right


def _put_labels(canvas: Canvas, array: StateArray, last: tuple[int, ...]) -> None:
    """Row and column names with their dice numbers; those just rolled are highlighted."""
    white, black = last_dice(last)
    white = white or int(array[layout.WHITE])
    for place in range(SIZE):
        number = die_number(place)
        line, column = _corner(SIZE * place)[0] + 1, _corner(place)[1] + 2
        canvas.put(line, 0, (str(place + 1), ""))
        canvas.put(_TOP + SIZE * _CELL_HEIGHT, column, (column_letter(place), ""))
        if number is not None:
            canvas.put(line, _DICE_COLUMN, (f"[{number}]", _MARK if number == white else _FAINT))
            canvas.put(0, column - 1, (f"({number})", _MARK if number == black else _FAINT))


def _put_cell(canvas: Canvas, array: StateArray, cell: int, found: list[AnimalPath]) -> None:
    line, column = _corner(cell)
    laid = laid_at(array, cell)
    is_space = cell in ANIMAL_CELLS or cell == BOAT_CELL
    if laid is not None and laid.kind == SCENARIO_OBSTACLE:
        canvas.put(line + 1, column + 1, ("(X)", "bold red"))
    elif laid is not None or is_space:
        _put_channels(canvas, line, column, laid, open_edges(array, cell), is_wet(array, cell))
    else:
        canvas.put(line + 1, column + 1, (cell_name(cell), _FAINT))
    if laid is not None and laid.has_bird:
        canvas.put(line, column, ("v", "bold"))
    if cell == BOAT_CELL:
        canvas.put(line + 1, column + 1, ("\\B/", "bold"))
    elif is_space:
        animal = ANIMAL_CELLS.index(cell)
        canvas.put(line + 1, column + 1, (_short_name(animal), "bold"))
        # There is space on the outer side.
        canvas.put(line + (2 if cell < SIZE else 0), column + 1, _state_sign(found[animal]))


def _short_name(animal: int) -> str:
    return ANIMAL_NAMES[animal][:3].title()


def _state_sign(found: AnimalPath) -> Piece:
    if found.path:
        return " ok", "bold green"
    return (" --" if found.missing is None else f"{-found.missing:3d}"), "red"


def _put_channels(
    canvas: Canvas, line: int, column: int, laid: Laid | None, edges: str, is_wet: bool
) -> None:
    """The channels of a tile, from its middle to its open edges; double lines for water."""
    style = _WET if is_wet else _DRY
    for edge in edges:
        for down, right in _ARMS[edge]:
            canvas.put(line + down, column + right, (_LINES[edge][is_wet], style))
    is_dead_end = laid is not None and laid.kind == KINDS[OBSTACLE]
    middle = _DEAD_END if is_dead_end else _MIDDLES.get(edges, "  ")[is_wet]
    canvas.put(line + 1, column + 2, (middle, style))


# ---- the panel --------------------------------------------------------------------------------


def _put_round(canvas: Canvas, array: StateArray, last: tuple[int, ...]) -> int:
    """The state of the round and the last dice; return the next line."""
    if array[layout.STAGE] == layout.FINISHED:
        canvas.put(0, _PANEL, ("Won." if array[layout.WON] else "Lost.", "bold"))
        return 1
    left = turns_left(array)
    words = ["Rounds end by the clock." if left is None else f"Turns left: {left}."]
    words += ["Time is up."] if array[layout.TIME_UP] else []
    words += ["Calm Waters is in play."] if array[layout.CALM_PLAYED] else []
    if array[layout.IN_PLAY + layout.ONE_CARD] and array[layout.CARD_PLAYED]:
        words.append("No more cards this round.")
    white, black = last_dice(last)
    rolled = [f"white {white}"] * bool(white) + [f"black {black}"] * bool(black)
    lines = textwrap.wrap(" ".join(words), _PANEL_WIDTH)
    lines += [f"Dice: {', '.join(rolled)}."] if rolled else []
    for line, text in enumerate(lines):
        canvas.put(line, _PANEL, (text, ""))
    return len(lines)


def _put_tile(canvas: Canvas, array: StateArray, line: int) -> int:
    """The tile in hand in all rotations, with the edges to type; return the next line."""
    tile = int(array[layout.TILE])
    if tile == 0:
        return line + 1
    canvas.put(line, _PANEL, (f"In hand: {tile_title(tile)}", "bold"))
    if tile == layout.SCENARIO_TILE:
        canvas.put(line + 1, _PANEL, ("X", "bold"))
        return line + 3
    turned = [edges for kind, edges in SHAPES if kind == tile - 1]
    for turns, edges in enumerate(turned):
        column = _PANEL + 7 * turns
        _put_channels(canvas, line + 1, column, Laid(KINDS[tile - 1], edges, False), edges, False)
        canvas.put(line + 4, column, (f"{edges:^5}", "bold"))
    return line + 6


def _animal_lines(found: list[AnimalPath]) -> list[tuple[Piece, ...]]:
    lines: list[tuple[Piece, ...]] = []
    for name, cell, each in zip(ANIMAL_NAMES, ANIMAL_CELLS, found, strict=True):
        if each.path:
            text = "connected to the boat"
        elif each.missing is None:
            text = "cut off from the boat"
        else:
            text = f"at least {counted(each.missing, 'tile')} to go"
        lines.append(((f"{name.title():<9}{cell_name(cell)}  {text}", ""),))
    return lines


def _seat_lines(game: Game, array: StateArray) -> list[tuple[Piece, ...]]:
    """The hands, with a mark for the mover."""
    lines: list[tuple[Piece, ...]] = []
    for seat in range(game.seats):
        acts = (
            seat == array[layout.MOVER]
            and layout.CHOOSE_BOAT_EDGE <= array[layout.STAGE] < layout.FINISHED
        )
        text = f"{'>' if acts else ' '} {player_name(seat)}: {hand_words(array, seat)}"
        wrapped = textwrap.wrap(text, _PANEL_WIDTH, subsequent_indent="    ")
        lines += [((each, "bold" if acts else ""),) for each in wrapped]
    return lines


def _supply_lines(array: StateArray) -> list[tuple[Piece, ...]]:
    tiles = list(TILE_SETS.values())[int(array[layout.TILE_SET])]
    kinds = [kind for kind, name in enumerate(KINDS) if tiles[name]]
    lines = ["Tiles     face down   up   discarded"]
    for kind in kinds:
        down, up, off = (
            int(array[first + kind])
            for first in (layout.FACE_DOWN, layout.FACE_UP, layout.DISCARDED)
        )
        lines.append(f"{KINDS[kind]:<10}{down:>6}{up:>8}{off:>8}")
    pile, birds = counted(pile_left(array), "card"), counted(int(array[layout.BIRDS_LEFT]), "bird")
    lines.append(f"Pile: {pile}. {birds} left.")
    counts = (int(array[layout.IN_PLAY + scenario]) for scenario in range(layout.SCENARIO_KINDS))
    in_play = [
        title if count == 1 else f"{title} x{count}"
        for title, count in zip(SCENARIO_TITLES, counts, strict=True)
        if count
    ]
    if in_play:
        lines += textwrap.wrap(f"Scenarios: {', '.join(in_play)}.", _PANEL_WIDTH)
    return [((line, ""),) for line in lines]
