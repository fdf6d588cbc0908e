"""A lower bound on the tiles that each animal still needs to reach the boat."""

# Held to full coverage, as the rules are.
from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_CELL, ANIMAL_COUNT, ANIMALS, BOAT, beyond
from watermeet.games.flow.connectivity import flood

BLOCKED = -1


@kernel
def tiles_missing(state: StateArray, out: Scratch) -> None:
    """Write for each animal the fewest tiles it needs, or BLOCKED.

    A breadth-first search from the boat: existing tiles cost nothing, and an empty cell costs one
    tile, whatever its shape.
    """
    ends = int(state[layout.DEAD_ENDS])
    if state[layout.BOAT_STOPS]:
        ends |= ANIMALS
    for animal in range(ANIMAL_COUNT):
        out[animal] = BLOCKED
    filled, tiles = 0, 0
    while True:
        north, east = int(state[layout.OPEN]) | filled, int(state[layout.OPEN + 1]) | filled
        south, west = int(state[layout.OPEN + 2]) | filled, int(state[layout.OPEN + 3]) | filled
        reached = flood(BOAT, north, east, south, west, ends)
        for animal in range(ANIMAL_COUNT):
            if out[animal] == BLOCKED and (reached >> int(ANIMAL_CELL[animal])) & 1:
                out[animal] = tiles
        source = reached & (~ends | BOAT)
        more = beyond(source & north, 0) | beyond(source & east, 1)
        more |= beyond(source & south, 2) | beyond(source & west, 3)
        more &= int(state[layout.EMPTY]) & ~filled
        if more == 0:
            return
        filled |= more
        tiles += 1
