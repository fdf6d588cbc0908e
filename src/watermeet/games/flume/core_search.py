"""The null-window search as an object, which owns its tables and finds exact values with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from watermeet.core.errors import TooLarge
from watermeet.core.squaregrid import neighbours
from watermeet.games.flume.canonical_keys import PairTable, rehash_pairs
from watermeet.games.flume.null_window import (
    FULL,
    PAIRS_PER_NODE,
    SOLVED,
    YES,
    is_pair_table_full,
    is_table_full,
    make_search_state,
    make_stack,
    rehash_entries,
    run_search,
)
from watermeet.games.flume.two_core import MAX_POINTS, Graph, Int64Array

NODES_PER_SLICE = 500
"""How many nodes are searched between two calls of ``progress``: about 4 ms, compiled."""

MIN_TABLE_SIZE = 1 << 12


def make_graph(size: int, points: Sequence[int]) -> Graph:
    """The graph of some points of a board, ascending; a point's label is its index."""
    graph = Graph(*(np.zeros(MAX_POINTS, dtype=np.int64) for _ in Graph._fields))
    label_of = {point: label for label, point in enumerate(points)}
    for point, label in label_of.items():
        graph.rows[label], graph.columns[label] = divmod(point, size)
        near = (label_of[each] for each in neighbours(point, size, size) if each in label_of)
        graph.neighbours[label] = sum(1 << each for each in near)
    return graph


def make_pair_table(capacity: int) -> PairTable:
    """An empty pair table; ``capacity`` is a power of two."""
    return PairTable(
        np.zeros((capacity, 2), dtype=np.int64),
        np.zeros(2 * capacity, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
    )


def make_table(capacity: int) -> Int64Array:
    """An empty transposition table; ``capacity`` is a power of two."""
    return np.zeros((capacity, 2), dtype=np.int64)


class CoreSearch:
    """Searches the cores within a set of points, with a transposition table kept between calls.

    A core is a bitset of labels. Results are exact: the search raises TooLarge after ``node_limit``
    nodes in all. It calls ``progress`` with their number from time to time.
    """

    def __init__(
        self,
        size: int,
        points: Sequence[int],
        node_limit: int,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        if len(points) > MAX_POINTS:
            raise TooLarge(
                f"the core of this position on {size}x{size} has {len(points)} points, and the "
                f"solver can handle {MAX_POINTS}",
                "solve it when more points are taken",
            )
        self.graph = make_graph(size, points)
        self._pair_table = make_pair_table(4 * PAIRS_PER_NODE)
        self._stack = make_stack()
        self._table = make_table(MIN_TABLE_SIZE)
        self._search = make_search_state()
        self._node_limit = node_limit
        self._progress = progress
        self._report_at = NODES_PER_SLICE

    @property
    def nodes(self) -> int:
        """How many nodes were searched so far: queries that the table didn't answer."""
        return int(self._search.nodes[0])

    @property
    def entries(self) -> int:
        """How many different positions have proven bounds."""
        return int(self._search.entries[0])

    def value(self, core: int) -> int:
        """The minimax value of a core: its mover's stones minus the opponent's.

        A series of null-window searches, as in MTD(f).
        """
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
        search = self._search
        search.depth[0] = 0
        search.core[0] = core
        search.point_count[0] = count
        # Goals that no value can reach are all the same to the kernel.
        search.goal[0] = min(max(goal + (goal - count) % 2, -count), count + 2)
        while True:
            search.pause_at[0] = min(self._report_at, self._node_limit)
            status = run_search(self.graph, self._pair_table, self._stack, self._table, search)
            if status == SOLVED:
                return bool(search.answer[0] == YES)
            if status == FULL:
                self._grow()
            elif self.nodes >= self._node_limit:
                raise TooLarge(
                    f"a core of {count} points was not solved within {self._node_limit:,} nodes",
                    "raise node_limit, or solve it when more points are taken",
                )
            else:
                self._report_at += NODES_PER_SLICE
                if self._progress is not None:
                    self._progress(self.nodes)

    def _grow(self) -> None:
        """Doubles whatever is full, keeping its contents."""
        if is_table_full(self._table, self._search):
            self._grow_table()
        if is_pair_table_full(self._pair_table):
            self._grow_pair_table()

    def _grow_table(self) -> None:
        table = make_table(2 * len(self._table))
        rehash_entries(self._table, table)
        self._table = table

    def _grow_pair_table(self) -> None:
        pair_table = make_pair_table(2 * len(self._pair_table.pairs))
        rehash_pairs(self._pair_table, pair_table)
        self._pair_table = pair_table

    def warm_up(self) -> None:
        """Calls the rarely used kernels once, so that they are compiled and loaded."""
        self._grow()
        self._grow_table()
        self._grow_pair_table()
