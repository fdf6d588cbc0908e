"""Moves are words."""

from typing import Any

from watermeet.core.errors import InvalidNotation

MOVES = ("pour", "lift", "time")


def format_action(game: Any, array: Any, action: int) -> str:
    return MOVES[action]


def parse_action(game: Any, array: Any, text: str) -> int:
    if text not in MOVES:
        raise InvalidNotation(f"{text!r} is no move of kettle", f"moves are {' '.join(MOVES)}")
    return MOVES.index(text)
