"""The steps that MCTS and ISMCTS share: growing the tree, scores, backup and proofs."""

from __future__ import annotations

import math

from watermeet.core import atomics, portable_math
from watermeet.core.contract import CHANCE, ActionArray, FloatArray
from watermeet.core.kernel import kernel
from watermeet.search.settings import Settings
from watermeet.search.tree import NODES, NONE, PROVEN_NOW, ROOT, Scratch, Tree

UNVISITED = 1e100
"""UCT's score of an edge without visits: higher than any other."""
LAST_RESORT = 1e200
"""What a score loses if the edge must not be chosen while there is another."""


@kernel
def is_shared(tree: Tree) -> bool:
    """Whether several threads grow the tree."""
    return len(tree.locks) > 0


@kernel
def allocate(tree: Tree, kind: int, count: int) -> int:
    """Reserve ``count`` rows for NODES or EDGES; return the first, or NONE if the tree is full."""
    size = len(tree.node_mover) if kind == NODES else len(tree.edge_action)
    if tree.used[kind] + count > size:
        return NONE
    first = int(atomics.add(tree.used, kind, count))
    if first + count > size:  # Another thread was faster.
        atomics.add(tree.used, kind, -count)
        return NONE
    return first


@kernel
def add_node(tree: Tree, mover: int) -> int:
    """Add a node without edges; return it, or NONE if the tree is full."""
    node = allocate(tree, NODES, 1)
    if node == NONE:
        return NONE
    tree.node_first_edge[node] = NONE
    tree.node_edge_count[node] = 0
    tree.node_mover[node] = mover
    tree.node_visits[node] = 0
    tree.node_value_sum[node] = 0.0
    tree.node_proven[node] = 0
    return node


@kernel
def write_edge(tree: Tree, edge: int, action: int, prior: float) -> None:
    """Make a reserved row an unvisited edge."""
    tree.edge_action[edge] = action
    tree.edge_visits[edge] = 0
    tree.edge_value_sum[edge] = 0.0
    tree.edge_prior[edge] = prior
    tree.edge_target[edge] = NONE


@kernel
def lock(tree: Tree, node: int) -> bool:
    """Try to lock a node; True if this thread may give it edges now."""
    return not is_shared(tree) or atomics.exchange(tree.locks, node, 1) == 0


@kernel
def unlock(tree: Tree, node: int) -> None:
    """Release a node's lock; the thread that takes it next sees what this one wrote."""
    if is_shared(tree):
        atomics.exchange(tree.locks, node, 0)


@kernel
def uct_score(tree: Tree, edge: int, log_trials: float, exploration: float) -> float:
    """The UCT score (UCB1) of an edge: its mean return, and a bonus that falls with its visits."""
    visits = int(tree.edge_visits[edge])
    if visits == 0:
        return UNVISITED
    bonus: float = math.sqrt(log_trials / visits)
    return float(tree.edge_value_sum[edge] / visits + exploration * bonus)


@kernel
def puct_score(tree: Tree, edge: int, unvisited_value: float, exploration: float) -> float:
    """The PUCT score of an edge: its mean return, and a bonus by its prior."""
    visits = int(tree.edge_visits[edge])
    value = tree.edge_value_sum[edge] / visits if visits > 0 else unvisited_value
    return float(value + exploration * tree.edge_prior[edge] / (1.0 + visits))


@kernel
def unvisited_value(tree: Tree, settings: Settings, node: int) -> float:
    """What PUCT takes an unvisited edge to be worth: the node's mean less ``fpu_reduction``."""
    visits = int(tree.node_visits[node])
    mean = tree.node_value_sum[node] / visits if visits > 0 else 0.0
    return float(mean - settings.fpu_reduction * settings.best_return)


@kernel
def widening_limit(tree: Tree, settings: Settings, node: int) -> int:
    """How many actions progressive widening considers in a node."""
    trials = tree.node_visits[node] + 1.0
    widened = portable_math.power(trials, settings.widening_exponent)
    return int(settings.progressive_widening * widened) + 1


@kernel
def add_virtual_loss(tree: Tree, settings: Settings, edge: int) -> None:
    """Count a visit that lost, for other threads to see until ``backup`` corrects it."""
    if is_shared(tree):
        atomics.add(tree.edge_visits, edge, 1)
        atomics.add(tree.edge_value_sum, edge, -settings.best_return)


@kernel
def backup(tree: Tree, scratch: Scratch, settings: Settings, depth: int, leaf: int) -> None:
    """Add the returns to the edges on the path, to the nodes where they start, and to the leaf."""
    node = ROOT
    for ply in range(depth):
        edge, mover = int(scratch.path[ply]), int(scratch.movers[ply])
        value = scratch.returns[mover] if mover >= 0 else 0.0
        _add_visit(tree, node, value)
        if is_shared(tree):  # The visit was counted by add_virtual_loss.
            atomics.add(tree.edge_value_sum, edge, settings.best_return + value)
        else:
            tree.edge_visits[edge] += 1
            tree.edge_value_sum[edge] += value
        node = int(tree.edge_target[edge])
    if leaf != NONE:
        mover = int(tree.node_mover[leaf])
        _add_visit(tree, leaf, scratch.returns[mover] if mover >= 0 else 0.0)


@kernel
def _add_visit(tree: Tree, node: int, value: float) -> None:
    """Count a visit of a node, and add what its mover got."""
    if is_shared(tree):
        atomics.add(tree.node_visits, node, 1)
        atomics.add(tree.node_value_sum, node, value)
    else:
        tree.node_visits[node] += 1
        tree.node_value_sum[node] += value


@kernel
def target_proven(tree: Tree, edge: int) -> int:
    """What is proven of the node that an edge leads to, as in ``node_proven``."""
    target = int(tree.edge_target[edge])
    return int(tree.node_proven[target]) if target != NONE else 0


@kernel
def prove(tree: Tree, node: int) -> None:
    """Mark a node as proven if that follows from its children, for two seats and zero sum.

    One winning action proves a win; a loss needs all of them, and a chance node needs all its
    outcomes to agree. The winner takes the shortest way that is known, the loser the longest.
    """
    mover, first = int(tree.node_mover[node]), int(tree.node_first_edge[node])
    count = int(tree.node_edge_count[node])
    if tree.node_proven[node] != 0 or count == 0:
        return
    sign = -1 if mover > 0 else 1
    wins, losses = 0, 0
    soonest, latest_win, latest_loss = 0, PROVEN_NOW, -PROVEN_NOW
    for edge in range(first, first + count):
        proven = sign * target_proven(tree, edge)
        soonest = max(soonest, proven)
        if proven > 0:
            wins += 1
            latest_win = min(latest_win, proven)
        elif proven < 0:
            losses += 1
            latest_loss = max(latest_loss, proven)
    if soonest > 0 and mover != CHANCE:
        tree.node_proven[node] = sign * max(soonest - 1, 1)
    elif losses == count:
        tree.node_proven[node] = sign * min(latest_loss + 1, -1)
    elif wins == count:
        tree.node_proven[node] = sign * max(latest_win - 1, 1)


@kernel
def normalize(weights: FloatArray, count: int) -> None:
    """Scale the first ``count`` weights to sum to 1."""
    total = 0.0
    for index in range(count):
        total += weights[index]
    for index in range(count):
        weights[index] /= total


@kernel
def prune(settings: Settings, weights: FloatArray, count: int) -> int:
    """How many of the sorted actions are considered: at least one, and those with a prior."""
    while settings.prune_zero_priors and count > 1 and weights[count - 1] <= 0.0:
        count -= 1
    return count


@kernel
def sort_by_weight(actions: ActionArray, weights: FloatArray, count: int) -> None:
    """Sort both by descending weight; a stable insertion sort, for lists are short."""
    for index in range(1, count):
        action, weight = int(actions[index]), weights[index]
        hole = index
        while hole > 0 and weights[hole - 1] < weight:
            actions[hole], weights[hole] = actions[hole - 1], weights[hole - 1]
            hole -= 1
        actions[hole], weights[hole] = action, weight
