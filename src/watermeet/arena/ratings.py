"""Elo ratings by maximum likelihood, with intervals that allow for matches coming in rounds.

The model is Bradley and Terry's: a bot that is d Elo stronger expects a score of
1 / (1 + 10 ** (-d / 400)). A draw is half a win and half a loss. Two things are added:

- A prior as in BayesElo, so that no bot is infinitely strong: every pairing starts with half a
  round won and half a round lost.
- Variances come from how the scores of rounds really scatter around the expectation (the sandwich
  estimator of generalised estimating equations, a round being a cluster). Draws and shared chance
  outcomes make rounds scatter less than coin flips, which a plain Hessian doesn't see.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from watermeet.arena.score import RoundScores

ELO_OF_LOGIT = 400.0 / math.log(10.0)
PRIOR = 0.5
"""The rounds that count as won, and as lost, in each pairing before any is played."""
Z95 = NormalDist().inv_cdf(0.975)
STEPS, TINY = 100, 1e-10

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @staticmethod
    def around(value: float, deviation: float) -> Interval:
        """The interval of a figure with a normal distribution."""
        return Interval(value, value - Z95 * deviation, value + Z95 * deviation)


def expected_score(elo: float) -> float:
    """The expected score of a bot that is this much stronger.

    >>> round(expected_score(100), 3)
    0.64
    """
    return _sigmoid(elo / ELO_OF_LOGIT)


def elo_of_score(score: float) -> float:
    """The Elo difference that a score between 0 and 1 means.

    >>> round(elo_of_score(0.75))
    191
    """
    return ELO_OF_LOGIT * math.log(score / (1.0 - score))


def rate(
    bots: Sequence[str], results: Sequence[RoundScores], *, anchors: Sequence[str] = ()
) -> dict[str, Interval]:
    """The Elo ratings of all bots; the mean of the anchors is 0, by default that of all."""
    place = {name: index for index, name in enumerate(bots)}
    pairs = [(place[each.pairing[0]], place[each.pairing[1]]) for each in results]
    strengths = _fit(len(bots), pairs, results)
    covariance = _covariance(strengths, pairs, results)
    centring = np.eye(len(bots))  # [bots, bots]
    centring[:, [place[name] for name in anchors or bots]] -= 1 / len(anchors or bots)
    strengths = centring @ strengths
    deviations = np.sqrt(np.diag(centring @ covariance @ centring.T).clip(0.0))
    return {
        name: Interval.around(
            ELO_OF_LOGIT * float(strengths[index]), ELO_OF_LOGIT * float(deviations[index])
        )
        for name, index in place.items()
    }


def elo_difference(rounds: RoundScores) -> Interval:
    """How much stronger a pairing's first bot is, from its own rounds alone."""
    first = rate(rounds.pairing, [rounds])[rounds.pairing[0]]
    return Interval(2 * first.value, 2 * first.low, 2 * first.high)


def los(elo: Interval) -> float:
    """The likelihood of superiority (LOS): that the first bot is stronger."""
    deviation = (elo.high - elo.low) / (2 * Z95)
    return NormalDist().cdf(elo.value / deviation)


def wilson_interval(wins: int, count: int) -> Interval:
    """A proportion with Wilson's interval, which also works for few trials.

    >>> round(wilson_interval(0, 10).low, 2), round(wilson_interval(0, 10).high, 2)
    (0.0, 0.28)
    """
    if count == 0:
        return Interval(0.5, 0.0, 1.0)
    share, weight = wins / count, Z95**2 / count
    centre = (share + weight / 2) / (1 + weight)
    reach = Z95 * math.sqrt(share * (1 - share) / count + weight / (4 * count)) / (1 + weight)
    return Interval(share, max(0.0, centre - reach), min(1.0, centre + reach))


# ---- the fit ----------------------------------------------------------------------------------


def _fit(count: int, pairs: Sequence[tuple[int, int]], results: Sequence[RoundScores]) -> Floats:
    """The likeliest strengths, as logits with mean 0, by Newton's method."""
    strengths = np.zeros(count)
    for _ in range(STEPS):
        gradient = np.zeros(count)
        for (a, b), each in zip(pairs, results, strict=True):
            expected = _sigmoid(strengths[a] - strengths[b])
            missing = sum(each.scores) + PRIOR - (len(each.scores) + 2 * PRIOR) * expected
            gradient[a] += missing
            gradient[b] -= missing
        step = np.linalg.pinv(_information(strengths, pairs, results), hermitian=True) @ gradient
        # Far from the solution the slope is flat and a full step too long.
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), TINY))
        strengths += step
        if float(np.abs(step).max()) < TINY:
            break
    centred: Floats = strengths - strengths.mean()
    return centred


def _information(
    strengths: Floats, pairs: Sequence[tuple[int, int]], results: Sequence[RoundScores]
) -> Floats:
    """The observed information: the negated Hessian of the log-likelihood."""
    found = np.zeros((len(strengths), len(strengths)))  # [bots, bots]
    for (a, b), each in zip(pairs, results, strict=True):
        expected = _sigmoid(strengths[a] - strengths[b])
        weight = (len(each.scores) + 2 * PRIOR) * expected * (1.0 - expected)
        found[[a, b], [a, b]] += weight
        found[[a, b], [b, a]] -= weight
    return found


def _covariance(
    strengths: Floats, pairs: Sequence[tuple[int, int]], results: Sequence[RoundScores]
) -> Floats:
    """The covariance of the strengths, from how the rounds scatter."""
    scatter = np.zeros((len(strengths), len(strengths)))  # [bots, bots]
    for (a, b), each in zip(pairs, results, strict=True):
        expected = _sigmoid(strengths[a] - strengths[b])
        count = len(each.scores)
        squares = sum((score - expected) ** 2 for score in each.scores)
        # Bessel's correction: scores lie nearer to their own mean than to the true one.
        squares *= count / (count - 1) if count > 1 else 1.0
        squares += PRIOR * ((1.0 - expected) ** 2 + expected**2)
        scatter[[a, b], [a, b]] += squares
        scatter[[a, b], [b, a]] -= squares
    inverse = np.linalg.pinv(_information(strengths, pairs, results), hermitian=True)
    return np.asarray(inverse @ scatter @ inverse)


def _sigmoid(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-logit)) if logit > -700 else 0.0
