"""How a match of Flow begins: scenario cards, their obstacles, and the deal (R2.2, R8.1)."""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow.board import NUMBERED_CELLS
from watermeet.games.flow.cards import cells_for_scenario
from watermeet.games.flow.layout import (
    AIM_BOAT,
    CARD_KINDS,
    CELLS,
    DEAL,
    DRAW_SCENARIO,
    HANDS,
    IN_PLAY,
    LAY_OBSTACLE,
    MOVER,
    OBSTACLES,
    OBSTACLES_A_CARD,
    PILE,
    SCENARIO_KINDS,
    SCENARIO_PILE,
    SCENARIO_TILE,
    SCENARIOS,
    SEATS,
    SILENCE,
    SINGLE_PATH,
    STAGE,
    TO_COME,
)
from watermeet.games.flow.turns import begin_turn
from watermeet.games.flow.water import note_tile

_CARDS_DEALT = np.array([0, 3, 2, 1, 1, 1, 1])  # By number of seats (R2.2).


@kernel
def obstacle_cells(state: StateArray) -> int:
    """The cells that dice may give to a scenario obstacle (R8.1)."""
    return cells_for_scenario(state, 0) & NUMBERED_CELLS


@kernel
def draw_next_scenario(state: StateArray) -> None:
    """Chance draws a scenario card, if one is to come and there is one; else obstacles are laid."""
    left = 0
    for scenario in range(SCENARIO_KINDS):
        left += int(state[SCENARIO_PILE + scenario])
    if state[SCENARIOS] > 0 and left > 0:
        state[STAGE] = DRAW_SCENARIO
        return
    state[SCENARIOS] = 0
    state[TO_COME] = OBSTACLES_A_CARD * int(state[IN_PLAY + OBSTACLES])
    _lay_next_obstacle(state)


@kernel
def take_scenario(state: StateArray, scenario: int) -> None:
    """Takes a scenario card; the second one of no communication is put away (R8.1)."""
    state[SCENARIO_PILE + scenario] -= 1
    if scenario != SILENCE or not state[IN_PLAY + SILENCE]:
        state[IN_PLAY + scenario] += 1
        state[SCENARIOS] -= 1
    draw_next_scenario(state)


@kernel
def _lay_next_obstacle(state: StateArray) -> None:
    if state[TO_COME] > 0 and obstacle_cells(state) != 0:
        state[STAGE] = LAY_OBSTACLE
        return
    state[TO_COME] = _CARDS_DEALT[int(state[SEATS])]
    state[MOVER] = 0
    state[STAGE] = DEAL


@kernel
def put_obstacle(state: StateArray, cell: int) -> None:
    """Lays a scenario obstacle."""
    state[CELLS + cell] = SCENARIO_TILE
    note_tile(state, cell)
    state[TO_COME] -= 1
    _lay_next_obstacle(state)


@kernel
def deal_card(state: StateArray, card: int) -> None:
    """Deals a card to the mover; behind the last one the match begins."""
    take_card(state, card)
    state[TO_COME] -= 1
    if state[TO_COME] > 0:
        return
    state[MOVER] += 1
    if state[MOVER] < state[SEATS]:
        state[TO_COME] = _CARDS_DEALT[int(state[SEATS])]
        return
    state[MOVER] = 0
    if state[IN_PLAY + SINGLE_PATH]:
        state[STAGE] = AIM_BOAT
    else:
        begin_turn(state)


@kernel
def take_card(state: StateArray, card: int) -> None:
    """The mover takes a card from the pile."""
    state[PILE + card] -= 1
    state[HANDS + int(state[MOVER]) * CARD_KINDS + card] += 1
