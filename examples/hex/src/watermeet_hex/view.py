"""What a seat sees of Hex, as plain data for the page."""

from __future__ import annotations

from typing import Any

from watermeet.core.contract import OVER, StateArray
from watermeet.core.game import Game

from . import rules
from .explain import COLOURS, chain_names, explain_outcome
from .layout import SWAPPED
from .notation import letter_rows


def view(game: Game, array: StateArray, seat: int) -> dict[str, Any]:
    """The board, and a sentence about what happens now."""
    return {
        "sentence": sentence(game, array),
        "seats": [{"label": colour, "score": None} for colour in COLOURS],
        "board": {
            "size": game.options.number("size"),
            "rows": letter_rows(game, array),
            "chain": chain_names(game, array),
            "may_swap": bool(rules.may_swap(array)),
            "swapped": bool(array[SWAPPED]),
        },
    }


def sentence(game: Game, array: StateArray) -> str:
    """What happens now."""
    mover = rules.to_move(array)
    if mover == OVER:
        return explain_outcome(game, array).sentence
    if rules.may_swap(array):
        return "Blue to place a stone, or to swap."
    return f"{COLOURS[mover]} to place a stone."
