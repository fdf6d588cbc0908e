"""What a seat knows of a Flume match, as plain data. Nothing is hidden in this game."""

from __future__ import annotations

from typing import Any

import numpy as np

from watermeet.core.contract import OVER, StateArray
from watermeet.core.game import Game
from watermeet.games.flume import rules
from watermeet.games.flume.explain import COLOUR_NAMES, explain_outcome
from watermeet.games.flume.notation import letter_rows
from watermeet.games.flume.rules import BLUE, COLOUR, FREE_LEFT, RED


def view(game: Game, array: StateArray, seat: int) -> dict[str, Any]:
    """The points, how many connections each free one would make, and how the match stands."""
    size = game.options.number("size")
    counts = {colour: rules.count_stones(array, colour) for colour in (RED, BLUE)}
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
            "connections": connections,  # By point number, from a1; None where a stone lies.
            "may_swap": bool(rules.may_swap(array)),
            "decided": decided_for(game, array),
        },
    }


def decided_for(game: Game, array: StateArray) -> int | None:
    """The seat that has more than half of all points, so that the rest changes nothing (R4.3)."""
    half = game.options.number("size") ** 2 // 2
    for colour in (RED, BLUE):
        if rules.count_stones(array, colour) > half:
            return int(rules.seat_of(array, colour))
    return None


def sentence(game: Game, array: StateArray) -> str:
    """What happens now, for people."""
    if rules.to_move(array) == OVER:
        return explain_outcome(game, array).sentence
    red, blue = rules.count_stones(array, RED), rules.count_stones(array, BLUE)
    free = int(array[FREE_LEFT])
    mover = COLOUR_NAMES[int(array[COLOUR])]
    choice = "adds a stone or swaps colours" if rules.may_swap(array) else "adds a stone"
    return f"{mover} {choice}. Red {red}, Blue {blue}, {free} free."
