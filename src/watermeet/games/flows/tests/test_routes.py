"""The exact route solver against a SAT solver, and positions where weaker rules differ."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from watermeet.core.contract import CHANCE, OVER, StateArray
from watermeet.core.kernel import Scratch
from watermeet.games.flows import layout
from watermeet.games.flows import route_buffer as buffer
from watermeet.games.flows.board import MAX_CELLS
from watermeet.games.flows.detours import find_detours
from watermeet.games.flows.route_search import find_route
from watermeet.games.flows.routes import NO_CLASH, find_clash, find_witness
from watermeet.games.flows.tests.completion import Formula, completion
from watermeet.games.flows.tests.helpers import (
    SEATS_OF_AXES,
    board_from,
    board_of,
    build_array,
    filled_by_witness,
    flows,
    has_witness,
)
from watermeet.games.flows.tests.oracle import (
    ORIENTATIONS,
    Board,
    board_cells,
    connected,
    reachable,
)
from watermeet.games.flows.tiles import EVERY_PAIR, ORIENTATION_PAIRS

TWO, THREE = SEATS_OF_AXES
Axes = frozenset[int]

# ---- against the SAT solver -------------------------------------------------------------------


def _is_open(board: Board, axes: Axes) -> bool:
    """Whether nobody is connected yet; otherwise the question doesn't arise."""
    return not any(connected(board, axis) for axis in axes)


def _assert_same_answer(board: Board, axes: Axes) -> bool:
    """Compare the answers; a yes is turned into a full board and traced."""
    array = build_array(board, flows(seats=SEATS_OF_AXES[axes]))
    assert has_witness(array) == (completion(board, axes) is not None)
    if has_witness(array):
        full = filled_by_witness(array)
        assert all(connected(full, axis) for axis in axes)
        assert all(full[cell] == orientation for cell, orientation in board.items())
    return has_witness(array)


def _random_board(rng: random.Random, least: int, most: int) -> Board:
    cells, orientations = sorted(board_cells(3)), sorted(ORIENTATIONS)
    return {c: rng.choice(orientations) for c in rng.sample(cells, rng.randint(least, most))}


def _boards_nearly_blocked(rng: random.Random, axes: Axes) -> Iterator[Board]:
    """Boards after legal and illegal placements late in a random match."""
    game = flows(seats=SEATS_OF_AXES[axes])
    state = game.start()
    while state.to_move != OVER:
        if state.to_move == CHANCE:
            state = state.sample(rng)
            continue
        board = board_of(state.array)
        empty = sorted(board_cells(3) - set(board))
        if len(board) >= 16:
            for cell in rng.sample(empty, min(4, len(empty))):
                yield board | {cell: rng.choice(sorted(ORIENTATIONS))}
        state = state.play(rng.choice(state.legal_actions))


@pytest.mark.compiled
@pytest.mark.parametrize("axes", [TWO, THREE], ids=["two", "three"])
def test_random_boards_agree_with_the_oracle(axes: Axes) -> None:
    rng = random.Random(1)
    answers = Counter(
        _assert_same_answer(board, axes)
        for board in (_random_board(rng, 18, 34) for _ in range(60))
        if _is_open(board, axes)
    )
    assert min(answers[True], answers[False]) > 10


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("axes", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("tiles", [(6, 20), (21, 27), (28, 36)], ids=["early", "middle", "late"])
def test_many_random_boards(axes: Axes, tiles: tuple[int, int]) -> None:
    """Early, midway and late in a match, for two and for three routes."""
    rng = random.Random(f"{tiles} {sorted(axes)}")
    answers: Counter[bool] = Counter()
    while answers.total() < 400:
        board = _random_board(rng, *tiles)
        if _is_open(board, axes):
            answers[_assert_same_answer(board, axes)] += 1
    assert min(answers[True], answers[False]) > (0 if tiles[0] == 6 else 25)


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("axes", [TWO, THREE], ids=["two", "three"])
def test_many_nearly_blocked_boards(axes: Axes) -> None:
    rng = random.Random(5)
    answers: Counter[bool] = Counter()
    while answers.total() < 500:
        for board in _boards_nearly_blocked(rng, axes):
            if _is_open(board, axes):
                answers[_assert_same_answer(board, axes)] += 1
    assert min(answers[True], answers[False]) > 25


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("radius", [2, 4, 5])
def test_boards_of_other_sizes(radius: int) -> None:
    rng = random.Random(radius)
    cells, orientations = sorted(board_cells(radius)), sorted(ORIENTATIONS)
    for _ in range(150):
        count = rng.randint(len(cells) // 3, len(cells) - 1)
        board = {cell: rng.choice(orientations) for cell in rng.sample(cells, count)}
        axes = rng.choice([TWO, THREE])
        if any(connected(board, axis, radius) for axis in axes):
            continue
        array = build_array(board, flows(seats=SEATS_OF_AXES[axes], radius=radius))
        assert has_witness(array) == (completion(board, axes, radius) is not None)
        if has_witness(array):
            full = filled_by_witness(array, radius)
            assert all(connected(full, axis, radius) for axis in axes)


# ---- positions where weaker rules differ ------------------------------------------------------

EACH_ALONE_BUT_NOT_TOGETHER = {
    "seven tiles leave one way for two": ("1c1m/1mdl1/1m4/1m5/6/5/4", TWO),
    "both need the same cells": ("edbk/nbb1k/gdglca/ekmckaa/lnhmd1/m1clj/fnn1", TWO),
    "eight tiles leave two ways for three": ("4/5/j5/j2ncjm/1jn3/5/4", THREE),
    "ten tiles, two of three teams": ("b3/5/3m2/k4d1/njk3/5/1mmj", THREE),
    "late": ("1dlb/1n1be/g1ng1a/c1e1ml1/3lnh/1dm2/4", THREE),
}


@pytest.mark.parametrize(
    ("rows", "axes"), EACH_ALONE_BUT_NOT_TOGETHER.values(), ids=EACH_ALONE_BUT_NOT_TOGETHER
)
def test_each_player_has_a_route_but_not_all_at_once(rows: str, axes: Axes) -> None:
    """Mere reachability, which public programs check, calls these legal."""
    board = board_from(rows)
    assert all(reachable(board, axis) for axis in axes)
    seats = SEATS_OF_AXES[axes]
    assert not has_witness(build_array(board, flows(seats=seats)))
    assert has_witness(build_array(board, flows(seats=seats, legality="reach")))


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("rows", "axes"), EACH_ALONE_BUT_NOT_TOGETHER.values(), ids=EACH_ALONE_BUT_NOT_TOGETHER
)
def test_the_oracle_agrees_that_routes_conflict(rows: str, axes: Axes) -> None:
    """With few tiles it takes seconds. A new solver, which no other board has slowed down."""
    assert Formula(3, axes).solve(board_from(rows)) is None


GREEDY_FINDS_NOTHING = {
    "two routes": ("mcfn/kmgja/meijml/aklfdfi/ed1ede/jb3/nbmf", TWO),
    "three routes": ("jmi1/2ida/l1ajmn/kfkei1k/jiel1e/l1lef/jgda", THREE),
}


@pytest.mark.parametrize(("rows", "axes"), GREEDY_FINDS_NOTHING.values(), ids=GREEDY_FINDS_NOTHING)
def test_greedy_routing_fails_in_every_order(rows: str, axes: Axes) -> None:
    """Greedy routing calls these illegal, but they are legal."""
    board = board_from(rows)
    for order in permutations(sorted(axes)):
        search = _new_search(build_array(board, flows(seats=SEATS_OF_AXES[axes])), axes)
        assert all(find_route(search, axis) for axis in order)
        assert find_clash(search) != NO_CLASH
    assert _assert_same_answer(board, axes)


def _new_search(array: StateArray, axes: Axes) -> Scratch:
    search = np.zeros(buffer.SEARCH_SIZE, dtype=np.int32)
    asked = sum(1 << axis for axis in axes)
    buffer.start_search(search, array, layout.ends_at(array), int(array[layout.RADIUS]), asked)
    return search


# ---- hard positions ---------------------------------------------------------------------------

HARD = {
    "three routes, no": ("ne1e/ak1le/1l1a2/fdcdi2/2jihf/el1k1/1cb1", THREE, False, 1756),
    "three routes, no, too": ("i2m/fkil1/1d1ckf/f1gk2i/b2mi1/1hf1l/fmak", THREE, False, 2584),
    "three routes, yes": ("2k1/jajmi/1lmib1/fd1mce1/n2m2/en2f/1bmm", THREE, True, 1074),
    "two routes, no, too": ("1bng/i1mcn/1ck1ne/fb2j1i/lhlm1b/fj1l1/1g1h", TWO, False, 182),
    "two routes, no": ("n1fc/l2m1/1ghfai/f1b1abl/ikcn2/1i1ef/igf1", TWO, False, 110),
    "two routes, yes": ("1fab/1fj2/2ci1l/1hink1i/bl1cb1/b1kbf/1gj1", TWO, True, 151),
}
"""The hardest known ones: the answer, and the most clashes."""


@pytest.mark.compiled
@pytest.mark.parametrize(("rows", "axes", "answer", "clashes"), HARD.values(), ids=HARD)
def test_hard_positions_stay_within_bounds(
    rows: str, axes: Axes, answer: bool, clashes: int
) -> None:
    """The number of clashes doesn't depend on the machine, and mustn't grow unnoticed."""
    board = board_from(rows)
    search = _new_search(build_array(board, flows(seats=SEATS_OF_AXES[axes])), axes)
    assert find_witness(search) == answer == (completion(board, axes) is not None)
    assert search[buffer.CLASHES_SEEN] <= clashes


def test_the_search_restores_the_allowed_strands() -> None:
    for rows, axes in (*EACH_ALONE_BUT_NOT_TOGETHER.values(), *GREEDY_FINDS_NOTHING.values()):
        search = _new_search(build_array(board_from(rows), flows(seats=SEATS_OF_AXES[axes])), axes)
        before = search[buffer.ALLOWED : buffer.OTHERS].copy()
        find_witness(search)
        count = int(buffer.board_size(search))
        for axis in range(3):
            place = slice(axis * MAX_CELLS, axis * MAX_CELLS + count)
            assert (search[buffer.ALLOWED : buffer.OTHERS][place] == before[place]).all()


# ---- detours ----------------------------------------------------------------------------------


@pytest.mark.parametrize("axes", [TWO, THREE], ids=["two", "three"])
def test_cells_with_a_detour_can_be_avoided(axes: Axes) -> None:
    """Detours settle placements without a search, so the solver has to agree with each of them."""
    rng = random.Random(7)
    avoidable, on_routes = 0, 0
    for tiles in (0, 6, 12, 18, 22, 26, 30):
        array = build_array(_random_board(rng, tiles, tiles), flows(seats=SEATS_OF_AXES[axes]))
        search = _new_search(array, axes)
        if not find_witness(search):
            continue
        assert find_clash(search) == NO_CLASH
        cells = [cell for cell in range(37) if buffer.used_in_cell(search, cell)]
        search[buffer.AVOID : buffer.AVOID + MAX_CELLS] = 1
        find_detours(search)
        skipped = [cell for cell in cells if not search[buffer.AVOID + cell]]
        search[buffer.AVOID : buffer.AVOID + MAX_CELLS] = 0
        for cell in skipped:
            buffer.restrict_cell(search, cell, 0)
            assert find_witness(search), f"no witness without cell {cell}"
            buffer.restrict_cell(search, cell, EVERY_PAIR)
        avoidable, on_routes = avoidable + len(skipped), on_routes + len(cells)
    assert avoidable > on_routes / 2


# ---- failures ---------------------------------------------------------------------------------


@pytest.mark.compiled
def test_a_tile_without_a_helpful_pair_fails_as_well() -> None:
    """One failure settles other orientations, so the solver has to agree with each of them."""
    rng = random.Random(3)
    settled = 0
    for tiles in (16, 18, 20, 22) * 15:
        array = build_array(_random_board(rng, tiles, tiles), flows(seats=2))
        search = _new_search(array, TWO)
        if not find_witness(search):
            continue
        for cell in (cell for cell in range(37) if array[layout.CELLS + cell] == 0):
            buffer.restrict_cell(search, cell, 0)
            if not find_witness(search):
                helpful = int(search[buffer.HELPFUL])
                for pairs in (int(pairs) for pairs in ORIENTATION_PAIRS if pairs & helpful == 0):
                    buffer.restrict_cell(search, cell, pairs)
                    assert not find_witness(search)
                    settled += 1
            buffer.restrict_cell(search, cell, EVERY_PAIR)
    assert settled > 30
