"""The 2-core of a Flume position, on bitsets, for the solver.

A position is the graph of its free points. A stone on a point with at most one free neighbour moves
again, so such *loose* points can be peeled off one after another like leaves. What remains is the
2-core of the graph, here simply the *core*: every point in it has two or more neighbours in it. The
value of a position follows from that of its core without a search (proof in
docs/concepts/flume-solved.md):

    value = max(loose + value(core), loose - 2 * cost - value(core))

Either the mover takes every loose point and then has to play in the core; or the mover hands over
the last ones, so that the opponent has to. Like the double-dealing move of Dots and Boxes this
costs 1 or 2 stones, and isn't always possible.

The points of a core are labelled 0 ... 61, and a set of them is an integer of that many bits. All
integers in kernels are signed, so bits 62 and 63 stay clear.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.kernel import kernel

Int64Array = npt.NDArray[np.int64]

MAX_POINTS = 62
NO_CONTROL = 1 << 10
"""The cost if nothing can be handed over: so high that the second term never counts."""

MOVE_FIELDS = 4
CORE, LOOSE, COST, RANK = range(MOVE_FIELDS)
"""Fields of a move: the core after it, how many points it makes loose, the opponent's cost of
control, and its rank in the move ordering."""

_LAST = 1 << 20  # Higher than the ranks of all moves that don't give control.


class Graph(NamedTuple):
    """The graph of the points of a core, by label, and a scratch buffer."""

    neighbours: Int64Array  # [62]: the set of neighbours
    rows: Int64Array  # [62]
    columns: Int64Array  # [62]
    scratch: Int64Array  # [62]: one number per point or region


def _labels_by_bit() -> Int64Array:
    """[67]: the label of a one-point set by its value modulo 67, which tells powers of 2 apart."""
    table = np.zeros(67, dtype=np.int64)
    for label in range(MAX_POINTS):
        table[(1 << label) % 67] = label
    return table


LABEL_OF = _labels_by_bit()


@kernel
def neighbours_of(bit: int, neighbours: Int64Array) -> int:
    """The neighbours of the one point in ``bit``."""
    return int(neighbours[LABEL_OF[bit % 67]])


@kernel
def count_points(points: int) -> int:
    """The population count of a set."""
    count = 0
    while points:
        points &= points - 1
        count += 1
    return count


@kernel
def peel(points: int, suspects: int, neighbours: Int64Array) -> int:
    """The core of a set; only ``suspects`` may have fewer than two neighbours at first."""
    suspects &= points
    while suspects:
        bit = suspects & -suspects
        suspects ^= bit
        near = neighbours_of(bit, neighbours) & points
        if near & (near - 1) == 0:
            points ^= bit
            suspects |= near
    return points


@kernel
def control_cost(loose: int, core: int, neighbours: Int64Array) -> int:
    """The stones it costs to make the opponent play first in the core; see the docs.

    1 with two loose points in a row attached to the core: play the inner one, leave the outer one.
    2 with three loose points in a row: play the middle one, leave the other two.
    """
    cost = NO_CONTROL
    left = loose
    while left:
        bit = left & -left
        left ^= bit
        near = neighbours_of(bit, neighbours)
        beside = near & loose
        if beside:
            if near & core:
                return 1
            if beside & (beside - 1):
                cost = 2
    return cost


@kernel
def links(core: int, neighbours: Int64Array) -> int:
    """The points of degree two in a core; the others are *joints*."""
    found = 0
    left = core
    while left:
        bit = left & -left
        left ^= bit
        near = neighbours_of(bit, neighbours) & core
        near &= near - 1
        if near & (near - 1) == 0:
            found |= bit
    return found


@kernel
def chain_of(bit: int, all_links: int, neighbours: Int64Array) -> int:
    """The chain of a link: the links in a row with it, or a whole loop."""
    chain = bit
    ahead = bit
    while ahead:
        link = ahead & -ahead
        near = neighbours_of(link, neighbours) & all_links & ~chain
        ahead = (ahead ^ link) | near
        chain |= near
    return chain


@kernel
def chain_opening(chain: int, neighbours: Int64Array) -> int:
    """The best link to open a chain at: the middle of three, otherwise any.

    All of them leave the same core and as many loose points; but the middle of three leaves those
    apart, so the opponent can't hand them back.
    """
    left = chain
    while left:
        bit = left & -left
        left ^= bit
        near = neighbours_of(bit, neighbours) & chain
        if near & (near - 1) and near | bit == chain:
            return bit
    return chain & -chain


@kernel
def is_symmetric(core: int, graph: Graph) -> bool:
    """Whether a core is symmetric about a point that isn't in it."""
    places = graph.scratch
    count = 0
    left = core
    while left:
        bit = left & -left
        left ^= bit
        label = LABEL_OF[bit % 67]
        places[count] = graph.rows[label] * 64 + graph.columns[label]
        count += 1
    if count % 2 or count == 0:
        return False
    for index in range(count // 2):
        if places[index] + places[count - 1 - index] != places[0] + places[count - 1]:
            return False
    return True


@kernel
def rank_of(bit: int, core: int, after: int, loose: int, cost: int, graph: Graph) -> int:
    """The rank of a move in the move ordering, lowest first; found by experiment.

    Moves that leave a symmetric core come first, since the opponent's moves can then be mirrored.
    Next come points with many neighbours, especially neighbours that become links. Moves that give
    control come last, those with fewer loose points before those with more.
    """
    if cost < NO_CONTROL:
        return _LAST + loose
    if is_symmetric(after, graph):
        return -_LAST
    neighbours = graph.neighbours
    near = neighbours_of(bit, neighbours) & core
    rank = 0
    while near:
        beside = near & -near
        near ^= beside
        rank -= 9 if count_points(neighbours_of(beside, neighbours) & core) == 3 else 8
    return rank


@kernel
def list_moves(core: int, graph: Graph, moves: Int64Array) -> int:
    """Writes the moves in a core to ``moves`` [62, MOVE_FIELDS], by rank; returns how many.

    Every joint is a move, and every chain is one: its other links are no better.
    """
    neighbours = graph.neighbours
    all_links = links(core, neighbours)
    count = 0
    left = core
    while left:
        bit = left & -left
        if bit & all_links:
            chain = chain_of(bit, all_links, neighbours)
            left &= ~chain
            bit = chain_opening(chain, neighbours)
        else:
            left ^= bit
        after = peel(core ^ bit, neighbours_of(bit, neighbours), neighbours)
        set_loose = core ^ bit ^ after
        cost = control_cost(set_loose, after, neighbours)
        loose = count_points(set_loose)
        rank = rank_of(bit, core, after, loose, cost, graph)
        place = count
        while place > 0 and moves[place - 1, RANK] > rank:
            for field in range(MOVE_FIELDS):
                moves[place, field] = moves[place - 1, field]
            place -= 1
        moves[place, CORE] = after
        moves[place, LOOSE] = loose
        moves[place, COST] = cost
        moves[place, RANK] = rank
        count += 1
    return count
