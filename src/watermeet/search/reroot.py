"""Tree reuse: find the state that a match has reached in the tree, and make it the root."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import StateArray, apply
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.search.tree import EDGE_ARRAYS, NODE_ARRAYS, NONE, ROOT, Ints, Tree

States = npt.NDArray[np.int64]  # [plies, state size] of the game's integer type


@kernel
def find_node(
    tree: Tree, states: States, positions: Ints, wanted: StateArray, identity: int, max_states: int
) -> int:
    """The node of a state a few actions below the root, or NONE: iterative deepening.

    ``states[0]`` is the root's state, and the number of rows limits the depth. ``positions`` is
    [plies, 2]: on the way down, a node and the next of its edges to follow.
    """
    visited = 0
    for max_depth in range(len(states)):
        ply = 0
        positions[0, 0], positions[0, 1] = ROOT, 0
        while ply >= 0:
            node, index = int(positions[ply, 0]), int(positions[ply, 1])
            if ply == max_depth and _is_same(states[ply], wanted, identity):
                return node
            if ply == max_depth or index == tree.node_edge_count[node]:
                ply -= 1
                continue
            positions[ply, 1] = index + 1
            edge = int(tree.node_first_edge[node]) + index
            if tree.edge_target[edge] == NONE:
                continue
            if visited == max_states:
                return NONE
            visited += 1
            copy_state(states[ply], states[ply + 1])
            apply(states[ply + 1], int(tree.edge_action[edge]))
            ply += 1
            positions[ply, 0], positions[ply, 1] = tree.edge_target[edge], 0
    return NONE


@kernel
def _is_same(state: StateArray, other: StateArray, identity: int) -> bool:
    index = 0
    while index < identity and state[index] == other[index]:
        index += 1
    return index == identity


def reroot(tree: Tree, root: int, into: Tree) -> None:
    """Copy the subtree of ``root`` into an empty tree of the same size, breadth first.

    For trees with blocks of edges and without transpositions.
    """
    level = np.array([root])  # The old nodes at one depth.
    node, edge = ROOT, 0  # Where their copies start, and the copies of their edges.
    while len(level) > 0:
        new_nodes = slice(node, node + len(level))
        for old_array, new_array in zip(tree[NODE_ARRAYS], into[NODE_ARRAYS], strict=True):
            new_array[new_nodes] = old_array[level]
        counts = tree.node_edge_count[level]
        firsts = edge + np.cumsum(counts) - counts
        into.node_first_edge[new_nodes] = np.where(counts > 0, firsts, NONE)
        places = np.arange(edge, edge + int(counts.sum()))
        old_edges = places + np.repeat(tree.node_first_edge[level] - firsts, counts)
        for old_array, new_array in zip(tree[EDGE_ARRAYS], into[EDGE_ARRAYS], strict=True):
            new_array[places] = old_array[old_edges]
        targets = tree.edge_target[old_edges]
        node, edge = node + len(level), edge + len(places)
        level = targets[targets != NONE]
        into.edge_target[places[targets != NONE]] = np.arange(node, node + len(level))
    into.used[:] = node, edge
