"""Mark Glickman's Glicko-2, for two players: ratings, and how much is known about each.

The formula is that of http://www.glicko.net/glicko/glicko2.pdf, with one change: a rating period
isn't a month in which everybody plays some matches, but the time since a player's last match, in
periods or parts of one. So every match counts at once, and the rating of somebody who doesn't play
becomes less sure. Bounds aren't part of the formula: callers apply their own.

A volatility of 0 means that somebody's strength never changes, as that of a bot or a puzzle. This
is Glickman's older system, Glicko.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

SCALE = 400.0 / math.log(10.0)
"""A rating is 1500 plus this times Glicko-2's own: 400 points are odds of ten to one."""
START, UNKNOWN, VOLATILITY = 1500.0, 350.0, 0.06
"""The rating, its deviation and the volatility of somebody new."""
TAU = 0.5
"""How much a volatility may change."""
PERIOD = 4.665 * 24 * 3600 * 1000.0
"""Milliseconds of a rating period: a deviation of 60 becomes 110 in a year without a match."""
_CLOSE = 1e-9


class Rating(msgspec.Struct, frozen=True):
    """How strong somebody is, and how sure that is.

    They are within two deviations of it, nineteen times out of twenty.
    """

    value: float = START
    deviation: float = UNKNOWN
    volatility: float = VOLATILITY

    def after(self, periods: float) -> Rating:
        """The rating after a time without matches: nobody becomes less sure than somebody new."""
        return msgspec.structs.replace(self, deviation=_grown(self, self.volatility, periods))


def expected(one: Rating, other: Rating) -> float:
    """The score that the one can expect against the other; a draw is half a win.

    >>> expected(Rating(1500, 60), Rating(1500, 60))
    0.5
    """
    return 1.0 / (1.0 + math.exp(-_weight(other) * (one.value - other.value) / SCALE))


def predicted(one: Rating, other: Rating) -> float:
    """The score that the one can expect, if neither is sure: nearer to a half than ``expected``."""
    deviation = math.hypot(one.deviation, other.deviation)
    return expected(one, Rating(other.value, deviation))


def rate(player: Rating, results: Sequence[tuple[Rating, float]], periods: float = 0.0) -> Rating:
    """The rating after results against opponents, each 1, 0.5 or 0, and a time before them.

    >>> gained = rate(Rating(1500, 200), [(Rating(1400, 30), 1.0)])
    >>> round(gained.value), round(gained.deviation)
    (1563, 175)
    """
    information = gain = 0.0
    for opponent, score in results:
        weight, chance = _weight(opponent), expected(player, opponent)
        information += weight * weight * chance * (1.0 - chance)
        gain += weight * (score - chance)
    volatility = player.volatility
    if volatility and information:
        volatility = _new_volatility(player, 1.0 / information, gain / information)
    before = _grown(player, volatility, periods) / SCALE
    variance = 1.0 / (1.0 / before**2 + information)
    return Rating(player.value + SCALE * variance * gain, SCALE * math.sqrt(variance), volatility)


def _weight(opponent: Rating) -> float:
    """How much a match against somebody counts whose rating isn't sure: g in the paper."""
    return 1.0 / math.sqrt(1.0 + 3.0 * (opponent.deviation / SCALE / math.pi) ** 2)


def _grown(rating: Rating, volatility: float, periods: float) -> float:
    deviation = math.hypot(rating.deviation, SCALE * volatility * math.sqrt(max(periods, 0.0)))
    return min(deviation, max(UNKNOWN, rating.deviation))


def _new_volatility(player: Rating, variance: float, gain: float) -> float:
    """Step 5 of the paper: the Illinois algorithm, v and Δ being ``variance`` and ``gain``."""
    square, start = (player.deviation / SCALE) ** 2, math.log(player.volatility**2)

    def f(x: float) -> float:
        grown = square + variance + math.exp(x)
        return math.exp(x) * (gain**2 - grown) / (2.0 * grown**2) - (x - start) / TAU**2

    low, high = start, start - TAU
    if gain**2 > square + variance:
        high = math.log(gain**2 - square - variance)
    else:
        while f(high) < 0:
            high -= TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)
