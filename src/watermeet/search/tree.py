"""The tree that Monte Carlo search grows: arrays of nodes and edges, and what is done on them.

A node is a state, an edge an action that was thought of there. Several edges may lead to one node,
where transpositions are shared. What has been seen lies in the edges: an edge's value is the mean
of what the seat that chose it got. The edges of a node are either a block, one for each legal
action (``COUNT`` of them, behind each other), or a list that grows, in the order of their actions.

| array | columns |
| --- | --- |
| nodes | FIRST edge, COUNT of edges, MOVER, VISITS, PROVEN: 1 if seat 0 wins for sure, -1 if 1 |
| edges | ACTION, TRIES, TARGET node or NONE, NEXT edge or NONE, CHANCES that it had to be tried |
| values | by edge: SUM of the returns, PRIOR: how promising it looked before |
| sums | by node: the sum of what its mover got |
| used | nodes, edges |
| claims | by node: 1 while a thread gives it edges, or when it has; empty for one thread alone |

Several threads may grow one tree. They read without asking, add in single steps
(``atomics.add``), and who gives a node edges has claimed it. What leads to a node or an edge
(COUNT, TARGET, FIRST, NEXT) is written last, by ``atomics.exchange``. What a thread is about to
value counts as lost until it is told (``suppose_lost``), so that the others look elsewhere.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core import atomics
from watermeet.core.contract import CHANCE, FloatArray, RandomArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.core.rng import next_below, next_weighted

FIRST, COUNT, MOVER, VISITS, PROVEN = range(5)
NODE_WIDTH = 5
ACTION, TRIES, TARGET, NEXT, CHANCES = range(5)
EDGE_WIDTH = 5
SUM, PRIOR = range(2)
VALUE_WIDTH = 2
NONE = -1
NODES, EDGES = range(2)

Rows = npt.NDArray[np.int32]  # [rows, columns]
Values = npt.NDArray[np.float64]  # [rows, 2]
Used = npt.NDArray[np.int64]  # [2]
Steps = npt.NDArray[np.int32]  # [longest]: the edges of one simulation, or who chose them


class Tree:
    """Room for a tree."""

    def __init__(self, nodes: int, edges: int, *, threads: int = 1) -> None:
        self.nodes: Rows = np.zeros((nodes, NODE_WIDTH), dtype=np.int32)
        self.edges: Rows = np.zeros((edges, EDGE_WIDTH), dtype=np.int32)
        self.values: Values = np.zeros((edges, VALUE_WIDTH))
        self.sums: FloatArray = np.zeros(nodes)
        self.used: Used = np.zeros(2, dtype=np.int64)
        self.claims: Scratch = np.zeros(nodes if threads > 1 else 0, dtype=np.int32)

    def empty_copy(self) -> Tree:
        """As much room, with nothing in it."""
        return Tree(len(self.nodes), len(self.edges), threads=2 if len(self.claims) else 1)

    def clear(self) -> None:
        """Forgets everything."""
        self.used[:] = 0
        self.claims[:] = 0

    @property
    def arrays(self) -> tuple[Rows, Rows, Values, FloatArray, Used]:
        """As kernels take them."""
        return self.nodes, self.edges, self.values, self.sums, self.used


# ---- growing ------------------------------------------------------------------------------------


@kernel
def take_room(used: Used, kind: int, count: int, size: int, claims: Scratch) -> int:
    """The first of so many rows that nobody uses, or NONE if there are not as many left."""
    if used[kind] + count > size:
        return NONE
    if len(claims) == 0:
        first = int(used[kind])
        used[kind] = first + count
        return first
    first = int(atomics.add(used, kind, count))
    if first + count > size:  # Another thread was faster.
        atomics.add(used, kind, -count)
        return NONE
    return first


@kernel
def add_node(nodes: Rows, sums: FloatArray, used: Used, claims: Scratch, mover: int) -> int:
    """A node without edges, or NONE if there is no room."""
    node = take_room(used, NODES, 1, len(nodes), claims)
    if node == NONE:
        return NONE
    nodes[node, FIRST] = NONE
    nodes[node, COUNT] = 0
    nodes[node, MOVER] = mover
    nodes[node, VISITS] = 0
    nodes[node, PROVEN] = 0
    sums[node] = 0.0
    return node


@kernel
def write_edge(edges: Rows, values: Values, edge: int, action: int, prior: float) -> None:
    """An edge that nobody has tried."""
    edges[edge, ACTION] = action
    edges[edge, TRIES] = 0
    edges[edge, TARGET] = NONE
    edges[edge, NEXT] = NONE
    edges[edge, CHANCES] = 0
    values[edge, SUM] = 0.0
    values[edge, PRIOR] = prior


@kernel
def claim(claims: Scratch, node: int) -> bool:
    """Whether this thread may give a node edges now."""
    return len(claims) == 0 or atomics.exchange(claims, node, 1) == 0


@kernel
def give_up_claim(claims: Scratch, node: int) -> None:
    """Another thread may. What was written before is seen by whoever sees this."""
    if len(claims) > 0:
        atomics.exchange(claims, node, 0)


# ---- choosing among a block of edges ------------------------------------------------------------


@kernel
def edge_by_chance(
    nodes: Rows, edges: Rows, values: Values, node: int, weights: FloatArray, rng: RandomArray
) -> int:
    """An edge of a node of chance, drawn by the probabilities that are its priors."""
    first, count = int(nodes[node, FIRST]), int(nodes[node, COUNT])
    for place in range(count):
        weights[place] = values[first + place, PRIOR]
    return first + next_weighted(rng, weights, count)


@kernel
def edge_to_try(
    nodes: Rows,
    edges: Rows,
    values: Values,
    node: int,
    considered: int,
    exploration: float,
    uses_priors: bool,
    first_value: float,
    rng: RandomArray,
) -> int:
    """The edge that promises most among the first ``considered``, known or unknown.

    With priors it is PUCT, and what nobody tried counts as ``first_value``; else UCT, which tries
    everything once. Edges that surely lose are left alone, unless all do.
    """
    first = int(nodes[node, FIRST])
    visits = float(nodes[node, VISITS])
    sign = 1 if nodes[node, MOVER] == 0 else -1
    scale = exploration * (np.sqrt(visits + 1.0) if uses_priors else 1.0)
    logarithm = np.log(visits + 1.0)
    best, best_score = first, -1e300
    start = next_below(rng, considered)
    for step in range(considered):
        place = start + step
        if place >= considered:
            place -= considered
        edge = first + place
        tries = int(edges[edge, TRIES])
        target = int(edges[edge, TARGET])
        proven = sign * int(nodes[target, PROVEN]) if target != NONE else 0
        if proven > 0:
            return edge
        if uses_priors:
            value = values[edge, SUM] / tries if tries > 0 else first_value
            score = value + scale * values[edge, PRIOR] / (1.0 + tries)
        elif tries == 0:
            score = 1e100
        else:
            score = values[edge, SUM] / tries + scale * np.sqrt(logarithm / tries)
        if proven < 0:
            score -= 1e200
        if score > best_score:
            best, best_score = edge, score
    return best


# ---- what was seen ----------------------------------------------------------------------------


@kernel
def suppose_lost(edges: Rows, values: Values, claims: Scratch, edge: int, best: float) -> None:
    """Until ``tell`` knows more, a try is a loss to the other threads."""
    if len(claims) > 0:
        atomics.add(edges, edge * EDGE_WIDTH + TRIES, 1)
        atomics.add(values, edge * VALUE_WIDTH + SUM, -best)


@kernel
def tell(
    nodes: Rows,
    edges: Rows,
    values: Values,
    sums: FloatArray,
    claims: Scratch,
    path: Steps,
    movers: Steps,
    depth: int,
    returns: FloatArray,
    best: float,
) -> None:
    """Adds what the seats got to all edges on the way, and to the nodes where they begin."""
    node = 0
    for step in range(depth):
        edge, mover = int(path[step]), int(movers[step])
        got = returns[mover] if mover >= 0 else 0.0
        tell_node(nodes, sums, claims, node, got)
        if len(claims) > 0:  # See suppose_lost.
            atomics.add(values, edge * VALUE_WIDTH + SUM, best + got)
        else:
            edges[edge, TRIES] += 1
            values[edge, SUM] += got
        node = int(edges[edge, TARGET])


@kernel
def tell_node(nodes: Rows, sums: FloatArray, claims: Scratch, node: int, got: float) -> None:
    """Adds one visit, and what the node's mover got."""
    if len(claims) > 0:
        atomics.add(nodes, node * NODE_WIDTH + VISITS, 1)
        atomics.add(sums, node, got)
    else:
        nodes[node, VISITS] += 1
        sums[node] += got


# ---- what is certain ----------------------------------------------------------------------------


@kernel
def prove(nodes: Rows, edges: Rows, node: int) -> None:
    """Notes that a node is won or lost for sure, if that follows from what its edges lead to.

    For two seats of which one wins what the other loses. What chance does is certain only if all
    that it can do leads to the same.
    """
    mover = int(nodes[node, MOVER])
    first, count = int(nodes[node, FIRST]), int(nodes[node, COUNT])
    if nodes[node, PROVEN] != 0 or count == 0:
        return
    if mover == CHANCE:
        nodes[node, PROVEN] = _proven_alike(nodes, edges, first, count)
        return
    sign = 1 if mover == 0 else -1
    losses = 0
    for edge in range(first, first + count):
        target = int(edges[edge, TARGET])
        proven = sign * int(nodes[target, PROVEN]) if target != NONE else 0
        if proven > 0:
            nodes[node, PROVEN] = sign
            return
        if proven < 0:
            losses += 1
    if losses == count:
        nodes[node, PROVEN] = -sign


@kernel
def _proven_alike(nodes: Rows, edges: Rows, first: int, count: int) -> int:
    """What is proven of all the nodes that a block of edges leads to, or 0."""
    target = int(edges[first, TARGET])
    proven = int(nodes[target, PROVEN]) if target != NONE else 0
    for edge in range(first + 1, first + count):
        target = int(edges[edge, TARGET])
        if target == NONE or nodes[target, PROVEN] != proven:
            return 0
    return proven
