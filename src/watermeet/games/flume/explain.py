"""Why a move of Flume can be played or not, and why the match is over."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.core.squaregrid import neighbours, point_name
from watermeet.games.flume import rules
from watermeet.games.flume.notation import stone_at
from watermeet.games.flume.rules import BLUE, CELL_OF, COLOUR, FREE, FREE_LEFT, RED, RED_SEAT

COLOUR_NAMES = {RED: "Red", BLUE: "Blue"}


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """What a legal action leads to, or what forbids the others."""
    size = game.options.number("size")
    if action == size * size:
        return _explain_swap(game, array, legal=legal)
    return _explain_stone(game, array, action) if legal else _refuse_stone(game, array, action)


def _explain_stone(game: Game, array: StateArray, point: int) -> Explanation:
    size = game.options.number("size")
    move = point_name(point, size)
    count = rules.connections(array, int(CELL_OF[size, point]))
    mover = COLOUR_NAMES[int(array[COLOUR])]
    stones = [near for near in neighbours(point, size, size) if stone_at(array, near) != FREE]
    rim = count - len(stones)
    facts: dict[str, str | int] = {"move": move, "connections": count, "colour": mover, "rim": rim}
    connected = f"{move} makes {count} connection{'' if count == 1 else 's'}"
    if rim:
        connected += f" ({rim} with the green rim)"
    if array[FREE_LEFT] == 1:
        code, then = "last_stone", "it is the last stone of the match"
    elif count >= rules.CONNECTIONS_TO_MOVE_AGAIN:
        code, then = "moves_again", f"{mover} moves again"
    else:
        code, then = "ends_turn", "the turn ends"
    cells = (move, *(point_name(near, size) for near in stones))
    return Explanation(code, f"{connected}: {then}.", cells, legal=True, facts=facts)


def _refuse_stone(game: Game, array: StateArray, point: int) -> Explanation:
    move = point_name(point, game.options.number("size"))
    stone = stone_at(array, point)
    if stone == FREE:
        return Explanation(
            "centre_barred",
            f"{move} is the centre, where the first stone of the match may not be placed.",
            (move,),
            facts={"move": move},
        )
    colour = COLOUR_NAMES[stone]
    return Explanation(
        "occupied",
        f"{move} already holds a {colour.lower()} stone.",
        (move,),
        facts={"move": move, "colour": colour},
    )


def _explain_swap(game: Game, array: StateArray, *, legal: bool) -> Explanation:
    if legal:
        return Explanation(
            "swap",
            "Swap takes over red with its stone; the other player goes on with blue.",
            legal=True,
        )
    if not game.options["pie"]:
        return Explanation("pie_off", "This match is played without the pie rule.")
    if array[RED_SEAT] == 1:
        return Explanation("swapped_already", "The colours were swapped already.")
    return Explanation(
        "swap_too_late" if rules.count_stones(array, RED) else "swap_too_early",
        "Swapping is only the answer to the very first stone.",
    )


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """The board is full: who has more stones."""
    red, blue = rules.count_stones(array, RED), rules.count_stones(array, BLUE)
    winner = "Red" if red > blue else "Blue"
    return Explanation(
        "most_stones",
        f"The board is full: {winner} wins with {max(red, blue)} stones to {min(red, blue)}.",
        facts={"winner": winner, "red": red, "blue": blue},
    )
