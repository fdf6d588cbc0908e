"""What happens now in a Flow match, in a sentence for people."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.games.flow import layout
from watermeet.games.flow.cards import fits
from watermeet.games.flow.names import (
    cell_name,
    hand_of,
    outcome_sentence,
    pile_left,
    seat_name,
    tile_title,
)
from watermeet.games.flow.shapes import OBSTACLE

_PLAIN = {
    layout.DRAW_SCENARIO: "A scenario card is drawn; {scenarios} to come.",
    layout.LAY_OBSTACLE: "Dice say where a scenario obstacle is laid; {to_come} to come.",
    layout.DEAL: "{mover} is dealt an action card.",
    layout.DRAW_TILE: "{mover} draws a tile.",
    layout.DRAW_CARD: "{mover} takes an action card.",
    layout.FISH: "{mover} turns up a tile; {to_come} to come.",
    layout.ROLL_WHITE: "A wave comes: {mover} rolls the white die, for a row.",
    layout.ROLL_BLACK: "A wave comes: {mover} rolls the black die, for a column.",
    layout.CHOOSE_BOAT_EDGE: "{mover} chooses the one way of the boat.",
    layout.CHOOSE_DIE: "Calm Waters: {mover} chooses which die is rolled for the wave.",
}


def sentence(game: Game, array: StateArray) -> str:
    """What happens now, for people."""
    stage = int(array[layout.STAGE])
    if stage == layout.FINISHED:
        return outcome_sentence(game, array)
    if stage in _PLAIN:
        return _PLAIN[stage].format(
            mover=seat_name(int(array[layout.MOVER])),
            scenarios=_are(int(array[layout.SCENARIOS])),
            to_come=_are(int(array[layout.PENDING])),
        )
    told = {layout.TURN: _turn, layout.HAND: _hand, layout.CARRY: _carry}[stage](array)
    return f"{told} Then a wave comes: time is up." if array[layout.TIME_UP] else told


def turns_left(array: StateArray) -> int | None:
    """The turns left in this round, the present one included; None unless they are counted."""
    if array[layout.CLOCK] != layout.BY_TURNS:
        return None
    return int(array[layout.TURNS]) - int(array[layout.TURNS_DONE])


def _are(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


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
    doings = ["draws a tile"] * bool(has_tiles) + ["plays a card"] * bool(may_play)
    return f"{seat_name(mover)} {' or '.join(doings)}; {_clock(array)}."


def _clock(array: StateArray) -> str:
    left = turns_left(array)
    if left is not None:
        return f"{left} turn{' is' if left == 1 else 's are'} left in this round"
    return "the minute runs" if array[layout.CLOCK] == layout.BY_MINUTE else "or time is up"


def _hand(array: StateArray) -> str:
    """What becomes of the tile that was drawn."""
    mover, tile = seat_name(int(array[layout.MOVER])), int(array[layout.TILE])
    title = tile_title(tile)
    may_swap = (
        tile != 1 + OBSTACLE
        and not array[layout.IN_PLAY + layout.NO_NEW_CARDS]
        and pile_left(array) > 0
    )
    swap = " or takes a card for it" if may_swap else ""
    if fits(array, tile - 1, True, 0):
        return f"{mover} lays the {title}{swap}."
    return f"The {title} fits nowhere: {mover} discards it{swap}."


def _carry(array: StateArray) -> str:
    """Where the tile of Current or Return comes from."""
    mover, title = seat_name(int(array[layout.MOVER])), tile_title(int(array[layout.TILE]))
    if array[layout.LIFTED_FROM]:
        return f"{mover} moves the {title} from {cell_name(int(array[layout.LIFTED_FROM]) - 1)}."
    return f"{mover} lays the {title} that was discarded."
