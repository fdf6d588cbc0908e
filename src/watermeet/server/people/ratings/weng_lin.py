"""Weng and Lin's Bayesian ratings for several seats and for teams, by the library openskill.

The model is Plackett and Luce's, on the scale of Glicko-2: if two teams were sure of their ratings,
400 points would be odds of ten to one, however many others play. A team is as strong as the mean of
its members, so that a rating means the same in teams of any size: two bots that are 100 points
better than two others make a team that is 100 points better.

Deviations shrink by all that a match says (the library's gamma is 1), as in Glicko-2. New players
have a deviation of 250: with 350, ratings spread too far (``python -m bench ratings``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

from openskill.models import PlackettLuce

from watermeet.server.people.ratings.glicko import (
    SCALE,
    START,
    Rating,
    expected,
)

UNKNOWN = 250.0
"""The deviation of somebody new."""
Teams = Sequence[Sequence[Rating]]


def rate(teams: Teams, places: Sequence[int]) -> list[list[Rating]]:
    """The ratings after a match; ``places`` of the teams, 1 being the best, equal ones being ties.

    >>> (ann,), (bob,), (cleo,) = rate([[Rating()], [Rating()], [Rating()]], [1, 2, 2])
    >>> ann.value > 1500 > bob.value == cleo.value, ann.deviation < 350
    (True, True)
    """
    model = _model(len(teams))
    # Scaled by the size of the team, the library's sum of members is our mean.
    before = [
        [model.rating((r.value - START) / len(team), r.deviation / len(team)) for r in team]
        for team in teams
    ]
    after = model.rate(before, ranks=[float(place) for place in places])
    return [
        [
            Rating(START + len(team) * new.mu, len(team) * new.sigma, old.volatility)
            for old, new in zip(team, changed, strict=True)
        ]
        for team, changed in zip(teams, after, strict=True)
    ]


def together(team: Sequence[Rating]) -> Rating:
    """How strong a team is."""
    value = sum(each.value for each in team) / len(team)
    return Rating(value, math.hypot(*(each.deviation for each in team)) / len(team), 0.0)


def predicted(one: Sequence[Rating], other: Sequence[Rating]) -> float:
    """How often one team comes before the other.

    >>> predicted([Rating(1600, 0), Rating(1400, 0)], [Rating(1500, 0)])
    0.5
    """
    first, second = together(one), together(other)
    deviation = math.hypot(first.deviation, second.deviation)
    return expected(first, Rating(second.value, deviation))


@cache
def _model(teams: int) -> PlackettLuce:
    # The library divides strengths by the root of (teams * beta squared + all variances).
    return PlackettLuce(mu=0.0, sigma=UNKNOWN, beta=SCALE / math.sqrt(teams), gamma=_all, tau=0.0)


def _all(*_: Any) -> float:
    return 1.0
