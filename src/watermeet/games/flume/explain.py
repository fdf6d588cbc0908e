"""Explanations of moves and results."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game
from watermeet.core.squaregrid import neighbours, point_name
from watermeet.games.flume import layout, rules
from watermeet.games.flume.notation import SWAP, stone_at

COLOUR_NAMES = {layout.RED: "Red", layout.BLUE: "Blue"}


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """What a legal action does, or why an illegal one is refused."""
    size = game.options.number("size")
    if action == size * size:
        return _explain_swap(game, array, legal=legal)
    return _explain_stone(game, array, action) if legal else _refuse_stone(game, array, action)


def _explain_stone(game: Game, array: StateArray, point: int) -> Explanation:
    size = game.options.number("size")
    move = point_name(point, size)
    count = rules.connections(array, int(layout.CELL_OF[size, point]))
    mover = COLOUR_NAMES[int(array[layout.COLOUR])]
    stones = [
        near for near in neighbours(point, size, size) if stone_at(array, near) != layout.FREE
    ]
    rim = count - len(stones)
    facts: dict[str, str | int] = {"move": move, "connections": count, "colour": mover, "rim": rim}
    connected = f"{move} makes {count or 'no'} connection{'' if count == 1 else 's'}"
    if rim:
        connected += f" ({rim} with the green rim)"
    if array[layout.FREE_LEFT] == 1:
        code, then = "last_stone", " and fills the board"
    elif count >= rules.CONNECTIONS_TO_MOVE_AGAIN:
        code, then = "moves_again", f", so {mover} moves again"
    else:
        code, then = "ends_turn", ", which ends the turn"
    cells = (move, *(point_name(near, size) for near in stones))
    return Explanation(code, f"{connected}{then}.", cells, legal=True, facts=facts)


def _refuse_stone(game: Game, array: StateArray, point: int) -> Explanation:
    move = point_name(point, game.options.number("size"))
    stone = stone_at(array, point)
    if stone == layout.FREE:
        return Explanation(
            "centre_barred",
            f"{move} is the centre, where the first stone may not be placed.",
            (move,),
            facts={"move": move},
        )
    colour = COLOUR_NAMES[stone]
    return Explanation(
        "occupied",
        f"There is already a {colour.lower()} stone on {move}.",
        (move,),
        facts={"move": move, "colour": colour},
    )


def _explain_swap(game: Game, array: StateArray, *, legal: bool) -> Explanation:
    if legal:
        return Explanation(
            "swap",
            "Swapping takes over red and its stone; the other player continues as blue.",
            legal=True,
        )
    if not game.options["pie"]:
        return Explanation("pie_off", "This match is played without swapping colours.")
    if array[layout.RED_SEAT] == 1:
        return Explanation("swapped_already", "The colours have already been swapped.")
    return Explanation(
        "swap_too_late" if rules.count_stones(array, layout.RED) else "swap_too_early",
        "Colours can be swapped only in reply to the first stone.",
    )


def describe_action(game: Game, array: StateArray, action: int) -> str:
    """What an action does, after a name."""
    move = game.hooks.format_action(game, array, action)
    return "swaps colours" if move == SWAP else f"places a stone on {move}"


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """Who won: the board is full, and one colour has more stones."""
    red, blue = rules.count_stones(array, layout.RED), rules.count_stones(array, layout.BLUE)
    winner = "Red" if red > blue else "Blue"
    return Explanation(
        "most_stones",
        f"The board is full. {winner} wins {max(red, blue)} to {min(red, blue)}.",
        facts={"winner": winner, "red": red, "blue": blue},
    )
