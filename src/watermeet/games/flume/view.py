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
    counts = {colour: rules.count_stones(array, colour) for colour in (layout.RED, layout.BLUE)}
    colours = sorted(counts, key=lambda colour: rules.seat_of(array, colour))
    counted = np.zeros(size * size, dtype=np.int32)
    rules.all_connections(array, counted)
    connections = [None if count < 0 else count for count in counted.tolist()]
    return {
        "sentence": sentence(game, array),
        "seats": [{"label": COLOUR_NAMES[colour], "score": counts[colour]} for colour in colours],
        "board": {
            "size": size,
            "rows": letter_rows(game, array),  # From the top, each from the left.
            "connections": connections,  # By point number, from a1; None if it is taken.
            "may_swap": bool(rules.may_swap(array)),
            "decided": decided_for(game, array),
        },
    }


def decided_for(game: Game, array: StateArray) -> int | None:
    """The seat with more than half of all points, which is sure to win (R4.3)."""
    half = game.options.number("size") ** 2 // 2
    for colour in (layout.RED, layout.BLUE):
        if rules.count_stones(array, colour) > half:
            return int(rules.seat_of(array, colour))
    return None


def sentence(game: Game, array: StateArray) -> str:
    """A sentence that says what happens now."""
    if rules.to_move(array) == OVER:
        return explain_outcome(game, array).sentence
    red, blue = rules.count_stones(array, layout.RED), rules.count_stones(array, layout.BLUE)
    free = int(array[layout.FREE_LEFT])
    mover = COLOUR_NAMES[int(array[layout.COLOUR])]
    choice = "places a stone or swaps colours" if rules.may_swap(array) else "places a stone"
    points = "1 point" if free == 1 else f"{free} points"
    return f"{mover} {choice}. Red {red}, Blue {blue}, {points} free."
