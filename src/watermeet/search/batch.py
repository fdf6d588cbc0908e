"""Monte Carlo tree search for many matches at once, each with a tree of its own.

    search = BatchSearch(game, 4096, device="cuda")
    search.run(many, 200)  # many = VectorGame(game, 4096, device="cuda")
    many.step(search.actions)

The trees are those of ``MonteCarlo``: the same selection, expansion, evaluation and backup, by the
same kernels, with chance nodes and information sets. Leaves are evaluated by the game's own
kernels, or by a function such as a network, which gets the features of one leaf of every tree at
once. It runs on the CPU, or on a GPU where each tree has a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from watermeet.core.batch import VectorGame
from watermeet.core.batch_kernels import MaskArray, Matrix, clear, share
from watermeet.core.binding import complete_kernels, without_inlining
from watermeet.core.checks import quote, require_integer, require_type
from watermeet.core.contract import ActionArray, FloatArray, conceal, to_move
from watermeet.core.cuda_device import GpuArray, Launch
from watermeet.core.device import find_device
from watermeet.core.errors import InvalidArgument
from watermeet.core.evaluation import default_evaluation
from watermeet.core.features import NO_CODE, encode
from watermeet.core.game import Game
from watermeet.core.kernel import Kernel, kernel
from watermeet.core.linking import specialize
from watermeet.core.rng import seeded_many
from watermeet.search.guided import descend, descend_hidden, finish, observe_leaf
from watermeet.search.ismcts import simulate_hidden
from watermeet.search.mcts import simulate
from watermeet.search.settings import Settings
from watermeet.search.steps import target_proven
from watermeet.search.tree import NONE, ROOT, Scratch, Tree, scratch_sizes, tree_sizes

Rows = tuple[Matrix, ...]
Numbers = tuple[Any, ...]
Evaluator = Callable[[Any, Any], tuple[Any, Any]]
"""Takes features [matches, features], and which of them are wanted [matches]. Returns priors
[matches, codes], which needn't sum to 1, and values [matches, seats]: what the observing seat, the
seat after it and so on can expect."""

LEAF, DEPTH, OBSERVER = range(3)
"""The columns of ``leaves``: the leaf or NONE; its depth, or -1 if its tree doesn't grow any more;
the seat that sees the features, or NONE if the match is over there."""
SIMULATIONS_PER_LAUNCH = 64
"""On a GPU: so that a long search can be interrupted."""


# ---- kernels ----------------------------------------------------------------------------------


@kernel
def tree_row(trees: Rows, match: int) -> Tree:
    """The tree of one match."""
    return Tree(
        trees[0][match], trees[1][match], trees[2][match], trees[3][match], trees[4][match],
        trees[5][match], trees[6][match], trees[7][match], trees[8][match], trees[9][match],
        trees[10][match], trees[11][match], trees[12][match], trees[13][match], trees[14][match],
        trees[15][match], trees[16][match],
    )  # fmt: skip


@kernel
def scratch_row(scratches: Rows, match: int) -> Scratch:
    """The working arrays of one match."""
    return Scratch(
        scratches[0][match], scratches[1][match], scratches[2][match], scratches[3][match],
        scratches[4][match], scratches[5][match], scratches[6][match], scratches[7][match],
        scratches[8][match],
    )  # fmt: skip


@kernel
def settings_of(numbers: Numbers) -> Settings:
    """Settings from a plain tuple."""
    return Settings(
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6],
        numbers[7], numbers[8], numbers[9], numbers[10], numbers[11], numbers[12],
    )  # fmt: skip


@kernel
def plant(trees: Rows, states: Matrix, known: Matrix) -> None:
    """Empty all trees but for a root at what the seat to move knows; without one nothing grows."""
    first, end = share(len(states))
    for match in range(first, end):
        tree, mover = tree_row(trees, match), int(to_move(states[match]))
        tree.node_first_edge[ROOT] = NONE
        tree.node_edge_count[ROOT] = 0
        tree.node_mover[ROOT] = mover
        tree.node_visits[ROOT] = 0
        tree.node_value_sum[ROOT] = 0.0
        tree.node_proven[ROOT] = 0
        tree.used[0] = 1
        tree.used[1] = 0
        clear(tree.key_node)
        if mover >= 0:
            conceal(states[match], mover, known[match])


@kernel
def simulate_all(
    trees: Rows, scratches: Rows, numbers: Numbers, known: Matrix, simulations: int
) -> None:
    """Run simulations of MCTS in every tree."""
    first, end = share(len(known))
    for match in range(first, end):
        tree = tree_row(trees, match)
        if tree.node_mover[ROOT] >= 0 and tree.node_proven[ROOT] == 0:
            scratch = scratch_row(scratches, match)
            simulate(tree, scratch, settings_of(numbers), known[match], simulations)


@kernel
def simulate_all_hidden(
    trees: Rows, scratches: Rows, numbers: Numbers, known: Matrix, simulations: int
) -> None:
    """Run simulations of ISMCTS in every tree."""
    first, end = share(len(known))
    for match in range(first, end):
        tree = tree_row(trees, match)
        mover = int(tree.node_mover[ROOT])
        if mover >= 0:
            scratch = scratch_row(scratches, match)
            simulate_hidden(tree, scratch, settings_of(numbers), known[match], mover, simulations)


@kernel
def observe_leaf_of(
    match: int,
    scratch: Scratch,
    is_hidden: bool,
    leaves: Matrix,
    wanted: MaskArray,
    seen: Matrix,
    features: Matrix,
) -> None:
    """Write the features of a leaf, unless the match is over there."""
    clear(features[match])
    observer = observe_leaf(scratch, is_hidden, seen[match], features[match])
    leaves[match, OBSERVER] = observer
    wanted[match] = observer != NONE


@kernel
def descend_all(
    trees: Rows,
    scratches: Rows,
    numbers: Numbers,
    known: Matrix,
    is_hidden: bool,
    leaves: Matrix,
    wanted: MaskArray,
    seen: Matrix,
    features: Matrix,
) -> None:
    """Begin a simulation of MCTS in every tree."""
    first, end = share(len(known))
    for match in range(first, end):
        tree, scratch = tree_row(trees, match), scratch_row(scratches, match)
        descend_one(
            match, NONE, tree, scratch, numbers, known, is_hidden, leaves, wanted, seen, features
        )


@kernel
def descend_one(
    match: int,
    edge: int,
    tree: Tree,
    scratch: Scratch,
    numbers: Numbers,
    known: Matrix,
    is_hidden: bool,
    leaves: Matrix,
    wanted: MaskArray,
    seen: Matrix,
    features: Matrix,
) -> None:
    """Begin a simulation of MCTS in one tree, unless it is proven; ``edge`` is first, or NONE."""
    wanted[match] = False
    leaves[match, DEPTH] = -1
    if tree.node_mover[ROOT] >= 0 and tree.node_proven[ROOT] == 0:
        leaf, depth = descend(tree, scratch, settings_of(numbers), known[match], edge)
        leaves[match, LEAF] = leaf
        leaves[match, DEPTH] = depth
        leaves[match, OBSERVER] = NONE
        if leaf == NONE or tree.node_proven[leaf] == 0:
            observe_leaf_of(match, scratch, is_hidden, leaves, wanted, seen, features)


@kernel
def descend_all_hidden(
    trees: Rows,
    scratches: Rows,
    numbers: Numbers,
    known: Matrix,
    is_hidden: bool,
    leaves: Matrix,
    wanted: MaskArray,
    seen: Matrix,
    features: Matrix,
) -> None:
    """Begin a simulation of ISMCTS in every tree."""
    first, end = share(len(known))
    for match in range(first, end):
        tree, scratch = tree_row(trees, match), scratch_row(scratches, match)
        descend_one_hidden(
            match, NONE, tree, scratch, numbers, known, is_hidden, leaves, wanted, seen, features
        )


@kernel
def descend_one_hidden(
    match: int,
    edge: int,
    tree: Tree,
    scratch: Scratch,
    numbers: Numbers,
    known: Matrix,
    is_hidden: bool,
    leaves: Matrix,
    wanted: MaskArray,
    seen: Matrix,
    features: Matrix,
) -> None:
    """Begin a simulation of ISMCTS in one tree; ``edge`` is first, or NONE."""
    mover = int(tree.node_mover[ROOT])
    wanted[match] = False
    leaves[match, DEPTH] = -1
    if mover >= 0:
        leaf, depth = descend_hidden(tree, scratch, settings_of(numbers), known[match], mover, edge)
        leaves[match, LEAF] = leaf
        leaves[match, DEPTH] = depth
        observe_leaf_of(match, scratch, is_hidden, leaves, wanted, seen, features)


@kernel
def finish_all(
    trees: Rows,
    scratches: Rows,
    numbers: Numbers,
    leaves: Matrix,
    priors: Matrix,
    values: Matrix,
    uses_information_sets: bool,
) -> None:
    """End a simulation in every tree: give the leaf its edges, and back up what it is worth."""
    first, end = share(len(leaves))
    for match in range(first, end):
        depth = int(leaves[match, DEPTH])
        if depth >= 0:
            tree, scratch = tree_row(trees, match), scratch_row(scratches, match)
            finish(
                tree, scratch, settings_of(numbers), int(leaves[match, LEAF]), depth,
                int(leaves[match, OBSERVER]), priors[match], values[match], uses_information_sets,
            )  # fmt: skip


@kernel
def report(
    trees: Rows,
    numbers: Numbers,
    states: Matrix,
    uses_information_sets: bool,
    visits: Matrix,
    actions: ActionArray,
    values: FloatArray,
    proven: ActionArray,
) -> None:
    """Write the visits of every root's edges by code, and the best action with its value."""
    first, end = share(len(states))
    for match in range(first, end):
        tree, row = tree_row(trees, match), visits[match]
        clear(row)
        actions[match] = 0
        values[match] = 0.0
        proven[match] = 0
        if tree.node_mover[ROOT] < 0:
            continue
        sign = 1 if tree.node_mover[ROOT] == 0 else -1
        edge, best = int(tree.node_first_edge[ROOT]), NONE
        for _ in range(int(tree.node_edge_count[ROOT])):
            code = encode(states[match], int(tree.edge_action[edge]))
            if code != NO_CODE:
                row[code] = tree.edge_visits[edge]
                if best == NONE or is_better(tree, sign, edge, best):
                    best = edge
                    actions[match] = code
            edge = int(tree.edge_next[edge]) if uses_information_sets else edge + 1
        if best != NONE:
            values[match] = mean_value(tree, best)
            certainty = sign * target_proven(tree, best)
            if certainty != 0:
                proven[match] = 1 if certainty > 0 else -1
                values[match] = proven[match] * settings_of(numbers).best_return


@kernel
def mean_value(tree: Tree, edge: int) -> float:
    """What the seat that chose an edge got on average."""
    visits = int(tree.edge_visits[edge])
    return float(tree.edge_value_sum[edge] / visits) if visits > 0 else 0.0


@kernel
def is_better(tree: Tree, sign: int, edge: int, other: int) -> bool:
    """Whether an edge of the root comes before another, by the order of ``MonteCarlo``'s result."""
    proven, other_proven = sign * target_proven(tree, edge), sign * target_proven(tree, other)
    if proven != other_proven:
        return proven > other_proven
    if tree.edge_visits[edge] != tree.edge_visits[other]:
        return bool(tree.edge_visits[edge] > tree.edge_visits[other])
    value, other_value = mean_value(tree, edge), mean_value(tree, other)
    if value != other_value:
        return value > other_value
    if tree.edge_prior[edge] != tree.edge_prior[other]:
        return bool(tree.edge_prior[edge] > tree.edge_prior[other])
    return bool(tree.edge_action[edge] < tree.edge_action[other])


# ---- the search -------------------------------------------------------------------------------


class BatchSearch:
    """A search for many matches of one game. Games with hidden information get ISMCTS.

    ``max_nodes`` and ``max_edges`` are those of each tree; when it is full, it grows no more, and
    simulations only evaluate its leaves. ``actions``, ``visits``, ``values`` and ``proven`` are
    arrays of the device that every ``run`` overwrites.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        settings: Settings | None = None,
        *,
        seed: object = 0,
        ismcts: bool | None = None,
        use_evaluation: bool = True,
        max_nodes: int = 1024,
        max_edges: int | None = None,
        device: str = "cpu",
    ) -> None:
        require_type(game, Game, "a game")
        self.game, self.count = game, require_integer(count, "a number of matches", low=1)
        self._device, self.use_evaluation = find_device(device), use_evaluation
        self.device = device
        self.settings = (settings or Settings()).for_game(game)
        self.ismcts = game.hidden if ismcts is None else ismcts
        nodes = require_integer(max_nodes, "a number of nodes", low=1)
        edges = max_edges or max(40 * nodes, game.sizes.actions)
        shares_nodes = self.settings.transpositions and not self.ismcts
        sizes = tree_sizes(
            nodes,
            require_integer(edges, "a number of edges", low=game.sizes.actions),
            ismcts=self.ismcts,
            threads=1,
            slots=2 * nodes if shares_nodes else 1,
        )
        self._trees = tuple(self._zeros((count, size), dtype) for size, dtype in sizes)
        rngs = self._zeros((count, 1), np.uint64)
        self._scratches = (
            *(self._zeros((count, size), dtype) for size, dtype in scratch_sizes(game)),
            self._device.upload(seeded_many(count, seed), rngs),
        )
        self._known = self._zeros((count, game.sizes.state), game.dtype)
        self.visits = self._zeros((count, game.features.spec.codes), np.int32)
        """[count, codes]: how often each action was tried."""
        self.actions = self._zeros((count,), np.int32)
        """[count]: the code of the best action; 0 where nobody is to move."""
        self.values = self._zeros((count,), np.float64)
        """[count]: the return that the seat to move expects from it."""
        self.proven = self._zeros((count,), np.int32)
        """[count]: 1 or -1 if the best action surely wins or loses, else 0."""
        self._leaves: Any = None
        self._launches: dict[Kernel[Any, Any], tuple[tuple[Any, ...], Launch]] = {}

    def _zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._device.zeros(shape, dtype, by_row=True)

    def run(self, many: VectorGame, simulations: int, evaluate: Evaluator | None = None) -> None:
        """Search from every match: plant new trees, and run some simulations in each.

        ``many`` has as many matches of this game, on the same device. ``evaluate`` is asked about
        the leaves instead of the game's kernels, and selection is by PUCT with its priors then.
        """
        simulations = require_integer(simulations, "a number of simulations", low=1)
        guided = self._begin(many)
        numbers = tuple(self.settings)
        if evaluate is None:
            program = simulate_all_hidden if self.ismcts else simulate_all
            for done in range(0, simulations, SIMULATIONS_PER_LAUNCH):
                rest = min(SIMULATIONS_PER_LAUNCH, simulations - done)
                self._launch(program, self._trees, self._scratches, numbers, self._known, rest)
        else:
            numbers = guided
            descend = descend_all_hidden if self.ismcts else descend_all
            for _ in range(simulations):
                self._simulate(numbers, evaluate, descend)
        self._launch(
            report, self._trees, numbers, many.states, self.ismcts, self.visits, self.actions,
            self.values, self.proven,
        )  # fmt: skip

    def _begin(self, many: VectorGame) -> Numbers:
        """Plant new trees, and return the settings for leaves that a function evaluates."""
        require_type(many, VectorGame, "a VectorGame")
        given = (many.game, many.count, many.device)
        if given != (self.game, self.count, self.device):
            raise InvalidArgument(
                f"{many.count} matches of {many.game.describe()} on {many.device!r} aren't "
                f"{self.count} of {self.game.describe()} on {self.device!r}",
                "pass a VectorGame of this game with as many matches on the same device",
            )
        self._launch(plant, self._trees, many.states, self._known)
        return tuple(self.settings._replace(use_priors=True, expand_after=0))

    def _simulate(
        self, numbers: Numbers, evaluate: Evaluator, descend: Kernel[Any, Any], *extra: Any
    ) -> Any:
        """One simulation in every tree, evaluated by a function; the values that it returned."""
        game, count = self.game, self.count
        if self._leaves is None:
            self._leaves = self._zeros((count, 3), np.int32)
            self._wanted = self._zeros((count,), np.bool_)
            self._seen = self._zeros((count, game.sizes.identity), game.dtype)
            self._features = self._zeros((count, game.features.spec.size), np.float32)
        self._launch(
            descend, self._trees, self._scratches, numbers, self._known, game.hidden, self._leaves,
            self._wanted, self._seen, self._features, *extra,
        )  # fmt: skip
        priors, values = evaluate(self._features, self._wanted)
        given = self._given(values, game.seats, "values")
        self._launch(
            finish_all, self._trees, self._scratches, numbers, self._leaves,
            self._given(priors, game.features.spec.codes, "priors"), given, self.ismcts,
        )  # fmt: skip
        return given

    def _given(self, array: Any, width: int, what: str) -> Any:
        """What an evaluator returned, as an array of the device; raises InvalidArgument."""
        found = self._device.wrap(array)
        if found is None or found.shape != (self.count, width) or found.dtype.kind != "f":
            raise InvalidArgument(
                f"the evaluator's {what} are {quote(array)}",
                f"return floats on the search's device, {self.count} by {width}",
            )
        return found

    def _launch(self, generic: Kernel[Any, Any], *arguments: Any) -> None:
        """Run a program; it is prepared again only if an argument isn't that of the last time."""
        known = self._launches.get(generic)
        if known is None or not all(map(_is_same, known[0], arguments)):
            program = bind_search(self.game, generic, self.use_evaluation)
            launch = self._device.prepare(program, self.count, *arguments)
            known = self._launches[generic] = (arguments, launch)
        known[1]()

    def synchronize(self) -> None:
        """Wait for the GPU."""
        self._device.synchronize()


def _is_same(known: Any, given: Any) -> bool:
    """Whether two arguments of a program are the same numbers or the same memory."""
    if known is given or isinstance(given, bool | int | float):
        return bool(known is given or known == given)
    if isinstance(given, tuple):
        return all(map(_is_same, known, given))
    if isinstance(given, GpuArray):
        return _identity(known) == _identity(given)
    return False


def _identity(array: GpuArray) -> tuple[Any, ...]:
    """What tells arrays of the GPU apart."""
    return array.address, array.shape, array.strides, array.dtype


def bind_search(game: Game, generic: Kernel[Any, Any], use_evaluation: bool) -> Kernel[Any, Any]:
    """A kernel of this module with a game's rules, evaluation and features in its slots."""
    kernels = complete_kernels(game) | {"observe": game.features.observe}
    kernels |= game.evaluation.by_name if use_evaluation else default_evaluation(game)
    called = without_inlining(game, kernels)
    called["encode"] = game.features.encode
    name = "batch_search" if use_evaluation else "batch_search_default"
    return specialize(generic, f"{game.package}.{name}", called)
