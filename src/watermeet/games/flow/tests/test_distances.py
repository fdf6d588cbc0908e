"""Tiles to go for each animal, against a search written here."""

from __future__ import annotations

import heapq
import random

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.kernel import runs_plain_python
from watermeet.core.options import Value
from watermeet.games.flow.distances import BLOCKED, tiles_missing
from watermeet.games.flow.tests.positions import (
    ALL_CLOSED,
    ONE_EXIT_EACH,
    lying,
    position,
)

BOARDS = 60 if runs_plain_python() else 600
ANIMALS = {"a1": "NE", "g1": "NW", "a7": "ES", "g7": "SW"}
FACING = {"N": (0, 1, "S"), "E": (1, 0, "W"), "S": (0, -1, "N"), "W": (-1, 0, "E")}
CELLS = [f"{letter}{row}" for row in range(1, 8) for letter in "abcdefg"]
FREE = [cell for cell in CELLS if cell not in ANIMALS and cell != "d4"]
SUPPLY = {
    "NS EW": 8,
    "NE ES SW NW": 12,
    "NESW": 4,
    "N E S W": 8,
    "NES ESW NSW NEW": 10,
    "X": 8,
}
"""What may lie on a board with T pieces and four cards of obstacles."""


def missing(state: wm.State) -> list[int]:
    out = np.full(4, 77, dtype=np.int32)
    tiles_missing(state.array.copy(), out)
    return [int(tiles) for tiles in out]


# ---- a plain search -----------------------------------------------------------------------------


def ways_of(laid: set[str], boat: str) -> dict[str, str]:
    """By cell that is not empty: the edges at which it is open."""
    ways = {**ANIMALS, "d4": boat}
    for text in laid:
        edges, _, cell = text.rstrip("*").partition("@")
        ways[cell] = edges.replace("X", "")
    return ways


def beyond(cell: str, edge: str) -> str | None:
    across, along, _ = FACING[edge]
    other = chr(ord(cell[0]) + across) + str(int(cell[1]) + along)
    return other if other in CELLS else None


def fewest_tiles(ways: dict[str, str], animal: str, boat_stops: bool) -> int:
    """By Dijkstra, from an animal to the boat: each empty cell on the way costs a tile."""
    best = {animal: 0}
    queue = [(0, animal)]
    while queue:
        tiles, cell = heapq.heappop(queue)
        if cell == "d4":
            return tiles
        if tiles > best[cell] or (boat_stops and cell in ANIMALS and cell != animal):
            continue
        for edge in ways.get(cell, "NESW"):
            other = beyond(cell, edge)
            if other is None or FACING[edge][2] not in ways.get(other, "NESW"):
                continue
            more = tiles + (other not in ways)
            if more < best.get(other, 99):
                best[other] = more
                heapq.heappush(queue, (more, other))
    return BLOCKED


def random_laid(rng: random.Random, most: int) -> set[str]:
    pool = [turns for turns, count in SUPPLY.items() for _ in range(count)]
    chosen = rng.sample(pool, rng.randint(0, most))
    cells = rng.sample(FREE, len(chosen))
    return {
        f"{rng.choice(turns.split())}@{cell}" for turns, cell in zip(chosen, cells, strict=True)
    }


# ---- by hand ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laid", "obstacles", "expected"),
    [
        (ALL_CLOSED, 4, [BLOCKED] * 4),
        (ALL_CLOSED[:2], 1, [BLOCKED, 5, 5, 5]),
        (ONE_EXIT_EACH, 2, [5, 5, 5, 5]),
        (("X@d3", "X@d5", "X@c4", "X@e4"), 2, [BLOCKED] * 4),
        (("N@b1", "E@a2"), 0, [BLOCKED, 5, 5, 5]),
        (("W@b1", "S@a2"), 0, [BLOCKED, 5, 5, 5]),
        (("X@a2", "EW@b1", "EW@c1", "EW@d1", "EW@e1", "EW@f1"), 1, [5, 5, 5, 5]),
    ],
)
def test_walls(laid: tuple[str, ...], obstacles: int, expected: list[int]) -> None:
    assert missing(position("turn=0", laid, obstacles=obstacles)) == expected


@pytest.mark.parametrize(("way", "expected"), [("N", [7, 7, 5, 5]), ("E", [7, 5, 7, 5])])
def test_the_boat_with_one_way(way: str, expected: list[int]) -> None:
    assert missing(position(f"turn=0 way={way}", single_path=True)) == expected


# ---- on random boards ---------------------------------------------------------------------------


@pytest.mark.parametrize("boat_stops", [False, True])
@pytest.mark.parametrize("way", ["", "N", "E", "S", "W"])
def test_random_boards_agree_with_the_search(way: str, boat_stops: bool) -> None:
    rng = random.Random(f"{way} {boat_stops}")
    options: dict[str, Value] = {"boat_stops": boat_stops, "single_path": bool(way)}
    found = set()
    for _ in range(BOARDS // 5):
        laid = random_laid(rng, 34)
        ways = ways_of(laid, way or "NESW")
        expected = [fewest_tiles(ways, animal, boat_stops) for animal in ANIMALS]
        words = f"turn=0{f' way={way}' if way else ''}"
        if expected == [0, 0, 0, 0]:
            words = words.replace("turn=0", "over=won")
        state = position(words, laid, tiles="branches", obstacles=4, **options)
        assert lying(state) == laid
        assert missing(state) == expected, state.text
        found |= set(expected)
    assert BLOCKED in found
    assert len(found) > 3


def test_crowded_boards_agree_with_the_search() -> None:
    rng = random.Random(7)
    for _ in range(BOARDS // 3):
        laid = random_laid(rng, 44)
        ways = ways_of(laid, "NESW")
        expected = [fewest_tiles(ways, animal, False) for animal in ANIMALS]
        if expected != [0, 0, 0, 0]:
            state = position("turn=0", laid, tiles="branches", obstacles=4)
            assert missing(state) == expected, state.text
