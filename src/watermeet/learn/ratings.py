"""Ratings of people who solve puzzles, and of the puzzles: Mark Glickman's Glicko system.

Solving is a match between the two: whoever solves a puzzle wins, whoever fails loses. Both have a
rating and its deviation, which says how sure it is and shrinks with every match.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

START, UNKNOWN = 1500.0, 150.0
"""The rating and the deviation of whoever hasn't solved anything.

Glickman begins with 350, but then one slip costs hundreds of points."""
PUZZLE_DEVIATION = 120.0
"""The deviation of a puzzle that nobody has tried: its rating was estimated by the miner."""
LEAST_DEVIATION = 60.0
"""Nobody is surer than this, so that ratings keep moving."""
LOWEST, HIGHEST = 100.0, 3500.0
_Q = math.log(10.0) / 400.0


@dataclass(frozen=True)
class Rating:
    """How strong somebody is, or how hard a puzzle is."""

    value: float = START
    deviation: float = UNKNOWN


def expected(one: Rating, other: Rating) -> float:
    """How often the one wins against the other.

    >>> expected(Rating(1500, 60), Rating(1500, 60))
    0.5
    """
    return 1.0 / (1.0 + math.exp(-_Q * _weight(other) * (one.value - other.value)))


def after(one: Rating, other: Rating, *, won: bool) -> Rating:
    """The rating of the one after a match against the other.

    >>> gained = after(Rating(), Rating(1500, 120), won=True)
    >>> round(gained.value), round(gained.deviation)
    (1552, 139)
    """
    chance, weight = expected(one, other), _weight(other)
    information = (_Q * weight) ** 2 * chance * (1.0 - chance)
    variance = 1.0 / (1.0 / one.deviation**2 + information)
    value = one.value + _Q * variance * weight * (won - chance)
    return Rating(
        min(max(value, LOWEST), HIGHEST),
        min(max(math.sqrt(variance), LEAST_DEVIATION), UNKNOWN),
    )


def _weight(other: Rating) -> float:
    """How much a match against somebody counts whose rating isn't sure."""
    return 1.0 / math.sqrt(1.0 + 3.0 * (_Q * other.deviation / math.pi) ** 2)
