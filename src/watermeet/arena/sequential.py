"""A sequential test: is one bot stronger than another? It stops as soon as that is known.

The generalised sequential probability ratio test on bouts, as Fishtest runs it on pairs of games: a
bout of two matches has five results (0, 1/4, ... 1), hence "pentanomial"; with more rotations there
are more. Two hypotheses are weighed, that the difference is ``elo0`` or ``elo1``. Under each, the
most likely distribution of results with that mean is taken, and the logarithm of the ratio of their
likelihoods walks until it crosses a bound.

Bouts count in the order of the job, not in that of their ends, so that neither the number of
workers nor a resumption can change the answer, and short matches do not come first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from watermeet.arena.errors import InvalidJob
from watermeet.arena.ratings import expected_score

UNSEEN = 1e-3
"""The count of a result that was possible and did not come: likelihoods must stay above 0."""
STEPS, TINY = 60, 1e-12

STRONGER, NOT_STRONGER, OPEN = "stronger", "not stronger", "open"


@dataclass(frozen=True)
class SequentialTest:
    """Weighs "stronger by at most elo0" against "by at least elo1".

    ``alpha`` is how often a bot that is elo0 stronger is called stronger, ``beta`` how often one
    that is elo1 stronger is not.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise InvalidJob(
                f"{self.elo0:g} is not below {self.elo1:g}", "write the lower one first"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise InvalidJob("alpha and beta must lie between 0 and 0.5", "0.05 is usual")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first the bot is not stronger, above the second it is."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Counter[float]) -> float:
        """The logarithm of the ratio of likelihoods, from how often each score of a bout came."""
        filled = {score: float(counts.get(score, 0)) for score in {0.0, 0.5, 1.0, *counts}}
        filled = {score: count or UNSEEN for score, count in filled.items()}
        total = sum(filled.values())
        shares = {score: count / total for score, count in filled.items()}
        low = _tilt(shares, expected_score(self.elo0))
        high = _tilt(shares, expected_score(self.elo1))
        mean0, mean1 = expected_score(self.elo0), expected_score(self.elo1)
        return total * sum(
            share * math.log((1 + low * (score - mean0)) / (1 + high * (score - mean1)))
            for score, share in shares.items()
        )

    def run(self, scores: Iterable[float]) -> Verdict:
        """Walks through the scores of bouts until a bound is crossed."""
        walk = Walk(self)
        for score in scores:
            if walk.step(score).is_final:
                break
        return walk.verdict


@dataclass(frozen=True)
class Verdict:
    """How a test stands after so many bouts."""

    answer: str
    ratio: float
    bounds: tuple[float, float]
    bouts: int

    @property
    def is_final(self) -> bool:
        """Whether no more bouts are needed."""
        return self.answer != OPEN

    @property
    def is_stronger(self) -> bool:
        """Whether the first bot is the stronger one."""
        return self.answer == STRONGER

    def as_json(self) -> dict[str, object]:
        """As plain data for programs."""
        return {
            "answer": self.answer,
            "llr": self.ratio,
            "bounds": list(self.bounds),
            "bouts": self.bouts,
        }


class Walk:
    """A test under way, bout after bout. Once it is decided, nothing changes it."""

    def __init__(self, test: SequentialTest) -> None:
        self._test = test
        self._counts: Counter[float] = Counter()
        self.verdict = Verdict(OPEN, 0.0, test.bounds, 0)

    def step(self, score: float) -> Verdict:
        """One more bout."""
        if self.verdict.is_final:
            return self.verdict
        self._counts[round(score, 9)] += 1
        ratio = self._test.ratio(self._counts)
        low, high = self._test.bounds
        answer = STRONGER if ratio >= high else NOT_STRONGER if ratio <= low else OPEN
        self.verdict = Verdict(answer, ratio, self._test.bounds, self._counts.total())
        return self.verdict


def _tilt(shares: dict[float, float], mean: float) -> float:
    """The multiplier of the most likely distribution with a mean, given the shares that came.

    That distribution is ``share / (1 + tilt * (score - mean))``; its mean is right where ``excess``
    is 0, which falls in ``tilt``. 0 and 1 are always among the scores, so there is a solution.
    """
    low, high, tilt = -1.0 / (1.0 - mean), 1.0 / mean, 0.0
    for _ in range(STEPS):
        excess, slope = 0.0, 0.0
        for score, share in shares.items():
            part = (score - mean) / (1 + tilt * (score - mean))
            excess += share * part
            slope -= share * part * part
        low, high = (tilt, high) if excess > 0 else (low, tilt)
        step = tilt - excess / slope
        following = step if low < step < high else (low + high) / 2  # Newton's, if it stays inside.
        if abs(following - tilt) < TINY:
            break
        tilt = following
    return tilt
