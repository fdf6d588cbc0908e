"""Codes: a placement has the same number throughout a match, in every environment."""

from __future__ import annotations

import random

import pytest

from watermeet.core.contract import StateArray
from watermeet.core.features import NO_CODE
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.features import REACH, WIDTH, encode
from watermeet.games.qwirkle.grid import cell_number, lay_tile
from watermeet.games.qwirkle.tests.helpers import qwirkle


def test_a_placement_keeps_its_code_while_grid_and_hand_grow() -> None:
    game, rng = qwirkle(), random.Random(3)
    codes: dict[str, int] = {}
    seen = moved = 0
    numbers: dict[str, int] = {}
    state = game.start().sample(rng)
    for _ in range(150):
        if state.to_move < 0:
            break
        for code, action in game.features.legal_codes(state).items():
            move = state.format(action)
            seen += int(move in codes)
            assert codes.setdefault(move, code) == code
            moved += int(numbers.get(move, action) != action)
            numbers[move] = action
        state = state.play(rng.choice(state.legal_actions)).sample(rng)
    assert seen > 100
    assert moved > 50, "the numbers of actions do move"
    assert len(set(codes.values())) == len(codes), "and no two placements share a code"


def _line(step: int, count: int) -> StateArray:
    """The first tile, and others in a row to its right or left; seat 0 holds a tile."""
    array = qwirkle().start_array()
    for index in range(count):
        lay_tile(array, step * index, 0, index % layout.KINDS)
    array[layout.HANDS] = 1
    return array


def _code(array: StateArray, x: int, y: int) -> int:
    return int(encode(array, layout.SLOTS * int(cell_number(array, x, y))))


@pytest.mark.parametrize("step", [-1, 1])
def test_a_grid_that_leaves_the_window_comes_in_on_the_other_side(step: int) -> None:
    for count in (REACH, REACH + 1, WIDTH - 2):
        array = _line(step, count)
        cells = [(step * x, y) for x in range(count) for y in (-1, 1)]
        cells += [(step * count, 0), (-step, 0)]
        codes = [_code(array, *cell) for cell in cells]
        assert NO_CODE not in codes
        assert len(set(codes)) == len(codes)
    array = _line(step, WIDTH - 1)  # No room is left for a cell at each end.
    assert _code(array, step * (REACH + 1), 1) == NO_CODE
    assert _code(array, step * REACH, 1) != NO_CODE
