"""What is timed of a game: workers, made from its ordinary kernels and from random matches."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.bench import loops
from watermeet.bench.timing import Worker
from watermeet.core import playout
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.game import Game
from watermeet.core.kernel import plain_python
from watermeet.core.rng import seeded

MATCHES = 16
"""How many random matches are recorded, to replay them and to take states from."""
MOST_STATES = 1024
CACHE_LINE_BYTES = 128  # Two lines of 64, since they are fetched in pairs.


@dataclass(frozen=True)
class Matches:
    """Random matches of a game: the actions of each, and states from all stages of them."""

    game: Game
    actions: tuple[tuple[int, ...], ...]
    states: npt.NDArray[Any]  # [number of states, state size]; none of them over


def record_matches(game: Game, seed: object = 1) -> Matches:
    """Plays random matches and writes them down."""
    rng = random.Random(repr(seed))
    actions, states = [], []
    for _ in range(MATCHES):
        taken = []
        state = game.start()
        while state.to_move != OVER:
            states.append(state.array)
            if state.to_move == CHANCE:
                outcomes, weights = zip(*state.chance_outcomes, strict=True)
                action = rng.choices(outcomes, weights)[0]
            else:
                action = rng.choice(state.legal_actions)
            taken.append(action)
            state = state.play(action)
        actions.append(tuple(taken))
    step = -(-len(states) // MOST_STATES)
    return Matches(game, tuple(actions), np.array(states[::step]))


def playout_worker(game: Game, seed: object = 1) -> Worker:
    """Plays random matches from the start, as search does; its units are actions."""
    start = game.start().array.copy()
    state = _apart(start)
    actions = _apart(np.zeros(game.sizes.actions, dtype=np.int32))
    rng = _apart(seeded(seed))
    if not game.chance:
        play = game.specialize(playout.playouts)
        return lambda count: int(play(start, state, actions, rng, count))
    weights = _apart(np.zeros(game.sizes.actions, dtype=np.float64))
    play = game.specialize(playout.playouts_with_chance)
    return lambda count: int(play(start, state, actions, weights, rng, count))


def plain_playout_worker(game: Game) -> Worker:
    """As ``playout_worker``, with the kernels as plain Python; its units are actions."""
    worker = playout_worker(game)

    def run(count: int) -> int:
        with plain_python():
            return worker(count)

    return run


def legal_worker(matches: Matches) -> Worker:
    """Lists the legal actions of states from all stages; its units are actions listed."""
    game = matches.game
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    list_many = game.specialize(loops.list_many)
    return lambda count: int(list_many(matches.states, actions, count))


def apply_worker(matches: Matches) -> Worker:
    """Replays whole matches by the kernel ``apply``; its units are actions."""
    game = matches.game
    start = game.start().array.copy()
    state = start.copy()
    taken = np.array([*itertools.chain(*matches.actions)], dtype=np.int64)
    lengths = [len(actions) for actions in matches.actions]
    bounds = np.array([0, *itertools.accumulate(lengths)], dtype=np.int64)
    replay_many = game.specialize(loops.replay_many)
    return lambda count: int(replay_many(start, state, taken, bounds, count))


def copy_worker(matches: Matches) -> Worker:
    """Copies states."""
    target = np.zeros_like(matches.states[0])
    copy_many = matches.game.specialize(loops.copy_many)
    return lambda count: int(copy_many(matches.states, target, count))


def step_worker(matches: Matches) -> Worker:
    """Replays whole matches by ``State.play``, which checks each action; its units are actions."""

    def run(count: int) -> int:
        played = 0
        for actions in itertools.islice(itertools.cycle(matches.actions), count):
            state = matches.game.start()
            for action in actions:
                state = state.play(action)
            played += len(actions)
        return played

    return run


def _apart(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy with room around it: threads that write to one cache line hold each other up."""
    margin = CACHE_LINE_BYTES // array.itemsize
    room = np.zeros(len(array) + 2 * margin, dtype=array.dtype)
    inner = room[margin:-margin]
    inner[:] = array
    return inner
