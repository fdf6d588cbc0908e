"""Why a move of Hex is legal or not, and why a match is over.

``web/messages/`` translates each sentence, by its code.
"""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.core.squaregrid import point_name

from . import rules
from .chain import winning_chain
from .layout import CELLS, STONES, WINNER
from .notation import marks_of

COLOURS = ("Red", "Blue")
SIDES = ("top and bottom", "left and right")


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """What a legal action does, or why it can't be played."""
    size = game.options.number("size")
    if action == size * size:
        return _explain_swap(array, size) if legal else _reject_swap(array)
    move = point_name(action, size)
    if not legal:
        return _reject_stone(array, action, move)
    mover = rules.to_move(array)
    facts: dict[str, str | int] = {"move": move, "colour": COLOURS[mover]}
    if _connects(game, array, action, mover):
        facts["sides"] = SIDES[mover]
        sentence = f"{move} connects {SIDES[mover]}: {COLOURS[mover]} wins."
        return Explanation("wins", sentence, (move,), legal=True, facts=facts)
    sentence = f"{COLOURS[mover]} places a stone on {move}."
    return Explanation("places", sentence, (move,), legal=True, facts=facts)


def describe_action(game: Game, array: StateArray, action: int) -> str:
    """What an action does, in words that follow a name."""
    size = game.options.number("size")
    return "swaps" if action == size * size else f"places a stone on {point_name(action, size)}"


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """Why the match is over; called only when it is."""
    seat = int(array[WINNER]) - 1
    facts: dict[str, str | int] = {"winner": COLOURS[seat], "sides": SIDES[seat]}
    sentence = f"{COLOURS[seat]} has connected {SIDES[seat]} and wins."
    return Explanation("connected", sentence, cells=tuple(chain_names(game, array)), facts=facts)


def chain_names(game: Game, array: StateArray) -> list[str]:
    """The names of the cells of the winner's chain, from side to side; none before the end."""
    winner = int(array[WINNER])
    if not winner:
        return []
    size = game.options.number("size")
    own = {cell for cell, mark in enumerate(marks_of(game, array)) if mark == winner}
    return [point_name(cell, size) for cell in winning_chain(own, size, winner - 1)]


def _connects(game: Game, array: StateArray, action: int, seat: int) -> bool:
    own = {cell for cell, mark in enumerate(marks_of(game, array)) if mark == seat + 1}
    return bool(winning_chain(own | {action}, game.options.number("size"), seat))


def _explain_swap(array: StateArray, size: int) -> Explanation:
    cell = rules.first_stone(array)
    old, new = point_name(cell, size), point_name(rules.mirrored(array, cell), size)
    sentence = f"Blue takes over the first stone: it leaves {old}, and a blue one stands on {new}."
    return Explanation("swaps", sentence, (old, new), legal=True, facts={"old": old, "new": new})


def _reject_swap(array: StateArray) -> Explanation:
    if array[STONES] == 0:
        return Explanation("swap_early", "There is no stone to take over yet.")
    return Explanation("swap_late", "Only Blue's first turn can be a swap.")


def _reject_stone(array: StateArray, action: int, move: str) -> Explanation:
    colour = COLOURS[int(array[CELLS + action]) - 1]
    return Explanation(
        "occupied",
        f"{move} already holds a {colour.lower()} stone.",
        cells=(move,),
        facts={"move": move, "colour": colour},
    )
