"""Monte Carlo search as programs use it: give it a state and limits, get a thought.

    searcher = MonteCarlo(game, Settings(exploration=0.7))
    thought = searcher.think(state, Limits(seconds=1.0))

Games with hidden parts, and those that ask for it, are searched by ``infosets``, the others by
``mcts``. Several threads grow one tree together; what they find depends on who comes first.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.kernel import runs_plain_python
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.search.binding import bind
from watermeet.search.infosets import simulate_unseen
from watermeet.search.limits import Limits, run_in_pieces
from watermeet.search.mcts import simulate
from watermeet.search.reroot import find_node, move_root
from watermeet.search.settings import Settings
from watermeet.search.thought import Candidate, Thought
from watermeet.search.tree import (
    ACTION,
    COUNT,
    FIRST,
    MOVER,
    NEXT,
    NONE,
    PRIOR,
    PROVEN,
    SUM,
    TARGET,
    TRIES,
    VISITS,
    Tree,
    add_node,
)

NODES_KEPT = 400_000
EDGES_KEPT = 4_000_000
LONGEST_PATH = 512
_LINE = 16


FARTHEST = 4
"""A tree is kept if the match has gone on by so many actions at most ..."""
MOST_LOOKED_AT = 10_000
"""... and is found again among so many states: a matter of a few milliseconds."""


class MonteCarlo:
    """A searcher for one game; it keeps its tree from move to move, as long as it is of use."""

    def __init__(
        self,
        game: Game,
        settings: Settings | None = None,
        *,
        threads: int = 1,
        seed: object = 0,
        unseen: bool | None = None,
        plain: bool = False,
        nodes_kept: int = NODES_KEPT,
    ) -> None:
        self.game = game
        self.settings = settings or Settings()
        self.unseen = game.hidden if unseen is None else unseen
        """Whether nodes are what was done, and not what lies where."""
        self.plain = plain
        """Whether the game's judgement is left aside."""
        if runs_plain_python():
            threads = 1  # There is one interpreter, and plain Python has no locks.
        self._grown = _Grown(self, nodes_kept, threads)
        self._workers = [_Worker(self, (seed, number)) for number in range(threads)]

    def think(self, state: State, limits: Limits) -> Thought:
        """Searches from a state in which a seat is to move, as far as that seat knows it."""
        assert state.to_move >= 0, "a search begins where a seat is to move"
        started = time.perf_counter()
        known = state.conceal(state.to_move)
        self._grown.begin_at(known)
        count = sum(self._share(limits, known, started))
        return self._thought(count, time.perf_counter() - started)

    def _share(self, limits: Limits, known: State, started: float) -> list[int]:
        grown, count = self._grown, len(self._workers)
        if count == 1:
            return [self._workers[0].search(grown, known, limits, started)]
        each = None if limits.nodes is None else -(-limits.nodes // count)
        shared = Limits(limits.seconds, each, limits.stop)
        with ThreadPoolExecutor(count) as pool:
            tasks = [
                pool.submit(worker.search, grown, known, shared, started)
                for worker in self._workers
            ]
            return [task.result() for task in tasks]

    def _thought(self, nodes: int, seconds: float) -> Thought:
        edges = self._grown.root_edges()
        certain = {action: proven for action, _, _, _, proven in edges if proven}
        candidates = [
            Candidate(action, certain.get(action, total / visits if visits else 0.0), visits, prior)
            for action, visits, total, prior, _ in edges
        ]
        # What is proven to win comes first, what is proven to lose last; else what was tried most.
        candidates.sort(
            key=lambda each: (
                certain.get(each.action, 0.0), each.visits, each.value, each.prior, -each.action
            ),
            reverse=True,
        )  # fmt: skip
        best = candidates[0].action
        line = self._grown.line(best)
        return Thought(tuple(candidates), line, nodes, seconds, is_certain=best in certain)


class _Worker:
    """Room for the work of one thread."""

    def __init__(self, owner: MonteCarlo, seed: object) -> None:
        game = owner.game
        self.game, self.unseen = game, owner.unseen
        self._settings = owner.settings.as_array(game.returns_range[1])
        self._state: StateArray = np.zeros(game.sizes.state, dtype=game.dtype)
        self._path = np.zeros(min(LONGEST_PATH, game.sizes.max_length), dtype=np.int32)
        self._movers = np.zeros_like(self._path)
        self._actions = np.zeros(game.sizes.actions, dtype=np.int32)
        self._weights = np.zeros(game.sizes.actions)
        self._returns = np.zeros(game.seats)
        self._judged = np.zeros(game.seats)
        # In a cache line of its own: threads that share one wait for each other.
        self._rng = np.repeat(seeded(seed), 16)[:1]
        self._simulate: Callable[..., int] = bind(
            game, simulate_unseen if self.unseen else simulate, plain=owner.plain
        )

    def search(self, grown: _Grown, known: State, limits: Limits, started: float) -> int:
        """Simulates until a limit is reached; returns how often."""
        tree = grown.tree
        root = known.array.copy()
        before = (root, known.known_to, self._state) if self.unseen else (root, self._state)
        room = self._actions, self._weights, self._returns, self._judged, self._settings, self._rng
        middle = (
            (self._path, self._movers)
            if self.unseen
            else (grown.keys, self.game.sizes.identity, self._path, self._movers)
        )

        def work(count: int) -> tuple[int, bool]:
            done = self._simulate(*before, *tree.arrays, tree.claims, *middle, *room, count)
            return done, bool(tree.nodes[0, PROVEN]) or done < count

        return run_in_pieces(work, limits, started)


class _Grown:
    """The tree that the workers grow, and what is found in it."""

    def __init__(self, owner: MonteCarlo, nodes_kept: int, threads: int) -> None:
        game = owner.game
        self.game, self.unseen = game, owner.unseen
        is_shared = owner.settings.shared > 0.0 and not self.unseen
        self.tree = Tree(nodes_kept, min(EDGES_KEPT, 40 * nodes_kept), threads=threads)
        self._spare: Tree | None = None
        self.keys = np.zeros((2 * nodes_kept if is_shared else 1, 2), dtype=np.uint64)
        self._is_kept = not self.unseen and not is_shared
        self._states = np.zeros((FARTHEST + 1, game.sizes.state), dtype=game.dtype)
        """The root's state, and room for those below it."""
        self._find_node: Callable[..., int] = bind(game, find_node, plain=owner.plain)

    # ---- the root ----

    def begin_at(self, known: State) -> None:
        """Takes a state for the root: in the old tree if it is there, else in a new one."""
        if not self._is_kept:
            self._plant(known)
            return
        if self._spare is None:  # A tree of one node is kept, so that all is compiled by now.
            self._plant(known)
        node = self.node_of(known)
        if node == NONE:
            self._plant(known)
            return
        self._spare = self._spare or self.tree.empty_copy()
        self._spare.clear()
        move_root(*self.tree.arrays, node, *self._spare.arrays)
        self.tree, self._spare = self._spare, self.tree
        self._states[0] = known.array

    def _plant(self, known: State) -> None:
        """Begins a new tree."""
        self.tree.clear()
        self.keys[:] = 0
        self._states[0] = known.array
        tree = self.tree
        add_node(tree.nodes, tree.sums, tree.used, tree.claims, known.to_move)

    def node_of(self, known: State) -> int:
        """The node of a state that is a few actions away from the root, or NONE."""
        tree, places = self.tree, np.zeros((len(self._states), 2), dtype=np.int32)
        wanted = known.array.copy()
        return self._find_node(
            wanted, self.game.sizes.identity, tree.nodes, tree.edges,
            self._states, places, MOST_LOOKED_AT,
        )  # fmt: skip

    def _edge(self, node: int, action: int) -> int:
        return next(
            (edge for edge in self.edges_of(node) if self.tree.edges[edge, ACTION] == action), NONE
        )

    def edges_of(self, node: int) -> list[int]:
        first = int(self.tree.nodes[node, FIRST])
        if not self.unseen:
            return list(range(first, first + int(self.tree.nodes[node, COUNT])))
        found = []
        while first != NONE:
            found.append(first)
            first = int(self.tree.edges[first, NEXT])
        return found

    # ---- what was found ----

    def root_edges(self) -> list[tuple[int, int, float, float, float]]:
        """Action, tries, sum, prior, and what is proven for the mover or 0, of each root edge."""
        tree = self.tree
        sign = 1 if tree.nodes[0, MOVER] == 0 else -1
        rows = []
        for edge in self.edges_of(0):
            target = int(tree.edges[edge, TARGET])
            proven = sign * int(tree.nodes[target, PROVEN]) if target != NONE else 0
            rows.append(
                (
                    int(tree.edges[edge, ACTION]),
                    int(tree.edges[edge, TRIES]),
                    float(tree.values[edge, SUM]),
                    float(tree.values[edge, PRIOR]),
                    float(proven) * self.game.returns_range[1],
                )
            )
        return rows

    def line(self, action: int) -> tuple[int, ...]:
        """What was tried most, from an action of the root on."""
        edge = self._edge(0, action)
        line: list[int] = []
        while edge != NONE and len(line) < _LINE:
            line.append(int(self.tree.edges[edge, ACTION]))
            node = int(self.tree.edges[edge, TARGET])
            if node == NONE or self.tree.nodes[node, VISITS] < 2:
                break
            edges = self.edges_of(node)
            edge = max(edges, key=lambda each: int(self.tree.edges[each, TRIES]), default=NONE)
        return tuple(line)
