"""What was played on this server, for the opening explorer: each match is counted when it ends.

Counting is a fold of logs into a table, and each match is counted once, whichever node does it. A
node that starts counts the matches that ended before.
"""

from __future__ import annotations

import asyncio
import logging

from watermeet.core.errors import WatermeetError
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games as registered
from watermeet.core.state import State
from watermeet.learn.explorer import Tallies, Tally, has_openings, position_of, tally_match
from watermeet.server.background import Background
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches.entries import decode
from watermeet.server.matches.match import FINISHED, Match
from watermeet.server.matches.service import Matches
from watermeet.server.store.rows import LogRow
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
PAGE = 500
MAX_HEARD = 10_000
MAX_WAITING = 1_000


class Openings(Background):
    """Counts the openings of matches that have ended."""

    def __init__(self, store: Store, matches: Matches) -> None:
        super().__init__()
        self._store = store
        self._queue: asyncio.Queue[Match] = asyncio.Queue(MAX_WAITING)
        self._heard: set[str] = set()
        matches.listen(self._hear)

    def start(self) -> None:
        """Start counting, with what ended before this node ran."""
        self._spawn(self._work())

    async def find(self, state: State) -> dict[int, Tally]:
        """What was played in a state in which a seat is to move, by the codes of moves."""
        key = (await asyncio.to_thread(position_of, state)).key
        return {code: Tally(*counts) for code, *counts in await self._store.openings(key)}

    def _hear(self, live: LiveMatch) -> None:
        match = live.match
        if match.stage != FINISHED or match.id in self._heard or not has_openings(match.game):
            return
        if len(self._heard) == MAX_HEARD:
            self._heard.clear()  # Counting one again does nothing.
        self._heard.add(match.id)
        if not self._queue.full():  # Otherwise the next start counts it.
            self._queue.put_nowait(match)

    async def _work(self) -> None:
        for name in registered():
            if has_openings(find_game(name)):
                await self._count_earlier(name)
        while True:
            await self._count(await self._queue.get())

    async def _count_earlier(self, game: str) -> None:
        last = ""
        try:
            while page := await self._store.finished(game, after=last, limit=PAGE):
                for match, is_counted in page:
                    if not is_counted:
                        rows = await self._store.read(match)
                        await self._count(await asyncio.to_thread(_match_of, rows))
                last = page[-1][0]
        except WatermeetError as error:
            LOG.warning("openings not counted", extra=fields(game=game, code=error.code))

    async def _count(self, match: Match) -> None:
        """Count a match; if that fails, the next start does it."""
        try:
            found = await asyncio.to_thread(_tallies, match)
            moves = [
                (key, code, *tally) for key, codes in found.items() for code, tally in codes.items()
            ]
            await self._store.add_openings(match.id, moves)
        except WatermeetError as error:
            LOG.warning("openings not counted", extra=fields(match=match.id, code=error.code))


def _match_of(rows: list[LogRow]) -> Match:
    return Match.of([decode(row.body) for row in rows])


def _tallies(match: Match) -> Tallies:
    return tally_match(match.game.start(), _actions(match), match.returns or ())


def _actions(match: Match) -> list[int]:
    """What is counted: matches that were played here from the start, if others may see them."""
    is_imported = not match.created.commitment
    if is_imported or match.created.start or match.is_closed:
        return []
    return [step.action for step in match.steps()]
