"""Simple players to measure bots against."""

from __future__ import annotations

import random

import numpy as np

from watermeet.core.levels import Player
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.games.flows.board import MOST_CELLS
from watermeet.games.flows.greedy import choose_greedily


def one_ply(state: State, rng: random.Random) -> int:
    """The placement after which the own team lacks few tiles and the others many.

    So does the bot of the game's public web version; but this one knows who plays together, hands
    nobody else a win, and chooses at random among equals.
    """
    array = state.array.copy()
    actions = np.zeros(state.game.sizes.actions, dtype=np.int32)
    marks = np.zeros(MOST_CELLS, dtype=np.int32)
    return int(choose_greedily(array, actions, array.copy(), marks, seeded(rng.random())))


PLAYERS: dict[str, Player] = {"one_ply": one_ply}
