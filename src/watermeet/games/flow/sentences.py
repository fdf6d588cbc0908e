"""What happens now in a Flow match, in a sentence for people."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.games.flow.cards import fits
from watermeet.games.flow.layout import (
    AIM_BOAT,
    BY_MINUTE,
    BY_TURNS,
    CARD_PLAYED,
    CARRY,
    CHOOSE_DIE,
    CLOCK,
    DEAL,
    DOWN,
    DRAW_CARD,
    DRAW_SCENARIO,
    DRAW_TILE,
    FINISHED,
    FISH,
    HAND,
    IN_PLAY,
    KIND_COUNT,
    LAY_OBSTACLE,
    LIFTED_FROM,
    MOVER,
    NO_NEW_CARDS,
    ONE_CARD,
    ROLL_BLACK,
    ROLL_WHITE,
    SCENARIOS,
    STAGE,
    TILE,
    TIME_UP,
    TO_COME,
    TURN,
    TURNS,
    TURNS_DONE,
    UP,
)
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
    DRAW_SCENARIO: "A scenario card is drawn; {scenarios} to come.",
    LAY_OBSTACLE: "Dice say where a scenario obstacle is laid; {to_come} to come.",
    DEAL: "{mover} is dealt an action card.",
    DRAW_TILE: "{mover} draws a tile.",
    DRAW_CARD: "{mover} takes an action card.",
    FISH: "{mover} turns up a tile; {to_come} to come.",
    ROLL_WHITE: "A wave comes: {mover} rolls the white die, for a row.",
    ROLL_BLACK: "A wave comes: {mover} rolls the black die, for a column.",
    AIM_BOAT: "{mover} chooses the one way of the boat.",
    CHOOSE_DIE: "Calm Waters: {mover} chooses which die is rolled for the wave.",
}


def sentence(game: Game, array: StateArray) -> str:
    """What happens now, for people."""
    stage = int(array[STAGE])
    if stage == FINISHED:
        return outcome_sentence(game, array)
    if stage in _PLAIN:
        return _PLAIN[stage].format(
            mover=seat_name(int(array[MOVER])),
            scenarios=_are(int(array[SCENARIOS])),
            to_come=_are(int(array[TO_COME])),
        )
    told = {TURN: _turn, HAND: _hand, CARRY: _carry}[stage](array)
    return f"{told} Then a wave comes: time is up." if array[TIME_UP] else told


def turns_left(array: StateArray) -> int | None:
    """The turns left in this round, the present one included; None unless they are counted."""
    if array[CLOCK] != BY_TURNS:
        return None
    return int(array[TURNS]) - int(array[TURNS_DONE])


def _are(count: int) -> str:
    return f"{count} {'is' if count == 1 else 'are'}"


def _turn(array: StateArray) -> str:
    """What the mover may do, and how long the round lasts."""
    mover = int(array[MOVER])
    may_play = hand_of(array, mover) and not (array[IN_PLAY + ONE_CARD] and array[CARD_PLAYED])
    has_tiles = array[DOWN : DOWN + KIND_COUNT].any() or array[UP : UP + KIND_COUNT].any()
    doings = ["draws a tile"] * bool(has_tiles) + ["plays a card"] * bool(may_play)
    return f"{seat_name(mover)} {' or '.join(doings)}; {_clock(array)}."


def _clock(array: StateArray) -> str:
    left = turns_left(array)
    if left is not None:
        return f"{left} turn{' is' if left == 1 else 's are'} left in this round"
    return "the minute runs" if array[CLOCK] == BY_MINUTE else "or time is up"


def _hand(array: StateArray) -> str:
    """What becomes of the tile that was drawn."""
    mover, tile = seat_name(int(array[MOVER])), int(array[TILE])
    title = tile_title(tile)
    may_swap = tile != 1 + OBSTACLE and not array[IN_PLAY + NO_NEW_CARDS] and pile_left(array) > 0
    swap = " or takes a card for it" if may_swap else ""
    if fits(array, tile - 1, True, 0):
        return f"{mover} lays the {title}{swap}."
    return f"The {title} fits nowhere: {mover} discards it{swap}."


def _carry(array: StateArray) -> str:
    """Where the tile of Current or Return comes from."""
    mover, title = seat_name(int(array[MOVER])), tile_title(int(array[TILE]))
    if array[LIFTED_FROM]:
        return f"{mover} moves the {title} from {cell_name(int(array[LIFTED_FROM]) - 1)}."
    return f"{mover} lays the {title} that was discarded."
