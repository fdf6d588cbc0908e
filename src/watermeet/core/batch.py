"""VectorGame: thousands of matches of one game, stepped together by compiled code.

Everything is in arrays that are allocated once and overwritten by every step; no Python runs per
match. Chance is sampled inside, and a match that ends starts again within the same step. Each match
has its own random numbers, so results depend on the seed and not on the number of threads.

For one state at a time, with checks and reasons, there is ``State``; both run the same kernels.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.binding import complete_kernels, without_inlining
from watermeet.core.checks import quote, require_integer, require_type
from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    conceal,
    legal,
    sample_action,
    score,
    to_move,
)
from watermeet.core.errors import IllegalMove, InvalidArgument
from watermeet.core.features import FeatureArray, observe
from watermeet.core.game import Game
from watermeet.core.kernel import Kernel, kernel
from watermeet.core.linking import specialize
from watermeet.core.playout import copy_state, sample_chance
from watermeet.core.rng import seeded_many
from watermeet.core.state import State

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

MaskArray = npt.NDArray[np.int8]  # [actions]: 1 for each legal one
Matrix = npt.NDArray[Any]  # [matches, ...]

MIN_MATCHES_PER_THREAD = 64
"""With fewer matches each, threads cost more than they save."""


# ---- kernels, by match ------------------------------------------------------------------------


@kernel
def play_chance(
    state: StateArray, actions: ActionArray, weights: FloatArray, rng: RandomArray
) -> int:
    """Sample chance until a seat is to move or the match is over; return the seat, or OVER.

    ``actions`` and ``weights`` are buffers.
    """
    mover = to_move(state)
    while mover == CHANCE:
        apply(state, sample_chance(state, actions, weights, rng))
        mover = to_move(state)
    return int(mover)


@kernel
def write_mask(state: StateArray, actions: ActionArray, mask: MaskArray) -> None:
    """Write 1 for each legal action and 0 for the others; ``actions`` is a buffer."""
    for action in range(len(mask)):
        mask[action] = 0
    for index in range(legal(state, actions)):
        mask[int(actions[index])] = 1


@kernel
def observe_as(state: StateArray, seat: int, known: StateArray, out: FeatureArray) -> None:
    """Write the features of a full state as a seat sees it; ``known`` is a buffer."""
    conceal(state, seat, known)
    observe(known, seat, out)


# ---- kernels, by batch ------------------------------------------------------------------------


@kernel
def observe_batch(
    first: int,
    end: int,
    states: Matrix,
    movers: ActionArray,
    masks: Matrix,
    features: Matrix,
    actions: ActionArray,
    known: StateArray,
) -> None:
    """Write masks and features of some matches, as their movers see them."""
    for match in range(first, end):
        state = states[match]
        write_mask(state, actions, masks[match])
        observe_as(state, int(movers[match]), known, features[match])


@kernel
def reset_batch(
    first: int,
    end: int,
    start: StateArray,
    states: Matrix,
    movers: ActionArray,
    rngs: Matrix,
    actions: ActionArray,
    weights: FloatArray,
) -> None:
    """Start some matches."""
    for match in range(first, end):
        copy_state(start, states[match])
        movers[match] = play_chance(states[match], actions, weights, rngs[match])


@kernel
def step_batch(
    first: int,
    end: int,
    start: StateArray,
    chosen: ActionArray,
    states: Matrix,
    movers: ActionArray,
    returns: Matrix,
    terminated: MaskArray,
    rngs: Matrix,
    actions: ActionArray,
    weights: FloatArray,
) -> None:
    """Play the chosen action in each of some matches, and restart those that are over."""
    for match in range(first, end):
        state = states[match]
        apply(state, int(chosen[match]))
        mover = play_chance(state, actions, weights, rngs[match])
        terminated[match] = 0
        if mover == OVER:
            terminated[match] = 1
            score(state, returns[match])
            copy_state(start, state)
            mover = play_chance(state, actions, weights, rngs[match])
        movers[match] = mover


@kernel
def sample_batch(
    first: int, end: int, states: Matrix, rngs: Matrix, actions: ActionArray, out: ActionArray
) -> None:
    """Sample a legal action in each of some matches, all equally likely."""
    for match in range(first, end):
        out[match] = sample_action(states[match], actions, rngs[match])


@kernel
def first_illegal(chosen: ActionArray, masks: Matrix) -> int:
    """The first match whose action is not legal, or -1."""
    for match in range(len(chosen)):
        action = int(chosen[match])
        if action < 0 or action >= masks.shape[1] or masks[match, action] == 0:
            return match
    return -1


def bind_features(game: Game, generic: Kernel[Any, Any]) -> Kernel[Any, Any]:
    """A kernel of this module with a game's rules and features in its slots."""
    kernels = complete_kernels(game) | {"observe": game.features.observe}
    return specialize(generic, f"{game.package}.batched", without_inlining(game, kernels))


class _Buffers(NamedTuple):
    """The working memory of one thread."""

    actions: ActionArray
    weights: FloatArray
    known: StateArray


class VectorGame:
    """Many matches of one game, stepped together, with the mask and features of each mover.

    The arrays are public, and every ``step`` overwrites them: copy what you want to keep. Don't
    write to them: compiled code trusts them and checks nothing.
    """

    def __init__(self, game: Game, count: int, *, seed: object = 0, threads: int = 1) -> None:
        require_type(game, Game, "a game")
        count = require_integer(count, "a number of matches", low=1)
        threads = require_integer(threads, "a number of threads", low=1)
        self.game, self.count = game, count
        self.start = game.start_array()
        self.states: StateArray = np.zeros((count, game.sizes.state), dtype=game.dtype)
        """[count, state size]: the full states, hidden information included."""
        self.to_move: ActionArray = np.zeros(count, dtype=np.int32)
        """[count]: the seat that moves next; never CHANCE or OVER."""
        self.masks: MaskArray = np.zeros((count, game.sizes.actions), dtype=np.int8)
        """[count, actions]: 1 for each legal action."""
        self.features: FeatureArray = np.zeros((count, game.features.spec.size), dtype=np.float32)
        """[count, features]: what the seat to move sees."""
        self.terminated: MaskArray = np.zeros(count, dtype=np.int8)
        """[count]: 1 if the last step ended a match; the next one has started already."""
        self.returns: FloatArray = np.zeros((count, game.seats), dtype=np.float64)
        """[count, seats]: each seat's return where ``terminated`` is 1; undefined elsewhere."""
        self._sampled: ActionArray = np.zeros(count, dtype=np.int32)
        self._rngs = np.zeros((count, 1), dtype=np.uint64)
        self._slices = self._split(threads)
        self._buffers = [self._new_buffers() for _ in self._slices]
        self._pool = _thread_pool(len(self._slices) - 1)
        self._step, self._reset, self._observe, self._sample = (
            bind_features(game, each)
            for each in (step_batch, reset_batch, observe_batch, sample_batch)
        )
        self.reset(seed)

    def _split(self, threads: int) -> list[tuple[int, int]]:
        """The first match of each thread, and the end of its matches."""
        parts = max(1, min(threads, self.count // MIN_MATCHES_PER_THREAD))
        ends = [self.count * part // parts for part in range(parts + 1)]
        return list(itertools.pairwise(ends))

    def _new_buffers(self) -> _Buffers:
        sizes = self.game.sizes
        return _Buffers(
            np.zeros(sizes.actions, dtype=np.int32),
            np.zeros(sizes.actions, dtype=np.float64),
            np.zeros(sizes.state, dtype=self.game.dtype),
        )

    def reset(self, seed: object = 0) -> None:
        """Restart all matches; the seed alone decides what chance brings."""
        self._rngs[:] = seeded_many(self.count, seed)
        self.terminated[:] = 0
        self._run(self._reset_slice)

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action in each match and overwrite all arrays; raises IllegalMove."""
        self._chosen = self._checked(actions)
        self._run(self._step_slice)

    def _checked(self, actions: npt.ArrayLike) -> ActionArray:
        try:
            given = np.asarray(actions)
        except ValueError:  # A ragged list.
            given = np.empty(0)
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise InvalidArgument(
                f"{quote(actions)} aren't actions for {self.count} matches",
                "pass an array of integers, one per match",
            )
        if given.dtype != np.int32:  # A number that doesn't fit into 32 bits is as illegal as -1.
            in_range = (given >= 0) & (given < self.game.sizes.actions)
            given = np.where(in_range, given, -1)
        chosen = np.ascontiguousarray(given, dtype=np.int32)
        wrong = int(first_illegal(chosen, self.masks))
        if wrong >= 0:
            reason = self.state(wrong).explain(int(chosen[wrong]))
            raise IllegalMove(
                f"{self.game.name}: action {chosen[wrong]} is illegal in match {wrong}, "
                f"{self.state(wrong).text!r}",
                reason.sentence,
                reason,
            )
        return chosen

    def sample_actions(self) -> ActionArray:
        """A random legal action for each match; the next call overwrites the array."""
        self._run(self._sample_slice)
        return self._sampled

    def state(self, match: int) -> State:
        """The state of one match, as a value."""
        index = require_integer(match, "the number of a match", low=0, high=self.count - 1)
        return State(self.game, self.states[index].copy())

    def close(self) -> None:
        """Stop the threads; nothing can be played afterwards."""
        if self._pool is not None:
            self._pool.shutdown()

    # ---- slices, one per thread ----

    def _run(self, work: Callable[[int], None]) -> None:
        """Do the work for every slice; the first runs in this thread, which would only wait."""
        others = range(1, len(self._slices))
        futures = [self._pool.submit(work, index) for index in others] if self._pool else []
        work(0)
        for future in futures:
            future.result()

    def _reset_slice(self, index: int) -> None:
        actions, weights, _ = self._buffers[index]
        self._reset(
            *self._slices[index],
            self.start,
            self.states,
            self.to_move,
            self._rngs,
            actions,
            weights,
        )
        self._observe_slice(index)

    def _step_slice(self, index: int) -> None:
        actions, weights, _ = self._buffers[index]
        self._step(
            *self._slices[index], self.start, self._chosen, self.states, self.to_move,
            self.returns, self.terminated, self._rngs, actions, weights,
        )  # fmt: skip
        self._observe_slice(index)

    def _observe_slice(self, index: int) -> None:
        actions, _, known = self._buffers[index]
        self._observe(
            *self._slices[index],
            self.states,
            self.to_move,
            self.masks,
            self.features,
            actions,
            known,
        )

    def _sample_slice(self, index: int) -> None:
        actions = self._buffers[index].actions
        self._sample(*self._slices[index], self.states, self._rngs, actions, self._sampled)


def _thread_pool(count: int) -> ThreadPoolExecutor | None:
    from concurrent.futures import ThreadPoolExecutor  # Rarely needed, and slow to import.

    return ThreadPoolExecutor(count) if count else None
