"""Benchmarks of this game alone: listing all legal placements of a tile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from watermeet.core.contract import OVER, StateArray
from watermeet.core.game import Game
from watermeet.core.rng import next_below, seeded
from watermeet.games.flows import layout
from watermeet.games.flows.board import MAX_CELLS
from watermeet.games.flows.greedy import play_greedily

MIDDLE = range(12, 25)
"""How many tiles are on the board in the middle of a match."""
_ROUNDS = 3

Player = Callable[[Game, str], Iterator[StateArray]]

TRIALS = (
    (
        "2",
        "Flows, two players: the top level against the one-ply player (aim: 85 of 100)",
        "sea:seconds=0.1 one_ply --matches 100",
    ),
    (
        "4",
        "Flows, four players in two teams: the same (aim: 85 of 100)",
        "sea:seconds=0.1 one_ply --matches 100 -o seats=4",
    ),
    (
        "levels",
        "The levels of Flows",
        "drop brook stream river sea:nodes=500 --matches 14",
    ),
)
"""Questions for the arena: a name, the question, and the arguments of ``watermeet arena``."""


def measure(game: Game, seconds: float) -> list[tuple[str, float, str, str]]:
    """Rows of name, value, unit and note; takes about ``seconds``, compilation not counted."""
    rows: list[tuple[str, float, str, str]] = []
    for words, player in (("random", random_turns), ("greedy", greedy_turns)):
        times = sorted(spent for spent, _ in timed_lists(game, player, MIDDLE, seconds / 2))
        middle = f"{len(times)} positions of {words} play with {MIDDLE[0]} to {MIDDLE[-1]} tiles"
        what = f"all placements of a tile, {words} play"
        tail = f"p90 {_quantile(times, 0.9):.3f}, p99 {_quantile(times, 0.99):.3f}"
        note = f"median; {tail}, slowest {times[-1]:.3f} ms; {middle}"
        rows.append((what, _quantile(times, 0.5), "ms", note))
    return rows


def timed_lists(
    game: Game, player: Player, tiles: range, seconds: float
) -> Iterator[tuple[float, StateArray]]:
    """Positions of play, and the milliseconds that ``legal`` takes there, best of some rounds."""
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    for array in player(game, "warm"):  # Compiles the kernels.
        _time_of_list(game, array, actions)
    end = time.perf_counter() + seconds
    number = 0
    while time.perf_counter() < end or number == 0:
        for array in player(game, f"{number}"):
            if tiles_on(game, array) in tiles:
                yield min(_time_of_list(game, array, actions) for _ in range(_ROUNDS)), array
        number += 1


def tiles_on(game: Game, array: StateArray) -> int:
    """How many tiles are on the board."""
    return int(np.count_nonzero(array[layout.CELLS : game.sizes.identity]))


def _time_of_list(game: Game, array: StateArray, actions: np.ndarray) -> float:
    before = time.perf_counter()
    game.kernels.legal(array, actions)
    return 1000 * (time.perf_counter() - before)


def _quantile(times: list[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))]


# ---- positions of play ------------------------------------------------------------------------


def random_turns(game: Game, seed: str) -> Iterator[StateArray]:
    """The positions of a random match where a seat is to move."""
    kernels, rng = game.kernels, seeded("turns", seed)
    array = game.start().array.copy()
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    weights = np.zeros(game.sizes.actions)
    while kernels.to_move(array) != OVER:
        if kernels.to_move(array) >= 0:
            yield array
            action = kernels.sample_action(array, actions, rng)
        else:
            count = kernels.legal(array, actions)
            kernels.chance(array, weights)
            drawn = next_below(rng, 1 << 30) / (1 << 30)
            place = np.searchsorted(np.cumsum(weights[:count]), drawn, side="right")
            action = int(actions[min(int(place), count - 1)])
        kernels.apply(array, action)


def greedy_turns(game: Game, seed: str) -> Iterator[StateArray]:
    """The same of a match between greedy players."""
    rng = seeded("greedy", seed)
    array = game.start().array.copy()
    trial = array.copy()
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    weights = np.zeros(game.sizes.actions)
    marks = np.zeros(MAX_CELLS, dtype=np.int32)
    play_greedily(array, actions, weights, trial, marks, rng, 0)
    while game.kernels.to_move(array) != OVER:
        yield array
        play_greedily(array, actions, weights, trial, marks, rng, 1)
