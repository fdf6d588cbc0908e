"""Keeps the part of a tree that is still of use when the match has gone on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import FloatArray, StateArray, apply
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.search.tree import (
    ACTION,
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

States = npt.NDArray[np.int64]  # [plies, state size] of the game's integer type
Places = npt.NDArray[np.int32]  # [plies, 2]: a node, and which of its edges comes next


@kernel
def find_node(
    wanted: StateArray,
    identity: int,
    nodes: Rows,
    edges: Rows,
    states: States,
    places: Places,
    most: int,
) -> int:
    """The node of a state that is a few actions below the root, or NONE.

    ``states[0]`` is the root's state; there is one row more than actions may have been played. The
    nearest are looked at first, and no more than ``most`` states in all.
    """
    looked = 0
    for farthest in range(len(states)):
        ply = 0
        places[0, 0] = 0
        places[0, 1] = 0
        while ply >= 0:
            node, place = int(places[ply, 0]), int(places[ply, 1])
            if ply == farthest:
                if _is_same(states[ply], wanted, identity):
                    return node
                ply -= 1
                continue
            if place == nodes[node, COUNT]:
                ply -= 1
                continue
            places[ply, 1] = place + 1
            edge = int(nodes[node, FIRST]) + place
            if edges[edge, TARGET] == NONE:
                continue
            if looked == most:
                return NONE
            looked += 1
            copy_state(states[ply], states[ply + 1])
            apply(states[ply + 1], int(edges[edge, ACTION]))
            ply += 1
            places[ply, 0] = edges[edge, TARGET]
            places[ply, 1] = 0
    return NONE


@kernel
def _is_same(state: StateArray, other: StateArray, identity: int) -> bool:
    index = 0
    while index < identity and state[index] == other[index]:
        index += 1
    return index == identity


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
