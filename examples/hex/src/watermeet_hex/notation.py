"""Hex as text: moves such as ``f6`` and ``swap``, and states such as ``3/1r1/3``.

A state is its rows from the top, separated by ``/``: a letter for each stone, a number for each run
of empty cells. ``swapped`` follows once Blue has swapped, because that changes who is to move.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.notation import compact_row, expand_row, require
from watermeet.core.squaregrid import COLUMN_LETTERS, point_index, point_name

from .chain import winning_chain
from .layout import CELLS, STONES, SWAPPED, WINNER

LETTERS = ".rb"
"""An empty cell, then the stones of each seat."""
SWAP = "swap"
_SWAPPED = "swapped"


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The name of the cell, or ``swap``."""
    size = game.options.number("size")
    return SWAP if action == size * size else point_name(action, size)


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """The action that a text names, legal or not; case and spaces do not matter."""
    size = game.options.number("size")
    name = "".join(text.split()).lower()
    if name == SWAP:
        if game.options["pie"]:
            return size * size
        raise InvalidNotation("there is no swap without the pie rule", "name a cell, as in 'a1'")
    cell = point_index(name, size, size)
    if cell is None:
        raise InvalidNotation(
            f"{text!r} isn't a cell of a {size}x{size} board",
            f"columns are a-{COLUMN_LETTERS[size - 1]}, rows 1-{size}, as in 'a1'",
        )
    return cell


def marks_of(game: Game, array: StateArray) -> list[int]:
    """The cells from a1, row by row: 0 if empty, 1 for Red, 2 for Blue."""
    marks: list[int] = array[CELLS : CELLS + game.options.number("size") ** 2].tolist()
    return marks


def letter_rows(game: Game, array: StateArray) -> list[str]:
    """The rows from the top, one letter for each cell."""
    size = game.options.number("size")
    letters = "".join(LETTERS[mark] for mark in marks_of(game, array))
    return [letters[start : start + size] for start in range(0, size * size, size)]


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line."""
    rows = "/".join(compact_row(row) for row in letter_rows(game, array))
    return f"{rows} {_SWAPPED}" if array[SWAPPED] else rows


def parse_state(game: Game, text: str) -> StateArray:
    """The array that a state's text describes; raises ValueError if no match leads there."""
    size = game.options.number("size")
    text, swapped = _take_swapped(game, "".join(text.split()).lower())
    rows = [expand_row(row, size) for row in text.split("/")]
    require(
        len(rows) == size and all(len(row) == size for row in rows),
        f"write {size} rows of {size} cells, separated by '/'",
    )
    letters = "".join(rows)
    require(set(letters) <= set(LETTERS), "stones are the letters r and b")
    array = game.start_array()
    array[CELLS : CELLS + size * size] = [LETTERS.index(letter) for letter in letters]
    array[SWAPPED] = swapped
    array[STONES] = _count_stones(letters, swapped)
    array[WINNER] = _winner(letters, size, last=(int(array[STONES]) + swapped - 1) % 2)
    return array


def _take_swapped(game: Game, text: str) -> tuple[str, int]:
    if not text.endswith(_SWAPPED):
        return text, 0
    require(game.options["pie"], "nobody can have swapped without the pie rule")
    return text.removesuffix(_SWAPPED), 1


def _count_stones(letters: str, swapped: int) -> int:
    """How many stones there are, if the players can have taken turns to place them."""
    red, blue = letters.count("r"), letters.count("b")
    ahead, behind = (blue, red) if swapped else (red, blue)
    leader = "Blue" if swapped else "Red"
    require(
        0 <= ahead - behind <= 1 and ahead >= swapped,
        f"the players take turns, so {leader} has as many stones as the other, or one more",
    )
    return red + blue


def _winner(letters: str, size: int, last: int) -> int:
    """The seat that has connected its sides, plus 1; its last stone must have done it."""
    for seat in (0, 1):
        own = {cell for cell, letter in enumerate(letters) if letter == LETTERS[seat + 1]}
        chain = winning_chain(own, size, seat)
        if chain:
            require(seat == last, "only the player who moved last can have connected their sides")
            require(
                any(not winning_chain(own - {cell}, size, seat) for cell in chain),
                "the match was over before the last stone: no single stone completes the chain",
            )
            return seat + 1
    return 0
