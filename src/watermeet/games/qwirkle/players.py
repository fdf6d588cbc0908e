"""Baseline players of Qwirkle."""

from __future__ import annotations

import random

from watermeet.core.state import State
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.turns import best_turns


def choose_greedily(state: State, rng: random.Random) -> int:
    """Start or continue a turn with the most points, breaking ties at random.

    If nothing fits, trade as many tiles as the bag allows.
    """
    turns = best_turns(state)
    if turns:
        return state.parse_move(rng.choice(turns).moves[0])
    actions = state.legal_actions
    return next((action for action in actions if action != layout.END), actions[0])


PLAYERS = {"greedy": choose_greedily}
