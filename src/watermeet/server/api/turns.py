"""Turns: tells users, bots above all, whenever they are to move in any of their matches.

News of this node arrives at once. Matches that a user joined through another node are found in the
database within seconds, and are heard of through the bus from then on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field

from watermeet.core.errors import WatermeetError
from watermeet.server.api.connection import Connection
from watermeet.server.api.messages import Over, Turn
from watermeet.server.bus.bus import Bus, Gap, Subscription
from watermeet.server.logs import fields
from watermeet.server.matches import projection
from watermeet.server.matches.match import GONE, OVER, PLAYING, Match
from watermeet.server.matches.service import LiveMatch, Matches, topic_of
from watermeet.server.store.rows import MatchRow
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
SWEEP_S = 5.0
PAGE = 50
MOST = 1_000
"""So many matches of a user are watched at the same time, the last changed first."""


@dataclass(eq=False)
class _Waiting:
    """A user's stream, and what it was told."""

    connection: Connection
    user: str
    matches: dict[str, int] = field(default_factory=dict)
    """The seat in each match that is not over."""
    told: dict[str, int] = field(default_factory=dict)
    """The entry that had last changed the state when a turn was told."""


class Turns:
    """All users of a node who wait for a turn."""

    def __init__(self, store: Store, matches: Matches, bus: Bus) -> None:
        self._store, self._matches = store, matches
        self._subscription: Subscription = bus.subscribe()
        self._by_user: dict[str, set[_Waiting]] = {}
        self._topics: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []
        matches.listen(self._on_news)

    def start(self) -> None:
        """Begins to hear of other nodes."""
        self._tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._sweep())]

    async def close(self) -> None:
        """Hears no more."""
        await self._subscription.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def begin(self, connection: Connection, user: str) -> None:
        """Tells where a user is to move, and tells on."""
        waiting = _Waiting(connection, user)
        self._by_user.setdefault(user, set()).add(waiting)
        await self._look(waiting, MOST)

    def end(self, connection: Connection) -> None:
        """Tells nothing more."""
        waiting = self._find(connection)
        if waiting is None:
            return
        others = self._by_user[waiting.user]
        others.discard(waiting)
        if not others:
            del self._by_user[waiting.user]

    def seats_of(self, connection: Connection) -> list[tuple[str, int]]:
        """The matches of a stream that are not over, with the user's seat."""
        waiting = self._find(connection)
        return [] if waiting is None else list(waiting.matches.items())

    def _find(self, connection: Connection) -> _Waiting | None:
        every = (one for group in self._by_user.values() for one in group)
        return next((one for one in every if one.connection is connection), None)

    # ---- what is told ----

    def _on_news(self, live: LiveMatch) -> None:
        if self._by_user:
            for waiting in tuple(self._concerned(live.match)):
                self._tell(waiting, live.match)

    def _concerned(self, match: Match) -> Iterator[_Waiting]:
        for seat in match.seats:
            if seat.user:
                yield from self._by_user.get(seat.user, ())

    def _tell(self, waiting: _Waiting, match: Match) -> None:
        users = [seat.user for seat in match.seats]
        if waiting.user not in users:
            return
        seat = users.index(waiting.user)
        if match.is_final:
            if waiting.told.pop(match.id, None) is not None or match.id in waiting.matches:
                outcome = projection.outcome(match)
                waiting.connection.send(Over(match.id, seat, match.seq, outcome))
                waiting.matches.pop(match.id, None)
            return
        if not _is_turn(match, seat) or waiting.told.get(match.id) == match.changed_seq:
            return
        waiting.told[match.id] = match.changed_seq
        table, position = projection.table(match), projection.position(match, seat)
        waiting.connection.send(Turn(match.id, seat, match.seq, table, position))

    # ---- matches ----

    async def _look(self, waiting: _Waiting, most: int) -> None:
        """Finds the matches of a user, and tells what was not told."""
        mark, seen = None, 0
        while seen < most:
            rows = await self._store.matches_of(waiting.user, before=mark, limit=PAGE)
            for row in rows:
                if row.id in waiting.matches:
                    await self._look_again(row)
                elif row.stage not in (OVER, GONE):
                    await self._add(waiting, row.id)
            if len(rows) < PAGE:
                return
            seen += len(rows)
            mark = (rows[-1].changed_at, rows[-1].id)

    async def _add(self, waiting: _Waiting, match: str) -> None:
        live = await self._matches.load(match)
        users = [seat.user for seat in live.match.seats]
        if waiting.user not in users:
            return
        waiting.matches[match] = users.index(waiting.user)
        if match not in self._topics:
            self._topics.add(match)
            await self._subscription.add(topic_of(match))
        # What is written from here on is heard of; what was written before is read now.
        self._tell(waiting, (await self._matches.catch_up(match) or live).match)

    async def _look_again(self, row: MatchRow) -> None:
        """Reads what nobody told: the store was away, or a node died before it could."""
        live = self._matches.cached(row.id)
        if live is None or (live.match.at, live.match.stage) != (row.changed_at, row.stage):
            self._on_news(await self._matches.catch_up(row.id) or await self._matches.load(row.id))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            try:
                for waiting in [one for group in self._by_user.values() for one in group]:
                    await self._look(waiting, PAGE)
                await self._drop_topics()
            except WatermeetError as error:
                LOG.warning("turns could not be looked up", extra=fields(code=error.code))
            except Exception:  # Whatever it is, the next look may find more.
                LOG.exception("turns could not be looked up", extra=fields())

    async def _drop_topics(self) -> None:
        """Nobody waits for matches that are over, or whose users have gone."""
        every = [one for group in self._by_user.values() for one in group]
        wanted = {match for one in every for match in one.matches}
        for match in self._topics - wanted:
            self._topics.discard(match)
            await self._subscription.remove(topic_of(match))

    async def _hear(self) -> None:
        async for note in self._subscription:
            try:
                if isinstance(note, Gap):
                    for match in tuple(self._topics):
                        await self._heard(match)
                else:
                    await self._heard(note.topic.partition(":")[2], int(note.body))
            except WatermeetError as error:
                LOG.warning("news could not be read", extra=fields(code=error.code))
            except Exception:  # Whatever it is, the others must hear on.
                LOG.exception("news could not be read", extra=fields())

    async def _heard(self, match: str, seq: int | None = None) -> None:
        live = self._matches.cached(match)
        if live is None:
            self._on_news(await self._matches.load(match))
        elif seq is None or live.match.seq < seq:
            await self._matches.catch_up(match)


def _is_turn(match: Match, seat: int) -> bool:
    place = match.seats[seat]
    return (
        match.stage == PLAYING
        and match.state.to_move == seat
        and not place.stand_in
        and not place.out
    )
