"""The exact solver of Flows: the last placements, for two players or two teams.

Values are the return that the mover may expect over all draws, with best play by both sides. It is
for the standard rules, which every choice of sides and every mix of tiles keep: with more than two
teams, with tiles that are held, with the supermove or with ``legality=reach`` it raises
``TooLarge``, as it does if more than ``MAX_EMPTY`` cells are empty.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.errors import NotYourTurn, TooLarge
from watermeet.core.solution import Progress, Solution, array_to_solve
from watermeet.core.state import State
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES, side_length
from watermeet.games.flows.endgame import (
    EPSILON,
    NODES,
    make_stack,
    make_table,
    search_placements,
    start_search,
)
from watermeet.games.flows.fillings import DEAD, MAX_EMPTY, RIM, Ends, axes_connected, place_tile
from watermeet.games.flows.rules import legal
from watermeet.games.flows.sides import axes_taken
from watermeet.games.flows.tiles import EDGES, ORIENTATIONS, TYPES

NODE_LIMIT = 20_000_000
_CHUNK = 500
_EASY, _GROWTH = 3, 8
"""Most positions need fewer nodes than this many, to the power of the empty cells beyond that."""
_SMALL = "place=1 tile=T1 board=afa1/cnf1k/aifbcj/clmmjai/mnfnlc/ejhl1/n1jj"


def solve(
    state: State,
    *,
    node_limit: int = NODE_LIMIT,
    every_move: bool = False,
    progress: Progress | None = None,
) -> Solution[float]:
    """Solve a state in which the mover knows the tile to place.

    Without ``every_move`` it finds one best action. ``progress`` is called with the number of nodes
    from time to time. Raises TooLarge if the state can't be solved, or ``node_limit`` nodes aren't
    enough; at once if that is likely, since bots have better uses for their time.
    """
    array = array_to_solve(__package__, state)
    _require_solvable(array, node_limit)
    search = _Search(array, node_limit, progress)
    actions = np.zeros(ORIENTATIONS * MAX_EMPTY, dtype=np.int32)
    values, best = dict[int, float](), -2.0
    for action in actions[: legal(array, actions)].tolist():
        values[action] = search.value_of(action, -1.0 if every_move else best)
        best = max(best, values[action])
        if best >= 1.0 - EPSILON and not every_move:
            break
    chosen = tuple(action for action in values if values[action] >= best - 1e-9)
    if not every_move:
        return Solution(best, chosen[:1], None, search.nodes, is_expected=True)
    return Solution(best, chosen, values, search.nodes, is_expected=True)


def _require_solvable(array: StateArray, node_limit: int) -> None:
    if array[layout.STAGE] != layout.PLACE:
        raise NotYourTurn("no seat is to place a tile", "solve a state in which one is")
    is_plain = array[layout.LEGALITY] == layout.JOINT and array[layout.SUPERMOVE] == layout.OFF
    is_known = not array[layout.HOLD_TILE] and array[layout.TILE] != layout.UNKNOWN
    if not (is_plain and is_known and int(axes_taken(array)).bit_count() == 2):
        raise TooLarge("the solver is for two teams and the standard rules", "search instead")
    empty = len(empty_cells(array))
    if empty > MAX_EMPTY:
        raise TooLarge(
            f"{empty} cells are empty", f"solve it when {MAX_EMPTY} or fewer of them are"
        )
    if node_limit < _GROWTH ** (empty - _EASY):
        raise TooLarge(f"{node_limit:,} nodes are hardly enough", "raise node_limit")


def empty_cells(array: StateArray) -> list[int]:
    """The cells without a tile."""
    count = int(layout.board_size(array))
    return [cell for cell in range(count) if array[layout.CELLS + cell] == 0]


class _Search:
    """The search below the placements of the root."""

    def __init__(self, array: StateArray, node_limit: int, progress: Progress | None) -> None:
        self.nodes, self._limit, self._progress = 0, node_limit, progress
        self._cells = empty_cells(array)
        self._stack, self._table = make_stack(len(self._cells)), make_table(len(self._cells))
        self._ends = reduced_ends(array, self._cells)
        self._bag = array[layout.BAG : layout.BAG + TYPES].astype(np.int64)
        seat = int(array[layout.MOVER])
        self._axis = 1 << (int(array[layout.SIDE_OF + seat]) - 1) % AXES
        self._stack.axes[0] = int(axes_taken(array)) & ~self._axis
        self._stack.axes[1] = self._axis

    def value_of(self, action: int, alpha: float) -> float:
        """What the mover may expect after a placement; a bound if that is at most ``alpha``."""
        cell = self._cells.index(int(layout.placement_cell(action)))
        orientation = int(layout.placement_orientation(action))
        connected = int(axes_connected(self._ends, cell, orientation))
        if connected:
            return 1.0 if connected == self._axis else 0.0 if connected & self._axis else -1.0
        stack = self._stack
        stack.ends[0] = self._ends
        place_tile(stack.ends[0], int(stack.axes.sum()), cell, orientation)
        stack.empty[0] = ((1 << len(self._cells)) - 1) & ~(1 << cell)
        stack.bag[0] = self._bag
        is_done = start_search(stack, self._table, -1.0, -max(alpha, -1.0))
        while not is_done:
            before = int(stack.cursor[NODES])
            is_done = search_placements(stack, self._table, _CHUNK)
            self.nodes += int(stack.cursor[NODES]) - before
            if self._progress is not None:
                self._progress(self.nodes)
            if self.nodes > self._limit and not is_done:
                raise TooLarge(f"{self._limit:,} nodes aren't enough", "raise node_limit")
        return -float(stack.node_high[0])


def reduced_ends(array: StateArray, cells: list[int]) -> Ends:
    """By port of the empty cells: where its strand leads, see fillings.py."""
    first, taken = int(layout.ends_at(array)), int(axes_taken(array))
    ports = EDGES * int(layout.board_size(array))
    ends = np.full(EDGES * len(cells), DEAD, dtype=np.int8)
    for number, cell in enumerate(cells):
        for edge in range(EDGES):
            end = int(array[first + EDGES * cell + edge])
            if end < ports:
                ends[EDGES * number + edge] = EDGES * cells.index(end // EDGES) + end % EDGES
                continue
            side = (end - ports) // side_length(int(array[layout.RADIUS]))
            if (taken >> side % AXES) & 1:
                ends[EDGES * number + edge] = RIM + side
    return ends


def warm_up() -> None:
    """Compile and load what the solver calls."""
    from watermeet.games.flows import GAME

    solve(GAME.parse(_SMALL))
