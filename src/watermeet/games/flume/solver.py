"""The exact solver of Flume: the value and the best actions of a position.

All results are proven; if a position is out of reach, the solver raises ``TooLarge``. The colours
of stones don't matter for what follows, so a position is its set of free points. It is reduced to
its 2-core (``two_core``), identified by a canonical key (``canonical_keys``), and searched with
null windows (``null_window``). The proofs, and what was learnt about the game, are in
docs/concepts/flume-solved.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidOptions, TooLarge
from watermeet.core.solution import Progress, Solution, array_to_solve
from watermeet.core.squaregrid import neighbours, point_name
from watermeet.core.state import State
from watermeet.games.flume import layout
from watermeet.games.flume.core_search import CoreSearch
from watermeet.games.flume.rules import count_stones, may_swap
from watermeet.games.flume.two_core import (
    CORE,
    COST,
    LOOSE,
    MAX_POINTS,
    MOVE_FIELDS,
    NO_CONTROL,
    list_moves,
)

NODE_LIMIT = 10_000_000
"""The default limit: minutes, and at most 400 MB."""

EASY_CORE = 28
"""To find out who wins takes 2^n nodes or more if the core has n points more than this."""


def solve_free_points(
    size: int,
    free: Collection[int],
    *,
    node_limit: int = NODE_LIMIT,
    every_move: bool = False,
    progress: Progress | None = None,
) -> Solution[int]:
    """Solves the position with these free points; values only count stones still to come.

    Points are numbered along the rows from a1, like actions. With ``every_move`` the solution has
    the value of every stone, which takes longer. ``progress`` is called with the number of nodes
    from time to time. Raises TooLarge if ``node_limit`` nodes aren't enough.

    >>> solve_free_points(3, range(9)).value
    7
    >>> solve_free_points(3, range(9)).best_actions  # The centre.
    (4,)
    """
    _check(size, free)
    position = _Position(size, frozenset(free), node_limit, progress)
    value = position.value()
    values = {point: position.value_of(point) for point in sorted(free)} if every_move else None
    if values is not None:
        best = tuple(point for point in values if values[point] == value)
    else:
        best = tuple(point for point in sorted(free) if position.reaches(point, value))
    return Solution(value, best, values, position.search.nodes)


def solve(
    state: State,
    *,
    node_limit: int = NODE_LIMIT,
    every_move: bool = False,
    progress: Progress | None = None,
) -> Solution[int]:
    """Solves a state; values are the *final* difference, including the stones on the board.

    That is the final number of stones of the seat to move minus the opponent's, with best play by
    both. The swap (R5) and the barred centre (R6) are taken into account. The arguments are those
    of ``solve_free_points``. Raises NotYourTurn if the match is over, and TooLarge as there.
    """
    array = array_to_solve(__package__, state)
    size = int(array[layout.SIZE])
    free = [
        point for point in range(size * size) if array[layout.CELL_OF[size, point]] == layout.FREE
    ]
    if len(free) == size * size and (array[layout.PIE] or array[layout.NO_CENTRE]):
        return _solve_first_stone(array, node_limit, every_move, progress)
    solved = solve_free_points(
        size, free, node_limit=node_limit, every_move=every_move, progress=progress
    )
    colour = int(array[layout.COLOUR])
    lead = int(count_stones(array, colour)) - int(
        count_stones(array, layout.RED + layout.BLUE - colour)
    )
    value = lead + solved.value
    best = solved.best_actions
    values = None
    if solved.values is not None:
        values = {point: lead + each for point, each in solved.values.items()}
    if may_swap(array):  # R5.2: the stones change owner, and the opponent is to move.
        if values is not None:
            values[size * size] = -value
        if value <= 0:
            best = (*best, size * size) if value == 0 else (size * size,)
            value = -value
    return Solution(value, best, values, solved.nodes)


@dataclass(frozen=True)
class Win:
    """Whether the mover wins with best play."""

    action: int | None
    """A winning action; None if there is none."""
    nodes: int


def find_win(state: State, *, node_limit: int, progress: Progress | None = None) -> Win:
    """Finds a winning action for the mover, which is far easier than finding the exact value.

    Made for bots, which have better uses for their time than a hopeless search: raises TooLarge at
    once if ``node_limit`` nodes are unlikely to be enough, and otherwise as ``solve`` does.
    """
    array = array_to_solve(__package__, state)
    size = int(array[layout.SIZE])
    free = [
        point for point in range(size * size) if array[layout.CELL_OF[size, point]] == layout.FREE
    ]
    is_first = len(free) == size * size
    if is_first and array[layout.PIE]:
        return Win(None, 0)  # There are no draws: the opponent takes the better side.
    colour = int(array[layout.COLOUR])
    lead = int(count_stones(array, colour)) - int(
        count_stones(array, layout.RED + layout.BLUE - colour)
    )
    position = _Position(size, frozenset(free), node_limit, progress)
    if 1 << max(0, position.core_size - EASY_CORE) > node_limit:
        raise TooLarge(
            f"a core of {position.core_size} points is too large for {node_limit:,} nodes",
            "raise node_limit, or solve it when more points are taken",
        )
    if is_first and array[layout.NO_CENTRE]:
        allowed = [point for point in free if point != size * size // 2]
        found = next((point for point in allowed if position.reaches(point, 1 - lead)), None)
    else:
        found = position.find(1 - lead)
    if found is None and may_swap(array):
        found = size * size  # R5.2: whoever would lose on this side wins on the other.
    return Win(found, position.search.nodes)


def warm_up() -> None:
    """Compiles and loads all kernels, so that later calls are fast."""
    from watermeet.games.flume import GAME

    state = GAME.with_options(size=3).start()
    for move in ("a1", "b2"):
        state = state.play(move)
        find_win(state, node_limit=NODE_LIMIT)
    position = _Position(5, frozenset(range(25)), NODE_LIMIT, None)
    position.value()
    position.search.warm_up()


def _solve_first_stone(
    array: StateArray, node_limit: int, every_move: bool, progress: Progress | None
) -> Solution[int]:
    """Solves the empty board with the pie rule (R5) or a barred centre (R6.1).

    With the pie rule the best stone isn't the one with the highest value: the opponent swaps or
    not, whichever is worse for the mover.
    """
    size = int(array[layout.SIZE])
    points = range(size * size)
    solved = solve_free_points(
        size, points, node_limit=node_limit, every_move=True, progress=progress
    )
    assert solved.values is not None, "every_move was asked for"
    values = dict(solved.values)
    if array[layout.NO_CENTRE]:
        del values[size * size // 2]
    if array[layout.PIE]:
        values = {point: -abs(value) for point, value in values.items()}
    value = max(values.values())
    best = tuple(point for point in values if values[point] == value)
    return Solution(value, best, values if every_move else None, solved.nodes)


def _check(size: int, free: Collection[int]) -> None:
    if not layout.MIN_SIZE <= size <= layout.MAX_SIZE:
        raise InvalidOptions(f"size {size!r}", f"sizes are {layout.MIN_SIZE} to {layout.MAX_SIZE}")
    wrong = [point for point in free if not 0 <= point < size * size]
    if wrong:
        raise InvalidOptions(
            f"{wrong[0]!r} isn't a point on {size}x{size}",
            f"points are 0 (a1) to {size * size - 1} ({point_name(size * size - 1, size)})",
        )


# ---- positions ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Decomposition:
    """What the value of a set of free points depends on; the core is a bitset of labels."""

    core: int
    loose: int
    cost: int

    def value(self, core_value: int) -> int:
        """The value for the mover, given that of the core; proof in the docs."""
        return max(self.loose + core_value, self.loose - 2 * self.cost - core_value)


class _Position:
    """A set of free points and the search of its core; any number of points may be loose."""

    def __init__(
        self, size: int, free: frozenset[int], node_limit: int, progress: Progress | None
    ) -> None:
        self._near = {point: frozenset(neighbours(point, size, size)) & free for point in free}
        self._free = free
        core = sorted(self._core_of(free))
        self._label = {point: label for label, point in enumerate(core)}
        self._decomposition = self._decompose(free)
        self.search = CoreSearch(size, core, node_limit, progress)
        self._core_values: dict[int, int] = {}

    def value(self) -> int:
        """The value for the mover."""
        return self._decomposition.value(self._core_value(self._decomposition.core))

    def value_of(self, point: int) -> int:
        """The value of a stone on this point for the mover."""
        left = self._decompose(self._free - {point})
        after = left.value(self._core_value(left.core))
        return 1 + after if self._moves_again(point) else 1 - after

    def reaches(self, point: int, goal: int) -> bool:
        """Whether a stone on this point is worth at least ``goal``."""
        left = self._decompose(self._free - {point})
        if left.core in self._core_values:
            return self.value_of(point) >= goal
        moves_again = self._moves_again(point)
        assert not moves_again, "a point that moves again leaves the core as it was"
        highest = 1 - goal - left.loose
        lowest = left.loose - 2 * left.cost - 1 + goal
        return (
            lowest <= highest
            and not self.search.is_at_least(left.core, highest + 1)
            and self.search.is_at_least(left.core, lowest)
        )

    @property
    def core_size(self) -> int:
        """The number of points in the core."""
        return self._decomposition.core.bit_count()

    def find(self, goal: int) -> int | None:
        """A stone that is worth at least ``goal``, or None."""
        whole = self._decomposition
        if not whole.loose:
            return self._find_in_core(goal) if self.search.is_at_least(whole.core, goal) else None
        if self.search.is_at_least(whole.core, goal - whole.loose):
            return next(point for point in sorted(self._free) if self._moves_again(point))
        if self.search.is_at_least(whole.core, whole.loose - 2 * whole.cost - goal + 1):
            return None
        return self._find_handing_over()

    def _find_in_core(self, goal: int) -> int:
        """A stone in the core that is known to exist, in the move order of the search."""
        stones = {}
        for point in self._free:
            after = self._decompose(self._free - {point})
            stones[after.core, after.loose, after.cost] = point
        moves = np.zeros((MAX_POINTS, MOVE_FIELDS), dtype=np.int64)
        count = list_moves(self._decomposition.core, self.search.graph, moves)
        keys = [(int(move[CORE]), int(move[LOOSE]), int(move[COST])) for move in moves[:count]]
        return next(stones[key] for key in keys if self.reaches(stones[key], goal))

    def _find_handing_over(self) -> int:
        """A loose point that keeps control as it is, or else the stone that hands over."""
        whole = self._decomposition
        afters = {point: self._decompose(self._free - {point}) for point in sorted(self._free)}
        for point, after in afters.items():
            if self._moves_again(point) and after.cost == whole.cost:
                return point
        return next(
            point
            for point, after in afters.items()
            if after.core == whole.core
            and not self._moves_again(point)
            and after.cost == NO_CONTROL
            and after.loose <= 1 - whole.loose + 2 * whole.cost
        )

    def _moves_again(self, point: int) -> bool:
        return len(self._near[point]) <= 1

    def _core_value(self, core: int) -> int:
        if core not in self._core_values:
            self._core_values[core] = self.search.value(core)
        return self._core_values[core]

    def _decompose(self, free: frozenset[int]) -> _Decomposition:
        core = self._core_of(free)
        loose = free - core
        return _Decomposition(
            sum(1 << self._label[point] for point in core), len(loose), self._cost_of(loose, core)
        )

    def _core_of(self, free: frozenset[int]) -> frozenset[int]:
        """Like ``two_core.peel``, for sets of any size."""
        left = set(free)
        suspects = list(free)
        while suspects:
            point = suspects.pop()
            near = self._near[point] & left
            if point in left and len(near) <= 1:
                left.remove(point)
                suspects.extend(near)
        return frozenset(left)

    def _cost_of(self, loose: Iterable[int], core: frozenset[int]) -> int:
        """Like ``two_core.control_cost``, for sets of any size."""
        loose = frozenset(loose)
        inner = [point for point in loose if self._near[point] & loose]
        if any(self._near[point] & core for point in inner):
            return 1
        return 2 if any(len(self._near[point] & loose) >= 2 for point in inner) else NO_CONTROL
