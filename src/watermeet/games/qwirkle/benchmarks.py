"""Benchmarks of this game beyond the standard ones: greedy matches."""

from __future__ import annotations

import time

import numpy as np

from watermeet.core.game import Game
from watermeet.core.rng import seeded
from watermeet.games.qwirkle.greedy import play_greedy_matches
from watermeet.games.qwirkle.placements import BUFFER_COLUMNS, BUFFER_ROWS, ROW

_ROUNDS = 5

TRIALS = (
    (
        "greedy",
        "Qwirkle: the top and the lowest level against a player that takes the most points",
        "greedy sea:seconds=0.3 drop --gauntlet --matches 100",
    ),
    (
        "levels",
        "The levels of Qwirkle",
        "drop brook stream river sea:seconds=0.03 --matches 100",
    ),
)
"""Questions for the arena: a name, the question, and the arguments of ``watermeet arena``."""


def measure(game: Game, seconds: float) -> list[tuple[str, float, str, str]]:
    """Rows of name, value, unit and note, measured in about ``seconds`` after compiling."""
    start = game.start().array.copy()
    state = start.copy()
    buffer = np.zeros((BUFFER_ROWS, BUFFER_COLUMNS), dtype=np.int64)
    rows = np.zeros((1, ROW), dtype=np.int16)
    rng = seeded("greedy")
    play_greedy_matches(start, state, buffer, rows, rng, 1)
    count = 1
    spent = _timed(start, state, buffer, rows, rng, count)[1]
    while spent < seconds / _ROUNDS / 4:
        count *= 4
        spent = _timed(start, state, buffer, rows, rng, count)[1]
    rounds = [_timed(start, state, buffer, rows, rng, count) for _ in range(_ROUNDS)]
    rates = sorted(count / spent for _, spent in rounds)
    turns = sum(played for played, _ in rounds) / (count * _ROUNDS)
    note = f"best {rates[-1]:,.0f}; {turns:.0f} turns a match"
    return [("greedy against greedy", rates[_ROUNDS // 2], "matches/s", note)]


def _timed(*arguments: object) -> tuple[int, float]:
    """The number of turns in some matches, and the CPU time they took."""
    before = time.thread_time()
    turns = int(play_greedy_matches(*arguments))  # type: ignore[arg-type]
    return turns, max(time.thread_time() - before, 1e-9)
