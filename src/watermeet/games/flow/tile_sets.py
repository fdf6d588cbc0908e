"""Which map tiles there are: data, with the reasons, since nobody has published them.

What is known: there are 42 map tiles, some with obstacles and some without, and reviews name
straight pieces, right angles and crosses. How many of each there are, what an obstacle tile looks
like and which tiles may be swapped for a card is not said anywhere. So these are choices of ours,
and others can be added here: each set must have 42 tiles, of the kinds below.

The obstacle is a dead end: something that can be laid by the placement rules, which ask for water
to lead to the tile, and yet stops the water there. What may be swapped are the kinds without
obstacle, since the rules say that an obstacle tile is discarded without a card.
"""

from __future__ import annotations

KINDS = ("straight", "bend", "cross", "obstacle", "tee")
SWAPPABLE = ("straight", "bend", "cross", "tee")
TILE_COUNT = 42

TILE_SETS: dict[str, dict[str, int]] = {
    # Bends are needed most, as every animal sits in a corner; crosses are the prize, obstacles the
    # danger. Greedy play without cards wins this about half of the time with eight turns a round.
    "ours": {"straight": 12, "bend": 14, "cross": 8, "obstacle": 8, "tee": 0},
    # With T pieces instead of half of the crosses and some straights, for those who miss them.
    "branches": {"straight": 8, "bend": 12, "cross": 4, "obstacle": 8, "tee": 10},
    # For children and first matches.
    "calm": {"straight": 14, "bend": 16, "cross": 8, "obstacle": 4, "tee": 0},
}
