"""The sets of map tiles: our own choice, since nobody has published the original.

It is known that there are 42 map tiles, some with obstacles and some without, and reviews mention
straight pieces, right angles and crosses. How many of each there are, what an obstacle tile looks
like and which tiles may be swapped for a card is unknown. Other sets can be added here: each must
have 42 tiles of the kinds below.

The obstacle is a dead end: it can be placed, because water reaches it, and yet it stops the water.
The kinds without an obstacle may be swapped, since the rules say that an obstacle tile is discarded
without a card.
"""

from __future__ import annotations

KINDS = ("straight", "bend", "cross", "obstacle", "tee")
SWAPPABLE = ("straight", "bend", "cross", "tee")
TILE_COUNT = 42

TILE_SETS: dict[str, dict[str, int]] = {
    # Bends are needed most, as every animal is in a corner; crosses are the prize, obstacles the
    # danger. Greedy play without cards wins about half of the matches with eight turns per round.
    "ours": {"straight": 12, "bend": 14, "cross": 8, "obstacle": 8, "tee": 0},
    # With T-junctions instead of half of the crosses and some straights.
    "branches": {"straight": 8, "bend": 12, "cross": 4, "obstacle": 8, "tee": 10},
    # For children and first matches.
    "calm": {"straight": 14, "bend": 16, "cross": 8, "obstacle": 4, "tee": 0},
}
