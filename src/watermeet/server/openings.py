"""What was played on this server, for the opening explorer: each match is counted when it ends.

Counting is a fold of logs into a table. The end of a match adds a job in the same transaction, so
each match is counted, and once, whichever node does it.
"""

from __future__ import annotations

import asyncio

from watermeet.core.state import State
from watermeet.learn.explorer import Tallies, Tally, has_openings, position_of, tally_match
from watermeet.server.matches.entries import decode
from watermeet.server.matches.match import FINISHED, Match
from watermeet.server.matches.service import Matches
from watermeet.server.store.rows import Job, LogRow
from watermeet.server.store.store import Store

OPENINGS_JOB = "openings"


class Openings:
    """Counts the openings of matches that have ended."""

    def __init__(self, store: Store, matches: Matches) -> None:
        self._store = store
        matches.job_makers.append(_jobs)

    async def find(self, state: State) -> dict[int, Tally]:
        """What was played in a state in which a seat is to move, by the codes of moves."""
        key = (await asyncio.to_thread(position_of, state)).key
        return {code: Tally(*counts) for code, *counts in await self._store.openings(key)}

    async def count(self, job: Job) -> None:
        """Count the match of a job, once."""
        rows = await self._store.read(job.match)
        found = await asyncio.to_thread(_tallies, rows)
        moves = [
            (key, code, *tally) for key, codes in found.items() for code, tally in codes.items()
        ]
        await self._store.add_openings(job.match, moves)


def _jobs(match: Match, before: Match | None) -> list[Job]:
    """The job that the end of a match adds; not if others mustn't see it."""
    has_finished = match.stage == FINISHED and (before is None or before.stage != FINISHED)
    if not has_finished or match.created.start or match.is_closed or not has_openings(match.game):
        return []
    return [Job(f"{OPENINGS_JOB}-{match.id}", OPENINGS_JOB, match.id, 0, match.seq, b"", match.at)]


def _tallies(rows: list[LogRow]) -> Tallies:
    match = Match.of([decode(row.body) for row in rows])
    actions = [step.action for step in match.steps()]
    return tally_match(match.game.start(), actions, match.returns or ())
