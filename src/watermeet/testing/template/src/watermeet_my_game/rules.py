"""The rules of My Game as kernels; ``layout.py`` describes the state array."""

from __future__ import annotations

from typing import NamedTuple

from watermeet.core.contract import OVER, ActionArray, FloatArray, StateArray
from watermeet.core.kernel import kernel

from .layout import CELLS, SEATS, SIZE, STONES, WINNER

IN_A_ROW = 3


class Options(NamedTuple):
    """The options that __init__.py declares, as integers."""

    size: int
    seats: int  # [seats vary]


@kernel
def setup(state: StateArray, options: Options) -> None:
    """Write the starting position; the array comes filled with zeros."""
    state[SIZE] = options.size
    state[SEATS] = 2  # [seats fixed]
    state[SEATS] = options.seats  # [seats vary]


@kernel
def to_move(state: StateArray) -> int:
    """Seats take turns until one has won (R3.1) or the board is full (R3.2)."""
    size = int(state[SIZE])
    if state[WINNER] != 0 or state[STONES] == size * size:
        return OVER
    return int(state[STONES]) % int(state[SEATS])


@kernel
def legal(state: StateArray, out: ActionArray) -> int:
    """Every empty cell (R2.2)."""
    if to_move(state) == OVER:
        return 0
    count = 0
    size = int(state[SIZE])
    for cell in range(size * size):
        if state[CELLS + cell] == 0:
            out[count] = cell
            count += 1
    return count


@kernel
def apply(state: StateArray, action: int) -> None:
    """Place the mover's stone, and note a win."""
    mark = to_move(state) + 1
    state[CELLS + action] = mark
    state[STONES] += 1
    if completes_row(state, action, mark):
        state[WINNER] = mark


@kernel
def score(state: StateArray, out: FloatArray) -> None:
    """Return 1 to the winner and share -1 among the others; 0 to everybody in a draw."""
    winner = int(state[WINNER]) - 1
    seats = int(state[SEATS])
    for seat in range(seats):
        if winner < 0:
            out[seat] = 0.0
        elif seat == winner:
            out[seat] = 1.0
        else:
            out[seat] = -1.0 / (seats - 1)


@kernel
def completes_row(state: StateArray, cell: int, mark: int) -> bool:
    """Whether the stone on a cell is part of three in a row (R3.1)."""
    return (
        run_length(state, cell, mark, 0, 1) >= IN_A_ROW
        or run_length(state, cell, mark, 1, 0) >= IN_A_ROW
        or run_length(state, cell, mark, 1, 1) >= IN_A_ROW
        or run_length(state, cell, mark, 1, -1) >= IN_A_ROW
    )


@kernel
def run_length(state: StateArray, cell: int, mark: int, up: int, right: int) -> int:
    """The stones of one colour in a line through a cell, counted in both directions."""
    size = int(state[SIZE])
    length = 1
    for sign in (1, -1):
        row = cell // size + sign * up
        column = cell % size + sign * right
        while 0 <= row < size and 0 <= column < size:
            if state[CELLS + row * size + column] != mark:
                break
            length += 1
            row += sign * up
            column += sign * right
    return length
