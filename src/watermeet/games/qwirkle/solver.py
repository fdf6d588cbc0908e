"""The exact solver of Qwirkle: two players, an empty bag, so both know all tiles.

It finds the turn with the best final margin, and so a turn that wins if there is one. Before the
bag is empty, or with more players, it raises ``TooLarge``: the rest is drawn or hidden.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.errors import TooLarge
from watermeet.core.rng import seeded
from watermeet.core.solution import Progress, Solution, array_to_solve
from watermeet.core.state import State
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.endgame import (
    INFINITY,
    NODES,
    Stack,
    Table,
    is_complete,
    make_stack,
    make_table,
    search_turns,
    start_search,
)
from watermeet.games.qwirkle.rules import points_of, resample
from watermeet.games.qwirkle.turns import whole_turns

NODE_LIMIT = 5_000_000
_CHUNK = 200


def solve(
    state: State,
    *,
    node_limit: int = NODE_LIMIT,
    every_move: bool = False,
    progress: Progress | None = None,
) -> Solution[int]:
    """Solve a state, full or as its mover knows it; within a turn, for the tiles that remain.

    ``progress`` is called with the number of nodes from time to time. Raises TooLarge if tiles are
    still to be drawn, or ``node_limit`` nodes aren't enough.
    """
    array = array_to_solve(__package__, state)
    if array[layout.SEATS] != 2 or array[layout.BAG_LEFT] > 0 or array[layout.ASIDE] != 0:
        raise TooLarge("tiles are hidden", "solve it with two players once the bag is empty")
    mover = int(array[layout.MOVER])
    full = array.copy()
    resample(array, mover, seeded(0), full)  # There is one deal left.
    search, turns = _Search(node_limit, progress), _turns(State(state.game, full), every_move)
    values = search.values(turns, mover, every_move)
    turns = [turns[index] for index in sorted(range(len(turns)), key=lambda i: -values[i])]
    values.sort(reverse=True)
    firsts: dict[int, int] = {}
    for (first, _), value in zip(turns, values, strict=True):
        firsts.setdefault(first, value)
    # Without every_move, the other values are bounds.
    best = tuple(sorted(each for each in firsts if firsts[each] == values[0]))
    if not every_move:
        best = (turns[0][0],)
    return Solution(values[0], best, firsts if every_move else None, search.nodes)


def _turns(state: State, every_move: bool) -> list[tuple[int, StateArray]]:
    """The first action of each turn and the state after it, most points first.

    A turn is listed once, although its tiles may be placed in other orders; with ``every_move``,
    once for each action that can start it.
    """
    if not every_move:
        return [(turn[0], state.play_all(turn).array.copy()) for turn in _lines(state)]
    found = []
    for action in state.legal_actions:
        after = state.play(action)
        rest = _lines(after) if after.to_move == state.to_move else [[]]
        found += [(action, after.play_all(turn).array.copy()) for turn in rest]
    return found


def _lines(state: State) -> list[list[int]]:
    """Every turn, or the rest of it, as actions; most points first."""
    found: list[list[int]] = []
    for turn in whole_turns(state):
        after, actions = state, list[int]()
        for move in turn.moves:
            actions.append(after.parse_move(move))
            after = after.play(actions[-1])
        found.append(actions)
    return found or [[layout.PASS]]


class _Search:
    """The search below the root's turns."""

    def __init__(self, node_limit: int, progress: Progress | None) -> None:
        self.nodes, self._limit, self._progress = 0, node_limit, progress
        self._stack: Stack = make_stack()
        self._table: Table = make_table()

    def values(
        self, turns: list[tuple[int, StateArray]], mover: int, every_move: bool
    ) -> list[int]:
        """The mover's margin after each turn.

        Only the best one is exact, unless ``every_move``; the others are smaller.
        """
        best, found = -INFINITY, list[int]()
        for _, after in turns:
            if every_move or best == -INFINITY:
                value = self._margin(after, mover, -INFINITY, INFINITY)
            else:
                value = self._margin(after, mover, best, best + 1)
                if value > best:
                    value = self._margin(after, mover, best, INFINITY)
                else:
                    value = min(value, best - 1)  # At most as good, and found later.
            found.append(value)
            best = max(best, value)
        return found

    def _margin(self, after: StateArray, mover: int, alpha: int, beta: int) -> int:
        """The margin of a seat after its turn."""
        stack, table = self._stack, self._table
        margin = int(points_of(after, mover)) - int(points_of(after, 1 - mover))
        is_done = start_search(stack, table, after, margin - beta, margin - alpha)
        while not is_done:
            before = int(stack.cursor[NODES])
            is_done = search_turns(stack, table, _CHUNK)
            self.nodes += int(stack.cursor[NODES]) - before
            if self._progress is not None:
                self._progress(self.nodes)
            if self.nodes > self._limit and not is_done:
                raise TooLarge(f"{self._limit:,} nodes aren't enough", "raise node_limit")
        if not is_complete(stack):
            raise TooLarge("there are too many turns", "solve it after some more turns")
        return margin - int(stack.value[0])


def warm_up() -> None:
    """Compile and load what the solver calls."""
    stack, table = make_stack(), make_table()
    state = np.zeros(layout.STATE_SIZE, dtype=np.int8)
    state[layout.STAGE] = layout.TURN
    start_search(stack, table, state, -INFINITY, INFINITY)
    search_turns(stack, table, 1)
    points_of(state, 0)
