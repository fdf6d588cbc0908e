"""A greedy baseline in kernels, for judging tile sets rather than for playing against people.

It draws while it can and places each tile where the animals then need the fewest in total; a tile
that doesn't help is swapped for a card if possible. It plays cards only when no tile is left.
"""

from __future__ import annotations

from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
)
from watermeet.core.kernel import kernel, scratch
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below, next_weighted
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_COUNT
from watermeet.games.flow.distances import BLOCKED, tiles_missing
from watermeet.games.flow.rules import apply, chance, legal, to_move

_FAR = 30  # The distance of an animal that is cut off: more than any other.


@kernel
def total_missing(state: StateArray) -> int:
    """The sum of the animals' distances to the boat, in tiles."""
    buffer = scratch(ANIMAL_COUNT)
    tiles_missing(state, buffer)
    total = 0
    for animal in range(ANIMAL_COUNT):
        total += _FAR if buffer[animal] == BLOCKED else int(buffer[animal])
    return total


@kernel
def choose_greedily(
    state: StateArray, actions: ActionArray, trial: StateArray, rng: RandomArray
) -> int:
    """Choose the greedy action; ``trial`` is a buffer for a state."""
    count = legal(state, actions)
    if state[layout.STAGE] == layout.TURN:
        for place in range(count):
            if layout.DRAW_FACE_DOWN <= actions[place] < layout.PLAY_FISHING:
                return int(actions[place])
    if state[layout.STAGE] != layout.HAND:
        return int(actions[next_below(rng, count)])
    return _best_placement(state, actions, count, trial, rng)


@kernel
def _best_placement(
    state: StateArray, actions: ActionArray, count: int, trial: StateArray, rng: RandomArray
) -> int:
    before = total_missing(state)
    best, equals, chosen, swap = 1 << 20, 0, int(actions[0]), -1
    for place in range(count):
        action = int(actions[place])
        if action == layout.SWAP:
            swap = action
        if action >= layout.LAY_SCENARIO:
            continue
        copy_state(state, trial)
        apply(trial, action)
        missing = -1 if trial[layout.WON] else total_missing(trial)
        if missing < best:
            best, equals = missing, 0
        if missing == best:
            equals += 1
            if next_below(rng, equals) == 0:
                chosen = action
    return swap if swap >= 0 and best >= before else chosen


@kernel
def play_greedy_matches(
    start: StateArray,
    state: StateArray,
    trial: StateArray,
    actions: ActionArray,
    weights: FloatArray,
    rng: RandomArray,
    count: int,
) -> int:
    """Play matches from a state; return how many were won. The other arrays are buffers."""
    won = 0
    for _ in range(count):
        copy_state(start, state)
        mover = to_move(state)
        while mover != OVER:
            if mover == CHANCE:
                outcomes = legal(state, actions)
                chance(state, weights)
                apply(state, int(actions[next_weighted(rng, weights, outcomes)]))
            else:
                apply(state, choose_greedily(state, actions, trial, rng))
            mover = to_move(state)
        won += int(state[layout.WON])
    return won
