"""Keeps the part of a tree that is still of use when the match has gone on."""

from __future__ import annotations

from watermeet.core.contract import FloatArray
from watermeet.core.kernel import kernel
from watermeet.search.tree import (
    COUNT,
    EDGE_WIDTH,
    EDGES,
    FIRST,
    NODE_WIDTH,
    NODES,
    NONE,
    PRIOR,
    SUM,
    TARGET,
    Rows,
    Used,
    Values,
)


@kernel
def move_root(
    nodes: Rows,
    edges: Rows,
    values: Values,
    sums: FloatArray,
    used: Used,
    root: int,
    new_nodes: Rows,
    new_edges: Rows,
    new_values: Values,
    new_sums: FloatArray,
    new_used: Used,
) -> None:
    """Copies what is below a node into an empty tree of the same size, where it becomes the root.

    For trees with blocks of edges in which no two edges lead to one node. New nodes are copied in
    the order in which they are found, so the list of nodes is the queue: until its turn comes, a
    new node holds its old edges' place.
    """
    _copy_node(nodes, sums, root, new_nodes, new_sums, 0)
    new_used[NODES] = 1
    place = 0
    while place < new_used[NODES]:
        old_first, count = int(new_nodes[place, FIRST]), int(new_nodes[place, COUNT])
        first = int(new_used[EDGES])
        if count > 0:
            new_nodes[place, FIRST] = first
        new_used[EDGES] = first + count
        for step in range(count):
            old, new = old_first + step, first + step
            for column in range(EDGE_WIDTH):
                new_edges[new, column] = edges[old, column]
            new_values[new, SUM] = values[old, SUM]
            new_values[new, PRIOR] = values[old, PRIOR]
            target = int(edges[old, TARGET])
            if target != NONE:
                fresh = int(new_used[NODES])
                new_used[NODES] = fresh + 1
                _copy_node(nodes, sums, target, new_nodes, new_sums, fresh)
                new_edges[new, TARGET] = fresh
        place += 1


@kernel
def _copy_node(
    nodes: Rows, sums: FloatArray, old: int, new_nodes: Rows, new_sums: FloatArray, new: int
) -> None:
    for column in range(NODE_WIDTH):
        new_nodes[new, column] = nodes[old, column]
    new_sums[new] = sums[old]
