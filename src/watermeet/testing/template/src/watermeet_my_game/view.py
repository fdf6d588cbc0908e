"""What a seat sees of My Game, as plain data for the page."""

from __future__ import annotations

from typing import Any

from watermeet.core.contract import OVER, StateArray
from watermeet.core.game import Game

from . import rules
from .explain import COLOURS, explain_outcome
from .notation import letter_rows


def view(game: Game, array: StateArray, seat: int) -> dict[str, Any]:
    """The board, and a sentence about what happens now."""
    return {
        "sentence": sentence(game, array),
        "seats": [{"label": COLOURS[index], "score": None} for index in range(game.seats)],
        "board": {"size": game.options.number("size"), "rows": letter_rows(game, array)},
    }


def sentence(game: Game, array: StateArray) -> str:
    """What happens now."""
    mover = rules.to_move(array)
    if mover == OVER:
        return explain_outcome(game, array).sentence
    return f"{COLOURS[mover]} to place a stone."
