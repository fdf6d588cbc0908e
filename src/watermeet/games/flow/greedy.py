"""A simple player: it tells how good a game a set of tiles makes, and is no bot for people.

It draws as long as it can, and lays each tile where the animals then lack the fewest tiles in all;
a tile that helps nobody it swaps for a card, if it may. It plays cards only when no tile is left.
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
from watermeet.games.flow.board import ANIMAL_COUNT
from watermeet.games.flow.distances import BLOCKED, tiles_lacking
from watermeet.games.flow.layout import (
    DRAW_DOWN,
    HAND,
    LAY_SCENARIO,
    PLAY_FISHING,
    STAGE,
    SWAP,
    TURN,
    WON,
)
from watermeet.games.flow.rules import apply, chance, legal, to_move

_FAR = 30  # Tiles that an animal lacks which cannot reach the boat: more than any other.


@kernel
def lacking_in_all(state: StateArray) -> int:
    """How many tiles the animals lack, one by one, in all."""
    room = scratch(ANIMAL_COUNT)
    tiles_lacking(state, room)
    total = 0
    for animal in range(ANIMAL_COUNT):
        total += _FAR if room[animal] == BLOCKED else int(room[animal])
    return total


@kernel
def choose_greedily(
    state: StateArray, actions: ActionArray, trial: StateArray, rng: RandomArray
) -> int:
    """What the greedy player does; ``trial`` is room for a state."""
    count = legal(state, actions)
    if state[STAGE] == TURN:
        for place in range(count):
            if DRAW_DOWN <= actions[place] < PLAY_FISHING:
                return int(actions[place])
    if state[STAGE] != HAND:
        return int(actions[next_below(rng, count)])
    return _best_placement(state, actions, count, trial, rng)


@kernel
def _best_placement(
    state: StateArray, actions: ActionArray, count: int, trial: StateArray, rng: RandomArray
) -> int:
    before = lacking_in_all(state)
    best, equals, chosen, swap = 1 << 20, 0, int(actions[0]), -1
    for place in range(count):
        action = int(actions[place])
        if action == SWAP:
            swap = action
        if action >= LAY_SCENARIO:
            continue
        copy_state(state, trial)
        apply(trial, action)
        lacking = -1 if trial[WON] else lacking_in_all(trial)
        if lacking < best:
            best, equals = lacking, 0
        if lacking == best:
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
    """Plays matches from a start, with room to work in; returns how many were won."""
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
        won += int(state[WON])
    return won
