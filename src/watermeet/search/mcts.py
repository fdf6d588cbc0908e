"""Monte Carlo tree search (MCTS) for games without hidden information; chance has nodes.

A simulation selects edges from the root down to a leaf, expands it, evaluates the new node, and
backs the returns up the path. Each seat's return is kept, so any number of seats and teams can
play; every seat maximizes its own.
"""

from __future__ import annotations

import math

import numpy as np

from watermeet.core import atomics, portable_math
from watermeet.core.contract import CHANCE, OVER, StateArray, apply, chance, legal, score, to_move
from watermeet.core.evaluation import priors, proven_returns
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below, next_weighted
from watermeet.search import steps
from watermeet.search.rollout import evaluate_leaf
from watermeet.search.settings import Settings
from watermeet.search.transpositions import find_or_add_node, hash_state
from watermeet.search.tree import EDGES, NONE, PROVEN_NOW, PROVEN_SOON, ROOT, Scratch, Tree


@kernel
def simulate(
    tree: Tree, scratch: Scratch, settings: Settings, root: StateArray, simulations: int
) -> int:
    """Run simulations from ``root``; return how many, fewer if the root is proven on the way."""
    for done in range(simulations):
        copy_state(root, scratch.state)
        # Select and expand, down to a leaf: a new node, or one that is over, proven or too deep.
        leaf, depth = ROOT, 0
        while tree.node_mover[leaf] != OVER and depth < len(scratch.path):
            if depth > 0 and tree.node_proven[leaf] != 0:
                break
            is_expanded = atomics.load(tree.node_edge_count, leaf) > 0
            if not is_expanded and not expand(tree, scratch, settings, leaf):
                break
            edge = select(tree, scratch, settings, leaf)
            steps.add_virtual_loss(tree, settings, edge)
            scratch.path[depth] = edge
            scratch.movers[depth] = tree.node_mover[leaf]
            depth += 1
            apply(scratch.state, int(tree.edge_action[edge]))
            leaf = int(tree.edge_target[edge])
            if leaf == NONE:
                leaf = add_child(tree, scratch, settings, edge)
                if leaf == NONE or tree.node_visits[leaf] == 0:
                    break
        proven = int(tree.node_proven[leaf]) if leaf != NONE else 0
        evaluate_leaf(scratch, settings, to_move(scratch.state), proven)
        steps.backup(tree, scratch, settings, depth, leaf)
        if proven != 0:
            backup_proof(tree, scratch, depth)
        if tree.node_proven[ROOT] != 0:
            return done + 1
    return simulations


@kernel
def select(tree: Tree, scratch: Scratch, settings: Settings, node: int) -> int:
    """The edge to follow from an expanded node: sampled at a chance node, else the best by score.

    Ties go to the first edge after a random place. A proven win is taken at once, and a proven loss
    only if there is nothing else.
    """
    first, count = int(tree.node_first_edge[node]), int(tree.node_edge_count[node])
    mover = int(tree.node_mover[node])
    if mover == CHANCE:
        return first + next_weighted(scratch.rng, tree.edge_prior[first : first + count], count)
    if settings.progressive_widening > 0.0:
        count = min(count, steps.widening_limit(tree, settings, node))
    sign = 1 if mover == 0 else -1
    trials = tree.node_visits[node] + 1.0
    exploration = settings.exploration * settings.best_return
    exploration *= math.sqrt(trials) if settings.use_priors else 1.0
    log_trials = 0.0 if settings.use_priors else portable_math.log(trials)
    unvisited = steps.unvisited_value(tree, settings, node)
    best, best_score = first, -np.inf
    start = next_below(scratch.rng, count)
    for step in range(count):
        index = start + step
        edge = first + (index if index < count else index - count)
        proven = sign * steps.target_proven(tree, edge)
        if proven > 0:
            return edge
        if settings.use_priors:
            value = steps.puct_score(tree, edge, unvisited, exploration)
        else:
            value = steps.uct_score(tree, edge, log_trials, exploration)
        if proven < 0:
            value -= steps.LAST_RESORT
        if value > best_score:
            best, best_score = edge, value
    return best


@kernel
def expand(tree: Tree, scratch: Scratch, settings: Settings, node: int) -> bool:
    """Give a node its edges; False if it is too early, another thread does it, or it won't fit.

    Edges are in the order of their priors, best first.
    """
    if tree.node_visits[node] < settings.expand_after and node != ROOT:
        return False
    if not steps.lock(tree, node):
        return False
    state, actions, weights = scratch.state, scratch.actions, scratch.weights
    count = legal(state, actions)
    if tree.node_mover[node] == CHANCE:
        chance(state, weights)
    elif settings.use_priors or settings.prune_zero_priors or settings.progressive_widening > 0.0:
        priors(state, actions, count, weights)
        steps.normalize(weights, count)
        steps.sort_by_weight(actions, weights, count)
        count = steps.prune(settings, weights, count)
    else:
        for index in range(count):
            weights[index] = 1.0 / count
    first = steps.allocate(tree, EDGES, count)
    if first == NONE:
        steps.unlock(tree, node)
        return False
    for index in range(count):
        steps.write_edge(tree, first + index, int(actions[index]), weights[index])
    tree.node_first_edge[node] = first
    atomics.exchange(tree.node_edge_count, node, count)  # Last: it makes the edges reachable.
    return True


@kernel
def add_child(tree: Tree, scratch: Scratch, settings: Settings, edge: int) -> int:
    """The node that an unvisited edge leads to: a new one, or that of a transposition."""
    state, mover = scratch.state, to_move(scratch.state)
    if settings.transpositions:
        node = find_or_add_node(tree, hash_state(state, settings.identity), mover)
    else:
        node = steps.add_node(tree, mover)
    if node != NONE and tree.node_visits[node] == 0 and len(scratch.returns) == 2:
        if mover == OVER:
            score(state, scratch.returns)
        if mover == OVER or proven_returns(state, scratch.returns) == 1:
            # One seat gets the best return and the other the worst.
            won = min(scratch.returns[0], -scratch.returns[1]) >= settings.best_return
            lost = min(-scratch.returns[0], scratch.returns[1]) >= settings.best_return
            strength = PROVEN_NOW if mover == OVER else PROVEN_SOON
            tree.node_proven[node] = strength * (int(won) - int(lost))
    atomics.exchange(tree.edge_target, edge, node)  # Last: it makes the node reachable.
    return node


@kernel
def backup_proof(tree: Tree, scratch: Scratch, depth: int) -> None:
    """Prove the nodes on the path from a proven leaf towards the root, as far as it reaches."""
    for ply in range(depth - 1, -1, -1):
        node = int(tree.edge_target[int(scratch.path[ply - 1])]) if ply > 0 else ROOT
        steps.prove(tree, node)
        if tree.node_proven[node] == 0:
            return
