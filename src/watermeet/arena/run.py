"""Runs a job: plays what is missing, stores the results, and stops when a test is decided."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from watermeet.arena.errors import InvalidJob
from watermeet.arena.job import Job, Results
from watermeet.arena.match import MatchResult
from watermeet.arena.pairing import is_cooperative, rotations
from watermeet.arena.score import match_score
from watermeet.arena.sprt import Sprt, SprtRun, Verdict
from watermeet.arena.workers import Runner


def run_job(
    job: Job,
    results: Results,
    runner: Runner,
    *,
    test: Sprt | None = None,
    on_result: Callable[[MatchResult, Verdict | None], None] = lambda result, verdict: None,
) -> Verdict | None:
    """Play what is missing; return the verdict of the test, if there is one.

    ``on_result`` is called for every match once it is stored.
    """
    referee = None if test is None else Referee(job, test)
    if referee is not None:
        for result in results:
            if not result.error:
                referee.add(result)
        if referee.verdict.is_final:
            return referee.verdict
    todo = results.missing()
    with contextlib.closing(runner(todo, job.conditions)) as matches:
        for result in matches:
            results.add(result)
            verdict = None if referee is None else referee.add(result)
            on_result(result, verdict)
            if verdict is not None and verdict.is_final:
                break
    return None if referee is None else referee.verdict


class Referee:
    """Feeds a test with complete rounds, in the order of the job."""

    def __init__(self, job: Job, test: Sprt) -> None:
        if is_cooperative(job.game) or len(job.bots) != 2 or len(job.games) != 1:
            raise InvalidJob(
                "an SPRT compares two bots in one game",
                "name two bots of a game with opponents, and vary nothing",
            )
        self._game, self._run = job.game, SprtRun(test)
        self._seen: dict[int, dict[int, float | None]] = {}
        self._next = 0

    @property
    def verdict(self) -> Verdict:
        """The verdict so far."""
        return self._run.verdict

    def add(self, result: MatchResult) -> Verdict:
        """Add a match. A round counts once it and all before it are complete.

        A round with a failed match is left out.
        """
        score = None
        if not result.error:
            score = match_score(self._game, result.rotation, result.returns)
        self._seen.setdefault(result.round, {})[result.rotation] = score
        count = len(rotations(self._game))
        while len(scores := self._seen.get(self._next, {})) == count:
            known = [each for each in scores.values() if each is not None]
            if len(known) == count:
                self._run.add(sum(known) / count)
            self._next += 1
        return self._run.verdict
