"""The sequential probability ratio test (SPRT): is one bot stronger than another?

The generalised SPRT on rounds, as Fishtest runs it on game pairs: a round of two matches has five
possible scores (0, 1/4, ... 1), hence "pentanomial"; with more rotations there are more. The
hypotheses are that the difference is ``elo0`` or ``elo1``. Under each, take the likeliest
distribution of scores with that mean; the test stops when the log-likelihood ratio (LLR) of the two
crosses a bound.

Rounds count in the order of the job, not in which they end. So neither the number of workers nor
an interruption changes the verdict, and short matches don't come first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from watermeet.arena.errors import InvalidJob
from watermeet.arena.ratings import expected_score

UNSEEN = 1e-3
"""The count of a possible score that didn't occur: likelihoods must stay above 0."""
STEPS, TINY = 60, 1e-12

STRONGER, NOT_STRONGER, OPEN = "stronger", "not stronger", "open"


@dataclass(frozen=True)
class Sprt:
    """Tests "stronger by at most elo0" against "stronger by at least elo1".

    ``alpha`` is the probability of accepting a bot that is elo0 stronger, ``beta`` that of
    rejecting one that is elo1 stronger.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise InvalidJob(
                f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}", "elo0 must be the lower one"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise InvalidJob("alpha and beta must be between 0 and 0.5", "0.05 is common")

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the LLR: reject below the first, accept above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Counter[float]) -> float:
        """The log-likelihood ratio, from how often each score of a round occurred."""
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
        """Add scores of rounds until a bound is crossed."""
        run = SprtRun(self)
        for score in scores:
            if run.add(score).is_final:
                break
        return run.verdict


@dataclass(frozen=True)
class Verdict:
    """The state of a test after a number of rounds."""

    answer: str
    llr: float
    bounds: tuple[float, float]
    rounds: int

    @property
    def is_final(self) -> bool:
        """Whether the test is decided."""
        return self.answer != OPEN

    @property
    def is_stronger(self) -> bool:
        """Whether the first bot is accepted as stronger."""
        return self.answer == STRONGER

    def as_json(self) -> dict[str, object]:
        """The verdict as plain data."""
        return {
            "answer": self.answer,
            "llr": self.llr,
            "bounds": list(self.bounds),
            "rounds": self.rounds,
        }


class SprtRun:
    """A running test. Once decided, it stays decided."""

    def __init__(self, test: Sprt) -> None:
        self._test = test
        self._counts: Counter[float] = Counter()
        self.verdict = Verdict(OPEN, 0.0, test.bounds, 0)

    def add(self, score: float) -> Verdict:
        """Add the score of a round."""
        if self.verdict.is_final:
            return self.verdict
        self._counts[round(score, 9)] += 1
        llr = self._test.llr(self._counts)
        low, high = self._test.bounds
        answer = STRONGER if llr >= high else NOT_STRONGER if llr <= low else OPEN
        self.verdict = Verdict(answer, llr, self._test.bounds, self._counts.total())
        return self.verdict


def _tilt(shares: dict[float, float], mean: float) -> float:
    """The multiplier of the likeliest distribution with a mean, given the observed shares.

    That distribution is ``share / (1 + tilt * (score - mean))``. It has the mean where ``excess``,
    which falls with ``tilt``, is 0. Scores always include 0 and 1, so there is a solution.
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
        # Newton's step if it stays inside, else bisection.
        following = step if low < step < high else (low + high) / 2
        if abs(following - tilt) < TINY:
            break
        tilt = following
    return tilt
