"""What is measured of this game besides what is measured of all: matches of the greedy player."""

from __future__ import annotations

import time

import numpy as np

from watermeet.core.game import Game
from watermeet.core.rng import seeded
from watermeet.games.flow.greedy import play_greedy_matches

_BATCH = 50


def measure(game: Game, seconds: float) -> list[tuple[str, float, str, str]]:
    """Rows of what, value, unit and note; all in about that many seconds, after compiling."""
    greedy_wins(game, 1)
    won, played = 0, 0
    before = time.thread_time()
    while played == 0 or time.thread_time() - before < seconds:
        won += greedy_wins(game, _BATCH, seed=played)
        played += _BATCH
    rate = played / max(time.thread_time() - before, 1e-9)
    return [("greedy matches", rate, "matches/s", f"{won / played:.0%} of {played} won")]


def greedy_wins(game: Game, count: int, seed: int = 0) -> int:
    """How many of some matches greedy players win."""
    start = game.start().array.copy()
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    weights = np.zeros(game.sizes.actions)
    rng = seeded("greedy", seed)
    state, trial = start.copy(), start.copy()
    return int(play_greedy_matches(start, state, trial, actions, weights, rng, count))
