"""Simulations in two halves, for leaves that are evaluated in batch by somebody else: a network.

``descend`` selects down to a leaf, and ``observe_leaf`` writes its features. When priors and values
are there, ``finish`` expands the leaf and backs the values up. A leaf is expanded on its first
visit, and chance is passed on the way. The tree is that of MCTS or ISMCTS, with the same selection.
With ``evaluation_weight`` the game's own priors and evaluation have a share in both.
"""

from __future__ import annotations

from watermeet.core.batch_kernels import observe_as, play_chance
from watermeet.core.contract import (
    CHANCE,
    OVER,
    FloatArray,
    StateArray,
    apply,
    legal,
    resample,
    score,
)
from watermeet.core.evaluation import evaluate
from watermeet.core.evaluation import priors as game_priors
from watermeet.core.features import NO_CODE, FeatureArray, encode
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.search import ismcts, mcts, steps
from watermeet.search.settings import Settings
from watermeet.search.tree import EDGES, NONE, ROOT, Scratch, Tree


@kernel
def descend(
    tree: Tree, scratch: Scratch, settings: Settings, root: StateArray, first: int
) -> tuple[int, int]:
    """Select edges of MCTS down to a leaf; return it, or NONE if the tree is full, and its depth.

    A leaf is a node without edges, or one that is over, proven or too deep. ``first`` is the edge
    to take from the root, or NONE to select that one, too.
    """
    copy_state(root, scratch.state)
    leaf, depth = ROOT, 0
    while tree.node_mover[leaf] != OVER and depth < len(scratch.path):
        if depth > 0 and tree.node_proven[leaf] != 0:
            break
        if tree.node_edge_count[leaf] == 0:
            is_chance = tree.node_mover[leaf] == CHANCE
            if not is_chance or not mcts.expand(tree, scratch, settings, leaf):
                break
        edge = first
        if depth > 0 or first == NONE:
            edge = mcts.select(tree, scratch, settings, leaf)
        steps.add_virtual_loss(tree, settings, edge)
        scratch.path[depth] = edge
        scratch.movers[depth] = tree.node_mover[leaf]
        depth += 1
        apply(scratch.state, int(tree.edge_action[edge]))
        leaf = int(tree.edge_target[edge])
        if leaf == NONE:
            leaf = mcts.add_child(tree, scratch, settings, edge)
            if leaf == NONE:
                break
    return leaf, depth


@kernel
def descend_hidden(
    tree: Tree, scratch: Scratch, settings: Settings, known: StateArray, seat: int, first: int
) -> tuple[int, int]:
    """As ``descend``, for ISMCTS: a leaf is a node that lacks the edge of some legal action."""
    resample(known, seat, scratch.rng, scratch.state)
    node, depth, mover = ROOT, 0, ismcts.pass_chance(scratch)
    while mover != OVER and depth < len(scratch.path):
        count = legal(scratch.state, scratch.actions)
        if ismcts.find_edges(tree, scratch, node, count) < count:
            break
        edge = first
        if depth > 0 or first == NONE:
            edge = ismcts.select(tree, scratch, settings, node, count)
        steps.add_virtual_loss(tree, settings, edge)
        scratch.path[depth] = edge
        scratch.movers[depth] = mover
        depth += 1
        apply(scratch.state, int(tree.edge_action[edge]))
        mover = ismcts.pass_chance(scratch)
        if tree.edge_target[edge] == NONE:
            tree.edge_target[edge] = steps.add_node(tree, mover)
        node = int(tree.edge_target[edge])
        if node == NONE:
            break
    return node, depth


@kernel
def observe_leaf(
    scratch: Scratch, is_hidden: bool, known: StateArray, features: FeatureArray
) -> int:
    """Write what the seat to move sees, and return the seat; NONE if the match is over.

    ``known`` is a buffer.
    """
    mover = play_chance(scratch.state, scratch.actions, scratch.weights, scratch.rng)
    if mover == OVER:
        return NONE
    observe_as(scratch.state, mover, is_hidden, known, features)
    return mover


@kernel
def finish(
    tree: Tree,
    scratch: Scratch,
    settings: Settings,
    leaf: int,
    depth: int,
    observer: int,
    priors: FloatArray,
    values: FloatArray,
    uses_information_sets: bool,
) -> None:
    """Expand a leaf by its priors, and back up its values, the observer's first."""
    returns, seats = scratch.returns, len(scratch.returns)
    proven = 0
    if leaf != NONE and not uses_information_sets:
        proven = int(tree.node_proven[leaf])
    if proven != 0:
        returns[0] = settings.best_return if proven > 0 else -settings.best_return
        returns[1] = -returns[0]
    elif observer == NONE:
        score(scratch.state, returns)
    else:
        weight = settings.evaluation_weight
        if weight > 0.0:
            evaluate(scratch.state, scratch.evaluation)
        for step in range(seats):
            seat = (observer + step) % seats
            own = weight * scratch.evaluation[seat] if weight > 0.0 else 0.0
            returns[seat] = own + (1.0 - weight) * values[step]
        if uses_information_sets:
            if leaf != NONE:
                _add_missing_edges(tree, scratch, settings, leaf, priors)
        elif leaf != NONE and tree.node_mover[leaf] >= 0 and tree.node_edge_count[leaf] == 0:
            _add_edges(tree, scratch, settings, leaf, priors)
    steps.backup(tree, scratch, settings, depth, NONE if uses_information_sets else leaf)
    if proven != 0:
        mcts.backup_proof(tree, scratch, depth)


@kernel
def _list_weighted(scratch: Scratch, settings: Settings, priors: FloatArray) -> int:
    """List the legal actions with their priors, which sum to 1.

    For an action without a code the priors say nothing, and it has 0 of them.
    """
    state, actions, weights = scratch.state, scratch.actions, scratch.weights
    weight = settings.evaluation_weight
    count, total = int(legal(state, actions)), 0.0
    if weight > 0.0 or settings.prune_zero_priors:
        game_priors(state, actions, count, weights)
        steps.normalize(weights, count)
    for index in range(count):
        total += _prior_of(scratch, settings, index, priors)
    for index in range(count):
        own = weight * weights[index] if weight > 0.0 else 0.0
        given = _prior_of(scratch, settings, index, priors)
        weights[index] = own + (1.0 - weight) * (given / total if total > 0.0 else 1.0 / count)
    return count


@kernel
def _prior_of(scratch: Scratch, settings: Settings, index: int, priors: FloatArray) -> float:
    """What the given priors say of a listed action; 0 if it is pruned."""
    if settings.prune_zero_priors and scratch.weights[index] <= 0.0:
        return 0.0
    code = encode(scratch.state, int(scratch.actions[index]))
    return float(priors[code]) if code != NO_CODE else 0.0


@kernel
def _add_edges(
    tree: Tree, scratch: Scratch, settings: Settings, node: int, priors: FloatArray
) -> None:
    """Give a node of MCTS its edges, best priors first, if they fit."""
    count = _list_weighted(scratch, settings, priors)
    steps.sort_by_weight(scratch.actions, scratch.weights, count)
    count = steps.prune(settings, scratch.weights, count)
    first = steps.allocate(tree, EDGES, count)
    if first == NONE:
        return
    for index in range(count):
        action = int(scratch.actions[index])
        steps.write_edge(tree, first + index, action, scratch.weights[index])
    tree.node_first_edge[node] = first
    tree.node_edge_count[node] = count


@kernel
def _add_missing_edges(
    tree: Tree, scratch: Scratch, settings: Settings, node: int, priors: FloatArray
) -> None:
    """Give a node of ISMCTS the edges that it lacks."""
    previous = NONE
    for index in range(_list_weighted(scratch, settings, priors)):
        edge = ismcts.insert_edge(tree, scratch, node, previous, index, scratch.weights[index])
        previous = edge if edge != NONE else previous
