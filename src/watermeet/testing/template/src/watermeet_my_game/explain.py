"""Why a move of My Game is legal or not, and why a match is over.

``web/messages/`` translates each sentence, by its code.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.core.squaregrid import point_name

from . import rules
from .layout import CELLS, WINNER

COLOURS = ("Red", "Blue", "Green", "Yellow", "Purple", "Orange")


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """What a legal action does, or why it can't be played."""
    move = point_name(action, game.options.number("size"))
    if not legal:
        colour = COLOURS[int(array[CELLS + action]) - 1]
        return Explanation(
            "occupied",
            f"{move} already holds a {colour.lower()} stone.",
            cells=(move,),
            facts={"move": move, "colour": colour},
        )
    mover = rules.to_move(array)
    facts: dict[str, str | int] = {"move": move, "colour": COLOURS[mover]}
    if rules.completes_row(array, action, mover + 1):
        sentence = f"{move} makes three in a row: {COLOURS[mover]} wins."
        return Explanation("wins", sentence, (move,), legal=True, facts=facts)
    sentence = f"{COLOURS[mover]} places a stone on {move}."
    return Explanation("places", sentence, (move,), legal=True, facts=facts)


def describe_action(game: Game, array: StateArray, action: int) -> str:
    """What an action does, in words that follow a name."""
    return f"places a stone on {point_name(action, game.options.number('size'))}"


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """Why the match is over; called only when it is."""
    if array[WINNER]:
        winner = COLOURS[int(array[WINNER]) - 1]
        sentence = f"{winner} has three in a row and wins."
        return Explanation("three_in_a_row", sentence, facts={"winner": winner})
    return Explanation("board_full", "The board is full: the match is a draw.")
