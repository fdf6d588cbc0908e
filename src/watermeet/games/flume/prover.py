"""The search of ``proofs`` as an object: it holds the arrays, lets them grow, and counts nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from watermeet.core.errors import TooLarge
from watermeet.core.squaregrid import neighbours
from watermeet.games.flume.cores import MOST_POINTS, Graph, Int64Array
from watermeet.games.flume.proofs import (
    FULL,
    PAIRS_PER_NODE,
    SOLVED,
    YES,
    advance,
    copy_entries,
    is_full_register,
    is_full_table,
    make_ledger,
    make_stack,
)
from watermeet.games.flume.shapes import Register, copy_pairs

NODES_PER_SLICE = 2_000
"""How many nodes are searched between two calls of ``progress``: some 15 ms, compiled."""

SMALLEST_TABLE = 1 << 12


def make_graph(size: int, points: Sequence[int]) -> Graph:
    """The graph of these points of a board, ascending; a point's label is its place among them."""
    graph = Graph(*(np.zeros(MOST_POINTS, dtype=np.int64) for _ in Graph._fields))
    label_of = {point: label for label, point in enumerate(points)}
    for point, label in label_of.items():
        graph.rows[label], graph.columns[label] = divmod(point, size)
        near = (label_of[each] for each in neighbours(point, size, size) if each in label_of)
        graph.neighbours[label] = sum(1 << each for each in near)
    return graph


def make_register(capacity: int) -> Register:
    """An empty register with room for so many pairs, a power of two."""
    return Register(
        np.zeros((capacity, 2), dtype=np.int64),
        np.zeros(2 * capacity, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
    )


def make_table(capacity: int) -> Int64Array:
    """An empty table of bounds with so many slots, a power of two."""
    return np.zeros((capacity, 2), dtype=np.int64)


class Prover:
    """Answers questions about values of cores within a set of points; remembers the answers.

    A core is a set of labels, as a whole number. It never guesses: it raises TooLarge when it has
    searched ``node_limit`` nodes in all. It calls ``progress`` with their number now and then.
    """

    def __init__(
        self,
        size: int,
        points: Sequence[int],
        node_limit: int,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        if len(points) > MOST_POINTS:
            raise TooLarge(
                f"{len(points)} free points of a position on {size}x{size} move again neither now "
                f"nor once others are taken, and the solver can hold {MOST_POINTS} of them",
                "solve it when more points are filled",
            )
        self.graph = make_graph(size, points)
        self._register = make_register(4 * PAIRS_PER_NODE)
        self._stack = make_stack()
        self._table = make_table(SMALLEST_TABLE)
        self._ledger = make_ledger()
        self._node_limit = node_limit
        self._progress = progress
        self._report_at = NODES_PER_SLICE

    @property
    def nodes(self) -> int:
        """How many nodes were searched so far: questions that the table could not answer."""
        return int(self._ledger.nodes[0])

    @property
    def entries(self) -> int:
        """How many positions, equal ones counted once, there are proven bounds for."""
        return int(self._ledger.entries[0])

    def value(self, core: int) -> int:
        """The value of a core: what its mover gets of it more than the other, with best play."""
        count = core.bit_count()
        if count == 0:
            return 0
        low, high = 2 - count, count - 2
        goal = count % 2  # Most values are small.
        while low < high:
            goal = min(max(goal, low + 2), high)
            if self.is_at_least(core, goal):
                low = goal
                goal += 2
            else:
                high = goal - 2
                goal -= 2
        return low

    def is_at_least(self, core: int, goal: int) -> bool:
        """Whether the value of a core is ``goal`` or more."""
        count = core.bit_count()
        ledger = self._ledger
        ledger.depth[0] = 0
        ledger.core[0] = core
        ledger.point_count[0] = count
        # Out of a value's reach the kernel need not know how far.
        ledger.goal[0] = min(max(goal + (goal - count) % 2, -count), count + 2)
        while True:
            ledger.pause_at[0] = min(self._report_at, self._node_limit)
            status = advance(self.graph, self._register, self._stack, self._table, ledger)
            if status == SOLVED:
                return bool(ledger.answer[0] == YES)
            if status == FULL:
                self._grow()
            elif self.nodes >= self._node_limit:
                raise TooLarge(
                    f"{count} points that do not move again were not solved within "
                    f"{self._node_limit:,} nodes",
                    "raise node_limit, or solve it when more points are filled",
                )
            else:
                self._report_at += NODES_PER_SLICE
                if self._progress is not None:
                    self._progress(self.nodes)

    def _grow(self) -> None:
        """Gives twice the room to whatever is full; what is known stays known."""
        if is_full_table(self._table, self._ledger):
            self._grow_table()
        if is_full_register(self._register):
            self._grow_register()

    def _grow_table(self) -> None:
        table = make_table(2 * len(self._table))
        copy_entries(self._table, table)
        self._table = table

    def _grow_register(self) -> None:
        register = make_register(2 * len(self._register.pairs))
        copy_pairs(self._register, register)
        self._register = register

    def warm_up(self) -> None:
        """Calls what is called seldom, so that it is compiled and loaded."""
        self._grow()
        self._grow_table()
        self._grow_register()
