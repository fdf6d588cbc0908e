"""Flume as text: moves such as ``c3`` and ``swap``, and states on one line.

A state is three words: the rows from the top, set apart by ``/``, with ``r`` and ``b`` for stones
and numbers for runs of free points; the colour whose stone is next (when the match is over: was
last); and the seat that plays red. ``5/5/2r2/5/5 b 0`` is a red stone in the middle of a 5x5 board.
A dot is read as one free point: ``..r..`` is ``2r2``.
"""

from __future__ import annotations

import re

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.notation import compact_row, expand_row
from watermeet.core.squaregrid import COLUMN_LETTERS, point_index, point_name
from watermeet.games.flume import rules
from watermeet.games.flume.rules import BLUE, CELL_OF, COLOUR, FREE, FREE_LEFT, RED, RED_SEAT

SWAP = "swap"
_STONES = {"r": RED, "b": BLUE, ".": FREE}
_LETTER_OF = {RED: "r", BLUE: "b"}
_LETTERS = bytes.maketrans(bytes((FREE, RED, BLUE)), b".rb")
_STATE = re.compile(r"([0-9rb./]+) ([rb]) ([01])")


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The point's name, or ``swap``."""
    size = game.options.number("size")
    return SWAP if action == size * size else point_name(action, size)


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """Reads what people type: capitals and spaces do not matter."""
    size = game.options.number("size")
    word = "".join(text.split()).lower()
    if word == SWAP:
        return size * size
    point = point_index(word, size, size)
    if point is None:
        raise InvalidNotation(
            f"{text!r} is no point of a {size}x{size} board",
            f"columns are a-{COLUMN_LETTERS[size - 1]}, rows 1-{size}, as in 'a1'; "
            f"the other move is {SWAP!r}",
        )
    return point


def stone_at(array: StateArray, point: int) -> int:
    """What lies on a point: FREE, RED or BLUE."""
    return int(array[CELL_OF[int(array[rules.SIZE]), point]])


def board_rows(game: Game, array: StateArray) -> list[list[int]]:
    """What lies on the points, row by row from the top, each from the left."""
    size = game.options.number("size")
    stones: list[int] = array[CELL_OF[size, : size * size]].tolist()
    return [stones[row * size : (row + 1) * size] for row in reversed(range(size))]


def letter_rows(game: Game, array: StateArray) -> list[str]:
    """The same as letters: ``r``, ``b``, or a dot for a free point."""
    return [bytes(row).translate(_LETTERS).decode() for row in board_rows(game, array)]


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line."""
    rows = (compact_row(row) for row in letter_rows(game, array))
    return f"{'/'.join(rows)} {_LETTER_OF[int(array[COLOUR])]} {int(array[RED_SEAT])}"


def parse_state(game: Game, text: str) -> StateArray:
    """The array of a state's text; ``game.parse`` adds the memo."""
    match = _STATE.fullmatch(" ".join(text.split()).lower())
    if match is None:
        raise _no_state(game, text, "write rows/rows, r or b, and 0 or 1")
    size = game.options.number("size")
    rows = [_parse_row(game, text, row) for row in match[1].split("/")]
    if len(rows) != size:
        raise _no_state(game, text, f"there are {len(rows)} rows and must be {size}")
    array = game.start_array()
    for height, row in enumerate(reversed(rows)):
        for column, stone in enumerate(row):
            array[CELL_OF[size, height * size + column]] = stone
    array[FREE_LEFT] = sum(row.count(FREE) for row in rows)
    array[COLOUR] = _STONES[match[2]]
    array[RED_SEAT] = int(match[3])
    _check_opening(game, text, array)
    return array


def _parse_row(game: Game, text: str, row: str) -> list[int]:
    size = game.options.number("size")
    stones = [_STONES[letter] for letter in expand_row(row, size)]
    if len(stones) != size:
        raise _no_state(game, text, f"the row {row!r} is {len(stones)} points long, not {size}")
    return stones


def _check_opening(game: Game, text: str, array: StateArray) -> None:
    """Refuses what the first two stones cannot lead to; later on any arrangement may be set up."""
    size = game.options.number("size")
    stones = size * size - int(array[FREE_LEFT])
    if array[RED_SEAT] == 1 and (stones == 0 or not game.options["pie"]):
        raise _no_state(game, text, "seat 1 plays red only after a swap, so write 0 at the end")
    if stones == 0 and array[COLOUR] != RED:
        raise _no_state(game, text, "red has the first stone, so write r before the seat")
    if stones == 1 and (array[COLOUR] != BLUE or rules.count_stones(array, RED) != 1):
        raise _no_state(game, text, "the first stone is red, and blue answers it")


def _no_state(game: Game, text: str, hint: str) -> InvalidNotation:
    return InvalidNotation(f"{text!r} is no state of {game.describe()}", hint)
