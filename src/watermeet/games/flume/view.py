"""The view of a Flume match, as plain data. Nothing is hidden in this game."""

from __future__ import annotations

from typing import Any

import numpy as np

from watermeet.core.contract import OVER, StateArray
from watermeet.core.game import Game
from watermeet.games.flume import layout, rules
from watermeet.games.flume.explain import COLOUR_NAMES, explain_outcome
from watermeet.games.flume.notation import letter_rows


def view(game: Game, array: StateArray, seat: int) -> dict[str, Any]:
    """The points, the connections that each free one would make, and the state of play."""
    size = game.options.number("size")
    red, blue = _counts(array)
    players = [
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
            "rows": letter_rows(game, array),  # From the top, each from the left.
            "connections": connections,  # By point number, from a1; None if it is taken.
            "may_swap": bool(rules.may_swap(array)),
            "decided": _decided_for(array, (red, blue)),
        },
    }


def _decided_for(array: StateArray, counts: tuple[int, int]) -> int | None:
    """The seat with more than half of all points, which is sure to win (R4.3)."""
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
