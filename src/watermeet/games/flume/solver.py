"""The exact solver of Flume: the value and the best actions of any position that it can finish.

It never guesses: what it returns is proven, and where it cannot finish it raises ``TooLarge``.
Colours do not matter for what follows, so a position is its set of free points; ``cores`` takes off
it what needs no search, ``shapes`` names what is left, ``proofs`` searches. What was learnt about
the game, with the mathematical proofs, is in docs/concepts/flume-solved.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import numpy as np

from watermeet.core.contract import StateArray
from watermeet.core.errors import InvalidOptions, NotYourTurn, TooLarge
from watermeet.core.squaregrid import neighbours, point_name
from watermeet.games.flume.cores import (
    CORE,
    COST,
    LOOSE,
    MOST_POINTS,
    MOVE_FIELDS,
    NO_CONTROL,
    list_moves,
)
from watermeet.games.flume.prover import Prover
from watermeet.games.flume.rules import (
    BLUE,
    CELL_OF,
    COLOUR,
    FREE,
    LARGEST,
    NO_CENTRE,
    PIE,
    RED,
    SIZE,
    count_stones,
    may_swap,
)

Progress = Callable[[int], None]

NODE_LIMIT = 10_000_000
"""Nodes to search before giving up: minutes, and 400 MB at most."""

SMALLEST = 3

EASY_CORE = 24
"""Who wins is found within 2^n nodes, more or less, if the core has n points more than these."""


@dataclass(frozen=True)
class Solution:
    """What best play gives. Values are stones of the mover minus stones of the other."""

    value: int
    best_actions: tuple[int, ...]
    """Every action that reaches the value, ascending."""
    values: dict[int, int] | None
    """The value of each action, if they were asked for."""
    nodes: int
    """Nodes of the search; 0 where none was needed."""


def solve_free_points(
    size: int,
    free: Collection[int],
    *,
    node_limit: int = NODE_LIMIT,
    every_move: bool = False,
    progress: Progress | None = None,
) -> Solution:
    """Solves the position in which just these points are free; values count stones still to come.

    Points are numbered along the rows from a1, as actions are. With ``every_move`` the solution has
    the value of every stone, which takes longer. ``progress`` is called with the number of nodes
    every half a second or so. Raises TooLarge when ``node_limit`` nodes do not suffice.

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
    return Solution(value, best, values, position.prover.nodes)


def solve(
    array: StateArray,
    *,
    node_limit: int = NODE_LIMIT,
    every_move: bool = False,
    progress: Progress | None = None,
) -> Solution:
    """Solves a state; values are the *final* difference, with the stones that already lie.

    That is the stones of the seat to move at the end minus those of the other one, with best play
    of both, the swap (R5) and the bar on the centre (R6) included where the state has them. Raises
    NotYourTurn when the match is over, and TooLarge as ``solve_free_points`` does, which also says
    what the other arguments are.
    """
    array = array.copy()  # Numba would compile everything anew for one that is read-only.
    size = int(array[SIZE])
    free = [point for point in range(size * size) if array[CELL_OF[size, point]] == FREE]
    if not free:
        raise NotYourTurn("no point of the state is free", "solve a state before its match is over")
    if len(free) == size * size and (array[PIE] or array[NO_CENTRE]):
        return _solve_first_stone(array, node_limit, every_move, progress)
    solved = solve_free_points(
        size, free, node_limit=node_limit, every_move=every_move, progress=progress
    )
    colour = int(array[COLOUR])
    lead = int(count_stones(array, colour)) - int(count_stones(array, RED + BLUE - colour))
    value = lead + solved.value
    best = solved.best_actions
    values = solved.values and {point: lead + each for point, each in solved.values.items()}
    if may_swap(array):  # R5.2: the stones change owner, and the other plays on from here.
        if values is not None:
            values[size * size] = -value
        if value <= 0:
            best = (*best, size * size) if value == 0 else (size * size,)
            value = -value
    return Solution(value, best, values, solved.nodes)


@dataclass(frozen=True)
class Win:
    """Who wins with best play, and by what."""

    action: int | None
    """One that wins for the mover; None if none does."""
    nodes: int


def find_win(array: StateArray, *, node_limit: int, progress: Progress | None = None) -> Win:
    """A winning action for the mover, which is far easier to find than by how much it wins.

    For bots, that can do something else with their time: raises TooLarge at once where
    ``node_limit`` nodes would hardly do, and else as ``solve`` does.
    """
    array = array.copy()
    size = int(array[SIZE])
    free = [point for point in range(size * size) if array[CELL_OF[size, point]] == FREE]
    is_first = len(free) == size * size
    if is_first and array[PIE]:
        return Win(None, 0)  # No match is drawn: the other takes the better side of any stone.
    colour = int(array[COLOUR])
    lead = int(count_stones(array, colour)) - int(count_stones(array, RED + BLUE - colour))
    position = _Position(size, frozenset(free), node_limit, progress)
    if 1 << max(0, position.core_size - EASY_CORE) > node_limit:
        raise TooLarge(
            f"{position.core_size} points that do not move again are too many for {node_limit:,} "
            "nodes",
            "raise node_limit, or ask when more points are filled",
        )
    if is_first and array[NO_CENTRE]:
        allowed = [point for point in free if point != size * size // 2]
        found = next((point for point in allowed if position.reaches(point, 1 - lead)), None)
    else:
        found = position.find(1 - lead)
    if found is None and may_swap(array):
        found = size * size  # R5.2: who would lose on this side wins on the other.
    return Win(found, position.prover.nodes)


def warm_up() -> None:
    """Compiles and loads all kernels, so that later calls take no longer than they need."""
    from watermeet.games.flume import GAME

    state = GAME.with_options(size=3).start()
    for move in ("a1", "b2"):
        state = state.play(move)
        find_win(state.array.copy(), node_limit=NODE_LIMIT)
    position = _Position(5, frozenset(range(25)), NODE_LIMIT, None)
    position.value()
    position.prover.warm_up()


def _solve_first_stone(
    array: StateArray, node_limit: int, every_move: bool, progress: Progress | None
) -> Solution:
    """The empty board, if the centre may be barred (R6.1) or the answer be a swap (R5).

    Then the best stone is not the one with the highest value: the other will take over its value
    or leave it, whichever is worse for the mover.
    """
    size = int(array[SIZE])
    points = range(size * size)
    solved = solve_free_points(
        size, points, node_limit=node_limit, every_move=True, progress=progress
    )
    assert solved.values is not None, "every_move was asked for"
    values = dict(solved.values)
    if array[NO_CENTRE]:
        del values[size * size // 2]
    if array[PIE]:
        values = {point: -abs(value) for point, value in values.items()}
    value = max(values.values())
    best = tuple(point for point in values if values[point] == value)
    return Solution(value, best, values if every_move else None, solved.nodes)


def _check(size: int, free: Collection[int]) -> None:
    if not SMALLEST <= size <= LARGEST:
        raise InvalidOptions(f"size {size!r}", f"sizes are {SMALLEST} to {LARGEST}")
    wrong = [point for point in free if not 0 <= point < size * size]
    if wrong:
        raise InvalidOptions(
            f"{wrong[0]!r} is no point on {size}x{size}",
            f"points are 0 (a1) to {size * size - 1} ({point_name(size * size - 1, size)})",
        )


# ---- a position, as the proofs see it ------------------------------------------------------------


@dataclass(frozen=True)
class _Rest:
    """A set of free points by all that its value depends on; the core is a set of labels."""

    core: int
    loose: int
    cost: int

    def value(self, core_value: int) -> int:
        """The value for whoever moves, given that of the core; proof in the docs."""
        return max(self.loose + core_value, self.loose - 2 * self.cost - core_value)


class _Position:
    """A set of free points and the prover for its core; any number of points may be loose."""

    def __init__(
        self, size: int, free: frozenset[int], node_limit: int, progress: Progress | None
    ) -> None:
        self._near = {point: frozenset(neighbours(point, size, size)) & free for point in free}
        self._free = free
        core = sorted(self._core_of(free))
        self._label = {point: label for label, point in enumerate(core)}
        self._rest = self._rest_of(free)
        self.prover = Prover(size, core, node_limit, progress)
        self._core_values: dict[int, int] = {}

    def value(self) -> int:
        """The value for the mover."""
        return self._rest.value(self._value_of_core(self._rest.core))

    def value_of(self, point: int) -> int:
        """The value for the mover of a stone on this point."""
        rest = self._rest_of(self._free - {point})
        after = rest.value(self._value_of_core(rest.core))
        return 1 + after if self._moves_again(point) else 1 - after

    def reaches(self, point: int, goal: int) -> bool:
        """Whether a stone on this point is worth so much, without asking what else it is worth."""
        rest = self._rest_of(self._free - {point})
        if rest.core in self._core_values:
            return self.value_of(point) >= goal
        assert not self._moves_again(point), "a point that moves again leaves the core as it was"
        highest = 1 - goal - rest.loose
        lowest = rest.loose - 2 * rest.cost - 1 + goal
        return (
            lowest <= highest
            and not self.prover.is_at_least(rest.core, highest + 1)
            and self.prover.is_at_least(rest.core, lowest)
        )

    @property
    def core_size(self) -> int:
        """How many points have to be searched."""
        return self._rest.core.bit_count()

    def find(self, goal: int) -> int | None:
        """A stone that is worth so much, or None."""
        rest = self._rest
        if not rest.loose:
            return self._find_in_core(goal) if self.prover.is_at_least(rest.core, goal) else None
        if self.prover.is_at_least(rest.core, goal - rest.loose):
            return next(point for point in sorted(self._free) if self._moves_again(point))
        if self.prover.is_at_least(rest.core, rest.loose - 2 * rest.cost - goal + 1):
            return None
        return self._find_handing_over()

    def _find_in_core(self, goal: int) -> int:
        """One that is known to be there; asked in the order in which the proof looked for it."""
        stones = {}
        for point in self._free:
            after = self._rest_of(self._free - {point})
            stones[after.core, after.loose, after.cost] = point
        moves = np.zeros((MOST_POINTS, MOVE_FIELDS), dtype=np.int64)
        count = list_moves(self._rest.core, self.prover.graph, moves)
        keys = [(int(move[CORE]), int(move[LOOSE]), int(move[COST])) for move in moves[:count]]
        return next(stones[key] for key in keys if self.reaches(stones[key], goal))

    def _find_handing_over(self) -> int:
        """Takes what leaves control as it is; when nothing does, the stone that hands over."""
        rest = self._rest
        afters = {point: self._rest_of(self._free - {point}) for point in sorted(self._free)}
        for point, after in afters.items():
            if self._moves_again(point) and after.cost == rest.cost:
                return point
        return next(
            point
            for point, after in afters.items()
            if after.core == rest.core
            and not self._moves_again(point)
            and after.cost == NO_CONTROL
            and after.loose <= 1 - rest.loose + 2 * rest.cost
        )

    def _moves_again(self, point: int) -> bool:
        return len(self._near[point]) <= 1

    def _value_of_core(self, core: int) -> int:
        if core not in self._core_values:
            self._core_values[core] = self.prover.value(core)
        return self._core_values[core]

    def _rest_of(self, free: frozenset[int]) -> _Rest:
        core = self._core_of(free)
        loose = free - core
        return _Rest(
            sum(1 << self._label[point] for point in core), len(loose), self._cost_of(loose, core)
        )

    def _core_of(self, free: frozenset[int]) -> frozenset[int]:
        """As ``cores.peel``, for sets of any size."""
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
        """As ``cores.control_cost``, for sets of any size."""
        loose = frozenset(loose)
        inner = [point for point in loose if self._near[point] & loose]
        if any(self._near[point] & core for point in inner):
            return 1
        return 2 if any(len(self._near[point] & loose) >= 2 for point in inner) else NO_CONTROL
