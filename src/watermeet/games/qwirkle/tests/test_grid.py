"""The grid: finding tiles in any shape, and the list of live cells."""

from __future__ import annotations

import random

import numpy as np
import pytest

from watermeet.core.contract import StateArray
from watermeet.games.qwirkle import anchors, grid, layout, rules
from watermeet.games.qwirkle.names import Cell
from watermeet.games.qwirkle.tests.helpers import played

STEPS = list(zip(layout.STEP_X, layout.STEP_Y, strict=True))


def shapes() -> dict[str, list[Cell]]:
    """Connected cells, as far as 108 tiles reach, and in random order."""
    found: dict[str, list[Cell]] = {}
    for step in STEPS:
        found[f"straight {step}"] = [(i * step[0], i * step[1]) for i in range(layout.TILE_COUNT)]
    for first in STEPS:
        for second in STEPS:
            if first[0] * second[0] + first[1] * second[1] == 0:
                cells = [(0, 0)]
                for i in range(layout.TILE_COUNT - 1):
                    step = (first, second)[i % 2]
                    cells.append((cells[-1][0] + step[0], cells[-1][1] + step[1]))
                found[f"stairs {first} {second}"] = cells
    for seed in range(4):
        rng = random.Random(seed)
        cells = [(0, 0)]
        while len(cells) < layout.TILE_COUNT:
            x, y = rng.choice(cells[-6:] if seed % 2 else cells)
            step = rng.choice(STEPS)
            if (x + step[0], y + step[1]) not in cells:
                cells.append((x + step[0], y + step[1]))
        found[f"random {seed}"] = cells
    return found


@pytest.mark.parametrize("name", shapes())
def test_every_tile_is_found_and_no_other(name: str) -> None:
    """Lines aren't checked here, so any tiles may be next to each other."""
    cells = shapes()[name]
    array = np.zeros(layout.STATE_SIZE, dtype=np.int8)
    for number, (x, y) in enumerate(cells):
        assert grid.tile_at(array, x, y) == -1
        grid.lay_tile(array, x, y, number % 36)
        array[layout.LAID] = 0  # Each in its own turn, to keep the order.
    taken = {cell: number for number, cell in enumerate(cells)}
    around = {(x + sx, y + sy) for x, y in cells for sx, sy in STEPS} - set(cells)
    assert len(around) <= layout.MAX_ANCHORS
    for cell in cells:
        assert grid.tile_at(array, *cell) == taken[cell]
        assert grid.cell_number(array, *cell) == layout.OCCUPIED_CELLS + taken[cell]
    numbers = {}
    for cell in around:
        assert grid.tile_at(array, *cell) == -1
        number = int(grid.cell_number(array, *cell))
        assert (grid.cell_x(array, number), grid.cell_y(array, number)) == cell
        numbers[number] = cell
    assert len(numbers) == len(around)
    assert grid.cell_number(array, 120, 120) == layout.ELSEWHERE


def live_cells(array: StateArray) -> dict[int, int]:
    count = int(anchors.anchor_count(array))
    cells = [int(anchors.anchor_cell(array, index)) for index in range(count)]
    assert cells == sorted(set(cells))
    return {cell: int(anchors.anchor_kinds(array, index)) for index, cell in enumerate(cells)}


@pytest.mark.parametrize("moves", [20, 60, 120, 250])
def test_incremental_live_cells_agree_with_a_full_scan(moves: int) -> None:
    for seed in range(2):
        array = played(seed, moves).array.copy()
        kept = live_cells(array)
        rules.rebuild_cache(array)
        assert live_cells(array) == kept
