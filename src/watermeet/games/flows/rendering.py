"""A Flows state as coloured text for the terminal; SVG is in svg.py.

Every edge has one place, between the two cells that share it. If a strand crosses the edge, its
name is shown there: ``R3`` all along the strand that starts at the third edge, clockwise, of Red's
side, and a number for a strand that is nobody's. So a strand can be followed from cell to cell by
its name, and edges of a cell with the same name are joined by the tile. A strand between two
players' sides is named after the first. Rim edges without a strand show the name of the one that
would start there, or a block if the side is black.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.hexgrid import cell_name, cells
from watermeet.core.rendering import Canvas, Rendering, Span
from watermeet.games.flows import layout
from watermeet.games.flows.board import MAX_RADIUS
from watermeet.games.flows.names import (
    SEAT_LETTERS,
    SIDE_NAMES,
    free_sides,
    last_cells,
    name_of,
    orientation_name,
    partner,
    seat_name,
    seats_by_side,
    side_of,
    tile_name,
    tile_of,
    tile_shown,
    type_name,
    winning_teams,
)
from watermeet.games.flows.strand_paths import (
    RimEnd,
    Strand,
    beyond,
    is_winning,
    orientation_at,
    trace_strands,
)
from watermeet.games.flows.svg import picture_layout, render_svg
from watermeet.games.flows.tiles import (
    ORIENTATION_STRANDS,
    ROTATIONS_OF_TYPE,
    TYPES,
    orientation_number,
)
from watermeet.games.flows.view import blocked_teams

__all__ = ["picture_layout", "render_svg", "render_text"]

_STYLES = ("red", "dodger_blue1", "yellow", "green", "medium_purple1", "dark_orange")
_MARK = "bold yellow"
_PLACES = "123456789ab"  # Of a side's edges; a side of the largest board has eleven.
_BLACK = "▓▓"
_LINES = ("\\", "│", "/", "\\", "│", "/")  # By edge.
_ASCII = str.maketrans("│▓", "|#")
_LEFT = 3  # The column of the leftmost edge.

Line = tuple[Span, ...]
Text = tuple[tuple[str, str], ...]
"""Pieces of text, each with its style."""


def render_text(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> Rendering:
    """The board; below it the tile in hand in all rotations, the seats, and the tiles left."""
    lines = _board_lines(array, last_cells(array, last))
    lines += _tile_lines(array, seat)
    lines += _seat_lines(game, array)
    lines += [_bag_line(array, is_concealed=seat >= -1), _legend(array)]
    return Rendering(tuple(lines))


# ---- the board --------------------------------------------------------------------------------


def _is_narrow(radius: int) -> bool:
    """Whether cells must be narrow, and one line taller, for the board to fit 80 columns."""
    return radius == MAX_RADIUS


def _width(radius: int) -> int:
    """How many columns a cell takes."""
    return 6 if _is_narrow(radius) else 8


def _place(radius: int, cell: tuple[int, int]) -> tuple[int, int]:
    """The line of a cell, and the column of its western edge."""
    q, r = cell
    width, height = _width(radius), 3 if _is_narrow(radius) else 2
    return 2 + height * (r + radius), _LEFT + width * (q + radius) + width // 2 * r


def _edge_places(radius: int) -> tuple[tuple[int, int], ...]:
    """By edge: its place relative to that of the cell; names there have two characters."""
    width, beside = _width(radius), 1 if _is_narrow(radius) else 0
    left = width // 4
    right = left + width // 2
    low = beside + 1
    return (low, left), (beside, 0), (-1, left), (-1, right), (beside, width), (low, right)


def _board_lines(array: StateArray, marked: set[int]) -> list[Line]:
    radius = int(array[layout.RADIUS])
    names = _strand_names(array)
    on_winning = {
        step.cell
        for strand in trace_strands(array)
        if is_winning(array, strand)
        for step in strand.steps
    }
    canvas = Canvas(_ASCII)
    for number, cell in enumerate(cells(radius + 1)):
        line, column = _place(radius, cell)
        for edge, (down, right) in enumerate(_edge_places(radius)):
            canvas.put(line + down, column + right, *_edge_text(array, names, number, edge))
        mark = "*" if number in on_winning else ">" if number in marked else " "
        _put_cell(canvas, array, number, mark)
    _put_labels(canvas, radius)
    return canvas.lines()


def _put_cell(canvas: Canvas, array: StateArray, number: int, mark: str) -> None:
    """Writes the name of a cell, or its tile with a mark."""
    radius = int(array[layout.RADIUS])
    line, column = _place(radius, cells(radius + 1)[number])
    orientation = orientation_at(array, number)
    if orientation is None:
        canvas.put(line, column + _width(radius) // 2, (name_of(array, number), "dim"))
    else:
        place = column + _width(radius) // 4
        canvas.put(line, place, (mark, _MARK), (orientation_name(orientation), "bold"))


def _put_labels(canvas: Canvas, radius: int) -> None:
    """Writes the numbers of rows and letters of columns around the board."""
    half = _width(radius) // 2
    for q in range(radius + 1):
        for column, row in ((q, -radius), (-q, radius)):
            line, place = _place(radius, (column, row))
            line = line + 1 + _edge_places(radius)[0][0] if row > 0 else 0
            letter = cell_name((column, 0), radius + 1)[0]
            canvas.put(line, place + (2 * half if row > 0 else 0), (letter, "dim"))
    for row in range(-radius, radius + 1):
        line, place = _place(radius, (max(-radius, -radius - row), row))
        canvas.put(line, place - 3, (f"{row + radius + 1:>2}", "dim"))
        line, place = _place(radius, (min(radius, radius - row) + 1, row))
        letter = cell_name((radius + 1 - row, 0), radius + 1)[0] if row > 0 else ""
        canvas.put(line, place + 3, (letter or str(row + radius + 1), "dim"))


# ---- names of strands -------------------------------------------------------------------------


def _edge_text(array: StateArray, names: dict[tuple[int, int], Text], cell: int, edge: int) -> Text:
    """The text at an edge: a strand's name, that of a rim edge, or a line."""
    end = beyond(int(array[layout.RADIUS]), cell, edge)
    if (cell, edge) in names:
        return names[cell, edge]
    if isinstance(end, RimEnd):
        seat = seats_by_side(array).get(end.side)
        if seat is None:
            return ((f"s{end.side}" if end.side in free_sides(array) else _BLACK, "dim"),)
        return ((_rim_name(seat, end), f"dim {_STYLES[seat]}"),)
    return names.get(end, ((_LINES[edge], "dim"),))


def _rim_name(seat: int, end: RimEnd) -> str:
    return SEAT_LETTERS[seat] + _PLACES[end.place]


def _strand_names(array: StateArray) -> dict[tuple[int, int], Text]:
    """By cell and edge: the name of the strand that crosses there."""
    names: dict[tuple[int, int], Text] = {}
    number = 0
    for strand in trace_strands(array):
        if not strand.owners:
            number += 1
        name = _strand_name(array, strand, number)
        for step in strand.steps:
            names[step.cell, step.enter] = names[step.cell, step.leave] = name
    return names


def _strand_name(array: StateArray, strand: Strand, number: int) -> Text:
    """The name of a strand; with two owners its second character has the second one's colour."""
    if not strand.owners:
        return ((f"{number % 100}", ""),)
    seats = seats_by_side(array)
    rim = [end for end in strand.ends if isinstance(end, RimEnd) and end.side in seats]
    name = _rim_name(seats[rim[0].side], rim[0])
    emphasis = "bold reverse" if is_winning(array, strand) else "bold"
    first, second = strand.owners[0], strand.owners[-1]
    return (name[0], f"{emphasis} {_STYLES[first]}"), (name[1:], f"{emphasis} {_STYLES[second]}")


# ---- below the board --------------------------------------------------------------------------


def _tile_lines(array: StateArray, seat: int) -> list[Line]:
    """The tile in all rotations; edges with the same letter are joined."""
    shown = tile_shown(array, seat)
    if shown is None:
        return []
    owner, tile = shown
    if tile == layout.UNKNOWN:
        return [(), (Span(f"{seat_name(owner)}'s tile is face down."),)]
    canvas = Canvas(_ASCII)
    canvas.put(1, 0, (seat_name(owner), _STYLES[owner]), ("'s tile", ""))
    canvas.put(2, 0, (f"is {type_name(tile - 1)}", ""))
    for rotation in range(ROTATIONS_OF_TYPE[tile - 1]):
        _put_orientation(canvas, orientation_number(tile - 1, rotation), 1, 16 + 11 * rotation)
    return canvas.lines()


def _put_orientation(canvas: Canvas, orientation: int, line: int, column: int) -> None:
    places = ((2, 2), (1, 0), (0, 2), (0, 5), (1, 7), (2, 5))  # By edge.
    for letter, pair in zip("abc", ORIENTATION_STRANDS[orientation], strict=True):
        for edge in pair:
            down, right = places[edge]
            canvas.put(line + down, column + right, (letter, ""))
    canvas.put(line + 1, column + 2, (orientation_name(orientation), "bold"))


def _seat_lines(game: Game, array: StateArray) -> list[Line]:
    """The seats, two to a line if they fit."""
    blocked = blocked_teams(game, array)
    shown = [_seat_text(game, array, seat) for seat in range(game.seats)]
    canvas = Canvas(_ASCII)
    for seat, (style, text) in enumerate(shown):
        line, column = (1 + seat // 2, 40 * (seat % 2)) if blocked is None else (1 + seat, 0)
        is_blocked = blocked is not None and any(seat in team for team in blocked)
        canvas.put(line, column, (text, style), ("  blocked" if is_blocked else "", ""))
    return canvas.lines()


def _seat_text(game: Game, array: StateArray, seat: int) -> tuple[str, str]:
    """The style, and a line of mark, letter, name, side, partner and tile."""
    won = any(seat in team for team in winning_teams(game, array))
    acts = (
        array[layout.STAGE] in (layout.CHOOSE, layout.PLACE, layout.FOLLOW)
        and seat == array[layout.MOVER]
    )
    side, other = side_of(array, seat), partner(game, seat)
    words = (
        f"{'*' if won else '>' if acts else ' '} {SEAT_LETTERS[seat]}",
        f"{seat_name(seat):<6}",
        f"{'no side' if side is None else SIDE_NAMES[side]:<11}",
        f"{'' if other is None else f'with {seat_name(other)}':<11}",
        tile_name(tile_of(array, seat)) or "",
    )
    return f"bold {_STYLES[seat]}" if acts or won else _STYLES[seat], " ".join(words)


def _bag_line(array: StateArray, *, is_concealed: bool) -> Line:
    title = "Unseen" if is_concealed else "In the bag"
    counts = ", ".join(
        f"{int(array[layout.BAG + kind])} {type_name(kind)}" for kind in range(TYPES)
    )
    return (Span(f"{title}: {counts}"),)


def _legend(array: StateArray) -> Line:
    legend = "R3: strand from edge 3 of Red's side. 1, 2, ...: nobody's. > last move. * wins."
    return (Span("s3: side 3 is free." if free_sides(array) else legend, "dim"),)
