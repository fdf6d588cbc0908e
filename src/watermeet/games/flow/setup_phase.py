"""Setting up a match of Flow: scenario cards, their obstacles, and the deal (R2.2, R8.1)."""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.games.flow import layout
from watermeet.games.flow.board import NUMBERED_CELLS
from watermeet.games.flow.cards import cells_for_scenario
from watermeet.games.flow.connectivity import add_tile
from watermeet.games.flow.turns import begin_turn

_CARDS_DEALT = np.array([0, 3, 2, 1, 1, 1, 1])  # By number of seats (R2.2).


@kernel
def obstacle_cells(state: StateArray) -> int:
    """The cells where the dice may put a scenario obstacle (R8.1)."""
    return cells_for_scenario(state, 0) & NUMBERED_CELLS


@kernel
def draw_next_scenario(state: StateArray) -> None:
    """Draw another scenario card if one is due and left; else start placing obstacles."""
    left = 0
    for scenario in range(layout.SCENARIO_KINDS):
        left += int(state[layout.SCENARIO_PILE + scenario])
    if state[layout.SCENARIOS] > 0 and left > 0:
        state[layout.STAGE] = layout.DRAW_SCENARIO
        return
    state[layout.SCENARIOS] = 0
    state[layout.PENDING] = layout.OBSTACLES_PER_CARD * int(
        state[layout.IN_PLAY + layout.OBSTACLES]
    )
    _next_obstacle(state)


@kernel
def take_scenario(state: StateArray, scenario: int) -> None:
    """Put a scenario card into play; a second *no communication* is removed (R8.1)."""
    state[layout.SCENARIO_PILE + scenario] -= 1
    if scenario != layout.NO_COMMUNICATION or not state[layout.IN_PLAY + layout.NO_COMMUNICATION]:
        state[layout.IN_PLAY + scenario] += 1
        state[layout.SCENARIOS] -= 1
    draw_next_scenario(state)


@kernel
def _next_obstacle(state: StateArray) -> None:
    if state[layout.PENDING] > 0 and obstacle_cells(state) != 0:
        state[layout.STAGE] = layout.LAY_OBSTACLE
        return
    state[layout.PENDING] = _CARDS_DEALT[int(state[layout.SEATS])]
    state[layout.MOVER] = 0
    state[layout.STAGE] = layout.DEAL


@kernel
def put_obstacle(state: StateArray, cell: int) -> None:
    """Place a scenario obstacle."""
    state[layout.CELLS + cell] = layout.SCENARIO_TILE
    add_tile(state, cell)
    state[layout.PENDING] -= 1
    _next_obstacle(state)


@kernel
def deal_card(state: StateArray, card: int) -> None:
    """Deal a card to the mover; after the last card the match begins."""
    take_card(state, card)
    state[layout.PENDING] -= 1
    if state[layout.PENDING] > 0:
        return
    state[layout.MOVER] += 1
    if state[layout.MOVER] < state[layout.SEATS]:
        state[layout.PENDING] = _CARDS_DEALT[int(state[layout.SEATS])]
        return
    state[layout.MOVER] = 0
    if state[layout.IN_PLAY + layout.SINGLE_PATH]:
        state[layout.STAGE] = layout.CHOOSE_BOAT_EDGE
    else:
        begin_turn(state)


@kernel
def take_card(state: StateArray, card: int) -> None:
    """Move a card from the pile to the mover's hand."""
    state[layout.PILE + card] -= 1
    state[layout.HANDS + int(state[layout.MOVER]) * layout.CARD_KINDS + card] += 1
