"""VectorGame: thousands of matches of one game, stepped together by compiled code.

All is in arrays that are made once and written again at every step; there is no Python for each
match. Chance is drawn inside, and a match that is over begins anew at once. Each match has random
numbers of its own, so what happens depends on the seed and not on the number of threads.

For one state at a time, with checks and reasons, there is ``State``; both run the same kernels.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from watermeet.core.binding import complete_kernels, without_inlining
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
from watermeet.core.errors import IllegalMove, InvalidOptions
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
Table = npt.NDArray[Any]  # Of two dimensions, the first by match.

WORTH_A_THREAD = 64
"""With fewer matches each, threads cost more than they save."""


# ---- kernels, by match ------------------------------------------------------------------------


@kernel
def advance(state: StateArray, room: ActionArray, weights: FloatArray, rng: RandomArray) -> int:
    """Draws chance until a seat is to move or all is over; returns the seat, or OVER."""
    mover = to_move(state)
    while mover == CHANCE:
        apply(state, sample_chance(state, room, weights, rng))
        mover = to_move(state)
    return int(mover)


@kernel
def mark_legal(state: StateArray, room: ActionArray, mask: MaskArray) -> None:
    """Writes 1 for each legal action, and 0 for the rest."""
    for action in range(len(mask)):
        mask[action] = 0
    for place in range(legal(state, room)):
        mask[int(room[place])] = 1


@kernel
def look(state: StateArray, seat: int, known: StateArray, out: FeatureArray) -> None:
    """Writes the features of a full state as a seat sees them; ``known`` is room."""
    conceal(state, seat, known)
    observe(known, seat, out)


# ---- kernels, by batch ------------------------------------------------------------------------


@kernel
def show_batch(
    first: int,
    end: int,
    states: Table,
    movers: ActionArray,
    masks: Table,
    features: Table,
    room: ActionArray,
    known: StateArray,
) -> None:
    """Writes masks and features of some matches, as their movers see them."""
    for match in range(first, end):
        state = states[match]
        mark_legal(state, room, masks[match])
        look(state, int(movers[match]), known, features[match])


@kernel
def begin_batch(
    first: int,
    end: int,
    start: StateArray,
    states: Table,
    movers: ActionArray,
    rngs: Table,
    room: ActionArray,
    weights: FloatArray,
) -> None:
    """Begins some matches anew."""
    for match in range(first, end):
        copy_state(start, states[match])
        movers[match] = advance(states[match], room, weights, rngs[match])


@kernel
def step_batch(
    first: int,
    end: int,
    start: StateArray,
    actions: ActionArray,
    states: Table,
    movers: ActionArray,
    returns: Table,
    over: MaskArray,
    rngs: Table,
    room: ActionArray,
    weights: FloatArray,
) -> None:
    """Plays an action in each of some matches; those that are over begin anew."""
    for match in range(first, end):
        state = states[match]
        apply(state, int(actions[match]))
        mover = advance(state, room, weights, rngs[match])
        over[match] = 0
        if mover == OVER:
            over[match] = 1
            score(state, returns[match])
            copy_state(start, state)
            mover = advance(state, room, weights, rngs[match])
        movers[match] = mover


@kernel
def sample_batch(
    first: int, end: int, states: Table, rngs: Table, room: ActionArray, out: ActionArray
) -> None:
    """Draws a legal action in each of some matches, each as likely as any other."""
    for match in range(first, end):
        out[match] = sample_action(states[match], room, rngs[match])


@kernel
def first_illegal(actions: ActionArray, masks: Table) -> int:
    """The first match whose action is not legal, or -1."""
    for match in range(len(actions)):
        action = int(actions[match])
        if action < 0 or action >= masks.shape[1] or masks[match, action] == 0:
            return match
    return -1


def bind_features(game: Game, generic: Kernel[Any, Any]) -> Kernel[Any, Any]:
    """A kernel of this module with a game's rules and features in it."""
    own = complete_kernels(game) | {"observe": game.features.observe}
    return specialize(generic, f"{game.package}.batched", without_inlining(game, own))


def _threads(count: int) -> ThreadPoolExecutor | None:
    from concurrent.futures import ThreadPoolExecutor  # Few need it, and all import this module.

    return ThreadPoolExecutor(count) if count else None


class VectorGame:
    """Many matches of one game, each with its mover's mask and features, stepped together.

    The arrays are public, and written anew by each ``step``: copy what is to be kept. They are for
    reading: what is written into them is believed, and compiled code checks nothing.
    """

    def __init__(self, game: Game, count: int, *, seed: object = 0, threads: int = 1) -> None:
        if count < 1 or threads < 1:
            raise InvalidOptions(
                f"{count} matches on {threads} threads cannot be played", "take 1 or more of each"
            )
        self.game, self.count = game, count
        self.start = game.start().array.copy()
        self.states: StateArray = np.zeros((count, game.sizes.state), dtype=game.dtype)
        """[count, state size]: the full states, for whoever may know all."""
        self.to_move: ActionArray = np.zeros(count, dtype=np.int32)
        """[count]: the seat that moves next; never CHANCE or OVER."""
        self.masks: MaskArray = np.zeros((count, game.sizes.actions), dtype=np.int8)
        """[count, actions]: 1 for each action that is legal now."""
        self.features: FeatureArray = np.zeros((count, game.features.layout.size), dtype=np.float32)
        """[count, features]: what the seat to move knows."""
        self.over: MaskArray = np.zeros(count, dtype=np.int8)
        """[count]: 1 if the last step ended a match; then the next one has begun."""
        self.returns: FloatArray = np.zeros((count, game.seats), dtype=np.float64)
        """[count, seats]: what each seat got, where ``over`` is 1; elsewhere anything."""
        self._drawn: ActionArray = np.zeros(count, dtype=np.int32)
        self._rngs = np.zeros((count, 1), dtype=np.uint64)
        self._slices = self._cut(threads)
        self._rooms = [self._room() for _ in self._slices]
        self._pool = _threads(len(self._slices) - 1)
        self._step, self._begin, self._show, self._sample = (
            bind_features(game, each)
            for each in (step_batch, begin_batch, show_batch, sample_batch)
        )
        self.reset(seed)

    def _cut(self, threads: int) -> list[tuple[int, int]]:
        """The matches of each thread."""
        parts = max(1, min(threads, self.count // WORTH_A_THREAD))
        ends = [self.count * part // parts for part in range(parts + 1)]
        return list(itertools.pairwise(ends))

    def _room(self) -> tuple[ActionArray, FloatArray, StateArray]:
        """Room for the work of one thread."""
        actions = self.game.sizes.actions
        return (
            np.zeros(actions, dtype=np.int32),
            np.zeros(actions, dtype=np.float64),
            np.zeros(self.game.sizes.state, dtype=self.game.dtype),
        )

    def reset(self, seed: object = 0) -> None:
        """Begins all matches anew; what chance brings depends on the seed alone."""
        self._rngs[:] = seeded_many(self.count, seed)
        self.over[:] = 0
        self._each(self._begin_part)

    def step(self, actions: npt.ArrayLike) -> None:
        """Plays an action in each match and writes all arrays anew; raises IllegalMove."""
        given = np.asarray(actions)
        chosen = np.ascontiguousarray(given, dtype=np.int32)
        if chosen.shape != (self.count,):
            raise IllegalMove(
                f"{self.game.name}: actions of shape {chosen.shape} for {self.count} matches",
                "give one action to each",
            )
        if given.dtype != np.int32 and not np.array_equal(given, chosen):
            raise IllegalMove(
                f"{self.game.name}: actions of the type {given.dtype} are no whole numbers, or too "
                "large",
                "give whole numbers",
            )
        wrong = int(first_illegal(chosen, self.masks))
        if wrong >= 0:
            reason = self.state(wrong).explain(int(chosen[wrong]))
            raise IllegalMove(
                f"{self.game.name}: action {chosen[wrong]} cannot be played in match {wrong}, "
                f"{self.state(wrong).text!r}",
                reason.sentence,
                reason,
            )
        self._chosen = chosen
        self._each(self._step_part)

    def sample_actions(self) -> ActionArray:
        """A legal action for each match, each as likely as any other; written anew each time."""
        self._each(self._sample_part)
        return self._drawn

    def state(self, match: int) -> State:
        """One of the states, as a value of its own."""
        return State(self.game, self.states[match].copy())

    def close(self) -> None:
        """Ends the threads; nothing can be played any more."""
        if self._pool is not None:
            self._pool.shutdown()

    # ---- parts, one to a thread ----

    def _each(self, work: Callable[[int], None]) -> None:
        """The caller's thread takes the first part itself: it would only wait."""
        others = range(1, len(self._slices))
        waited = [self._pool.submit(work, part) for part in others] if self._pool else []
        work(0)
        for each in waited:
            each.result()

    def _begin_part(self, part: int) -> None:
        room, weights, _ = self._rooms[part]
        self._begin(
            *self._slices[part], self.start, self.states, self.to_move, self._rngs, room, weights
        )
        self._show_part(part)

    def _step_part(self, part: int) -> None:
        room, weights, _ = self._rooms[part]
        self._step(
            *self._slices[part], self.start, self._chosen, self.states, self.to_move,
            self.returns, self.over, self._rngs, room, weights,
        )  # fmt: skip
        self._show_part(part)

    def _show_part(self, part: int) -> None:
        room, _, known = self._rooms[part]
        self._show(
            *self._slices[part], self.states, self.to_move, self.masks, self.features, room, known
        )

    def _sample_part(self, part: int) -> None:
        room, _, _ = self._rooms[part]
        self._sample(*self._slices[part], self.states, self._rngs, room, self._drawn)
