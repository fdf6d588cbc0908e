"""Gumbel search: a good action after few simulations, and a policy that improves on the network's.

At the root, actions are drawn without replacement from the network's policy, by adding Gumbel noise
to its logits, and sequential halving shares the simulations out among them. What is learnt about
their values then changes the policy: even with two simulations it is better than before, which
visits alone don't guarantee (Danihelka and others, "Policy improvement by planning with Gumbel",
2022). Below the root selection is by PUCT, as in every other search here.

    search = GumbelSearch(game, 4096, considered=16, device="cuda")
    search.run(many, 32, network)
    many.step(search.actions)  # and learn from search.policies
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core import portable_math
from watermeet.core.batch import VectorGame
from watermeet.core.batch_kernels import MaskArray, Matrix, clear, share
from watermeet.core.checks import quote, require_integer
from watermeet.core.contract import ActionArray, FloatArray, RandomArray
from watermeet.core.errors import InvalidArgument
from watermeet.core.features import NO_CODE, encode
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.rng import next_word
from watermeet.search.batch import (
    BatchSearch,
    Evaluator,
    Numbers,
    Rows,
    descend_one,
    descend_one_hidden,
    mean_value,
    scratch_row,
    settings_of,
    tree_row,
)
from watermeet.search.settings import Settings
from watermeet.search.steps import target_proven
from watermeet.search.tree import NONE, ROOT, Scratch, Tree

VISITS_AT_FIRST, VALUE_SCALE = 50.0, 0.5
"""How much values from 0 to 1 count against logits: this scale times the visits of the most visited
action, plus those that it is credited with at first. Values aren't stretched to the range that they
have at the root, or noise would count as much as a certain win (bench/RESULTS.md)."""
LEAST_PRIOR = 1e-9


@cache
def halving_table(considered: int, simulations: int) -> npt.NDArray[np.int32]:
    """[actions, simulation]: how often an action was tried that may be tried next.

    Row ``k`` is for a root with ``k`` actions to consider. Each round shares its simulations
    equally, and keeps the better half; there are as many rounds as halvings.

    >>> halving_table(4, 8)[4].tolist()
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    table = np.zeros((considered + 1, simulations), dtype=np.int32)
    for actions in range(1, considered + 1):
        rounds = max(1, (actions - 1).bit_length())
        kept, tried, wanted = actions, 0, list[int]()
        while len(wanted) < simulations:
            for _ in range(max(1, simulations // (rounds * kept))):
                wanted += [tried] * kept
                tried += 1
            kept = max(min(2, actions), kept // 2)
        table[actions] = wanted[:simulations]
    return table


# ---- kernels ----------------------------------------------------------------------------------


@kernel
def gumbel(rng: RandomArray) -> float:
    """A random number of the standard Gumbel distribution."""
    uniform = (float(next_word(rng) >> np.uint64(12)) + 0.5) * 2.0**-52
    return -portable_math.log(-portable_math.log(uniform))


@kernel
def next_edge(tree: Tree, edge: int, is_list: bool) -> int:
    """The edge of the root after this one."""
    return int(tree.edge_next[edge]) if is_list else edge + 1


@kernel
def edge_value(tree: Tree, edge: int, sign: int, best_return: float) -> float:
    """What the root's mover expects of an edge, from 0 for the worst to 1 for the best return."""
    proven = sign * target_proven(tree, edge)
    if proven != 0:
        return 1.0 if proven > 0 else 0.0
    return 0.5 + 0.5 * mean_value(tree, edge) / best_return


@kernel
def score_edges(
    tree: Tree, scratch: Scratch, best_return: float, root_value: float, is_list: bool
) -> int:
    """Write the logit of each edge of the root, improved by what its value says; count visits.

    Actions that weren't tried count as what the tried ones and the network say of the root.
    """
    count, first = int(tree.node_edge_count[ROOT]), int(tree.node_first_edge[ROOT])
    sign = 1 if tree.node_mover[ROOT] == 0 else -1
    visits, most, tried, weighted = 0, 0, 0.0, 0.0
    edge = first
    for _ in range(count):
        trials = int(tree.edge_visits[edge])
        if trials > 0:
            value = edge_value(tree, edge, sign, best_return)
            prior = max(tree.edge_prior[edge], LEAST_PRIOR)
            visits, most = visits + trials, max(most, trials)
            tried, weighted = tried + prior, weighted + prior * value
        edge = next_edge(tree, edge, is_list)
    mixed = 0.5 + 0.5 * root_value / best_return
    if tried > 0.0:
        mixed = (mixed + visits * weighted / tried) / (1.0 + visits)
    scale = (VISITS_AT_FIRST + most) * VALUE_SCALE
    edge = first
    for index in range(count):
        value = mixed
        if tree.edge_visits[edge] > 0:
            value = edge_value(tree, edge, sign, best_return)
        logit = portable_math.log(max(tree.edge_prior[edge], LEAST_PRIOR))
        scratch.weights[index] = logit + scale * (value - mixed)
        edge = next_edge(tree, edge, is_list)
    return visits


@kernel
def begin_root(
    trees: Rows, scratches: Rows, noise: float, values: Matrix, noises: Matrix, root_values: Matrix
) -> None:
    """Draw the noise of every root's edges, and note what the network thinks of the root."""
    first, end = share(len(noises))
    for match in range(first, end):
        tree, scratch = tree_row(trees, match), scratch_row(scratches, match)
        if tree.node_mover[ROOT] >= 0:
            root_values[match, 0] = values[match, 0]
            for index in range(int(tree.node_edge_count[ROOT])):
                noises[match, index] = noise * gumbel(scratch.rng)


@kernel
def choose_edge(
    tree: Tree,
    scratch: Scratch,
    settings: Settings,
    root_value: float,
    noises: FloatArray,
    table: Matrix,
    is_list: bool,
) -> int:
    """The edge that sequential halving tries next; NONE before the root has edges."""
    count, edge = int(tree.node_edge_count[ROOT]), int(tree.node_first_edge[ROOT])
    if count == 0:
        return NONE
    done = score_edges(tree, scratch, settings.best_return, root_value, is_list)
    considered = min(count, table.shape[0] - 1)
    wanted = int(table[considered, min(done, table.shape[1] - 1)])
    best, best_score = NONE, -np.inf
    for index in range(count):
        score = scratch.weights[index] + noises[index]
        if tree.edge_visits[edge] == wanted and score > best_score:
            best, best_score = edge, score
        edge = next_edge(tree, edge, is_list)
    return best


@kernel
def descend_halving(
    trees: Rows,
    scratches: Rows,
    numbers: Numbers,
    known: Matrix,
    is_hidden: bool,
    leaves: Matrix,
    wanted: MaskArray,
    seen: Matrix,
    features: Matrix,
    noises: Matrix,
    root_values: Matrix,
    table: Matrix,
) -> None:
    """Begin a simulation of MCTS in every tree, with an action that halving chooses."""
    first, end = share(len(known))
    for match in range(first, end):
        tree, scratch = tree_row(trees, match), scratch_row(scratches, match)
        edge = choose_edge(
            tree, scratch, settings_of(numbers), root_values[match, 0], noises[match], table, False
        )
        descend_one(
            match, edge, tree, scratch, numbers, known, is_hidden, leaves, wanted, seen, features
        )


@kernel
def descend_halving_hidden(
    trees: Rows,
    scratches: Rows,
    numbers: Numbers,
    known: Matrix,
    is_hidden: bool,
    leaves: Matrix,
    wanted: MaskArray,
    seen: Matrix,
    features: Matrix,
    noises: Matrix,
    root_values: Matrix,
    table: Matrix,
) -> None:
    """Begin a simulation of ISMCTS in every tree, with an action that halving chooses."""
    first, end = share(len(known))
    for match in range(first, end):
        tree, scratch = tree_row(trees, match), scratch_row(scratches, match)
        edge = choose_edge(
            tree, scratch, settings_of(numbers), root_values[match, 0], noises[match], table, True
        )
        descend_one_hidden(
            match, edge, tree, scratch, numbers, known, is_hidden, leaves, wanted, seen, features
        )


@kernel
def report_policy(
    trees: Rows,
    scratches: Rows,
    numbers: Numbers,
    states: Matrix,
    is_list: bool,
    noises: Matrix,
    root_values: Matrix,
    policies: Matrix,
    actions: ActionArray,
    values: FloatArray,
) -> None:
    """Write the improved policy by code, and the action to play: the best of the most tried."""
    first, end = share(len(states))
    for match in range(first, end):
        tree, scratch, row = tree_row(trees, match), scratch_row(scratches, match), policies[match]
        clear(row)
        actions[match] = 0
        values[match] = 0.0
        if tree.node_mover[ROOT] < 0:
            continue
        best_return = settings_of(numbers).best_return
        score_edges(tree, scratch, best_return, root_values[match, 0], is_list)
        weights, count = scratch.weights, int(tree.node_edge_count[ROOT])
        sign = 1 if tree.node_mover[ROOT] == 0 else -1
        edge, best, best_index, highest = int(tree.node_first_edge[ROOT]), NONE, 0, -np.inf
        for index in range(count):
            highest = max(highest, weights[index])
            if encode(states[match], int(tree.edge_action[edge])) != NO_CODE and (
                best == NONE
                or plays_before(
                    tree, sign, edge, weights[index] + noises[match, index],
                    best, weights[best_index] + noises[match, best_index],
                )
            ):  # fmt: skip
                best, best_index = edge, index
            edge = next_edge(tree, edge, is_list)
        best_proven = sign * target_proven(tree, best) if best != NONE else 0
        total, edge = 0.0, int(tree.node_first_edge[ROOT])
        for index in range(count):
            # Certain wins get everything if there are any, and certain losses nothing before that.
            proven = sign * target_proven(tree, edge)
            is_worse = proven < 0 <= best_proven or proven <= 0 < best_proven
            if is_worse or encode(states[match], int(tree.edge_action[edge])) == NO_CODE:
                weights[index] = 0.0
            else:
                weights[index] = portable_math.exp(weights[index] - highest)
            total += weights[index]
            edge = next_edge(tree, edge, is_list)
        edge = int(tree.node_first_edge[ROOT])
        for index in range(count):
            code = encode(states[match], int(tree.edge_action[edge]))
            if code != NO_CODE:
                row[code] = np.float32(weights[index] / max(total, 1e-300))
            edge = next_edge(tree, edge, is_list)
        if best != NONE:
            actions[match] = encode(states[match], int(tree.edge_action[best]))
            value = edge_value(tree, best, sign, best_return)
            values[match] = (2.0 * value - 1.0) * best_return


@kernel
def plays_before(
    tree: Tree, sign: int, edge: int, score: float, other: int, other_score: float
) -> bool:
    """Whether an edge is played rather than another: proofs first, then visits, then the score."""
    proven, other_proven = sign * target_proven(tree, edge), sign * target_proven(tree, other)
    if proven != other_proven:
        return proven > other_proven
    if tree.edge_visits[edge] != tree.edge_visits[other]:
        return bool(tree.edge_visits[edge] > tree.edge_visits[other])
    return score > other_score


# ---- the search -------------------------------------------------------------------------------


class GumbelSearch(BatchSearch):
    """A search for many matches, whose leaves a network evaluates; see the module.

    ``actions``, ``values`` and ``policies`` are arrays of the device that every ``run`` overwrites.
    """

    def __init__(
        self, game: Game, count: int, settings: Settings | None = None, *, considered: int = 16,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(game, count, settings, **options)
        self.considered = require_integer(considered, "a number of actions", low=1)
        self.policies = self._zeros((count, game.features.spec.codes), np.float32)
        """[count, codes]: the improved policy; zeros where nobody is to move."""
        self._noises = self._zeros((count, game.sizes.actions), np.float64)
        self._root_values = self._zeros((count, 1), np.float64)
        self._tables: dict[int, Any] = {}

    def run(
        self,
        many: VectorGame,
        simulations: int,
        evaluate: Evaluator | None = None,
        *,
        noise: float = 1.0,
    ) -> None:
        """Search from every match, with some simulations after the one that evaluates the root.

        ``noise`` scales the Gumbel noise: with 0 the best actions are considered.
        """
        simulations = require_integer(simulations, "a number of simulations", low=1)
        if not callable(evaluate):
            raise InvalidArgument(f"{quote(evaluate)} can't evaluate", "pass a network's function")
        numbers = self._begin(many)
        if simulations not in self._tables:
            table = halving_table(self.considered, simulations)
            self._tables[simulations] = self._device.upload(table)
        extra = (self._noises, self._root_values, self._tables[simulations])
        for done in range(1 + simulations):
            program = descend_halving_hidden if self.ismcts else descend_halving
            values = self._simulate(numbers, evaluate, program, *extra)
            if done == 0:
                self._launch(
                    begin_root, self._trees, self._scratches, float(noise), values, *extra[:2]
                )
        self._launch(
            report_policy, self._trees, self._scratches, numbers, many.states, self.ismcts,
            *extra[:2], self.policies, self.actions, self.values,
        )  # fmt: skip
