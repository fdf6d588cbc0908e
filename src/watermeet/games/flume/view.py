"""The view of a Flume match, as plain data. Nothing is hidden in this game."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from watermeet.core.contract import OVER, StateArray
from watermeet.core.game import Game
from watermeet.core.view import SeatView
from watermeet.games.flume import layout, rules
from watermeet.games.flume.explain import COLOUR_NAMES, explain_outcome
from watermeet.games.flume.notation import letter_rows


class Board(TypedDict):
    """The points, and what a stone on a free one would be connected to.

    ``rows``: from the top, a letter for each point from the left, ``.`` where it is free.
    ``connections``: by point number, from a1; None if it is taken. ``decided``: the seat with more
    than half of all points, which is sure to win (R4.3).
    """

    size: int
    rows: list[str]
    connections: list[int | None]
    may_swap: bool
    decided: int | None


class View(TypedDict):
    """What the page gets."""

    sentence: str
    seats: list[SeatView]
    board: Board


def view(game: Game, array: StateArray, seat: int) -> View:
    """The points, the connections that each free one would make, and the state of play."""
    size = game.options.number("size")
    red, blue = _counts(array)
    players: list[SeatView] = [
        {"label": COLOUR_NAMES[layout.RED], "score": red},
        {"label": COLOUR_NAMES[layout.BLUE], "score": blue},
    ]
    if rules.seat_of(array, layout.RED) != 0:
        players.reverse()
    counted = np.zeros(size * size, dtype=np.int32)
    rules.all_connections(array, counted)
    connections = [None if count < 0 else count for count in counted.tolist()]
    return {
        "sentence": sentence(game, array, (red, blue)),
        "seats": players,
        "board": {
            "size": size,
            "rows": letter_rows(game, array),
            "connections": connections,
            "may_swap": bool(rules.may_swap(array)),
            "decided": _decided_for(array, (red, blue)),
        },
    }


def _decided_for(array: StateArray, counts: tuple[int, int]) -> int | None:
    half = int(array[layout.SIZE]) ** 2 // 2
    for colour, count in zip((layout.RED, layout.BLUE), counts, strict=True):
        if count > half:
            return int(rules.seat_of(array, colour))
    return None


def sentence(game: Game, array: StateArray, counts: tuple[int, int] | None = None) -> str:
    """A sentence that says what happens now; ``counts`` are those of the stones, if known."""
    if rules.to_move(array) == OVER:
        return explain_outcome(game, array).sentence
    red, blue = counts or _counts(array)
    free = int(array[layout.FREE_LEFT])
    mover = COLOUR_NAMES[int(array[layout.COLOUR])]
    choice = "places a stone or swaps colours" if rules.may_swap(array) else "places a stone"
    points = "1 point" if free == 1 else f"{free} points"
    return f"{mover} {choice}. Red {red}, Blue {blue}, {points} free."


def _counts(array: StateArray) -> tuple[int, int]:
    """How many stones red and blue have."""
    red = rules.count_stones(array, layout.RED)
    return red, int(array[layout.SIZE]) ** 2 - int(array[layout.FREE_LEFT]) - red
