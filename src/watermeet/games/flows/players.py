"""Simple players as baselines for bots."""

from __future__ import annotations

import random

import numpy as np

from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.games.flows.board import MAX_CELLS
from watermeet.games.flows.greedy import choose_greedily


def one_ply(state: State, rng: random.Random) -> int:
    """Picks a placement after which its team has few tiles to go and the others many.

    The bot of the game's public web version does the same; but this one knows the teams, never
    gives anyone else a win, and breaks ties at random.
    """
    array = state.array.copy()
    actions = np.zeros(state.game.sizes.actions, dtype=np.int32)
    marks = np.zeros(MAX_CELLS, dtype=np.int32)
    return int(choose_greedily(array, actions, array.copy(), marks, seeded(rng.random())))


PLAYERS = {"one_ply": one_ply}
