"""Flume as text: moves such as ``c3`` and ``swap``, and states on one line.

A state is three words: the rows from the top, separated by ``/``, with ``r`` and ``b`` for stones
and numbers for runs of free points; the colour to move, or the last to move if the match is over;
and the seat that plays red. ``5/5/2r2/5/5 b 0`` is a red stone on the centre of a 5x5 board. A dot
is read as one free point: ``..r..`` is ``2r2``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.notation import compact_row, expand_row
from watermeet.core.squaregrid import COLUMN_LETTERS, point_index, point_name
from watermeet.games.flume import layout, rules

SWAP = "swap"
_STONES = {"r": layout.RED, "b": layout.BLUE, ".": layout.FREE}
_LETTER_OF = {layout.RED: "r", layout.BLUE: "b"}
_LETTERS = bytes.maketrans(bytes((layout.FREE, layout.RED, layout.BLUE)), b".rb")
_STATE = re.compile(r"([0-9rb./]+) ([rb]) ([01])")


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The point's name, or ``swap``."""
    return _names(game.options.number("size"))[action]


@lru_cache(maxsize=16)
def _names(size: int) -> tuple[str, ...]:
    """The texts of all actions."""
    return (*(point_name(point, size) for point in range(size * size)), SWAP)


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """Reads a move; case and spaces don't matter."""
    size = game.options.number("size")
    word = "".join(text.split()).lower()
    if word == SWAP:
        return size * size
    point = point_index(word, size, size)
    if point is None:
        raise InvalidNotation(
            f"{text!r} isn't a point of a {size}x{size} board",
            f"columns are a-{COLUMN_LETTERS[size - 1]}, rows 1-{size}, as in 'a1'; "
            f"the other move is {SWAP!r}",
        )
    return point


def stone_at(array: StateArray, point: int) -> int:
    """The contents of a point: FREE, RED or BLUE."""
    return int(array[layout.CELL_OF[int(array[layout.SIZE]), point]])


def board_rows(game: Game, array: StateArray) -> list[list[int]]:
    """The contents of the points, row by row from the top, each from the left."""
    size = game.options.number("size")
    stones: list[int] = array[layout.CELL_OF[size, : size * size]].tolist()
    return [stones[row * size : (row + 1) * size] for row in reversed(range(size))]


def letter_rows(game: Game, array: StateArray) -> list[str]:
    """The same as letters: ``r``, ``b``, or a dot for a free point."""
    size = game.options.number("size")
    stones = bytes(array[layout.CELL_OF[size, : size * size]].tolist())
    letters = stones.translate(_LETTERS).decode()
    return [letters[first : first + size] for first in range(size * (size - 1), -1, -size)]


def format_state(game: Game, array: StateArray) -> str:
    """The state on one line."""
    rows = (compact_row(row) for row in letter_rows(game, array))
    return f"{'/'.join(rows)} {_LETTER_OF[int(array[layout.COLOUR])]} {int(array[layout.RED_SEAT])}"


def parse_state(game: Game, text: str) -> StateArray:
    """The array of a state's text; ``game.parse`` rebuilds the cache."""
    match = _STATE.fullmatch(" ".join(text.split()).lower())
    if match is None:
        raise ValueError("write rows/rows, r or b, and 0 or 1")
    size = game.options.number("size")
    rows = [_parse_row(game, row) for row in match[1].split("/")]
    if len(rows) != size:
        raise ValueError(f"there are {len(rows)} rows instead of {size}")
    array = game.start_array()
    for height, row in enumerate(reversed(rows)):
        for column, stone in enumerate(row):
            array[layout.CELL_OF[size, height * size + column]] = stone
    array[layout.FREE_LEFT] = sum(row.count(layout.FREE) for row in rows)
    array[layout.COLOUR] = _STONES[match[2]]
    array[layout.RED_SEAT] = int(match[3])
    _check_opening(game, array)
    return array


def _parse_row(game: Game, row: str) -> list[int]:
    size = game.options.number("size")
    stones = [_STONES[letter] for letter in expand_row(row, size)]
    if len(stones) != size:
        raise ValueError(f"the row {row!r} is {len(stones)} points long, not {size}")
    return stones


def _check_opening(game: Game, array: StateArray) -> None:
    """Refuses impossible openings; after the first stone any arrangement may be set up."""
    size = game.options.number("size")
    stones = size * size - int(array[layout.FREE_LEFT])
    if array[layout.RED_SEAT] == 1 and (stones == 0 or not game.options["pie"]):
        raise ValueError("seat 1 plays red only after a swap: write 0 at the end")
    if stones == 0 and array[layout.COLOUR] != layout.RED:
        raise ValueError("red moves first: write r before the seat")
    if stones == 1 and (
        array[layout.COLOUR] != layout.BLUE or rules.count_stones(array, layout.RED) != 1
    ):
        raise ValueError("the first stone is red, and blue moves next")
