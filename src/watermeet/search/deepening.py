"""Alpha-beta as programs use it: deeper and deeper until a limit, with the best line so far."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from watermeet.core.errors import InvalidGame
from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.search import alphabeta as ab
from watermeet.search.binding import bind
from watermeet.search.limits import Limits, run_in_pieces
from watermeet.search.thought import Candidate, Thought

SLOTS = 1 << 20
DEEPEST = 64


class AlphaBeta:
    """A searcher for one game of two seats without chance and secrets."""

    def __init__(
        self,
        game: Game,
        *,
        margin: float = 0.0,
        deepest: int = DEEPEST,
        slots: int = SLOTS,
        plain: bool = False,
    ) -> None:
        if game.seats != 2 or game.chance or game.hidden or game.returns_sum != 0.0:
            raise InvalidGame(
                f"{game.describe()} is not for alpha-beta",
                "it is for two seats that see everything, where one wins what the other loses",
            )
        self.game, self.margin, self.deepest = game, margin, deepest
        plies = deepest + 1
        self._states = np.zeros((plies + 1, game.sizes.state), dtype=game.dtype)
        self._lists = np.zeros((plies + 1, game.sizes.actions), dtype=np.int32)
        self._frames = np.zeros((plies + 1, ab.FRAME_WIDTH), dtype=np.int32)
        self._bounds = np.zeros((plies + 1, ab.BOUND_WIDTH))
        self._control = np.zeros(2, dtype=np.int64)
        self._table = (
            np.zeros(slots, dtype=np.uint64),
            np.zeros((slots, ab.MARK_WIDTH), dtype=np.int32),
            np.zeros(slots),
        )
        self._history = np.zeros(game.sizes.actions)
        self._weights = np.zeros(game.sizes.actions)
        self._returns = np.zeros(2)
        self._root_values = np.zeros(game.sizes.actions)
        self._open_root: Any = bind(game, ab.open_root, plain=plain)
        self._search_on: Any = bind(game, ab.search_on, plain=plain)

    def think(self, state: State, limits: Limits) -> Thought:
        """Searches from a state in which a seat is to move."""
        assert state.to_move >= 0, "a search begins where a seat is to move"
        started = time.perf_counter()
        self._states[0] = state.array
        self._history[:] = 0.0
        self._table[1][:, ab.DEPTH_KEPT] -= 1  # What is old may be replaced first.
        thought = self._first_thought(state, started)
        searched = 0
        for depth in range(1, self.deepest + 1):
            rest = None if limits.nodes is None else limits.nodes - searched
            if rest == 0:
                break
            nodes, is_finished = self._to_depth(
                depth, Limits(limits.seconds, rest, limits.stop), started
            )
            searched += nodes
            thought = self._thought(state, depth, is_finished, thought, searched, started)
            if not is_finished or thought.is_certain or len(thought.candidates) == 1:
                break
        return thought

    def _to_depth(self, depth: int, limits: Limits, started: float) -> tuple[int, bool]:
        keys, marks, values = self._table
        tables = keys, marks
        identity = self.game.sizes.identity
        frames = self._states, self._lists, self._frames, self._bounds, self._control
        self._open_root(
            *frames, *tables, self._history, self._weights, identity, depth,
            -ab.INFINITE, ab.INFINITE,
        )  # fmt: skip
        self._root_values[:] = np.nan
        status = ab.PAUSED

        def work(count: int) -> tuple[int, bool]:
            nonlocal status
            before = int(self._control[ab.SEARCHED])
            status = self._search_on(
                *frames, *tables, values, self._history, self._weights, self._returns,
                self._root_values, self.margin, identity, count,
            )  # fmt: skip
            return int(self._control[ab.SEARCHED]) - before, status == ab.FINISHED

        return run_in_pieces(work, limits, started), status == ab.FINISHED

    # ---- what was found ----

    def _first_thought(self, state: State, started: float) -> Thought:
        """Before anything is looked at: any action."""
        found = tuple(Candidate(action, 0.0, 1, 0.0) for action in state.legal_actions)
        return Thought(found, (found[0].action,), 0, time.perf_counter() - started)

    def _thought(
        self,
        state: State,
        depth: int,
        is_finished: bool,
        before: Thought,
        nodes: int,
        started: float,
    ) -> Thought:
        """The order by the values found; what an unfinished depth did not reach keeps its place."""
        sign = 1 if state.to_move == 0 else -1
        count = int(self._frames[0, ab.COUNT])
        values = {
            int(self._lists[0, place]): sign * float(self._root_values[place])
            for place in range(count)
            if not np.isnan(self._root_values[place])
        }
        seconds = time.perf_counter() - started
        if not values:
            return Thought(before.candidates, before.line, nodes, seconds, before.depth)
        old = {each.action: place for place, each in enumerate(before.candidates)}
        best = int(self._frames[0, ab.BEST])
        if not is_finished and old and before.depth and before.action not in values:
            best = before.action
        order = sorted(old, key=lambda each: (each != best, -values.get(each, -9.0), old[each]))
        candidates = tuple(
            Candidate(action, values.get(action, -1.0), 1 if action in values else 0, 0.0)
            for action in order
        )
        is_certain = (
            is_finished and abs(candidates[0].value) >= ab.SURE * self.game.returns_range[1]
        )
        looked = depth if is_finished else before.depth
        return Thought(candidates, self._line(state), nodes, seconds, looked, is_certain)

    def _line(self, state: State) -> tuple[int, ...]:
        """The best line, as far as the table remembers it."""
        line: list[int] = []
        hash_of: Any = bind(self.game, ab.table_action)
        array = state.array.copy()
        while len(line) < self.deepest and self.game.kernels.to_move(array) >= 0:
            action = int(hash_of(array, self.game.sizes.identity, *self._table[:2]))
            if action < 0:
                break
            line.append(action)
            self.game.kernels.apply(array, action)
        return tuple(line)
