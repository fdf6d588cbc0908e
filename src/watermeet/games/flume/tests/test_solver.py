"""The exact solver of Flume against the oracle, against plain recursion, and against itself."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.errors import InvalidOptions, NotYourTurn, TooLarge
from watermeet.core.kernel import plain_python
from watermeet.core.squaregrid import neighbours, point_index, symmetries
from watermeet.games.flume import core_search
from watermeet.games.flume.solver import solve, solve_free_points
from watermeet.games.flume.tests.oracle import SWAP, Position, exhaustive_table

pytestmark = pytest.mark.compiled

# First stones of 5x5, without the pie rule: rows from the top, final stones of Red minus Blue.
FIRST_STONES_5X5 = """
    +1 -1 +1 -1 +1
    -1 -1 -1 -1 -1
    +1 -1 +1 -1 +1
    -1 -1 -1 -1 -1
    +1 -1 +1 -1 +1
"""


def values_by_recursion(size: int, free: Iterable[int]) -> dict[int, int]:
    """The value of each stone, from the rules alone."""

    @cache
    def stones(left: frozenset[int]) -> dict[int, int]:
        values = {}
        for point in left:
            rest = left - {point}
            again = len(rest.intersection(neighbours(point, size, size))) <= 1
            after = max(stones(rest).values(), default=0)
            values[point] = 1 + after if again else 1 - after
        return values

    return stones(frozenset(free))


def assert_solves(size: int, free: Iterable[int]) -> None:
    """Compare both entry points with plain recursion."""
    free = list(free)
    expected = values_by_recursion(size, free)
    value = max(expected.values(), default=0)
    best = tuple(sorted(point for point in expected if expected[point] == value))
    every = solve_free_points(size, free, every_move=True)
    assert (every.value, every.best_actions, every.values) == (value, best, expected)
    short = solve_free_points(size, free)
    assert (short.value, short.best_actions, short.values) == (value, best, None)


def points(size: int, names: str) -> list[int]:
    found = [point_index(name, size, size) for name in names.split()]
    return [point for point in found if point is not None]


def rectangle(size: int, left: int, bottom: int, width: int, height: int) -> set[int]:
    rows, columns = range(bottom, bottom + height), range(left, left + width)
    return {row * size + column for row in rows for column in columns}


def frame(size: int, left: int, bottom: int, width: int, height: int) -> set[int]:
    """The points along the sides of a rectangle: a loop."""
    inside = rectangle(size, left + 1, bottom + 1, width - 2, height - 2)
    return rectangle(size, left, bottom, width, height) - inside


# ---- known answers ----------------------------------------------------------------------------


def test_3x3_is_worth_seven_by_the_centre() -> None:
    solution = solve_free_points(3, range(9), every_move=True)
    assert (solution.value, solution.best_actions) == (7, (4,))
    assert solution.values == {0: 1, 1: -3, 2: 1, 3: -3, 4: 7, 5: -3, 6: 1, 7: -3, 8: 1}


def test_5x5_first_stones() -> None:
    rows = [[int(value) for value in line.split()] for line in FIRST_STONES_5X5.split("\n")[1:-1]]
    expected = dict(enumerate(value for row in reversed(rows) for value in row))
    solution = solve_free_points(5, range(25), every_move=True)
    assert solution.values == expected
    assert solution.value == 1
    assert solution.best_actions == tuple(point for point in expected if expected[point] == 1)
    assert 0 < solution.nodes < 10_000


@pytest.mark.parametrize("length", [4, 8, 10, 12, 14, 16, 18, 20])
def test_a_ring_is_worth_two_minus_its_length(length: int) -> None:
    loop = frame(19, 3, 3, length // 2 - 1, 3) if length > 4 else rectangle(19, 3, 3, 2, 2)
    assert len(loop) == length
    assert solve_free_points(19, loop).value == 2 - length


# ---- against the oracle -----------------------------------------------------------------------


def test_every_set_of_3x3_agrees_with_the_oracle_and_with_recursion() -> None:
    table = exhaustive_table(3)
    for filled in range(1 << 9):
        free = [point for point in range(9) if not filled >> point & 1]
        assert solve_free_points(3, free).value == table[filled]
        assert_solves(3, free)


@pytest.mark.nightly
def test_random_sets_of_5x5_agree_with_the_oracle() -> None:
    table = exhaustive_table(5)
    rng = random.Random(5)
    for _ in range(150):
        count = rng.randrange(1, 26)
        free = sorted(rng.sample(range(25), count))
        filled = (1 << 25) - 1 - sum(1 << point for point in free)
        expected = {}
        for point in free:
            again = sum(each in free for each in neighbours(point, 5, 5)) <= 1
            after = int(table[filled | 1 << point])
            expected[point] = 1 + after if again else 1 - after
        value = int(table[filled])
        best = tuple(point for point in free if expected[point] == value)
        solution = solve_free_points(5, free, every_move=True)
        assert (solution.value, solution.values) == (value, expected)
        assert solution.best_actions == best
        assert solve_free_points(5, free).best_actions == best


@pytest.mark.nightly
def test_the_core_theorem_holds_for_every_set_of_5x5() -> None:
    table = exhaustive_table(5)
    for begin in range(0, 1 << 25, 1 << 18):
        free = np.arange(begin, begin + (1 << 18), dtype=np.int32)
        core = free
        while True:
            peeled = core & two_or_more(core)
            if np.array_equal(peeled, core):
                break
            core = peeled
        loose = free & ~core
        count = np.bitwise_count(loose).astype(np.int32)
        after = table[(1 << 25) - 1 - core].astype(np.int32)
        hanging = loose & near_points(core) & near_points(loose)
        threes = loose & two_or_more(loose)
        cost = np.where(hanging != 0, 1, np.where(threes != 0, 2, 99))
        value = np.maximum(count + after, count - 2 * cost - after)
        assert np.array_equal(value, table[(1 << 25) - 1 - free])


Sets = np.ndarray[tuple[int], np.dtype[np.int32]]  # of points of 5x5, one bit a point
NOT_FIRST, NOT_LAST, ALL = 0b11110 * 0x108421, 0b01111 * 0x108421, (1 << 25) - 1


def shifted(free: Sets) -> list[Sets]:
    return [free << 1 & NOT_FIRST, free >> 1 & NOT_LAST, free << 5 & ALL, free >> 5]


def near_points(free: Sets) -> Sets:
    """The points with a neighbour in each of these sets."""
    left, right, below, above = shifted(free)
    return left | right | below | above


def two_or_more(free: Sets) -> Sets:
    """The points with at least two neighbours in each of these sets."""
    found = np.zeros_like(free)
    for one, other in itertools.combinations(shifted(free), 2):
        found |= one & other
    return found


# ---- any board, any place, any turn -----------------------------------------------------------


def test_symmetries_change_nothing_on_7x7() -> None:
    rng = random.Random(7)
    for count in (14, 17, 20, 23, 26):
        free = rng.sample(range(49), count)
        plain = solve_free_points(7, free)
        for images in symmetries(7):
            turned = solve_free_points(7, [images[point] for point in free])
            assert turned.value == plain.value
            assert turned.best_actions == tuple(sorted(images[p] for p in plain.best_actions))


def test_long_snakes_of_a_large_board() -> None:
    row = rectangle(19, 2, 4, 10, 1)
    assert_solves(19, row)
    assert_solves(19, row | {5 * 19 + 2, 5 * 19 + 11})
    assert_solves(19, rectangle(19, 0, 9, 8, 1) | rectangle(19, 12, 9, 2, 2))


def test_regions_too_large_for_the_bits_of_a_shape() -> None:
    dumbbell = rectangle(19, 1, 1, 2, 2) | rectangle(19, 3, 1, 4, 1) | rectangle(19, 7, 1, 2, 2)
    assert_solves(19, dumbbell)
    assert_solves(19, {point * 19 % 360 for point in dumbbell})  # The same, upright.
    assert_solves(19, rectangle(19, 6, 6, 8, 2) - {6 * 19 + 8, 7 * 19 + 11})


def test_control_is_worth_at_least_a_stone() -> None:
    """Whoever can hand over the last loose points loses nothing by the rest, whatever it is."""
    loops = rectangle(19, 10, 10, 2, 2) | frame(19, 5, 5, 5, 3) | frame(19, 11, 5, 3, 3)
    three = rectangle(19, 0, 0, 3, 1)
    tail = {3 * 19 + 5, 4 * 19 + 5}  # It hangs on the first frame.
    assert solve_free_points(19, loops).value == -10
    assert solve_free_points(19, loops | three).value == -1 + 10  # Two of the three are left.
    assert solve_free_points(19, loops | tail).value == 0 + 10  # One of the two is left.
    assert solve_free_points(19, loops | three | tail).value == 3 + 10


def test_mirroring_is_not_always_right() -> None:
    """A core that half a turn about its centre leaves as it is, and that is good for the mover."""
    picture = """
        . . . . . . .
        . . . . . # #
        . . # # # # #
        . . # . # . .
        # # # # # . .
        # # . . . . .
        . . . . . . .
    """
    free = {point for point, cell in enumerate(reversed(picture.split())) if cell == "#"}
    assert free == {48 - point for point in free}
    assert solve_free_points(7, free).value == 2
    assert max(values_by_recursion(7, free).values()) == 2


# ---- limits -----------------------------------------------------------------------------------


def test_a_position_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLarge, match=r"within 10 nodes; raise node_limit"):
        solve_free_points(5, range(25), node_limit=10)
    with pytest.raises(TooLarge, match=r"has 81 points, and the solver can handle 62"):
        solve_free_points(9, range(81))


@pytest.mark.parametrize(("size", "free"), [(2, [0]), (20, [0]), (5, [25]), (5, [-1])])
def test_points_off_the_board_are_refused(size: int, free: list[int]) -> None:
    with pytest.raises(InvalidOptions):
        solve_free_points(size, free)


def test_a_search_in_slices_is_the_same_search(monkeypatch: pytest.MonkeyPatch) -> None:
    free = rectangle(5, 0, 0, 5, 4)
    whole = solve_free_points(5, free, every_move=True)
    monkeypatch.setattr(core_search, "NODES_PER_SLICE", 7)
    monkeypatch.setattr(core_search, "MIN_TABLE_SIZE", 1 << 8)  # The table has to grow on the way.
    seen: list[int] = []
    assert solve_free_points(5, free, every_move=True, progress=seen.append) == whole
    assert seen == list(range(7, whole.nodes, 7))


def test_plain_python_searches_the_same_nodes() -> None:
    rng = random.Random(3)
    sets = [rng.sample(range(25), count) for count in (9, 14, 17, 20, 22)]
    sets += [sorted(rectangle(19, 6, 6, 8, 2))]
    for free in sets:
        size = 5 if max(free) < 25 else 19
        compiled = solve_free_points(size, free, every_move=True)
        with plain_python():
            assert solve_free_points(size, free, every_move=True) == compiled


# ---- states -----------------------------------------------------------------------------------


@cache
def final_difference(position: Position) -> int:
    """Final stones of the seat to move minus those of the other, by minimax over the oracle."""
    if len(position.stones) > 1:  # No option matters any more.
        position = replace(position, pie=False, no_centre_first=False)
    return max(values_of(position).values())


@cache
def values_of(position: Position) -> dict[str, int]:
    mover = position.mover
    assert mover is not None
    values = {}
    for move in position.legal():
        after = position.play(move)
        if after.mover is None:
            values[move] = after.stones_of_seat(mover) - after.stones_of_seat(1 - mover)
        else:
            values[move] = final_difference(after) * (1 if after.mover == mover else -1)
    return values


def assert_solves_state(state: wm.State, position: Position) -> None:
    expected = {state.parse_move(move): value for move, value in values_of(position).items()}
    value = max(expected.values())
    best = tuple(sorted(action for action in expected if expected[action] == value))
    every = solve(state, every_move=True)
    assert (every.value, every.best_actions, every.values) == (value, best, expected)
    short = solve(state)
    assert (short.value, short.best_actions, short.values) == (value, best, None)


@pytest.mark.parametrize("pie", [False, True])
@pytest.mark.parametrize("no_centre_first", [False, True])
def test_the_pie_rule_and_the_closed_centre_agree_with_minimax(
    pie: bool, no_centre_first: bool
) -> None:
    start = wm.game("flume", size=3, pie=pie, no_centre_first=no_centre_first).start()
    first = Position.start(3, pie=pie, no_centre_first=no_centre_first)
    assert_solves_state(start, first)
    for move in start.legal_moves:
        second, position = start.play(move), first.play(move)
        assert_solves_state(second, position)
        for answer in second.legal_moves:
            assert (answer == SWAP) <= pie
            assert_solves_state(second.play(answer), position.play(answer))


def test_states_along_random_matches_agree_with_minimax() -> None:
    rng = random.Random(1)
    for _ in range(10):
        state, position = wm.game("flume", size=3).start(), Position.start(3)
        while state.to_move != wm.OVER:
            assert_solves_state(state, position)
            move = rng.choice(state.legal_moves)
            state, position = state.play(move), position.play(move)


def test_with_the_pie_rule_every_first_stone_loses_5x5_by_one() -> None:
    solution = solve(wm.game("flume", size=5).start())
    assert (solution.value, solution.best_actions) == (-1, tuple(range(25)))


def test_a_match_that_is_over_has_no_best_action() -> None:
    state = wm.game("flume", size=3).start()
    while state.to_move != wm.OVER:
        state = state.play(state.legal_actions[0])
    with pytest.raises(NotYourTurn):
        solve(state)
