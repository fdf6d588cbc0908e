"""A game's kernels for many states at once, for whoever writes a loop of their own.

    rules = BatchFunctions(game, 4096, device="cuda")
    states = rules.start()
    rules.legal(states)  # rules.actions[match, : rules.counts[match]]
    rules.apply(states, chosen)

Nothing is checked, and nothing waits for the GPU. Arrays are allocated once, and overwritten by the
next call. ``VectorGame`` does more, and is what most programs want.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from watermeet.core.batch_kernels import (
    Matrix,
    bind_features,
    clear,
    observe_as,
    play_chance,
    share,
)
from watermeet.core.checks import require_integer, require_type
from watermeet.core.contract import (
    OVER,
    ActionArray,
    StateArray,
    apply,
    legal,
    score,
    to_move,
)
from watermeet.core.device import find_device
from watermeet.core.evaluation import evaluate
from watermeet.core.game import Game
from watermeet.core.kernel import Kernel, kernel
from watermeet.core.playout import copy_state, playouts, playouts_with_chance
from watermeet.core.rng import seeded_many

# ---- kernels ----------------------------------------------------------------------------------


@kernel
def start_all(start: StateArray, states: Matrix) -> None:
    """Write the position before the first action into every row."""
    first, end = share(len(states))
    for match in range(first, end):
        copy_state(start, states[match])


@kernel
def to_move_all(states: Matrix, movers: ActionArray) -> None:
    """Write who is to move."""
    first, end = share(len(states))
    for match in range(first, end):
        movers[match] = to_move(states[match])


@kernel
def legal_all(states: Matrix, actions: Matrix, counts: ActionArray) -> None:
    """List the legal actions."""
    first, end = share(len(states))
    for match in range(first, end):
        counts[match] = legal(states[match], actions[match])


@kernel
def apply_all(states: Matrix, chosen: ActionArray) -> None:
    """Play an action in every state that isn't over."""
    first, end = share(len(states))
    for match in range(first, end):
        if to_move(states[match]) != OVER:
            apply(states[match], int(chosen[match]))


@kernel
def play_chance_all(states: Matrix, actions: Matrix, weights: Matrix, rngs: Matrix) -> None:
    """Sample chance until a seat is to move."""
    first, end = share(len(states))
    for match in range(first, end):
        play_chance(states[match], actions[match], weights[match], rngs[match])


@kernel
def score_all(states: Matrix, returns: Matrix) -> None:
    """Write the returns of matches that are over, and zeros for the others."""
    first, end = share(len(states))
    for match in range(first, end):
        clear(returns[match])
        if to_move(states[match]) == OVER:
            score(states[match], returns[match])


@kernel
def evaluate_all(states: Matrix, values: Matrix) -> None:
    """Write the returns that the seats can expect."""
    first, end = share(len(states))
    for match in range(first, end):
        clear(values[match])
        if to_move(states[match]) == OVER:
            score(states[match], values[match])
        else:
            evaluate(states[match], values[match])


@kernel
def observe_all(
    states: Matrix, seats: ActionArray, is_hidden: bool, known: Matrix, features: Matrix
) -> None:
    """Write what one seat sees of each state."""
    first, end = share(len(states))
    for match in range(first, end):
        clear(features[match])
        observe_as(states[match], int(seats[match]), is_hidden, known[match], features[match])


@kernel
def playouts_all(
    start: StateArray, states: Matrix, actions: Matrix, rngs: Matrix, rounds: int, played: Matrix
) -> None:
    """Play random matches, some in each row, and count the actions."""
    first, end = share(len(states))
    for match in range(first, end):
        played[match, 0] += playouts(start, states[match], actions[match], rngs[match], rounds)


@kernel
def playouts_with_chance_all(
    start: StateArray,
    states: Matrix,
    actions: Matrix,
    weights: Matrix,
    rngs: Matrix,
    rounds: int,
    played: Matrix,
) -> None:
    """As ``playouts_all``, for games with chance."""
    first, end = share(len(states))
    for match in range(first, end):
        played[match, 0] += playouts_with_chance(
            start, states[match], actions[match], weights[match], rngs[match], rounds
        )


# ---- functions --------------------------------------------------------------------------------


class BatchFunctions:
    """The kernels of one game for ``count`` states at once, on the CPU or a GPU."""

    def __init__(self, game: Game, count: int, *, seed: object = 0, device: str = "cpu") -> None:
        require_type(game, Game, "a game")
        self.game, self.count = game, require_integer(count, "a number of states", low=1)
        self._device = find_device(device)
        sizes, spec = game.sizes, game.features.spec
        self.movers = self._zeros(np.int32)
        """[count]: the seat to move, CHANCE or OVER, after ``to_move``."""
        self.actions = self._zeros(np.int32, sizes.actions)
        """[count, actions]: the legal actions, after ``legal``; not their codes."""
        self.counts = self._zeros(np.int32)
        """[count]: how many there are."""
        self.returns = self._zeros(np.float64, game.seats)
        """[count, seats]: the returns, after ``score``."""
        self.values = self._zeros(np.float64, game.seats)
        """[count, seats]: the returns that the seats can expect, after ``evaluate``."""
        self.features = self._zeros(np.float32, spec.size)
        """[count, features]: what one seat sees, after ``observe``."""
        self._weights = self._zeros(np.float64, sizes.actions if game.chance else 1)
        self._known = self._zeros(game.dtype, sizes.identity if game.hidden else 1)
        self._played = self._zeros(np.int64, 1)
        self._rngs = self._device.upload(seeded_many(count, seed), self._zeros(np.uint64, 1))
        self._start = self._device.upload(game.start_array())
        self._states: Any = None

    def _zeros(self, dtype: Any, width: int | None = None) -> Any:
        shape = (self.count,) if width is None else (self.count, width)
        return self._device.zeros(shape, dtype, by_row=True)

    def _run(self, generic: Kernel[Any, Any], *arguments: Any) -> None:
        self._device.prepare(bind_features(self.game, generic), self.count, *arguments)()

    def start(self) -> Any:
        """[count, state size]: new states, before the first action."""
        states = self._zeros(self.game.dtype, self.game.sizes.state)
        self._run(start_all, self._start, states)
        return states

    def to_move(self, states: Any) -> Any:
        """Write ``movers``, and return it."""
        self._run(to_move_all, states, self.movers)
        return self.movers

    def legal(self, states: Any) -> Any:
        """Write ``actions`` and ``counts``, and return the first."""
        self._run(legal_all, states, self.actions, self.counts)
        return self.actions

    def apply(self, states: Any, actions: Any) -> None:
        """Play an action in every state, in place; nothing in those that are over."""
        self._run(apply_all, states, self._device.wrap(actions))

    def play_chance(self, states: Any) -> None:
        """Sample chance in every state until a seat is to move, in place."""
        self._run(play_chance_all, states, self.actions, self._weights, self._rngs)

    def score(self, states: Any) -> Any:
        """Write ``returns``, zeros where the match isn't over, and return it."""
        self._run(score_all, states, self.returns)
        return self.returns

    def evaluate(self, states: Any) -> Any:
        """Write ``values`` by the game's evaluation, and return it."""
        self._run(evaluate_all, states, self.values)
        return self.values

    def observe(self, states: Any, seats: Any) -> Any:
        """Write ``features``, each as one seat sees it, and return it."""
        self._run(
            observe_all, states, self._device.wrap(seats), self.game.hidden, self._known,
            self.features,
        )  # fmt: skip
        return self.features

    def playouts(self, rounds: int = 1) -> Any:
        """Play random matches from the start, ``rounds`` in each row.

        Return [count, 1]: the actions played by all calls so far.
        """
        if self._states is None:
            self._states = self.start()
        buffers = (self._states, self.actions, *((self._weights,) if self.game.chance else ()))
        program = playouts_with_chance_all if self.game.chance else playouts_all
        self._run(program, self._start, *buffers, self._rngs, rounds, self._played)
        return self._played

    def synchronize(self) -> None:
        """Wait for the GPU."""
        self._device.synchronize()
