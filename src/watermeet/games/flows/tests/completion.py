"""Whether the empty cells of a Flows board can be filled so that several axes connect at once.

The question (R5.2, with any types by R5.3) is put to a SAT solver from the package python-sat.

For one radius and one set of axes there is one formula, whatever lies on the board; the tiles that
lie are assumptions. Its variables:

* pair(c, i, j), 15 a cell: the orientation of cell c has the strand i-j.
* on(e, a), for each axis a and each edge e, inner or outer: edge e belongs to the route of axis a.
  An inner edge is one edge, no matter from which of its two cells it is seen.

Its clauses:

1. In every cell each of the six edges is in exactly one pair, and not all of 0-3, 1-4, 2-5 are
   there. That leaves the 14 orientations: of the 15 ways to pair six edges only this one isn't a
   tile.
2. pair(c, i, j) implies: on(edge i of c, a) if and only if on(edge j of c, a).
3. For axis a, exactly one outer edge of side a is on, exactly one of side a + 3, and no other outer
   edge.
4. (Not needed, but it helps the solver.) No edge is on for two axes.

Sound: a solution of the clauses 1 is a full board. By 2 the edges that are on for axis a make up
whole strands of that board. The strand that begins at the only edge of side a that is on ends at
another outer edge that is on, since every strand that begins at an outer edge ends at a different
one. This can only be the one of side a + 3, so the axis is connected. Besides there may be loops
that are on; they begin and end nowhere and do no harm.

Complete: given a full board in which all axes are connected, for each axis let on be true for just
the edges of one strand that joins its sides. Then 2 and 3 hold; and 4 holds too, for a strand of
axis a has both ends at the sides a and a + 3 so no other axis can use it, and on a full
board every edge is part of just one strand.
"""

import atexit
from collections import deque
from collections.abc import Iterable
from functools import cache
from itertools import combinations

from pysat.solvers import Solver  # type: ignore[import-untyped]

from watermeet.games.flows.tests.oracle import (
    EDGES,
    ORIENTATIONS,
    Board,
    Cell,
    Orientation,
    Port,
    Strand,
    board_cells,
    connected,
    neighbour,
    rim,
)

PAIRS: tuple[Strand, ...] = tuple(combinations(EDGES, 2))
STRAIGHT: tuple[Strand, ...] = ((0, 3), (1, 4), (2, 5))
BY_STRANDS: dict[frozenset[Strand], Orientation] = {
    strands: orientation for orientation, strands in ORIENTATIONS.items()
}
ENGINE = "cadical195"
REMEMBERED = 100


def same_edge(cell: Cell, edge: int, radius: int) -> Port:
    """The same name for an edge, whichever of its cells it is seen from."""
    if (cell, edge) in rim(radius):
        return cell, edge
    return min((cell, edge), (neighbour(cell, edge), (edge + 3) % 6))


class Formula:
    """The formula of one radius and one set of axes, in its own solver."""

    def __init__(self, radius: int, axes: frozenset[int]) -> None:
        """Numbers the variables and hands the clauses to a new solver."""
        self.radius = radius
        self.axes = sorted(axes)
        self.cells = sorted(board_cells(radius))
        self.solver = Solver(name=ENGINE)
        self.found: deque[dict[Cell, Orientation]] = deque(maxlen=REMEMBERED)
        self._count = 0
        self.pair = {(cell, pair): self._new() for cell in self.cells for pair in PAIRS}
        edges = {same_edge(cell, edge, radius) for cell in self.cells for edge in EDGES}
        self.on = {(edge, axis): self._new() for edge in sorted(edges) for axis in self.axes}
        for cell in self.cells:
            self._fill(cell)
            self._propagate(cell)
        for axis in self.axes:
            self._ends(axis)
        for edge in sorted(edges):
            self._at_most_one(self.on[edge, axis] for axis in self.axes)

    def _new(self) -> int:
        self._count += 1
        return self._count

    def _at_most_one(self, variables: Iterable[int]) -> None:
        for one, other in combinations(variables, 2):
            self.solver.add_clause([-one, -other])

    def _exactly_one(self, variables: list[int]) -> None:
        self.solver.add_clause(variables)
        self._at_most_one(variables)

    def _fill(self, cell: Cell) -> None:
        """The cell has one of the 14 orientations."""
        for edge in EDGES:
            self._exactly_one([self.pair[cell, pair] for pair in PAIRS if edge in pair])
        self.solver.add_clause([-self.pair[cell, pair] for pair in STRAIGHT])

    def _propagate(self, cell: Cell) -> None:
        """A strand is on a route at both of its ends or at none."""
        for pair in PAIRS:
            for axis in self.axes:
                one, other = (self.on[same_edge(cell, e, self.radius), axis] for e in pair)
                self.solver.add_clause([-self.pair[cell, pair], -one, other])
                self.solver.add_clause([-self.pair[cell, pair], one, -other])

    def _ends(self, axis: int) -> None:
        """The route has one end at each of its two sides, and none elsewhere."""
        for side in (axis, axis + 3):
            self._exactly_one(
                [self.on[port, axis] for port, owner in rim(self.radius).items() if owner == side]
            )
        for port, owner in rim(self.radius).items():
            if owner % 3 != axis:
                self.solver.add_clause([-self.on[port, axis]])

    def solve(self, board: Board) -> dict[Cell, Orientation] | None:
        """A full board that has these tiles and connects all the axes, or None.

        A board found before may have these tiles, too: then the solver isn't asked.
        """
        cells = list(board)[::-1]  # The last tile is the one that differs most often.
        for known in self.found:
            if all(known[cell] == board[cell] for cell in cells):
                return dict(known)
        laid = [
            self.pair[cell, strand]
            for cell in board
            for strand in sorted(ORIENTATIONS[board[cell]])
        ]
        if not self.solver.solve(assumptions=laid):
            return None
        model = self.solver.get_model()  # It names every variable in order, the pairs first.
        full: dict[Cell, Orientation] = {}
        for number, cell in enumerate(self.cells):
            held = zip(PAIRS, model[len(PAIRS) * number :][: len(PAIRS)], strict=True)
            full[cell] = BY_STRANDS[frozenset(pair for pair, variable in held if variable > 0)]
        self._check(board, full)
        self.found.appendleft(dict(full))
        return full

    def _check(self, board: Board, full: Board) -> None:
        """Raise RuntimeError if the solution is wrong; this follows the tiles, not the formula."""
        for cell, orientation in board.items():
            if full[cell] != orientation:
                raise RuntimeError(f"the completion has changed {cell}")
        for axis in self.axes:
            if not connected(full, axis, self.radius):
                raise RuntimeError(f"the completion does not connect axis {axis}")


@cache
def formula(radius: int, axes: frozenset[int]) -> Formula:
    """The formula of this radius and these axes, cached."""
    return Formula(radius, axes)


atexit.register(formula.cache_clear)  # The package complains about solvers that outlive it.


def completion(
    board: Board, axes: Iterable[int], radius: int = 3
) -> dict[Cell, Orientation] | None:
    """A full board that has all tiles of this one and connects all these axes at once, or None."""
    return formula(radius, frozenset(axes)).solve(board)
