"""Ways to the boat and tiles to go, against an independent walk and brute force."""

from __future__ import annotations

import itertools
import random

import pytest

from watermeet.core.options import Value
from watermeet.core.state import State
from watermeet.games.flow import connectivity, layout, rules
from watermeet.games.flow.board import ANIMAL_CELLS, ANIMALS, BOAT_CELL, CELL_COUNT
from watermeet.games.flow.names import ANIMAL_NAMES, cell_name
from watermeet.games.flow.paths import AnimalPath, animal_paths
from watermeet.games.flow.shapes import SHAPE_COUNT
from watermeet.games.flow.tests.positions import number_of
from watermeet.games.flow.tests.scenes import (
    ALL_JOINED,
    LOWER_CROSS,
    UPPER_CROSS,
    changed,
    laid,
    shape_of,
)


def by_name(state: State) -> dict[str, AnimalPath]:
    return dict(zip(ANIMAL_NAMES, animal_paths(state.array), strict=True))


def crowded(seed: int, **options: Value) -> State:
    """A board full of tiles and obstacles, whether they agree or not, with seven empty cells."""
    rng = random.Random(seed)
    state = laid({}, **options)
    array = state.array.copy()
    cells = [cell for cell in range(CELL_COUNT) if cell not in (*ANIMAL_CELLS, BOAT_CELL)]
    rng.shuffle(cells)
    for cell in cells[7:]:
        crosses = rng.random() < 0.3
        shape = shape_of("NESW") if crosses else rng.randrange(SHAPE_COUNT)
        array[layout.CELLS + cell] = layout.SCENARIO_TILE if rng.random() < 0.1 else 1 + shape
    rules.rebuild_cache(array)
    return State(state.game, array)


# ---- positions made by hand -------------------------------------------------------------------


def test_all_four_animals_are_joined() -> None:
    found = by_name(laid(ALL_JOINED))
    assert all(
        each.path and each.missing == 0 and not each.missing_cells for each in found.values()
    )
    names = [cell_name(cell) for cell in found["cat"].path]
    assert names == ["a1", "b1", "c1", "d1", "d2", "d3", "d4"]


def test_one_tile_is_missing() -> None:
    tiles = {name: edges for name, edges in ALL_JOINED.items() if name != "d3"}
    found = by_name(laid(tiles))
    for name in ("cat", "dog"):
        assert found[name] == AnimalPath((), 1, (number_of("d3"),))
    assert found["lemur"].path
    assert found["capybara"].path


def test_an_empty_board_needs_five_tiles_for_each_animal() -> None:
    for each in by_name(laid({})).values():
        assert (each.path, each.missing) == ((), 5)
        assert len(each.missing_cells) == 14  # Every cell between the two, which are a square.


def test_water_ends_at_dead_ends_and_obstacles_stop_it() -> None:
    for block in ("N", "X"):
        found = by_name(laid(UPPER_CROSS | LOWER_CROSS | {"d3": block}))
        assert found["cat"].missing == 5
        assert number_of("d3") not in found["cat"].missing_cells


def test_water_passes_through_animals_unless_it_stops_there() -> None:
    """R8.5."""
    left = dict.fromkeys(("a2", "a3", "a4", "a5", "a6"), "NS")
    assert len(by_name(laid(UPPER_CROSS | left))["cat"].path) == 13
    stopped = by_name(laid(UPPER_CROSS | left, boat_stops=True))
    assert stopped["cat"].path == ()
    assert stopped["capybara"].path


def test_a_cell_that_no_tile_of_the_set_fits_is_closed() -> None:
    """R4.4: only a T-junction would lead from b2 towards the boat."""
    ring = {"b1": "NW", "a2": "ES", "b3": "NS", "c2": "NS"}
    ways = tuple(number_of(name) for name in ("b2", "b4", "c4"))
    assert by_name(laid(ring))["cat"] == AnimalPath((), None, ())
    assert by_name(laid(ring, tiles="branches"))["cat"] == AnimalPath((), 3, ways)
    assert by_name(changed(laid(ring), VERSION=2))["cat"] == AnimalPath((), 3, ways)


# ---- against other ways to find out -----------------------------------------------------------


def cheapest_fillings(state: State, animal: int, empty: list[int]) -> tuple[int | None, set[int]]:
    """The fewest crosses that join an animal, and the cells of all such fillings."""
    for count in range(len(empty) + 1):
        used: set[int] = set()
        is_joined = False
        for cells in itertools.combinations(empty, count):
            array = state.array.copy()
            for cell in cells:
                array[layout.CELLS + cell] = 1 + shape_of("NESW")
            rules.rebuild_cache(array)
            if (int(connectivity.connected_animals(array)) >> animal) & 1:
                used |= set(cells)
                is_joined = True
        if is_joined:
            return count, used
    return None, set()


@pytest.mark.compiled
@pytest.mark.parametrize("boat_stops", [False, True])
def test_missing_tiles_against_brute_force(boat_stops: bool) -> None:
    counts = set()
    for seed in range(6):
        state = changed(crowded(seed, boat_stops=boat_stops), VERSION=2)
        fixed = ANIMALS | 1 << BOAT_CELL
        empty = [
            cell for cell in range(CELL_COUNT)
            if state.array[layout.CELLS + cell] == 0 and not (fixed >> cell) & 1
        ]  # fmt: skip
        for cell, found in zip(ANIMAL_CELLS, animal_paths(state.array), strict=True):
            count, used = cheapest_fillings(state, cell, empty)
            assert (found.missing, set(found.missing_cells)) == (count, used)
            counts.add(count)
    assert len(counts) > 2


@pytest.mark.parametrize("tiles", ["ours", "branches"])
def test_those_who_are_cut_off_are_those_of_the_rules(tiles: str) -> None:
    found = set()
    for seed in range(20):
        array = crowded(seed, tiles=tiles).array.copy()
        connectable = int(connectivity.connectable_animals(array, 0, -1, 0, 0))
        for cell, each in zip(ANIMAL_CELLS, animal_paths(array), strict=True):
            assert (each.missing is not None) == bool((connectable >> cell) & 1), seed
            found.add(each.missing is None)
    assert found == {True, False}
