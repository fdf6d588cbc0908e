"""Qwirkle states as coloured text; SVG is in picture.py.

A tile is the letter of its colour and the symbol of its shape, so that nobody depends on colour
alone; where symbols can't be shown it is two letters, as people type it. ``>`` marks the tiles of
this turn, or of the previous one if this one has placed none yet. If the grid is too wide for the
screen, the part around the marked tiles is shown.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.rendering import Rendering, Span
from watermeet.games.qwirkle import layout, rules
from watermeet.games.qwirkle.explain import laid_cells
from watermeet.games.qwirkle.names import (
    COLOUR_NAMES,
    SHAPE_LETTERS,
    Cell,
    grid_of,
    hand_of,
    kinds_at,
    player_name,
    tile_name,
)
from watermeet.games.qwirkle.picture import picture_layout, render_svg
from watermeet.games.qwirkle.view import last_cells

__all__ = ["picture_layout", "render_svg", "render_text"]

COLUMNS_SHOWN = 24
_STYLES = ("red", "dark_orange", "yellow", "green", "dodger_blue1", "magenta")
SHAPE_SYMBOLS = "●x♦■☼♣"
"""Circle, criss-cross, diamond, square, starburst, clover; every font of Windows has them."""
_EMPTY = Span(" · ", "dim", " . ")
Line = tuple[Span, ...]


def render_text(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> Rendering:
    """The grid with column and row numbers, then points, hands and the bag."""
    lines = _grid_lines(array)
    lines += [(), *_seat_lines(game, array), _bag_line(array)]
    if game.options["counts"]:
        lines += _unseen_lines(array, is_concealed=seat >= -1)
    return Rendering(tuple(lines))


def tile_span(kind: int) -> Span:
    """A tile in its colour; hidden tiles are dim."""
    name = tile_name(kind)
    if kind < 0:
        return Span(name, "dim")
    return Span(name[0] + SHAPE_SYMBOLS[kind % 6], f"bold {_STYLES[kind // 6]}", name)


# ---- the grid ---------------------------------------------------------------------------------


def _grid_lines(array: StateArray) -> list[Line]:
    grid = grid_of(array)
    marked = laid_cells(array) or last_cells(array)
    columns = _columns_shown([x for x, _ in grid] or [0], [x for x, _ in marked])
    rows = [y for _, y in grid] or [0]
    numbers: Line = (Span("    "), *(Span(f"{x:>3}", "dim") for x in columns))
    lines: list[Line] = [numbers]
    for y in range(min(rows) - 1, max(rows) + 2):
        label = Span(f"{y:>4}", "dim")
        cells = (_cell_spans(grid, (x, y), marked) for x in columns)
        lines.append((label, *(span for spans in cells for span in spans), Span(f" {y}", "dim")))
    lines.append(numbers)
    left_out = sum(x not in columns for x, _ in grid)
    if left_out:
        note = f"The grid is too wide: {left_out} of its {len(grid)} tiles aren't shown."
        lines.append((Span(note),))
    return lines


def _columns_shown(columns: list[int], marked: list[int]) -> range:
    """All columns with a margin of one, or as many as fit around the marked ones."""
    first, last = min(columns) - 1, max(columns) + 1
    if last - first < COLUMNS_SHOWN:
        return range(first, last + 1)
    middle = (min(marked) + max(marked)) // 2 if marked else 0
    first = max(first, min(middle - COLUMNS_SHOWN // 2, last - COLUMNS_SHOWN + 1))
    return range(first, first + COLUMNS_SHOWN)


def _cell_spans(grid: dict[Cell, int], cell: Cell, marked: list[Cell]) -> Line:
    if cell not in grid:
        return (_EMPTY,)
    return Span(">" if cell in marked else " ", "bold yellow"), tile_span(grid[cell])


# ---- players and bag --------------------------------------------------------------------------


def _seat_lines(game: Game, array: StateArray) -> list[Line]:
    lines: list[Line] = []
    for seat in range(game.seats):
        is_mover = seat == int(array[layout.MOVER]) and array[layout.STAGE] != layout.FINISHED
        points = int(rules.points_of(array, seat))
        head = f"{'>' if is_mover else ' '} {player_name(seat)} {points:>4}  "
        spans = [Span(head, "bold" if is_mover else "")]
        for kind in hand_of(array, seat):
            spans += [Span(" "), tile_span(kind)]
        aside = kinds_at(array, layout.ASIDE)
        if is_mover and aside:
            spans.append(Span("  aside:"))
            for kind in aside:
                spans += [Span(" "), tile_span(kind)]
        lines.append(tuple(spans))
    return lines


def _bag_line(array: StateArray) -> Line:
    return (Span(f"  Bag      {int(array[layout.BAG_LEFT]):>4}"),)


def _unseen_lines(array: StateArray, *, is_concealed: bool) -> list[Line]:
    """A table of the unseen tiles, or of the tiles in the bag if nothing is concealed."""
    title = "Unseen" if is_concealed else "In the bag"
    shapes = zip(SHAPE_LETTERS, SHAPE_SYMBOLS, strict=True)
    heads = (
        Span(f"{letter}{symbol.strip(letter):<2}", "dim", f"{letter}  ")
        for letter, symbol in shapes
    )
    lines: list[Line] = [(Span(f"  {title:<12}", "dim"), *heads)]
    for colour, name in enumerate(COLOUR_NAMES):
        counts = [int(array[layout.BAG + kind]) for kind in range(6 * colour, 6 * colour + 6)]
        spans = [Span(f"  {name:<12}", _STYLES[colour])]
        spans += [Span(f"{count or '-':>1}  ", "" if count else "dim") for count in counts]
        lines.append(tuple(spans))
    return lines
