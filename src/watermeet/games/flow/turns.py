"""Turns, rounds and waves of Flow (R6, R7)."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel, scratch
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMALS, CELL_COUNT, COLUMN_CELLS, LINE_OF, ROW_CELLS
from watermeet.games.flow.cards import list_cards, list_other_cards, tiles_down
from watermeet.games.flow.connectivity import clear_cells, connected_animals, update_water
from watermeet.games.flow.shapes import OBSTACLE, SHAPE_KIND

_MAX_CARD_PLAYS = 3 * CELL_COUNT + 2 + layout.KIND_COUNT


@kernel
def begin_turn(state: StateArray) -> None:
    """Begin the mover's turn, unless the match is lost (R7.2)."""
    state[layout.STAGE] = layout.TURN
    tiles = tiles_down(state)
    for kind in range(layout.KIND_COUNT):
        tiles += int(state[layout.FACE_UP + kind])
    if tiles == 0 and not _has_playable_card(state):
        state[layout.STAGE] = layout.FINISHED


@kernel
def _has_playable_card(state: StateArray) -> bool:
    buffer = scratch(_MAX_CARD_PLAYS)
    return list_other_cards(state, buffer, list_cards(state, buffer, 0)) > 0


@kernel
def end_turn(state: StateArray) -> None:
    """Check for a win, then whether the round is over (R6.3, R6.2)."""
    if connected_animals(state) == ANIMALS:
        state[layout.STAGE] = layout.FINISHED
        state[layout.WON] = 1
        return
    state[layout.TURNS_DONE] += 1
    is_over = state[layout.TIME_UP] or (
        state[layout.CLOCK] == layout.BY_TURNS and state[layout.TURNS_DONE] >= state[layout.TURNS]
    )
    if is_over:
        _end_round(state)
        return
    _next_seat(state)
    begin_turn(state)


@kernel
def _next_seat(state: StateArray) -> None:
    state[layout.MOVER] = (int(state[layout.MOVER]) + 1) % int(state[layout.SEATS])


@kernel
def call_time(state: StateArray) -> None:
    """End the round at once, or when the mover has finished (R6.1)."""
    if state[layout.STAGE] == layout.TURN:
        _end_round(state)
    else:
        state[layout.TIME_UP] = 1


@kernel
def _end_round(state: StateArray) -> None:
    """End the round: a wave comes."""
    state[layout.IDLE_ROUNDS] = (
        0 if state[layout.TURNS_DONE] > 0 else int(state[layout.IDLE_ROUNDS]) + 1
    )
    state[layout.TIME_UP] = 0
    _show_hands(state)
    if state[layout.CALM_PLAYED]:
        state[layout.STAGE] = layout.CHOOSE_DIE
    else:
        roll(state, layout.BOTH_DICE)


@kernel
def _show_hands(state: StateArray) -> None:
    """Players who may not communicate do so during the wave (R8.1); since version 2."""
    if state[layout.VERSION] < 2 or not state[layout.IN_PLAY + layout.NO_COMMUNICATION]:
        return
    for place in range(layout.MAX_SEATS * layout.CARD_KINDS):
        state[layout.SHOWN + place] = state[layout.HANDS + place]


@kernel
def roll(state: StateArray, dice: int) -> None:
    """Let chance roll these dice."""
    state[layout.DICE] = dice
    state[layout.STAGE] = layout.ROLL_BLACK if dice == layout.BLACK_DIE else layout.ROLL_WHITE


@kernel
def apply_wave(state: StateArray, black: int) -> None:
    """Wash tiles away (R6.5), and begin the next round."""
    row = int(ROW_CELLS[LINE_OF[int(state[layout.WHITE])]]) if state[layout.WHITE] else 0
    column = int(COLUMN_CELLS[LINE_OF[black]]) if black else 0
    gone = 0
    for cell in range(CELL_COUNT):
        if ((row | column) >> cell) & 1 and state[layout.CELLS + cell] != 0:
            is_hit_twice = ((row & column) >> cell) & 1 != 0
            if _is_washed_away(state, cell, is_hit_twice):
                gone |= 1 << cell
            elif state[layout.CELLS + cell] >= layout.BIRD_ON:
                state[layout.CELLS + cell] -= layout.BIRD_ON
                state[layout.BIRDS_LEFT] += 1
    discard_cells(state, gone)
    update_water(state)
    state[layout.WHITE] = 0
    state[layout.DICE] = 0
    state[layout.CALM_PLAYED] = 0
    state[layout.CARD_PLAYED] = 0
    state[layout.TURNS_DONE] = 0
    if state[layout.IDLE_ROUNDS] >= layout.MAX_IDLE_ROUNDS:
        state[layout.STAGE] = layout.FINISHED  # R6.6
        return
    _next_seat(state)
    begin_turn(state)


@kernel
def _is_washed_away(state: StateArray, cell: int, is_hit_twice: bool) -> bool:
    """Whether a wave takes the tile in a cell; otherwise it takes the bird, if any."""
    tile = int(state[layout.CELLS + cell])
    if state[layout.IN_PLAY + layout.OBSTACLES_REMAIN]:
        shape = tile % layout.BIRD_ON
        if shape == layout.SCENARIO_TILE or SHAPE_KIND[shape - 1] == OBSTACLE:
            return False
    return tile < layout.BIRD_ON or is_hit_twice


@kernel
def discard_cells(state: StateArray, cells: int) -> None:
    """Discard the tiles of a set of cells, with their birds; call update_water afterwards."""
    for cell in range(CELL_COUNT):
        if (cells >> cell) & 1 and state[layout.CELLS + cell] != 0:
            tile = int(state[layout.CELLS + cell])
            state[layout.BIRDS_LEFT] += tile // layout.BIRD_ON
            if tile % layout.BIRD_ON != layout.SCENARIO_TILE:
                state[layout.DISCARDED + int(SHAPE_KIND[tile % layout.BIRD_ON - 1])] += 1
    clear_cells(state, cells)
