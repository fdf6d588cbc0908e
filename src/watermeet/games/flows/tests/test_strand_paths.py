"""Traced strands and witnesses, against a simple walk and against the kernels' cache."""

from __future__ import annotations

from itertools import pairwise

import pytest

from watermeet.core.contract import StateArray
from watermeet.core.hexgrid import cells, neighbour
from watermeet.core.options import Value
from watermeet.games.flows import layout
from watermeet.games.flows.board import cell_count, side_length
from watermeet.games.flows.strand_paths import (
    OpenEnd,
    RimEnd,
    Step,
    beyond,
    is_winning,
    orientation_at,
    strands_by_cell,
    trace_strands,
    witness_routes,
)
from watermeet.games.flows.tests.boards import STRAIGHT_DOWN, laid, positions
from watermeet.games.flows.tests.positions import number_of
from watermeet.games.flows.tiles import ORIENTATION_PAIRS, ORIENTATION_STRANDS, ORIENTATIONS, PAIRS

SEVERAL: list[dict[str, Value]] = [
    {"seats": 2},
    {"seats": 3, "sides": "adjacent"},
    {"seats": 4, "sides": "chosen"},
    {"seats": 5},
    {"seats": 6, "hold_tile": True},
    {"seats": 6, "legality": "reach", "radius": 2},
    {"seats": 3, "radius": 2},
    {"seats": 2, "supermove": "full"},
]


# ---- known boards -----------------------------------------------------------------------------


def test_a_strand_down_the_board_connects_bottom_and_top() -> None:
    """R6.1: with two players it is Red's alone."""
    array = laid(STRAIGHT_DOWN).array
    (strand,) = [each for each in trace_strands(array) if is_winning(array, each)]
    assert strand.axis == 0
    assert strand.owners == (0,)
    assert [end.side for end in strand.ends if isinstance(end, RimEnd)] == [0, 3]
    down = [number_of(name) for name in STRAIGHT_DOWN]
    assert [step.cell for step in strand.steps] == down[::-1]


def test_a_strand_belongs_to_both_partners() -> None:
    """R6.3."""
    array = laid(STRAIGHT_DOWN, seats=6).array
    assert [each.owners for each in trace_strands(array) if is_winning(array, each)] == [(0, 3)]


@pytest.mark.parametrize(("seats", "owners"), [(2, [(0,), (0,)]), (6, [(0, 1), (0,), (1,)])])
def test_a_tile_in_the_corner_has_strands_of_both_sides(
    seats: int, owners: list[tuple[int, ...]]
) -> None:
    """R1.4: of the outer edges of a7, south-east is the bottom's, the next two the lower left's."""
    array = laid({"a7": "T3.0"}, seats=seats).array
    found = trace_strands(array)
    corner = number_of("a7")
    assert found[0].steps == (Step(corner, 5, 0),)
    assert found[0].ends == (RimEnd(0, 6), RimEnd(1, 0))
    assert found[1].steps == (Step(corner, 1, 2),)
    assert found[1].ends == (RimEnd(1, 1), OpenEnd(number_of("a6"), 5))
    assert found[0].owners == owners[0]


def test_a_ring_has_no_ends() -> None:
    """Three tiles around a corner, each with a sharp bend there."""
    state = laid({"d4": "T3.0", "d5": "T3.0", "c5": "T3.0"})
    rings = [each for each in trace_strands(state.array) if not each.ends]
    assert len(rings) == 1
    assert sorted(step.cell for step in rings[0].steps) == sorted(
        number_of(name) for name in ("d4", "d5", "c5")
    )
    assert rings[0].owners == ()
    assert rings[0].axis is None


# ---- random boards ----------------------------------------------------------------------------


def simple_ends(array: StateArray) -> set[frozenset[object]]:
    """The two ends of every strand, found with dictionaries and hexagons alone."""
    radius = int(array[layout.RADIUS])
    board = cells(radius + 1)
    tiles = {
        cell: dict(pair for a, b in ORIENTATION_STRANDS[number - 1] for pair in ((a, b), (b, a)))
        for cell, number in zip(
            board, array[layout.CELLS : layout.CELLS + len(board)].tolist(), strict=True
        )
        if number
    }
    found: set[frozenset[object]] = set()
    for start in tiles:
        for edge in range(6):
            cell, at = start, tiles[start][edge]
            seen = [(start, edge)]
            while (ahead := neighbour(cell, (at + 2) % 6)) in tiles:
                cell, at = ahead, tiles[ahead][(at + 3) % 6]
                if (cell, at) == (start, tiles[start][edge]):
                    break  # A ring.
                seen.append((cell, at))
            else:
                back = neighbour(start, (edge + 2) % 6)
                if back not in tiles:
                    found.add(frozenset([(start, edge), (cell, at)]))
    return found


@pytest.mark.compiled
@pytest.mark.parametrize("options", SEVERAL, ids=str)
def test_strands_agree_with_a_simple_walk(options: dict[str, Value]) -> None:
    for state in positions(5, **options):
        board = cells(int(state.array[layout.RADIUS]) + 1)
        found = set()
        for strand in trace_strands(state.array):
            if strand.ends:
                first, last = strand.steps[0], strand.steps[-1]
                ends = [(board[first.cell], first.enter), (board[last.cell], last.leave)]
                found.add(frozenset(ends))
        assert found == simple_ends(state.array)


@pytest.mark.compiled
@pytest.mark.parametrize("options", SEVERAL, ids=str)
def test_every_pair_of_every_tile_is_on_one_strand(options: dict[str, Value]) -> None:
    for state in positions(5, **options):
        array = state.array
        pieces = [
            (step.cell, *sorted((step.enter, step.leave)))
            for strand in trace_strands(array)
            for step in strand.steps
        ]
        filled = {
            cell: ORIENTATION_STRANDS[orientation]
            for cell in range(cell_count(int(array[layout.RADIUS])))
            if (orientation := orientation_at(array, cell)) is not None
        }
        assert sorted(pieces) == sorted((cell, a, b) for cell in filled for a, b in filled[cell])
        for cell, passing in strands_by_cell(array).items():
            for (a, b), strand in zip(filled[cell], passing, strict=True):
                assert {Step(cell, a, b), Step(cell, b, a)} & set(strand.steps)


@pytest.mark.compiled
@pytest.mark.parametrize("options", SEVERAL, ids=str)
def test_ends_agree_with_the_cache(options: dict[str, Value]) -> None:
    for state in positions(5, **options):
        array = state.array.copy()
        radius = int(array[layout.RADIUS])
        ports = 6 * cell_count(radius)
        first = int(layout.ends_at(array))
        for strand in trace_strands(array):
            if strand.ends:
                one, other = (
                    ports + end.side * side_length(radius) + end.place
                    if isinstance(end, RimEnd)
                    else 6 * end.cell + end.edge
                    for end in strand.ends
                )
                assert (array[first + one], array[first + other]) == (other, one)


# ---- witnesses --------------------------------------------------------------------------------


def check_route(array: StateArray, axis: int, steps: tuple[Step, ...]) -> None:
    """It starts at its side, ends at the opposite one, and every step fits the one before."""
    radius = int(array[layout.RADIUS])
    start = beyond(radius, steps[0].cell, steps[0].enter)
    end = beyond(radius, steps[-1].cell, steps[-1].leave)
    assert isinstance(start, RimEnd)
    assert isinstance(end, RimEnd)
    assert (start.side, end.side) == (axis, axis + 3)
    for before, after in pairwise(steps):
        assert beyond(radius, before.cell, before.leave) == OpenEnd(after.cell, after.enter)
    for step in steps:
        orientation = orientation_at(array, step.cell)
        pair = tuple(sorted((step.enter, step.leave)))
        assert orientation is None or pair in ORIENTATION_STRANDS[orientation]


@pytest.mark.compiled
@pytest.mark.parametrize("options", SEVERAL, ids=str)
def test_filling_the_cells_of_a_witness_connects_everybody(
    options: dict[str, Value],
) -> None:
    """R5.2; with ``reach`` (R7.4) each route separately."""
    for state in positions(8, **options):
        routes = witness_routes(state.array)
        for axis, steps in routes.items():
            check_route(state.array, axis, steps)
        if options.get("supermove"):
            assert routes == {}
        together = [routes] if "legality" not in options else [{a: routes[a]} for a in routes]
        for chosen in together:
            check_orientation(state.array.copy(), chosen)


def check_orientation(array: StateArray, routes: dict[int, tuple[Step, ...]]) -> None:
    """Fill the cells of routes with tiles that have their pairs; this connects them."""
    used: dict[int, int] = {}
    edges = [(step.cell, edge) for steps in routes.values() for step in steps for edge in step[1:]]
    assert len(edges) == len(set(edges)), "no two share an edge"
    for steps in routes.values():
        for cell, enter, leave in steps:
            if not array[layout.CELLS + cell]:
                pair = PAIRS.index((min(enter, leave), max(enter, leave)))
                used[cell] = used.get(cell, 0) | 1 << pair
    for cell, mask in used.items():
        fitting = [n for n in range(ORIENTATIONS) if mask & ~int(ORIENTATION_PAIRS[n]) == 0]
        array[layout.CELLS + cell] = 1 + fitting[0]
    connected = {strand.axis for strand in trace_strands(array) if is_winning(array, strand)}
    assert connected >= set(routes)


def test_a_witness_may_run_along_strands() -> None:
    tiles = {name: tile for name, tile in STRAIGHT_DOWN.items() if name not in ("d4", "e1")}
    state = laid(tiles)
    check_route(state.array, 0, witness_routes(state.array)[0])
