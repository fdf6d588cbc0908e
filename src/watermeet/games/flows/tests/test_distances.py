"""Tiles to go and the regions of sides, compared with plain searches."""

from __future__ import annotations

import random

import numpy as np
import pytest

from watermeet.core.contract import StateArray
from watermeet.core.hexgrid import cells
from watermeet.core.kernel import runs_plain_python
from watermeet.games.flows.bottlenecks import (
    _minimum_cut,
    cells_needed,
    region,
    useful_cells,
)
from watermeet.games.flows.distances import BLOCKED, tiles_to_go
from watermeet.games.flows.tests import oracle
from watermeet.games.flows.tests.helpers import board_of, build_array, flows
from watermeet.games.flows.tests.positions import COLUMN, WALL, laid, number_of, placing
from watermeet.games.flows.tests.searches import (
    cells_of_shortest,
    fewest_tiles,
    max_flow,
    needed_by,
    reached,
    region_of,
)

BOARDS = 15 if runs_plain_python() else 80


def distance(array: StateArray, axis: int, radius: int = 3) -> tuple[int, set[oracle.Cell]]:
    """The kernel's result: the number of tiles, and the cells on the way."""
    marks = np.full(len(cells(radius + 1)), 7, dtype=np.int32)
    count = int(tiles_to_go(array.copy(), axis, marks))
    assert set(marks.tolist()) <= {0, 1}
    return count, {cell for cell, mark in zip(cells(radius + 1), marks, strict=True) if mark}


def numbers(names: str) -> set[int]:
    return {number_of(name) for name in names.split()}


def random_boards(seed: str, radius: int, fewest: int, most: int) -> list[oracle.Board]:
    rng = random.Random(seed)
    everywhere = sorted(oracle.board_cells(radius))
    boards: list[oracle.Board] = []
    for _ in range(BOARDS):
        chosen = rng.sample(everywhere, rng.randint(fewest, most))
        boards.append({cell: rng.choice(list(oracle.ORIENTATIONS)) for cell in chosen})
    return boards


# ---- known positions ------------------------------------------------------------------------


def test_the_empty_board_needs_a_whole_row() -> None:
    array = flows().start().array
    for axis in range(3):
        count, on_route = distance(array, axis)
        assert count == 7
        assert (0, 0) in on_route
        assert len(on_route) == 37


def test_connected_is_zero_and_blocked_has_no_distance() -> None:
    won = placing("T2", laid("T2.1", COLUMN)).play("T2.1@d4")
    assert distance(won.array, 0) == (0, set())
    assert distance(won.array, 2) == (BLOCKED, set())


def test_regions_and_needed_cells_of_a_wall() -> None:
    holed = placing("T1", laid("T1.0", WALL)).array
    empty = set(range(37)) - numbers(" ".join(WALL))
    assert region(holed, 0) == region(holed, 3) == empty
    assert cells_needed(holed, 0) == numbers("d4")
    assert cells_needed(holed, 2) == set()
    closed = {oracle.cell_named(name): (1, 0) for name in (*WALL, "d4")}
    array = build_array(closed, flows())
    below = numbers("a5 b5 c5 d5 e5 f5 a6 b6 c6 d6 e6 a7 b7 c7 d7")
    above = numbers("d1 e1 f1 g1 c2 d2 e2 f2 g2 b3 c3 d3 e3 f3 g3")
    assert (region(array, 0), region(array, 3)) == (below, above)
    assert useful_cells(array, 0) == set()


def test_a_path_may_be_rerouted_for_another() -> None:
    """The third path between these sides takes an edge from an earlier one, which is rerouted."""
    state = flows(radius=2).parse("draw=0 board=1ni/4/bm1ka/jba1/dbk")
    assert max_flow(board_of(state.array, 2), {0, 5}, 2) == 3
    assert _minimum_cut(state.array.copy(), {0, 5}, {3, 2})[0] == 3


# ---- random positions -----------------------------------------------------------------------


@pytest.mark.parametrize(("radius", "fewest", "most"), [(3, 0, 20), (3, 15, 36), (2, 8, 18)])
def test_tiles_to_go_agree_with_a_shortest_path_search(radius: int, fewest: int, most: int) -> None:
    answers: set[int | None] = set()
    for board in random_boards(f"{radius} {fewest}", radius, fewest, most):
        array = build_array(board, flows(radius=radius))
        for axis in range(3):
            expected = fewest_tiles(board, axis, radius)
            assert distance(array, axis, radius)[0] == (BLOCKED if expected is None else expected)
            answers.add(expected)
    assert len(answers) > 3
    assert fewest < 8 or None in answers


@pytest.mark.compiled
@pytest.mark.parametrize(("radius", "empties"), [(2, 5), (2, 8), (3, 6)])
def test_cells_on_the_way_agree_with_exhaustion(radius: int, empties: int) -> None:
    count = len(oracle.board_cells(radius))
    lacked: set[int] = set()
    for board in random_boards(f"way {radius} {empties}", radius, count - empties, count - empties):
        array = build_array(board, flows(radius=radius))
        for axis in range(3):
            expected = cells_of_shortest(board, axis, radius)
            assert distance(array, axis, radius) == (expected or (BLOCKED, set()))
            lacked.add(-1 if expected is None else expected[0])
    assert {-1, 1, 2} <= lacked


@pytest.mark.parametrize("radius", [2, 3])
def test_regions_agree_with_a_plain_search(radius: int) -> None:
    everywhere = cells(radius + 1)
    for board in random_boards(f"region {radius}", radius, 6, len(everywhere) - 2)[:30]:
        array = build_array(board, flows(radius=radius))
        for side in range(6):
            found = {everywhere[number] for number in region(array, side)}
            assert found == reached(board, side, radius)[0]
        for axis in range(3):
            if oracle.reachable(board, axis, radius) and not oracle.connected(board, axis, radius):
                needed = {everywhere[number] for number in cells_needed(array, axis)}
                assert needed == needed_by(board, axis, radius)
                useful = {everywhere[number] for number in useful_cells(array, axis)}
                assert useful == region_of(board, axis, radius)


@pytest.mark.compiled
@pytest.mark.parametrize("first", [{0, 2}, {0, 5}, {0, 1, 2}, {0, 4, 2}], ids=str)
def test_minimum_cut_sides_agree_with_a_maximum_flow(first: set[int]) -> None:
    found: set[int] = set()
    second = {(side + 3) % 6 for side in first}
    for board in random_boards(f"ways {sorted(first)}", 2, 9, 17):
        ways, narrowest = _minimum_cut(build_array(board, flows(radius=2)), first, second)
        assert ways == max_flow(board, first, 2)
        found.add(ways)
        if ways < len(first):
            closed = [cells(3)[number] for number in narrowest]
            for side in first:
                assert not reached(board, side, 2, closed)[1] & second
    assert max(found) >= len(first)
    assert min(found) < len(first) or first == {0, 2, 4}  # Where neighbours meet at every corner.
