"""Information set Monte Carlo tree search (ISMCTS), for hidden information or very wide chance.

A simulation starts by sampling what the searching seat doesn't know (``resample``), a
determinization. All of them grow one tree, whose nodes are sequences of actions: states that the
seat can't tell apart meet in one node, and chance passes without a node. The legal actions of a
node therefore differ from visit to visit; an edge counts its availability, how often it was legal.
"""

from __future__ import annotations

import math

import numpy as np

from watermeet.core import atomics, portable_math
from watermeet.core.contract import CHANCE, OVER, StateArray, apply, legal, resample, to_move
from watermeet.core.evaluation import priors
from watermeet.core.kernel import kernel
from watermeet.core.playout import sample_chance
from watermeet.core.rng import next_below
from watermeet.search import steps
from watermeet.search.rollout import evaluate_leaf
from watermeet.search.settings import Settings
from watermeet.search.tree import EDGES, NONE, ROOT, Scratch, Tree


@kernel
def simulate_hidden(
    tree: Tree, scratch: Scratch, settings: Settings, known: StateArray, seat: int, simulations: int
) -> int:
    """Run simulations from ``known``, the root as ``seat`` knows it; return how many."""
    for _ in range(simulations):
        resample(known, seat, scratch.rng, scratch.state)
        # Select and expand, down to a leaf.
        node, depth, mover = ROOT, 0, pass_chance(scratch)
        while mover != OVER and depth < len(scratch.path):
            edge = _select_or_expand(tree, scratch, settings, node)
            if edge == NONE:
                break
            steps.add_virtual_loss(tree, settings, edge)
            scratch.path[depth] = edge
            scratch.movers[depth] = mover
            depth += 1
            apply(scratch.state, int(tree.edge_action[edge]))
            is_chance = to_move(scratch.state) == CHANCE
            mover = pass_chance(scratch)
            is_new = tree.edge_target[edge] == NONE
            if is_new:
                atomics.exchange(tree.edge_target, edge, steps.add_node(tree, mover))
            node = int(tree.edge_target[edge])
            if is_new or node == NONE or (is_chance and settings.stop_at_chance):
                break
        evaluate_leaf(scratch, settings, mover, 0)
        steps.backup(tree, scratch, settings, depth, NONE)
    return simulations


@kernel
def pass_chance(scratch: Scratch) -> int:
    """Sample chance until a seat is to move or the match is over; return who is to move."""
    state = scratch.state
    mover = to_move(state)
    while mover == CHANCE:
        apply(state, sample_chance(state, scratch.actions, scratch.weights, scratch.rng))
        mover = to_move(state)
    return mover


@kernel
def _select_or_expand(tree: Tree, scratch: Scratch, settings: Settings, node: int) -> int:
    """The edge to follow: a new one if it is time for one, else the best; NONE if there is none."""
    count = legal(scratch.state, scratch.actions)
    found = find_edges(tree, scratch, node, count)
    edge = NONE
    if found < count:
        if settings.use_priors or settings.progressive_widening > 0.0:
            priors(scratch.state, scratch.actions, count, scratch.weights)
            steps.normalize(scratch.weights, count)
        if steps.lock(tree, node):  # Otherwise another thread is expanding it.
            edge = _expand(tree, scratch, settings, node, count, found)
            steps.unlock(tree, node)
    return edge if edge != NONE else select(tree, scratch, settings, node, count)


@kernel
def find_edges(tree: Tree, scratch: Scratch, node: int, count: int) -> int:
    """Write the edges of the legal actions, count them available, and return how many there are."""
    edge, found = int(tree.node_first_edge[node]), 0
    for index in range(count):
        while edge != NONE and tree.edge_action[edge] < scratch.actions[index]:
            edge = int(tree.edge_next[edge])
        scratch.edges[index] = NONE
        if edge != NONE and tree.edge_action[edge] == scratch.actions[index]:
            scratch.edges[index] = edge
            tree.edge_availability[edge] += 1
            found += 1
    return found


@kernel
def select(tree: Tree, scratch: Scratch, settings: Settings, node: int, count: int) -> int:
    """The edge with the best score among those of the legal actions, or NONE if there is none."""
    exploration = settings.exploration * settings.best_return
    puct_exploration = exploration * math.sqrt(tree.node_visits[node] + 1.0)
    unvisited = steps.unvisited_value(tree, settings, node)
    best, best_score = NONE, -np.inf
    for index in range(count):
        edge = int(scratch.edges[index])
        if edge == NONE:
            continue
        if settings.use_priors:
            value = steps.puct_score(tree, edge, unvisited, puct_exploration)
        else:
            log_trials = portable_math.log(float(tree.edge_availability[edge]))
            value = steps.uct_score(tree, edge, log_trials, exploration)
        if settings.prune_zero_priors and tree.edge_prior[edge] <= 0.0:
            value -= steps.LAST_RESORT
        if value > best_score:
            best, best_score = edge, value
    return best


@kernel
def _expand(
    tree: Tree, scratch: Scratch, settings: Settings, node: int, count: int, found: int
) -> int:
    """Add edges to a locked node: with priors all missing ones, else one, which is returned."""
    is_widened = settings.progressive_widening > 0.0
    if settings.use_priors and not is_widened:
        previous = NONE
        for index in range(count):
            edge = insert_edge(tree, scratch, node, previous, index, scratch.weights[index])
            previous = edge if edge != NONE else previous
        return NONE
    if is_widened and found >= steps.widening_limit(tree, settings, node):
        return NONE
    index = _sample_missing(scratch, count, is_widened)
    prior = scratch.weights[index] if is_widened else 1.0 / count
    return insert_edge(tree, scratch, node, NONE, index, prior)


@kernel
def _sample_missing(scratch: Scratch, count: int, by_prior: bool) -> int:
    """The place of an action that has no edge: of the best prior, or any; ties at random."""
    best, ties = NONE, 0
    for index in range(count):
        if scratch.edges[index] != NONE:
            continue
        if by_prior and best != NONE:
            if scratch.weights[index] < scratch.weights[best]:
                continue
            if scratch.weights[index] > scratch.weights[best]:
                ties = 0
        ties += 1
        if next_below(scratch.rng, ties) == 0:
            best = index
    return best


@kernel
def insert_edge(
    tree: Tree, scratch: Scratch, node: int, previous: int, index: int, prior: float
) -> int:
    """Put an edge for an action into the list, somewhere after ``previous``; NONE if it won't fit.

    Return the edge that is there already if another thread was faster.
    """
    action, before = int(scratch.actions[index]), previous
    after = int(tree.node_first_edge[node]) if before == NONE else int(tree.edge_next[before])
    while after != NONE and tree.edge_action[after] < action:
        before, after = after, int(tree.edge_next[after])
    if after != NONE and tree.edge_action[after] == action:
        scratch.edges[index] = after
        return after
    edge = steps.allocate(tree, EDGES, 1)
    if edge == NONE:
        return NONE
    steps.write_edge(tree, edge, action, prior)
    tree.edge_next[edge] = after
    tree.edge_availability[edge] = 1
    tree.node_edge_count[node] += 1
    scratch.edges[index] = edge
    # Last, and atomically: other threads may be reading the list.
    if before == NONE:
        atomics.exchange(tree.node_first_edge, node, edge)
    else:
        atomics.exchange(tree.edge_next, before, edge)
    return edge
