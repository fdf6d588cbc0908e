"""Traces: checksums of random matches, which every face of a game's kernels must repeat.

``trace_match`` is itself a kernel. It plays a random match and adds everything that the game's
kernels compute on the way to a checksum. The same seed must give the same checksums as plain
Python, as native code, on a GPU and in a browser.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.batch_kernels import Matrix, clear, share
from watermeet.core.binding import complete_kernels, without_inlining
from watermeet.core.contract import (
    CHANCE,
    OVER,
    SPECTATOR,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    chance,
    conceal,
    legal,
    rebuild_cache,
    resample,
    sample_action,
    score,
    to_move,
)
from watermeet.core.evaluation import evaluate, priors, proven_returns, rollout_policy
from watermeet.core.features import FeatureArray, encode, observe
from watermeet.core.game import Game
from watermeet.core.kernel import Kernel, kernel
from watermeet.core.linking import specialize
from watermeet.core.playout import copy_state
from watermeet.core.portable_math import bits_of
from watermeet.core.rng import next_below, next_weighted, seeded

EVERY = 7
"""After so many actions, evaluation, cache and what a seat knows are looked at, too.

They may take far longer than the rules. It is odd, so that all seats are to move by turns.
"""
_BASIS, _PRIME = 2166136261, 16777619
"""Of the checksum FNV-1a, by words of 32 bits instead of bytes."""
_WORD, _WORD_BITS = 0xFFFFFFFF, 32

Sums = npt.NDArray[np.int64]
"""[length]: how many states the match has; then the checksum at each of the first ones."""


# ---- checksums --------------------------------------------------------------------------------


@kernel
def add_number(total: int, number: int) -> int:
    """A checksum with one more number in it."""
    return ((total ^ (number & _WORD)) * _PRIME) & _WORD


@kernel
def add_integers(total: int, array: npt.NDArray[Any], count: int) -> int:
    """A checksum with the first numbers of an array in it."""
    for index in range(count):
        total = add_number(total, int(array[index]))
    return total


@kernel
def add_floats(total: int, array: npt.NDArray[Any], count: int) -> int:
    """A checksum with the bits of an array's first floats in it."""
    for index in range(count):
        bits = bits_of(float(array[index]))
        total = add_number(add_number(total, bits), bits >> _WORD_BITS)
    return total


# ---- matches ----------------------------------------------------------------------------------


@kernel
def no_cache(state: StateArray) -> None:
    """``rebuild_cache`` for games without one."""


@kernel
def add_rules(
    total: int,
    mover: int,
    state: StateArray,
    actions: ActionArray,
    count: int,
    weights: FloatArray,
    returns: FloatArray,
) -> int:
    """A checksum with a state, and what the rules say about it."""
    total = add_integers(add_number(total, mover), state, len(state))
    total = add_integers(total, actions, count)
    if mover == OVER:
        score(state, returns)
        return add_floats(total, returns, len(returns))
    if mover == CHANCE:
        chance(state, weights)
        total = add_floats(total, weights, count)
    return total


@kernel
def add_opinions(
    total: int,
    mover: int,
    seat: int,
    identity: int,
    state: StateArray,
    other: StateArray,
    actions: ActionArray,
    count: int,
    weights: FloatArray,
    returns: FloatArray,
) -> int:
    """A checksum with the evaluation of a state, what a seat knows of it, and its cache."""
    evaluate(state, returns)
    total = add_floats(total, returns, len(returns))
    if mover != CHANCE:
        priors(state, actions, count, weights)
        total = add_floats(total, weights, count)
    conceal(state, seat, other)
    total = add_integers(total, other, len(other))
    if identity < len(state):
        for index in range(identity):
            other[index] = state[index]
        rebuild_cache(other)
        total = add_integers(total, other, len(other))
    return total


@kernel
def add_rest(
    total: int,
    seat: int,
    state: StateArray,
    other: StateArray,
    third: StateArray,
    actions: ActionArray,
    count: int,
    returns: FloatArray,
    features: FeatureArray,
    rng: RandomArray,
) -> int:
    """A checksum with what remains: resampled states, features, codes, what is proven."""
    conceal(state, seat, other)
    resample(other, seat, rng, third)
    total = add_integers(total, third, len(third))
    if seat != SPECTATOR:
        clear(features)
        observe(other, seat, features)
        total = add_floats(total, features, len(features))
    for index in range(count):
        total = add_number(total, encode(state, int(actions[index])))
    is_proven = proven_returns(state, returns)
    total = add_number(total, is_proven)
    return add_floats(total, returns, len(returns)) if is_proven else total


@kernel
def add_state(
    total: int,
    step: int,
    identity: int,
    state: StateArray,
    other: StateArray,
    actions: ActionArray,
    weights: FloatArray,
    returns: FloatArray,
    sums: Sums,
) -> int:
    """A checksum with all of that, noted in ``sums``."""
    mover, count = to_move(state), legal(state, actions)
    total = add_rules(total, mover, state, actions, count, weights, returns)
    if mover != OVER and step % EVERY == 0:
        seat = step % (len(returns) + 1) - 1
        total = add_opinions(
            total, mover, seat, identity, state, other, actions, count, weights, returns,
        )  # fmt: skip
    sums[0] = step + 1
    if step + 1 < len(sums):
        sums[step + 1] = total
    return total


@kernel
def trace_match(
    identity: int,
    state: StateArray,
    other: StateArray,
    actions: ActionArray,
    weights: FloatArray,
    returns: FloatArray,
    rng: RandomArray,
    sums: Sums,
) -> int:
    """Play a random match in place; return its checksum, and write ``sums``.

    Only kernels take part that an engine for the browser exports. ``identity`` is the length of the
    state without its cache; the other arrays are buffers.
    """
    total, step = _BASIS, 0
    while True:
        total = add_state(total, step, identity, state, other, actions, weights, returns, sums)
        mover, count = to_move(state), legal(state, actions)
        if mover == OVER:
            return total
        if mover == CHANCE:
            chance(state, weights)
            action = int(actions[next_weighted(rng, weights, count)])
        else:
            action = int(actions[next_below(rng, count)])
        apply(state, action)
        step += 1


@kernel
def trace_everything(
    identity: int,
    state: StateArray,
    other: StateArray,
    actions: ActionArray,
    weights: FloatArray,
    returns: FloatArray,
    rng: RandomArray,
    sums: Sums,
    third: StateArray,
    features: FeatureArray,
) -> int:
    """As ``trace_match``, with all kernels of the game."""
    total, step = _BASIS, 0
    while True:
        total = add_state(total, step, identity, state, other, actions, weights, returns, sums)
        mover, count = to_move(state), legal(state, actions)
        if mover == OVER:
            return total
        if mover == CHANCE:
            chance(state, weights)
            action = int(actions[next_weighted(rng, weights, count)])
        else:
            seat = step % (len(returns) + 1) - 1
            total = add_rest(
                total, seat, state, other, third, actions, count, returns, features, rng,
            )  # fmt: skip
            total = add_number(total, rollout_policy(state, actions, rng))
            action = sample_action(state, actions, rng)
        apply(state, action)
        step += 1


@kernel
def trace_all(
    identity: int,
    start: StateArray,
    states: Matrix,
    others: Matrix,
    actions: Matrix,
    weights: Matrix,
    returns: Matrix,
    rngs: Matrix,
    sums: Matrix,
    thirds: Matrix,
    features: Matrix,
) -> None:
    """Trace a match in each row, with all kernels; on a GPU, each thread one."""
    first, end = share(len(states))
    for match in range(first, end):
        copy_state(start, states[match])
        trace_everything(
            identity, states[match], others[match], actions[match], weights[match],
            returns[match], rngs[match], sums[match], thirds[match], features[match],
        )  # fmt: skip


# ---- for one game -----------------------------------------------------------------------------


class Buffers(NamedTuple):
    """What a trace works in, after the state; ``trace_match`` takes all but the last two."""

    other: StateArray
    actions: ActionArray
    weights: FloatArray
    returns: FloatArray
    rng: RandomArray
    sums: Sums
    third: StateArray
    features: FeatureArray

    @classmethod
    def of(cls, game: Game, steps: int = 0) -> Buffers:
        """The buffers of a game; ``sums`` has room for so many steps."""
        start, sizes = game.start_array(), game.sizes
        return cls(
            np.zeros_like(start), np.zeros(sizes.actions, np.int32), np.zeros(sizes.actions),
            np.zeros(game.seats), np.zeros(1, np.uint64), np.zeros(steps + 1, np.int64),
            np.zeros_like(start), np.zeros(game.features.spec.size, np.float32),
        )  # fmt: skip


def bind_trace(game: Game, generic: Kernel[Any, Any]) -> Kernel[Any, Any]:
    """A kernel of this module with a game's kernels in its slots."""
    own = {"observe": game.features.observe, "encode": game.features.encode}
    found = {"rebuild_cache": no_cache} | complete_kernels(game) | game.evaluation.by_name | own
    # The name, because tests have several games of one package.
    return specialize(
        generic, f"{game.package}.{game.name}.traced", found | without_inlining(game, found)
    )


def seed_of(game: Game, seed: object, match: int) -> RandomArray:
    """The generator of a match."""
    return seeded(str(game.describe()), seed, match)


def trace(game: Game, rng: RandomArray, *, everything: bool, steps: int = 0) -> list[int]:
    """The checksums of the first steps of a match by native code, and that of the whole match."""
    buffers = Buffers.of(game, steps)
    buffers.rng[:] = rng
    run = bind_trace(game, trace_everything if everything else trace_match)
    used = buffers if everything else buffers[:-2]
    total = int(run(game.sizes.identity, game.start_array(), *used))
    return [*buffers.sums[1 : 1 + min(steps, int(buffers.sums[0]))].tolist(), total]
