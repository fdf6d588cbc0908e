"""My Game as text: moves such as ``b2``, and states such as ``4/4/1r2/4``.

A state is its rows from the top, separated by ``/``: a letter for each stone, a number for each run
of empty cells.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.notation import compact_row, expand_row
from watermeet.core.squaregrid import COLUMN_LETTERS, point_index, point_name

from . import rules
from .layout import CELLS, STONES, WINNER

LETTERS = ".rbgypo"
"""An empty cell, then the stones of each seat."""


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The name of the cell."""
    return point_name(action, game.options.number("size"))


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """The action that a text names, legal or not; case and spaces do not matter."""
    size = game.options.number("size")
    cell = point_index("".join(text.split()).lower(), size, size)
    if cell is None:
        raise InvalidNotation(
            f"{text!r} isn't a cell of a {size}x{size} board",
            f"columns are a-{COLUMN_LETTERS[size - 1]}, rows 1-{size}, as in 'a1'",
        )
    return cell


def letter_rows(game: Game, array: StateArray) -> list[str]:
    """The rows from the top, one letter for each cell."""
    size = game.options.number("size")
    letters = [LETTERS[mark] for mark in array[CELLS:].tolist()]
    return ["".join(letters[row * size : (row + 1) * size]) for row in reversed(range(size))]


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line."""
    return "/".join(compact_row(row) for row in letter_rows(game, array))


def parse_state(game: Game, text: str) -> StateArray:
    """The array that a state's text describes; raises ValueError if no match leads there."""
    size = game.options.number("size")
    rows = [expand_row(row, size) for row in "".join(text.split()).lower().split("/")]
    if len(rows) != size or any(len(row) != size for row in rows):
        raise ValueError(f"write {size} rows of {size} cells, separated by '/'")
    allowed = LETTERS[: game.seats + 1]
    if not set("".join(rows)) <= set(allowed):
        raise ValueError(f"stones are the letters {', '.join(allowed[1:])}")
    array = game.start_array()
    array[CELLS:] = [LETTERS.index(letter) for letter in "".join(reversed(rows))]
    _count_stones(game, array)
    return array


def _count_stones(game: Game, array: StateArray) -> None:
    """Fill in the number of stones and the winner, if play can lead there."""
    cells = array[CELLS:].tolist()
    counts = [cells.count(seat + 1) for seat in range(game.seats)]
    total = sum(counts)
    if counts != [(total - seat + game.seats - 1) // game.seats for seat in range(game.seats)]:
        raise ValueError("seats take turns, so their numbers of stones differ by at most 1")
    array[STONES] = total
    winners = {
        mark for cell, mark in enumerate(cells) if mark and rules.completes_row(array, cell, mark)
    }
    if winners - {(total - 1) % game.seats + 1}:
        raise ValueError("only the seat that moved last can have three in a row")
    array[WINNER] = max(winners, default=0)
