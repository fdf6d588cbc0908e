"""Immediate wins: actions that end the match at once, for the best return there is."""

from __future__ import annotations

from typing import Any

import numpy as np

from watermeet.core.contract import (
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    legal,
    resample,
    score,
    to_move,
)
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.search.binding import bind
from watermeet.search.tree import NONE

SAMPLES = 8
"""With hidden information, a win counts if it is one in this many samples of what is hidden."""


@kernel
def find_win(
    known: StateArray,
    seat: int,
    best_return: float,
    rng: RandomArray,
    actions: ActionArray,
    sampled: StateArray,
    state: StateArray,
    returns: FloatArray,
) -> int:
    """The first action that ends the match with the best return for ``seat``, or NONE.

    ``known`` is what the seat knows. The four arrays at the end are buffers.
    """
    count = int(legal(known, actions))
    resample(known, seat, rng, sampled)
    for index in range(count):
        action, wins = int(actions[index]), 0
        while wins < SAMPLES and _wins(sampled, seat, best_return, action, state, returns):
            wins += 1
            resample(known, seat, rng, sampled)
        if wins == SAMPLES:
            return action
    return NONE


@kernel
def _wins(
    sampled: StateArray,
    seat: int,
    best_return: float,
    action: int,
    state: StateArray,
    returns: FloatArray,
) -> bool:
    copy_state(sampled, state)
    apply(state, action)
    if to_move(state) != OVER:
        return False
    score(state, returns)
    return bool(returns[seat] >= best_return)


class WinFinder:
    """``find_win`` for the states of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._find: Any = bind(game, find_win)
        self._best_return = game.returns_range[1]
        self._buffers = (
            np.zeros(game.sizes.actions, dtype=np.int32),
            np.zeros(game.sizes.state, dtype=game.dtype),
            np.zeros(game.sizes.state, dtype=game.dtype),
            np.zeros(game.seats),
        )

    def find(self, state: State) -> int:
        """An action with which the seat to move wins at once, or NONE."""
        seat = self._game.require_turn(state).to_move
        known = state.conceal(seat).array.copy()
        return int(self._find(known, seat, self._best_return, seeded(0), *self._buffers))
