"""Turns, rounds and waves of Flow: when they end, and what comes then (R6, R7)."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel, scratch
from watermeet.games.flow.board import ANIMALS, CELL_COUNT, COLUMN_CELLS, LINE_OF, ROW_CELLS
from watermeet.games.flow.cards import list_cards, list_other_cards, tiles_down
from watermeet.games.flow.layout import (
    BIRD_ON,
    BIRDS_LEFT,
    BLACK_DIE,
    BOTH_DICE,
    BY_TURNS,
    CALM_PLAYED,
    CARD_PLAYED,
    CELLS,
    CHOOSE_DIE,
    CLOCK,
    DICE,
    DISCARDED,
    FINISHED,
    IDLE_ROUNDS,
    IN_PLAY,
    KIND_COUNT,
    MOST_IDLE_ROUNDS,
    MOVER,
    REMAIN,
    ROLL_BLACK,
    ROLL_WHITE,
    SCENARIO_TILE,
    SEATS,
    STAGE,
    TIME_UP,
    TURN,
    TURNS,
    TURNS_DONE,
    UP,
    WHITE,
    WON,
)
from watermeet.games.flow.shapes import OBSTACLE, SHAPE_KIND
from watermeet.games.flow.water import animals_joined, clear_cells, renew_water

_MOST_CARD_PLAYS = 3 * CELL_COUNT + 2 + KIND_COUNT


@kernel
def begin_turn(state: StateArray) -> None:
    """The mover's turn begins, unless the match is lost (R7.2)."""
    state[STAGE] = TURN
    tiles = tiles_down(state)
    for kind in range(KIND_COUNT):
        tiles += int(state[UP + kind])
    if tiles == 0 and not _has_playable_card(state):
        state[STAGE] = FINISHED


@kernel
def _has_playable_card(state: StateArray) -> bool:
    room = scratch(_MOST_CARD_PLAYS)
    return list_other_cards(state, room, list_cards(state, room, 0)) > 0


@kernel
def end_turn(state: StateArray) -> None:
    """Looks for the win, then whether the round is over (R6.3, R6.2)."""
    if animals_joined(state) == ANIMALS:
        state[STAGE] = FINISHED
        state[WON] = 1
        return
    state[TURNS_DONE] += 1
    is_over = state[TIME_UP] or (state[CLOCK] == BY_TURNS and state[TURNS_DONE] >= state[TURNS])
    if is_over:
        _end_round(state)
        return
    _pass_on(state)
    begin_turn(state)


@kernel
def _pass_on(state: StateArray) -> None:
    state[MOVER] = (int(state[MOVER]) + 1) % int(state[SEATS])


@kernel
def say_time(state: StateArray) -> None:
    """Time is up: at once, or when the mover has finished (R6.1)."""
    if state[STAGE] == TURN:
        _end_round(state)
    else:
        state[TIME_UP] = 1


@kernel
def _end_round(state: StateArray) -> None:
    """The wave comes."""
    state[IDLE_ROUNDS] = 0 if state[TURNS_DONE] > 0 else int(state[IDLE_ROUNDS]) + 1
    state[TIME_UP] = 0
    if state[CALM_PLAYED]:
        state[STAGE] = CHOOSE_DIE
    else:
        roll(state, BOTH_DICE)


@kernel
def roll(state: StateArray, dice: int) -> None:
    """Chance rolls these dice."""
    state[DICE] = dice
    state[STAGE] = ROLL_BLACK if dice == BLACK_DIE else ROLL_WHITE


@kernel
def wash(state: StateArray, black: int) -> None:
    """The wave goes over the board (R6.5), and the next round begins."""
    row = int(ROW_CELLS[LINE_OF[int(state[WHITE])]]) if state[WHITE] else 0
    column = int(COLUMN_CELLS[LINE_OF[black]]) if black else 0
    gone = 0
    for cell in range(CELL_COUNT):
        if ((row | column) >> cell) & 1 and state[CELLS + cell] != 0:
            is_hit_twice = ((row & column) >> cell) & 1 != 0
            if _is_washed_away(state, cell, is_hit_twice):
                gone |= 1 << cell
            elif state[CELLS + cell] >= BIRD_ON:
                state[CELLS + cell] -= BIRD_ON
                state[BIRDS_LEFT] += 1
    discard_cells(state, gone)
    renew_water(state)
    state[WHITE] = 0
    state[DICE] = 0
    state[CALM_PLAYED] = 0
    state[CARD_PLAYED] = 0
    state[TURNS_DONE] = 0
    if state[IDLE_ROUNDS] >= MOST_IDLE_ROUNDS:
        state[STAGE] = FINISHED  # R6.6
        return
    _pass_on(state)
    begin_turn(state)


@kernel
def _is_washed_away(state: StateArray, cell: int, is_hit_twice: bool) -> bool:
    """Whether a wave takes the tile in a cell; otherwise it takes the bird, if there is one."""
    tile = int(state[CELLS + cell])
    if state[IN_PLAY + REMAIN]:
        shape = tile % BIRD_ON
        if shape == SCENARIO_TILE or SHAPE_KIND[shape - 1] == OBSTACLE:
            return False
    return tile < BIRD_ON or is_hit_twice


@kernel
def discard_cells(state: StateArray, cells: int) -> None:
    """Takes tiles off the board, with their birds; water is to be renewed."""
    for cell in range(CELL_COUNT):
        if (cells >> cell) & 1 and state[CELLS + cell] != 0:
            tile = int(state[CELLS + cell])
            state[BIRDS_LEFT] += tile // BIRD_ON
            if tile % BIRD_ON != SCENARIO_TILE:
                state[DISCARDED + int(SHAPE_KIND[tile % BIRD_ON - 1])] += 1
    clear_cells(state, cells)
