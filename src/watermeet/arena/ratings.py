"""Elo by maximum likelihood, with intervals that know that matches come in bouts.

The model is Bradley and Terry's: a bot that is d Elo stronger expects 1 / (1 + 10 ** (-d / 400)) of
a match. A draw is half a win and half a loss. Two things are added:

- A prior as in BayesElo, so that nobody is infinitely strong: every pairing begins with half a bout
  won and half a bout lost.
- Variances are taken from how the bouts really scattered around what was expected (the "sandwich"
  of generalised estimating equations, a bout being a cluster). Draws and equal luck make bouts
  scatter less than coins do, which a plain Hessian does not see.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from watermeet.arena.score import Bouts

ELO_OF_LOGIT = 400.0 / math.log(10.0)
PRIOR = 0.5
"""Bouts that count as won, and as many as lost, in each pairing before any is played."""
Z95 = NormalDist().inv_cdf(0.975)
STEPS, TINY = 100, 1e-10

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    @staticmethod
    def around(value: float, deviation: float) -> Interval:
        """Of a figure that scatters like a bell."""
        return Interval(value, value - Z95 * deviation, value + Z95 * deviation)


def expected_score(elo: float) -> float:
    """What a bot that is so much stronger gets of a match.

    >>> round(expected_score(100), 3)
    0.64
    """
    return _sigmoid(elo / ELO_OF_LOGIT)


def elo_of_score(score: float) -> float:
    """The difference that a score between 0 and 1 stands for.

    >>> round(elo_of_score(0.75))
    191
    """
    return ELO_OF_LOGIT * math.log(score / (1.0 - score))


def rate(bots: Sequence[str], results: Sequence[Bouts]) -> dict[str, Interval]:
    """The ratings of all bots around their mean, which is 0."""
    place = {name: index for index, name in enumerate(bots)}
    pairs = [(place[each.pairing[0]], place[each.pairing[1]]) for each in results]
    strengths = _fit(len(bots), pairs, results)
    deviations = np.sqrt(np.diag(_covariance(strengths, pairs, results)))
    return {
        name: Interval.around(
            ELO_OF_LOGIT * float(strengths[index]), ELO_OF_LOGIT * float(deviations[index])
        )
        for name, index in place.items()
    }


def difference(bouts: Bouts) -> Interval:
    """How much stronger a pairing's first bot is, from their own bouts alone."""
    first = rate(bouts.pairing, [bouts])[bouts.pairing[0]]
    return Interval(2 * first.value, 2 * first.low, 2 * first.high)


def superiority(elo: Interval) -> float:
    """How likely the first one is the stronger, given the difference."""
    deviation = (elo.high - elo.low) / (2 * Z95)
    return NormalDist().cdf(elo.value / deviation)


def share_interval(wins: int, count: int) -> Interval:
    """How often something happens, by Wilson's interval, which is fair for few trials too.

    >>> round(share_interval(0, 10).low, 2), round(share_interval(0, 10).high, 2)
    (0.0, 0.28)
    """
    if count == 0:
        return Interval(0.5, 0.0, 1.0)
    share, weight = wins / count, Z95**2 / count
    centre = (share + weight / 2) / (1 + weight)
    reach = Z95 * math.sqrt(share * (1 - share) / count + weight / (4 * count)) / (1 + weight)
    return Interval(share, max(0.0, centre - reach), min(1.0, centre + reach))


# ---- the fit ----------------------------------------------------------------------------------


def _fit(count: int, pairs: Sequence[tuple[int, int]], results: Sequence[Bouts]) -> Floats:
    """The most likely strengths, as logits with mean 0, by Newton's steps."""
    strengths = np.zeros(count)
    for _ in range(STEPS):
        gradient = np.zeros(count)
        for (a, b), each in zip(pairs, results, strict=True):
            expected = _sigmoid(strengths[a] - strengths[b])
            missing = sum(each.scores) + PRIOR - (len(each.scores) + 2 * PRIOR) * expected
            gradient[a] += missing
            gradient[b] -= missing
        step = np.linalg.pinv(_information(strengths, pairs, results), hermitian=True) @ gradient
        # Far from the solution the slope is flat and the step too long.
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), TINY))
        strengths += step
        if float(np.abs(step).max()) < TINY:
            break
    centred: Floats = strengths - strengths.mean()
    return centred


def _information(
    strengths: Floats, pairs: Sequence[tuple[int, int]], results: Sequence[Bouts]
) -> Floats:
    """The Hessian of the likelihood, turned positive."""
    found = np.zeros((len(strengths), len(strengths)))  # [bots, bots]
    for (a, b), each in zip(pairs, results, strict=True):
        expected = _sigmoid(strengths[a] - strengths[b])
        weight = (len(each.scores) + 2 * PRIOR) * expected * (1.0 - expected)
        found[[a, b], [a, b]] += weight
        found[[a, b], [b, a]] -= weight
    return found


def _covariance(
    strengths: Floats, pairs: Sequence[tuple[int, int]], results: Sequence[Bouts]
) -> Floats:
    """Of the strengths, as their bouts scattered."""
    scatter = np.zeros((len(strengths), len(strengths)))  # [bots, bots]
    for (a, b), each in zip(pairs, results, strict=True):
        expected = _sigmoid(strengths[a] - strengths[b])
        count = len(each.scores)
        squares = sum((score - expected) ** 2 for score in each.scores)
        # Few bouts lie nearer to a mean that was made from them than to the true one.
        squares *= count / (count - 1) if count > 1 else 1.0
        squares += PRIOR * ((1.0 - expected) ** 2 + expected**2)
        scatter[[a, b], [a, b]] += squares
        scatter[[a, b], [b, a]] -= squares
    inverse = np.linalg.pinv(_information(strengths, pairs, results), hermitian=True)
    return np.asarray(inverse @ scatter @ inverse)


def _sigmoid(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-logit)) if logit > -700 else 0.0
