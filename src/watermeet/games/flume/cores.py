"""The core of a Flume position: what is left when everything that moves again has been taken.

A position is the graph of its free points. A stone on a point with at most one free neighbour moves
again, so such points fall away one after another like leaves; the *core* is what remains, every
point of it with two free neighbours or more. What falls away is *loose*. The value of a position
follows from that of its core without any search (proof in docs/concepts/flume-solved.md):

    value = max(loose + value(core), loose - 2 * cost - value(core))

Either the mover takes every loose point and has to play in the core; or the mover hands the last
ones over, so that the other has to, which is possible at a *cost* of 1 or 2 stones, if at all.

Here the points of a core carry labels 0 ... 61 and a set of them is a whole number of that many
bits. It is signed, as are all whole numbers in kernels, so bits 62 and 63 stay clear.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.kernel import kernel

Int64Array = npt.NDArray[np.int64]

MOST_POINTS = 62
NO_CONTROL = 1 << 10
"""The cost where nothing can be handed over: so high that the second term never counts."""

MOVE_FIELDS = 4
CORE, LOOSE, COST, RANK = range(MOVE_FIELDS)
"""What is known of a move: the core after it, how many points it sets loose, at which cost the
other can hand the last of them back; and where it stands among the moves to try."""

_LAST = 1 << 20  # Among the ranks, behind those of all moves that hand over no control.


class Graph(NamedTuple):
    """The points that positions are made of, by their labels, and room to work."""

    neighbours: Int64Array  # [62]: the set of neighbours
    rows: Int64Array  # [62]
    columns: Int64Array  # [62]
    room: Int64Array  # [62]: for one number a point, or a region


def _labels_by_bit() -> Int64Array:
    """[67]: the label in a set of one point, by its remainder: powers of 2 differ modulo 67."""
    table = np.zeros(67, dtype=np.int64)
    for label in range(MOST_POINTS):
        table[(1 << label) % 67] = label
    return table


LABEL_OF = _labels_by_bit()


@kernel
def around(bit: int, neighbours: Int64Array) -> int:
    """The neighbours of the one point in the set ``bit``."""
    return int(neighbours[LABEL_OF[bit % 67]])


@kernel
def count_points(points: int) -> int:
    """How many points a set has."""
    count = 0
    while points:
        points &= points - 1
        count += 1
    return count


@kernel
def peel(points: int, suspects: int, neighbours: Int64Array) -> int:
    """The core of a set in which ``suspects`` alone can have fewer than two neighbours at first."""
    suspects &= points
    while suspects:
        bit = suspects & -suspects
        suspects ^= bit
        near = around(bit, neighbours) & points
        if near & (near - 1) == 0:
            points ^= bit
            suspects |= near
    return points


@kernel
def control_cost(loose: int, core: int, neighbours: Int64Array) -> int:
    """The stones it costs to let the other be the one who plays in the core; see the docs.

    1 with two loose points in a row that hang on the core: the inner one is played, the outer one
    left. 2 with three in a row that hang on nothing: the middle one is played, two are left.
    """
    cost = NO_CONTROL
    left = loose
    while left:
        bit = left & -left
        left ^= bit
        near = around(bit, neighbours)
        beside = near & loose
        if beside:
            if near & core:
                return 1
            if beside & (beside - 1):
                cost = 2
    return cost


@kernel
def links(core: int, neighbours: Int64Array) -> int:
    """The points of a core with exactly two neighbours in it; the others are *joints*."""
    found = 0
    left = core
    while left:
        bit = left & -left
        left ^= bit
        near = around(bit, neighbours) & core
        near &= near - 1
        if near & (near - 1) == 0:
            found |= bit
    return found


@kernel
def chain_of(bit: int, all_links: int, neighbours: Int64Array) -> int:
    """The chain that a link belongs to: the links in a row with it, or the whole of a ring."""
    chain = bit
    ahead = bit
    while ahead:
        link = ahead & -ahead
        near = around(link, neighbours) & all_links & ~chain
        ahead = (ahead ^ link) | near
        chain |= near
    return chain


@kernel
def opening_of(chain: int, neighbours: Int64Array) -> int:
    """The link where a chain is best opened: the middle of three, else any.

    All leave the same core and the same loose points; only the middle of three leaves them apart,
    so that the other cannot hand them back.
    """
    left = chain
    while left:
        bit = left & -left
        left ^= bit
        near = around(bit, neighbours) & chain
        if near & (near - 1) and near | bit == chain:
            return bit
    return chain & -chain


@kernel
def is_symmetric(core: int, graph: Graph) -> bool:
    """Whether a core looks the same after half a turn about a point that is not in it."""
    places = graph.room
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
    """Where a move stands, lowest first. A matter of speed alone, found by trial.

    What leaves a symmetric core comes first: the other's moves can then be mirrored. Next come
    points with many neighbours, above all if those become links by it. Moves that hand over control
    come last, the short ones before the long.
    """
    if cost < NO_CONTROL:
        return _LAST + loose
    if is_symmetric(after, graph):
        return -_LAST
    neighbours = graph.neighbours
    near = around(bit, neighbours) & core
    rank = 0
    while near:
        beside = near & -near
        near ^= beside
        rank -= 9 if count_points(around(beside, neighbours) & core) == 3 else 8
    return rank


@kernel
def list_moves(core: int, graph: Graph, moves: Int64Array) -> int:
    """Writes the moves in a core into ``moves`` [62, MOVE_FIELDS], by rank; returns how many.

    Every joint is one, and every chain: playing elsewhere in it is no better.
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
            bit = opening_of(chain, neighbours)
        else:
            left ^= bit
        after = peel(core ^ bit, around(bit, neighbours), neighbours)
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
