"""Benchmarks of this game beyond the standard ones: greedy matches."""

from __future__ import annotations

import time

import numpy as np

from watermeet.core.game import Game
from watermeet.core.rng import seeded
from watermeet.games.flow.greedy import play_greedy_matches

_BATCH = 50

TRIALS = (
    (
        "alone",
        "Flow alone: the share of matches won without scenario cards (aim: 95 of 100)",
        "sea:seconds=0.05 greedy --matches 100 -o seats=1",
    ),
    (
        "three",
        "Flow with three seats: the same (aim: 95 of 100)",
        "sea:seconds=0.05 greedy --matches 100 -o seats=3",
    ),
    (
        "scenarios",
        "Flow by difficulty: the top level wins clearly more often than the greedy player",
        "sea:seconds=0.01 greedy --matches 100 --vary scenarios=0,1,2,3,4,5,6",
    ),
    (
        "levels",
        "The levels of Flow",
        "drop brook stream river sea:nodes=600 --matches 300",
    ),
    (
        "network",
        "Flow with six scenario cards at 0.1 s a move: the network wins more often than `sea`",
        "ocean:seconds=0.1 sea:seconds=0.1 --matches 400 -o scenarios=6",
    ),
)
"""Questions for the arena: a name, the question, and the arguments of ``watermeet arena``."""


def measure(game: Game, seconds: float) -> list[tuple[str, float, str, str]]:
    """Rows of name, value, unit and note, measured in about ``seconds`` after compiling."""
    greedy_wins(game, 1)
    won, played = 0, 0
    before = time.thread_time()
    while played == 0 or time.thread_time() - before < seconds:
        won += greedy_wins(game, _BATCH, seed=played)
        played += _BATCH
    rate = played / max(time.thread_time() - before, 1e-9)
    return [("greedy matches", rate, "matches/s", f"{won / played:.0%} of {played} won")]


def greedy_wins(game: Game, count: int, seed: int = 0) -> int:
    """The number of matches that greedy players win."""
    start = game.start().array.copy()
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    weights = np.zeros(game.sizes.actions)
    rng = seeded("greedy", seed)
    state, trial = start.copy(), start.copy()
    return int(play_greedy_matches(start, state, trial, actions, weights, rng, count))
