"""Runs a job: hands out what is missing, keeps what comes back, and stops when enough is known."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from watermeet.arena.errors import InvalidJob
from watermeet.arena.job import Job, Results
from watermeet.arena.match import Played
from watermeet.arena.pairing import is_cooperative, rotations
from watermeet.arena.score import match_score
from watermeet.arena.sequential import SequentialTest, Verdict, Walk
from watermeet.arena.workers import Crew


def run_job(
    job: Job,
    results: Results,
    crew: Crew,
    *,
    test: SequentialTest | None = None,
    tell: Callable[[Played, Verdict | None], None] = lambda played, verdict: None,
) -> Verdict | None:
    """Plays what is missing; returns how the test ended, if there is one.

    ``tell`` hears of every match as soon as it is kept.
    """
    referee = None if test is None else Referee(job, test)
    if referee is not None:
        for played in results:
            if not played.error:
                referee.see(played)
        if referee.verdict.is_final:
            return referee.verdict
    todo = results.missing()
    with contextlib.closing(crew(todo, job.conditions)) as matches:
        for played in matches:
            results.add(played)
            verdict = None if referee is None else referee.see(played)
            tell(played, verdict)
            if verdict is not None and verdict.is_final:
                break
    return None if referee is None else referee.verdict


class Referee:
    """Puts bouts in the order of the job, and walks the test through them."""

    def __init__(self, job: Job, test: SequentialTest) -> None:
        if is_cooperative(job.game) or len(job.bots) != 2 or len(job.games) != 1:
            raise InvalidJob(
                "a sequential test is between two bots in one game",
                "name two bots, in a game with opponents, and vary nothing",
            )
        self._game, self._walk = job.game, Walk(test)
        self._seen: dict[int, dict[int, float | None]] = {}
        self._next = 0

    @property
    def verdict(self) -> Verdict:
        """How the test stands."""
        return self._walk.verdict

    def see(self, played: Played) -> Verdict:
        """Notes a match. A bout counts when it and all before it are complete.

        One in which a match failed is left out.
        """
        score = None
        if not played.error:
            score = match_score(self._game, played.rotation, played.returns)
        self._seen.setdefault(played.bout, {})[played.rotation] = score
        count = len(rotations(self._game))
        while len(scores := self._seen.get(self._next, {})) == count:
            known = [each for each in scores.values() if each is not None]
            if len(known) == count:
                self._walk.step(sum(known) / count)
            self._next += 1
        return self._walk.verdict
