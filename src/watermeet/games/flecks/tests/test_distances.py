"""The distances of the evaluation, on boards where they can be counted by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.kernel import Scratch
from watermeet.games.flecks import distances
from watermeet.games.flecks.board import BLUE, RED
from watermeet.games.flecks.rules import is_connected
from watermeet.games.flecks.tests.positions import flecks, offset, position
from watermeet.testing import random_match

pytestmark = pytest.mark.compiled

CHAIN = "g1 f2 e3 d4 c5 b5 a5"  # The shortest red one on a board of 5.


def surveyed(state: wm.State) -> Scratch:
    buffer = np.zeros(distances.BUFFER_SIZE, dtype=np.int32)
    distances.compute_distances(state.array, buffer)
    return buffer


def missing_cells(state: wm.State) -> tuple[int, int]:
    buffer = surveyed(state)
    return int(buffer[distances.SHORTEST + RED]), int(buffer[distances.SHORTEST + BLUE])


def detour(state: wm.State, colour: int, name: str) -> int:
    return distances.detour(state.array, surveyed(state), colour, offset(name, 5))


@pytest.mark.parametrize(("size", "length"), [(5, 7), (7, 10), (9, 13)])
def test_an_empty_board_needs_the_shortest_chain(size: int, length: int) -> None:
    assert missing_cells(flecks(size).start()) == (length, length)


def test_own_stones_shorten_the_way_and_opposing_ones_lengthen_it() -> None:
    assert missing_cells(position(CHAIN.replace("e3 ", "")))[0] == 1
    assert missing_cells(position("", "e1 e2 e3 e4 e6 e7 e8 e9"))[0] == 9


def test_a_complete_chain_needs_nothing_and_blocks_the_opponent() -> None:
    assert missing_cells(position(CHAIN)) == (0, distances.UNREACHABLE)


def test_the_detour_through_a_cell() -> None:
    state = position("g1 f2 d4 c5 b5 a5")
    assert detour(state, RED, "e3") == 0
    assert detour(state, RED, "g1") == 0
    assert detour(state, RED, "h3") > 0


@pytest.mark.parametrize("seed", range(3))
def test_a_chain_needs_nothing_exactly_when_it_is_complete(seed: int) -> None:
    states = random_match(flecks(5), random.Random(seed)).states
    for state in (*states[:: 5 + seed], states[-1]):
        for colour, missing in zip((RED, BLUE), missing_cells(state), strict=True):
            assert (missing == 0) == is_connected(state.array, colour)


def test_bounded_distances_agree_with_the_full_survey() -> None:
    rng = random.Random(4)
    buffer = np.zeros(distances.BUFFER_SIZE, dtype=np.int32)
    for state in random_match(flecks(5), rng).states[::3]:
        for colour, missing in zip((RED, BLUE), missing_cells(state), strict=True):
            most = rng.randrange(1, 6)
            found = distances.needs_at_most(state.array, buffer, colour, most)
            assert found == (missing <= most)
