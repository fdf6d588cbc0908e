"""Random play through a game's kernels, for benchmarks, tests and search."""

from __future__ import annotations

from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    chance,
    legal,
    sample_action,
    to_move,
)
from watermeet.core.kernel import kernel
from watermeet.core.rng import next_below, next_weighted


@kernel
def copy_state(source: StateArray, target: StateArray) -> None:
    """Copy a state; ``target[:] = source`` would have to allocate, in case they overlap."""
    for index in range(len(target)):
        target[index] = source[index]


@kernel
def sample_legal_action(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """The default of ``sample_action``: list the legal actions and choose one."""
    return int(actions[next_below(rng, legal(state, actions))])


@kernel
def sample_chance(
    state: StateArray, actions: ActionArray, weights: FloatArray, rng: RandomArray
) -> int:
    """A random chance outcome; ``actions`` and ``weights`` are buffers."""
    count = legal(state, actions)
    chance(state, weights)
    return int(actions[next_weighted(rng, weights, count)])


@kernel
def playout(state: StateArray, actions: ActionArray, rng: RandomArray) -> int:
    """Play uniformly random actions in place until the match is over; return how many.

    For games without chance. ``actions`` is a buffer.
    """
    played = 0
    while to_move(state) != OVER:
        apply(state, sample_action(state, actions, rng))
        played += 1
    return played


@kernel
def playout_with_chance(
    state: StateArray, actions: ActionArray, weights: FloatArray, rng: RandomArray
) -> int:
    """As ``playout``, for games with chance; ``actions`` and ``weights`` are buffers."""
    played = 0
    mover = to_move(state)
    while mover != OVER:
        if mover == CHANCE:
            action = sample_chance(state, actions, weights, rng)
        else:
            action = sample_action(state, actions, rng)
        apply(state, action)
        played += 1
        mover = to_move(state)
    return played


@kernel
def playouts(
    start: StateArray, state: StateArray, actions: ActionArray, rng: RandomArray, count: int
) -> int:
    """Play ``count`` matches from ``start``; return the total number of actions.

    ``state`` and ``actions`` are buffers.
    """
    played = 0
    for _ in range(count):
        copy_state(start, state)
        played += playout(state, actions, rng)
    return played


@kernel
def playouts_with_chance(
    start: StateArray,
    state: StateArray,
    actions: ActionArray,
    weights: FloatArray,
    rng: RandomArray,
    count: int,
) -> int:
    """As ``playouts``, for games with chance."""
    played = 0
    for _ in range(count):
        copy_state(start, state)
        played += playout_with_chance(state, actions, weights, rng)
    return played
