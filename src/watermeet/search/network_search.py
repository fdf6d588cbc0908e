"""A tree search whose leaves a network evaluates, several at a time, for one match.

    search = NetworkSearch(game, evaluate)
    result = search.search(state, Limits(seconds=1.0))

Selection is by PUCT with the network's priors. A batch of leaves is collected before any is
evaluated; virtual losses keep its simulations apart. What the network said is remembered: the same
position is often reached by other ways.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy as np

from watermeet.core.batch_kernels import Matrix, clear
from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidArgument
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.rng import seeded_many
from watermeet.core.state import State
from watermeet.search.batch import (
    DEPTH,
    LEAF,
    OBSERVER,
    Numbers,
    Rows,
    bind_search,
    scratch_row,
    settings_of,
)
from watermeet.search.guided import descend, descend_hidden, finish, observe_leaf
from watermeet.search.limits import Limits, run_in_chunks
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.settings import Settings
from watermeet.search.tree import NONE, ROOT, Scratch, Tree, scratch_sizes

Evaluate = Callable[[Any], tuple[Any, Any]]
"""Takes features [leaves, features], and returns priors [leaves, codes], which needn't sum to 1,
and values [leaves, seats]: what the observing seat, the seat after it and so on can expect."""
LEAVES = 8
"""How many leaves are evaluated at a time."""
MEMORY = 64 * 2**20
"""So many bytes of priors are remembered."""


@kernel
def collect_leaves(
    tree: Tree,
    scratches: Rows,
    numbers: Numbers,
    known: StateArray,
    seat: int,
    is_hidden: bool,
    uses_information_sets: bool,
    leaves: Matrix,
    seen: Matrix,
    features: Matrix,
) -> None:
    """Begin as many simulations as ``leaves`` has rows, and write what is to be evaluated."""
    for row in range(len(leaves)):
        scratch = scratch_row(scratches, row)
        if uses_information_sets:
            leaf, depth = descend_hidden(tree, scratch, settings_of(numbers), known, seat, NONE)
        else:
            leaf, depth = descend(tree, scratch, settings_of(numbers), known, NONE)
        leaves[row, LEAF], leaves[row, DEPTH] = leaf, depth
        leaves[row, OBSERVER] = NONE
        clear(features[row])
        if uses_information_sets or leaf == NONE or tree.node_proven[leaf] == 0:
            observer = observe_leaf(scratch, is_hidden, seen[row], features[row])
            leaves[row, OBSERVER] = observer


@kernel
def settle_leaves(
    tree: Tree,
    scratches: Rows,
    numbers: Numbers,
    uses_information_sets: bool,
    leaves: Matrix,
    priors: Matrix,
    values: Matrix,
) -> None:
    """End these simulations."""
    for row in range(len(leaves)):
        finish(
            tree, scratch_row(scratches, row), settings_of(numbers), int(leaves[row, LEAF]),
            int(leaves[row, DEPTH]), int(leaves[row, OBSERVER]), priors[row], values[row],
            uses_information_sets,
        )  # fmt: skip


class Remembered:
    """Asks a network once for each position, as long as its answers fit into the memory."""

    def __init__(self, evaluate: Evaluate, codes: int, seats: int) -> None:
        self._evaluate, self._most = evaluate, max(1, MEMORY // (4 * codes))
        self._widths = codes, seats
        self._answers: dict[bytes, tuple[Any, Any]] = {}

    def __call__(self, features: Any) -> tuple[Any, Any]:
        """Priors and values of each row."""
        keys = [blake2b(row, digest_size=16).digest() for row in features]
        answers = self._answers
        if len(answers) + len(keys) > self._most:
            answers.clear()
        new = {key: row for row, key in enumerate(keys) if key not in answers}
        if new:
            priors, values = map(np.asarray, self._evaluate(features[list(new.values())]))
            wanted = [(len(new), width) for width in self._widths]
            if [priors.shape, values.shape] != wanted:
                raise InvalidArgument(
                    f"the network answers with arrays of {priors.shape} and {values.shape}",
                    f"it must return priors of {wanted[0]} and values of {wanted[1]}",
                )
            answers |= zip(new, zip(priors, values, strict=True), strict=True)
        known = [answers[key] for key in keys]
        return np.stack([each[0] for each in known]), np.stack([each[1] for each in known])


class NetworkSearch(MonteCarlo):
    """A search for one game with a network; it reuses its tree as ``MonteCarlo`` does."""

    def __init__(
        self,
        game: Game,
        evaluate: Evaluate,
        settings: Settings | None = None,
        *,
        leaves: int = LEAVES,
        seed: object = 0,
        ismcts: bool | None = None,
        max_nodes: int = 100_000,
    ) -> None:
        # With two threads a tree counts virtual losses.
        super().__init__(
            game, settings, threads=2, seed=seed, ismcts=ismcts,
            use_evaluation=(settings or Settings()).asks_game, max_nodes=max_nodes,
        )  # fmt: skip
        self._scratches: list[Scratch] = self._scratches[:1]
        self._evaluate = Remembered(evaluate, game.features.spec.codes, game.seats)
        self._guided = tuple(self.settings._replace(use_priors=True, expand_after=0))
        spec = game.features.spec
        self._rows = (
            *(np.zeros((leaves, size), dtype=dtype) for size, dtype in scratch_sizes(game)),
            seeded_many(leaves, repr(seed)),
        )
        self._leaves = np.zeros((leaves, 3), dtype=np.int32)
        self._seen = np.zeros((leaves, game.sizes.identity), dtype=game.dtype)
        self._features = np.zeros((leaves, spec.size), dtype=np.float32)
        self._collect, self._settle = (
            bind_search(game, each, use_evaluation=self.use_evaluation)
            for each in (collect_leaves, settle_leaves)
        )

    def _load_simulation(self, known: State) -> None:
        self._simulate_rows(known.array.copy(), known.known_to, 0)

    def _run(self, scratch: Scratch, known: State, limits: Limits, started: float) -> int:
        """Simulate in batches until a limit is reached."""
        root, tree = known.array.copy(), self.tree
        most, total = limits.nodes or sys.maxsize, 0

        def work(count: int) -> tuple[int, bool]:
            nonlocal total
            done = 0
            while done < count:
                # The root alone, or all leaves of the first batch would be the root.
                is_new = tree.node_edge_count[ROOT] == 0 and tree.node_first_edge[ROOT] == NONE
                # Whole batches, even if they exceed the count: a leaf costs least in them.
                rows = 1 if is_new else min(len(self._leaves), most - total)
                self._simulate_rows(root, known.known_to, rows)
                total += rows
                done += rows
                if tree.node_proven[ROOT]:
                    return done, True
            return done, False

        return run_in_chunks(work, limits, started)[0]

    def _simulate_rows(self, root: StateArray, seat: int, rows: int) -> None:
        leaves, features = self._leaves[:rows], self._features[:rows]
        self._collect(
            self.tree, self._rows, self._guided, root, seat, self.game.hidden, self.ismcts,
            leaves, self._seen, features,
        )  # fmt: skip
        priors, values = self._evaluate(self._features[: max(1, rows)])
        self._settle(self.tree, self._rows, self._guided, self.ismcts, leaves, priors, values)
