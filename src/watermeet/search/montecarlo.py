"""Monte Carlo tree search, as programs use it: give it a state and limits, get a result.

    search = MonteCarlo(game, Settings(exploration=0.7))
    result = search.search(state, Limits(seconds=1.0))

Games with hidden information, and those that ask for it, are searched by ISMCTS, others by MCTS.
Several threads grow one tree; what they find depends on their timing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from watermeet.core.game import Game
from watermeet.core.kernel import runs_plain_python
from watermeet.core.state import State
from watermeet.search.binding import bind
from watermeet.search.ismcts import simulate_hidden
from watermeet.search.limits import Limits, require_search, run_in_chunks
from watermeet.search.mcts import simulate
from watermeet.search.reroot import find_node, reroot
from watermeet.search.result import Candidate, SearchResult
from watermeet.search.settings import Settings
from watermeet.search.tree import NONE, ROOT, Scratch, Tree, make_scratch, make_tree, reset

MAX_NODES = 400_000
MAX_EDGES = 4_000_000
MAX_PV = 16
REUSE_PLIES = 4
"""A tree is reused if the match has moved on by at most this many actions ..."""
REUSE_STATES = 10_000
"""... and its state is found among the first this many, which takes a few milliseconds."""


class MonteCarlo:
    """A search for one game; MCTS without transpositions reuses its tree from move to move."""

    def __init__(
        self,
        game: Game,
        settings: Settings | None = None,
        *,
        threads: int = 1,
        seed: object = 0,
        ismcts: bool | None = None,
        use_evaluation: bool = True,
        max_nodes: int = MAX_NODES,
    ) -> None:
        self.game = game
        self.settings = (settings or Settings()).for_game(game)
        self.ismcts = game.hidden if ismcts is None else ismcts
        self.use_evaluation = use_evaluation
        if runs_plain_python():
            threads = 1  # There is one interpreter, and plain Python has no atomics.
        shares_nodes = self.settings.transpositions and not self.ismcts
        self.tree: Tree = make_tree(
            max_nodes,
            min(MAX_EDGES, 40 * max_nodes),
            ismcts=self.ismcts,
            threads=threads,
            slots=2 * max_nodes if shares_nodes else 1,
        )
        self._spare: Tree | None = None
        self._reuses_tree = not self.ismcts and not shares_nodes
        self._states = np.zeros((REUSE_PLIES + 1, game.sizes.state), dtype=game.dtype)
        """The root's state, and scratch for those below it."""
        self._scratches = [make_scratch(game, (seed, number)) for number in range(threads)]
        self._simulate: Callable[..., int] = bind(
            game, simulate_hidden if self.ismcts else simulate, use_evaluation=use_evaluation
        )
        self._find_node: Callable[..., int] = bind(game, find_node, use_evaluation=use_evaluation)

    def search(self, state: State, limits: Limits) -> SearchResult:
        """Search from a state in which a seat is to move, using only what that seat knows."""
        state = require_search(self.game, state, limits)
        known = state.conceal(state.to_move)
        self._load(known)
        started = time.perf_counter()
        self._set_root(known)
        count = len(self._scratches)
        if count == 1:
            nodes = self._run(self._scratches[0], known, limits, started)
        else:
            each = None if limits.nodes is None else -(-limits.nodes // count)
            share = Limits(limits.seconds, each, limits.stop)
            with ThreadPoolExecutor(count) as pool:
                tasks = [
                    pool.submit(self._run, scratch, known, share, started)
                    for scratch in self._scratches
                ]
                nodes = sum(task.result() for task in tasks)
        return self._result(nodes, time.perf_counter() - started)

    def _load(self, known: State) -> None:
        """Compile or load whatever the search calls, which must not count as its time."""
        if self._reuses_tree and self._spare is None:
            self._spare = Tree._make(map(np.empty_like, self.tree))
            self._states[0] = known.array
            reset(self.tree, known.to_move)
            self.find_node(known)
        self._load_simulation(known)

    def _load_simulation(self, known: State) -> None:
        self._simulate(self.tree, self._scratches[0], self.settings, *self._start(known), 0)

    def _start(self, known: State) -> tuple[Any, ...]:
        """What a simulation starts from."""
        root = known.array.copy()
        return (root, known.known_to) if self.ismcts else (root,)

    def _run(self, scratch: Scratch, known: State, limits: Limits, started: float) -> int:
        """Simulate in one thread until a limit is reached; return the number of simulations."""
        tree, start = self.tree, self._start(known)

        def work(count: int) -> tuple[int, bool]:
            done = self._simulate(tree, scratch, self.settings, *start, count)
            return done, bool(tree.node_proven[ROOT]) or done < count

        return run_in_chunks(work, limits, started)[0]

    def _set_root(self, known: State) -> None:
        """Make a state the root: of the old tree if it is found there, else of a new one."""
        node = self.find_node(known) if self._reuses_tree else NONE
        if node != NONE and self._spare is not None:
            reset(self._spare, known.to_move)
            reroot(self.tree, node, self._spare)
            self.tree, self._spare = self._spare, self.tree
            if self.tree.node_edge_count[ROOT] == 0:
                self.tree.node_proven[ROOT] = 0  # A proof is no use without the action to play.
        else:
            reset(self.tree, known.to_move)
        self._states[0] = known.array

    def find_node(self, known: State) -> int:
        """The node of a state that is a few actions away from the root, or NONE."""
        positions = np.zeros((len(self._states), 2), dtype=np.int32)
        wanted, identity = self.game.require_state(known).array.copy(), self.settings.identity
        return self._find_node(self.tree, self._states, positions, wanted, identity, REUSE_STATES)

    def edges_of(self, node: int) -> list[int]:
        """The edges of a node."""
        edge = int(self.tree.node_first_edge[node])
        if not self.ismcts:
            return list(range(edge, edge + int(self.tree.node_edge_count[node])))
        found = []
        while edge != NONE:
            found.append(edge)
            edge = int(self.tree.edge_next[edge])
        return found

    def _result(self, nodes: int, seconds: float) -> SearchResult:
        """The candidates: proven wins first, proven losses last, the others by visits.

        The sooner a win the better it is, and the later a loss.
        """
        tree, ranked = self.tree, []
        sign = 1 if tree.node_mover[ROOT] == 0 else -1
        for edge in self.edges_of(ROOT):
            action, prior = int(tree.edge_action[edge]), float(tree.edge_prior[edge])
            visits, target = int(tree.edge_visits[edge]), int(tree.edge_target[edge])
            proven = sign * int(tree.node_proven[target]) if target != NONE else 0
            value = float(tree.edge_value_sum[edge]) / visits if visits else 0.0
            if proven:
                value = math.copysign(self.settings.best_return, proven)
            ranked.append(((proven, visits, value, prior, -action), edge))
        ranked.sort(reverse=True)
        candidates = tuple(
            Candidate(-negated, value, visits, prior, proven)
            for (proven, visits, value, prior, negated), _ in ranked
        )
        (proven, *_), best = ranked[0]
        return SearchResult(candidates, self._pv(best), nodes, seconds, proven=proven != 0)

    def _pv(self, edge: int) -> tuple[int, ...]:
        """The most visited edges from an edge of the root on."""
        tree = self.tree
        pv: list[int] = []
        while edge != NONE and len(pv) < MAX_PV:
            pv.append(int(tree.edge_action[edge]))
            node = int(tree.edge_target[edge])
            if node == NONE or tree.node_visits[node] < 2:
                break
            edge = max(self.edges_of(node), key=lambda each: tree.edge_visits[each], default=NONE)
        return tuple(pv)
