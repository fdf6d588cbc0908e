"""Helpers that build positions for the tests of Flows, and the bridge to the oracle."""

from __future__ import annotations

import numpy as np

import watermeet as wm
from watermeet.core.contract import StateArray
from watermeet.core.hexgrid import cells
from watermeet.core.notation import compact_row, expand_row
from watermeet.core.options import Value
from watermeet.games.flows import layout, rules
from watermeet.games.flows.board import AXES, cell_count
from watermeet.games.flows.tests import oracle
from watermeet.games.flows.tiles import (
    ORIENTATION_PAIRS,
    ORIENTATION_ROTATIONS,
    ORIENTATION_TYPES,
    orientation_number,
)

SEATS_OF_AXES = {frozenset({0, 2}): 2, frozenset({0, 1, 2}): 3}
"""How many seats these axes belong to, with the default sides."""


def flows(**options: Value) -> wm.Game:
    return wm.game("flows").with_options(**options)


def build_array(board: oracle.Board, game: wm.Game) -> StateArray:
    """The array at the start, with these tiles on the board and the cache rebuilt."""
    array = game.start().array.copy()
    radius = game.options.number("radius")
    numbers = {cell: number for number, cell in enumerate(cells(radius + 1))}
    for cell, (kind, turns) in board.items():
        array[layout.CELLS + numbers[cell]] = 1 + orientation_number(kind, turns)
    rules.rebuild_cache(array)
    return array


def board_from(rows: str, radius: int = 3) -> dict[oracle.Cell, oracle.Orientation]:
    """The tiles of a text such as the value of ``board=`` in a state's text."""
    shown = "".join(expand_row(row, 2 * radius + 1) for row in rows.split("/"))
    board = {}
    for cell, letter in zip(cells(radius + 1), shown, strict=True):
        if letter != ".":
            orientation = ord(letter) - ord("a")
            board[cell] = ORIENTATION_TYPES[orientation], ORIENTATION_ROTATIONS[orientation]
    return board


def rows_of(board: oracle.Board, radius: int = 3) -> str:
    """The text that ``board_from`` reads."""
    rows: dict[int, str] = {}
    for q, r in cells(radius + 1):
        orientation = board.get((q, r))
        letter = "." if orientation is None else chr(ord("a") + orientation_number(*orientation))
        rows[r] = rows.get(r, "") + letter
    return "/".join(map(compact_row, rows.values()))


def board_of(array: StateArray, radius: int = 3) -> dict[oracle.Cell, oracle.Orientation]:
    """The tiles on the board, as the oracle represents them."""
    board = {}
    for number, cell in enumerate(cells(radius + 1)):
        orientation = int(array[layout.CELLS + number]) - 1
        if orientation >= 0:
            board[cell] = ORIENTATION_TYPES[orientation], ORIENTATION_ROTATIONS[orientation]
    return board


def has_witness(array: StateArray) -> bool:
    return bool(array[layout.has_witness_at(array)])


def filled_by_witness(array: StateArray, radius: int = 3) -> dict[oracle.Cell, oracle.Orientation]:
    """The full board that the witness promises: every empty cell gets a tile with its pairs."""
    board = board_of(array, radius)
    count = cell_count(radius)
    routes = array[layout.routes_at(array) :][: AXES * count].reshape(AXES, count)
    used = np.bitwise_or.reduce(routes, axis=0)
    for number, cell in enumerate(cells(radius + 1)):
        if cell not in board:
            orientation = next(
                n for n, mask in enumerate(ORIENTATION_PAIRS) if int(used[number]) & ~int(mask) == 0
            )
            board[cell] = ORIENTATION_TYPES[orientation], ORIENTATION_ROTATIONS[orientation]
    return board
