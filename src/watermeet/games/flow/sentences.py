"""What happens now in a Flow match, in one sentence."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.games.flow import layout
from watermeet.games.flow.cards import fits
from watermeet.games.flow.names import (
    cell_name,
    counted,
    hand_of,
    outcome_sentence,
    pile_left,
    player_name,
    tile_title,
)
from watermeet.games.flow.shapes import OBSTACLE

_PLAIN = {
    layout.DRAW_SCENARIO: "Drawing a scenario card; {scenarios} to go.",
    layout.LAY_OBSTACLE: "Rolling for the cell of a scenario obstacle; {pending} to go.",
    layout.DEAL: "Dealing an action card to {mover}.",
    layout.DRAW_TILE: "{mover} draws a tile.",
    layout.DRAW_CARD: "{mover} draws an action card.",
    layout.FISH: "{mover} turns a tile face up; {pending} to go.",
    layout.ROLL_WHITE: "A wave is coming: {mover} rolls the white die for the row.",
    layout.ROLL_BLACK: "A wave is coming: {mover} rolls the black die for the column.",
    layout.CHOOSE_BOAT_EDGE: "{mover} to choose which side of the boat is open.",
    layout.CHOOSE_DIE: "Calm Waters: {mover} to choose which die to roll for the wave.",
}


def sentence(game: Game, array: StateArray) -> str:
    """What happens now, in one sentence."""
    stage = int(array[layout.STAGE])
    if stage == layout.FINISHED:
        return outcome_sentence(game, array)
    if stage in _PLAIN:
        return _PLAIN[stage].format(
            mover=player_name(int(array[layout.MOVER])),
            scenarios=int(array[layout.SCENARIOS]),
            pending=int(array[layout.PENDING]),
        )
    text = {layout.TURN: _turn, layout.HAND: _hand, layout.CARRY: _carry}[stage](array)
    return f"{text} Time is up: a wave comes after this turn." if array[layout.TIME_UP] else text


def turns_left(array: StateArray) -> int | None:
    """The turns left in this round, including this one; None if turns aren't counted."""
    if array[layout.CLOCK] != layout.BY_TURNS:
        return None
    return int(array[layout.TURNS]) - int(array[layout.TURNS_DONE])


def _turn(array: StateArray) -> str:
    """What the mover may do, and how long the round lasts."""
    mover = int(array[layout.MOVER])
    may_play = hand_of(array, mover) and not (
        array[layout.IN_PLAY + layout.ONE_CARD] and array[layout.CARD_PLAYED]
    )
    has_tiles = (
        array[layout.FACE_DOWN : layout.FACE_DOWN + layout.KIND_COUNT].any()
        or array[layout.FACE_UP : layout.FACE_UP + layout.KIND_COUNT].any()
    )
    options = ["draw a tile"] * bool(has_tiles) + ["play a card"] * bool(may_play)
    options += ["call time"] * bool(array[layout.CLOCK] == layout.FREE)
    return f"{player_name(mover)} to {' or '.join(options)}{_clock(array)}."


def _clock(array: StateArray) -> str:
    left = turns_left(array)
    if left is not None:
        return f"; {counted(left, 'turn')} left in this round"
    return "; the clock is running" if array[layout.CLOCK] == layout.BY_MINUTE else ""


def _hand(array: StateArray) -> str:
    """What the mover may do with the drawn tile."""
    mover, tile = player_name(int(array[layout.MOVER])), int(array[layout.TILE])
    title = tile_title(tile)
    may_swap = (
        tile != 1 + OBSTACLE
        and not array[layout.IN_PLAY + layout.NO_NEW_CARDS]
        and pile_left(array) > 0
    )
    swap = " or swap it for a card" if may_swap else ""
    if fits(array, tile - 1, True, 0):
        return f"{mover} to place the {title}{swap}."
    return f"The {title} doesn't fit anywhere: {mover} to discard it{swap}."


def _carry(array: StateArray) -> str:
    """Where the tile of Current or Return comes from."""
    mover, title = player_name(int(array[layout.MOVER])), tile_title(int(array[layout.TILE]))
    if array[layout.LIFTED_FROM]:
        return f"{mover} to move the {title} from {cell_name(int(array[layout.LIFTED_FROM]) - 1)}."
    return f"{mover} to place the discarded {title}."
