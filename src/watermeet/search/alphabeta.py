"""Alpha-beta search with iterative deepening, for two seats and perfect information.

Values are those of seat 0, which maximizes; seat 1 minimizes. A seat may move several times in
succession, so nothing assumes that the seats alternate. The search keeps an explicit stack instead
of recursing, so that it can pause after any node and continue later.
"""

from __future__ import annotations

import time
from dataclasses import replace
from math import isnan
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import OVER, FloatArray, apply, legal, score, to_move
from watermeet.core.errors import InvalidGame
from watermeet.core.evaluation import evaluate, priors, proven_returns
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.state import State
from watermeet.search.binding import bind
from watermeet.search.limits import Limits, require_search, run_in_chunks
from watermeet.search.result import Candidate, SearchResult
from watermeet.search.steps import sort_by_weight
from watermeet.search.transpositions import hash_state
from watermeet.search.tree import Ints

TABLE_SLOTS = 1 << 20
MAX_DEPTH = 64
EXACT, LOWER_BOUND, UPPER_BOUND = 1, 2, 3
INFINITY = 1e9
PROVEN = 0.999
"""A value beyond this fraction of the best return is exact: ``evaluate`` stays below it."""
WIN_WINDOW = (0.992, 0.998)
"""The window, as fractions of the best return, that tells proven wins from everything else."""
PLY, NODES = range(2)


class Stack(NamedTuple):
    """The path from the root to the current node, one row per ply."""

    states: npt.NDArray[np.int64]  # [plies, state size] of the game's integer type
    keys: npt.NDArray[np.uint64]  # [plies]: the states' hashes
    actions: Ints  # [plies, actions]: the legal actions, most promising first
    action_count: Ints  # [plies]: how many there are
    next_action: Ints  # [plies]: the index of the one to search next
    mover: Ints  # [plies]
    depth: Ints  # [plies]: the depth left to search
    best: Ints  # [plies]: the best action so far
    value: FloatArray  # [plies]: its value
    alpha: FloatArray  # [plies]: what seat 0 is sure of
    beta: FloatArray  # [plies]: what seat 1 is sure of
    cursor: npt.NDArray[np.int64]  # [2]: the current PLY, and the number of NODES searched


class Table(NamedTuple):
    """The transposition table, one row per slot."""

    keys: npt.NDArray[np.uint64]
    depth: Ints
    bound: Ints  # EXACT, LOWER_BOUND or UPPER_BOUND; 0 in an empty slot
    action: Ints
    value: FloatArray


class Scratch(NamedTuple):
    """Working arrays."""

    history: FloatArray  # [actions]: the history heuristic, how often an action cut off
    weights: FloatArray  # [actions]
    returns: FloatArray  # [2]
    root_values: FloatArray  # [actions]: the value of each action in the root's list


@kernel
def search_nodes(
    stack: Stack, table: Table, scratch: Scratch, identity: int, margin: float, max_nodes: int
) -> bool:
    """Search up to ``max_nodes`` more nodes; return whether the iteration is finished.

    An iteration starts with ``next_action[0]`` at -1. Values of root actions within ``margin`` of
    the best are exact too.
    """
    if stack.next_action[0] < 0:
        stack.keys[0] = hash_state(stack.states[0], identity)
        _open(stack, table, scratch, 0)
    left = max_nodes
    while True:
        ply = int(stack.cursor[PLY])
        if stack.next_action[ply] >= stack.action_count[ply]:
            _store(stack, table, ply)
            if ply == 0:
                return True
            stack.cursor[PLY] = ply - 1
            _update(stack, scratch, margin, ply - 1, stack.value[ply])
            continue
        if left == 0:
            return False
        left -= 1
        stack.cursor[NODES] += 1
        child = ply + 1
        copy_state(stack.states[ply], stack.states[child])
        apply(stack.states[child], int(stack.actions[ply, stack.next_action[ply]]))
        stack.next_action[ply] += 1
        stack.depth[child] = stack.depth[ply] - 1
        stack.alpha[child] = stack.alpha[ply]
        stack.beta[child] = stack.beta[ply]
        if _is_leaf(stack, scratch, child) or _probe(stack, table, identity, child):
            _update(stack, scratch, margin, ply, stack.value[child])
        else:
            stack.cursor[PLY] = child
            _open(stack, table, scratch, child)


@kernel
def _is_leaf(stack: Stack, scratch: Scratch, ply: int) -> bool:
    """Whether a node is over, proven or at the horizon; if so, write its value."""
    state = stack.states[ply]
    if to_move(state) == OVER:
        score(state, scratch.returns)
    elif proven_returns(state, scratch.returns) != 1:
        if stack.depth[ply] > 0 and ply < len(stack.depth) - 1:
            return False
        evaluate(state, scratch.returns)
    stack.value[ply] = scratch.returns[0]
    return True


@kernel
def _slot(table: Table, key: np.uint64) -> int:
    return int(np.int64(key % np.uint64(len(table.keys))))


@kernel
def _probe(stack: Stack, table: Table, identity: int, ply: int) -> bool:
    """Whether the table has a value that decides a node; if so, write it."""
    key = hash_state(stack.states[ply], identity)
    stack.keys[ply] = key
    slot = _slot(table, key)
    if table.keys[slot] != key or table.depth[slot] < stack.depth[ply]:
        return False
    bound, value = int(table.bound[slot]), table.value[slot]
    stack.value[ply] = value
    if bound == LOWER_BOUND:
        return bool(value >= stack.beta[ply])
    if bound == UPPER_BOUND:
        return bool(value <= stack.alpha[ply])
    return bound == EXACT


@kernel
def _open(stack: Stack, table: Table, scratch: Scratch, ply: int) -> None:
    """List a node's actions: the table's first, then by priors and the history heuristic."""
    state, actions, weights = stack.states[ply], stack.actions[ply], scratch.weights
    count, mover = legal(state, actions), to_move(state)
    stack.action_count[ply] = count
    stack.next_action[ply] = 0
    stack.mover[ply] = mover
    stack.best[ply] = actions[0]
    stack.value[ply] = -INFINITY if mover == 0 else INFINITY
    priors(state, actions, count, weights)
    slot = _slot(table, stack.keys[ply])
    table_action = int(table.action[slot]) if table.keys[slot] == stack.keys[ply] else -1
    largest = 0.0
    for index in range(count):
        largest = max(largest, weights[index])
    for index in range(count):
        action = int(actions[index])
        weights[index] = weights[index] / largest + scratch.history[action]
        if action == table_action:
            weights[index] = INFINITY
    sort_by_weight(actions, weights, count)


@kernel
def _update(stack: Stack, scratch: Scratch, margin: float, ply: int, value: float) -> None:
    """Give a node the value of its last action, and close it if that is a cutoff."""
    index = int(stack.next_action[ply]) - 1
    action = int(stack.actions[ply, index])
    is_maximizing = stack.mover[ply] == 0
    slack = 0.0
    if ply == 0:
        scratch.root_values[index] = value
        slack = margin
    if (value > stack.value[ply]) if is_maximizing else (value < stack.value[ply]):
        stack.value[ply] = value
        stack.best[ply] = action
    if is_maximizing:
        stack.alpha[ply] = max(stack.alpha[ply], value - slack)
    else:
        stack.beta[ply] = min(stack.beta[ply], value + slack)
    if stack.alpha[ply] >= stack.beta[ply]:
        stack.next_action[ply] = stack.action_count[ply]
        depth = float(stack.depth[ply])
        scratch.history[action] += depth * depth * 0.0001 * (1.0 - scratch.history[action])


@kernel
def _store(stack: Stack, table: Table, ply: int) -> None:
    """Write a finished node to the table, unless the table has searched the state deeper."""
    key, depth, value = stack.keys[ply], int(stack.depth[ply]), stack.value[ply]
    slot = _slot(table, key)
    if table.keys[slot] == key and table.depth[slot] > depth:
        return
    bound = EXACT
    if ply > 0 and value <= stack.alpha[ply - 1]:  # The parent's window is as it was.
        bound = UPPER_BOUND
    elif ply > 0 and value >= stack.beta[ply - 1]:
        bound = LOWER_BOUND
    table.keys[slot] = key
    table.depth[slot] = depth
    table.bound[slot] = bound
    table.action[slot] = stack.best[ply]
    table.value[slot] = value


class AlphaBeta:
    """A search for one game of two seats, without chance and hidden information."""

    def __init__(
        self,
        game: Game,
        *,
        margin: float = 0.0,
        max_depth: int = MAX_DEPTH,
        table_slots: int = TABLE_SLOTS,
        use_evaluation: bool = True,
    ) -> None:
        if game.seats != 2 or game.chance or game.hidden or game.returns_sum != 0.0:
            raise InvalidGame(
                f"alpha-beta can't search {game.describe()}",
                "it needs two seats, zero sum, no chance and no hidden information",
            )
        self.game, self.margin, self.max_depth = game, margin, max_depth
        plies, actions = max_depth + 2, game.sizes.actions
        self._stack = Stack._make(
            np.zeros(shape, dtype=dtype)
            for shape, dtype in (
                ((plies, game.sizes.state), game.dtype),
                (plies, np.uint64),
                ((plies, actions), np.int32),
                *[(plies, np.int32)] * 5,
                *[(plies, np.float64)] * 3,
                (2, np.int64),
            )
        )
        dtypes = (np.uint64, np.int32, np.int32, np.int32, np.float64)
        self._table = Table._make(np.zeros(table_slots, dtype=dtype) for dtype in dtypes)
        self._scratch = Scratch._make(np.zeros(size) for size in (actions, actions, 2, actions))
        self._search: Any = bind(game, search_nodes, use_evaluation=use_evaluation)

    def search(self, state: State, limits: Limits) -> SearchResult:
        """Search from a state in which a seat is to move, one ply deeper each time."""
        state = require_search(self.game, state, limits)
        self._stack.states[0] = state.array
        self._scratch.history[:] = 0.0
        self._load()
        started = time.perf_counter()
        self._table.depth[:] -= 1  # Entries of earlier searches are replaced first.
        unsearched = tuple(Candidate(action, 0.0, 1, 0.0) for action in state.legal_actions)
        result = SearchResult(unsearched, (unsearched[0].action,), 0, 0.0)
        for depth in range(1, self.max_depth + 1):
            nodes, is_finished = self._iterate(depth, limits, started, result.nodes)
            result = replace(
                self._result(state, depth, is_finished, result),
                nodes=nodes,
                seconds=time.perf_counter() - started,
            )
            if not is_finished or result.proven or len(result.candidates) == 1:
                break
        return result

    def winning_actions(self, state: State, plies: int, limits: Limits) -> tuple[int, ...] | None:
        """All actions that win by force within ``plies`` actions, or None if a limit was reached.

        Where the game's ``proven_returns`` sees a win at the last of them, that counts, too.
        """
        state = require_search(self.game, state, limits)
        self._stack.states[0] = state.array
        self._scratch.history[:] = 0.0
        for each in self._table:
            each[:] = 0  # Deeper results of other searches would count as wins.
        low, high = (fraction * self.game.returns_range[1] for fraction in WIN_WINDOW)
        window = (low, high) if state.to_move == 0 else (-high, -low)
        started, nodes, is_finished = time.perf_counter(), 0, True
        for depth in range(1, plies + 1):
            nodes, is_finished = self._iterate(depth, limits, started, nodes, window, INFINITY)
            if not is_finished:
                return None
        sign = 1 if state.to_move == 0 else -1
        searched = zip(self._stack.actions[0], self._scratch.root_values, strict=True)
        return tuple(sorted(int(each) for each, value in searched if sign * value >= high))

    def _load(self) -> None:
        """Compile or load the kernels, which must not count as the search's time."""
        self._stack.cursor[PLY], self._stack.next_action[0] = 0, -1
        self._search(self._stack, self._table, self._scratch, self.game.sizes.identity, 0.0, 0)

    def _iterate(
        self,
        depth: int,
        limits: Limits,
        started: float,
        nodes: int,
        window: tuple[float, float] = (-INFINITY, INFINITY),
        margin: float | None = None,
    ) -> tuple[int, bool]:
        """Search to a depth; return the number of nodes so far, and whether it was finished."""
        stack, table, scratch = self._stack, self._table, self._scratch
        stack.cursor[PLY], stack.next_action[0], stack.depth[0] = 0, -1, depth
        stack.alpha[0], stack.beta[0] = window
        scratch.root_values[:] = np.nan
        identity = self.game.sizes.identity
        margin = self.margin if margin is None else margin

        def work(count: int) -> tuple[int, bool]:
            before = int(stack.cursor[NODES])
            is_finished = bool(self._search(stack, table, scratch, identity, margin, count))
            return int(stack.cursor[NODES]) - before, is_finished

        return run_in_chunks(work, limits, started, nodes)

    def _result(
        self, state: State, depth: int, is_finished: bool, before: SearchResult
    ) -> SearchResult:
        """Candidates by value; those that an unfinished iteration didn't reach keep their order."""
        sign = 1 if state.to_move == 0 else -1
        searched = zip(self._stack.actions[0], self._scratch.root_values, strict=True)
        values = {int(each): sign * float(value) for each, value in searched if not isnan(value)}
        if not values:
            return before
        largest = self.game.returns_range[1]
        proven = {
            action: int(value > 0) - int(value < 0)
            for action, value in values.items()
            if abs(value) >= PROVEN * largest
        }
        best = int(self._stack.best[0])
        if not is_finished and before.depth:
            rest = [each.action for each in before.candidates if each.action not in values]
            if rest and (rest[0] == before.action or proven.get(best, 0) < 0):
                best = rest[0]
        actions = sorted(
            (each.action for each in before.candidates),
            key=lambda action: (action != best, action not in values, -values.get(action, 0.0)),
        )
        candidates = tuple(
            Candidate(
                action,
                values.get(action, -1.0),
                int(action in values),
                0.0,
                proven.get(action, 0),
            )
            for action in actions
        )
        return replace(
            before,
            candidates=candidates,
            pv=self._pv(state),
            depth=depth if is_finished else before.depth,
            proven=is_finished and abs(candidates[0].value) >= PROVEN * largest,
        )

    def _pv(self, state: State) -> tuple[int, ...]:
        """Best play as far as the transposition table knows it."""
        pv: list[int] = []
        array, kernels, table = state.array.copy(), self.game.kernels, self._table
        while len(pv) < self.max_depth and kernels.to_move(array) >= 0:
            key = hash_state(array, self.game.sizes.identity)
            slot = int(key) % len(table.keys)
            if table.keys[slot] != key:
                break
            pv.append(int(table.action[slot]))
            kernels.apply(array, pv[-1])
        return tuple(pv)
