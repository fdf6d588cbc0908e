"""Turns: notifies users, bots above all, when it is their turn in any of their matches.

News of this node arrives at once. Matches that a user joined through another node are found in the
database within seconds, and announced by the bus from then on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from watermeet.core.errors import WatermeetError
from watermeet.server.api.connection import Connection
from watermeet.server.api.messages import Finished, Turn
from watermeet.server.background import Background
from watermeet.server.bus.bus import Bus, Gap, Subscription
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches import projection
from watermeet.server.matches.match import ABORTED, FINISHED, Match
from watermeet.server.matches.service import Matches, seq_of, topic_of
from watermeet.server.store.rows import MatchRow
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
SWEEP_S = 5.0
PAGE = 50
MOST = 200
"""How many matches of a user are looked up at first, the last changed first."""


@dataclass(eq=False)
class _Watch:
    """A user's stream, and what was sent on it."""

    connection: Connection
    user: str
    matches: dict[str, int] = field(default_factory=dict)
    """The seat in each match that hasn't ended."""
    sent: dict[str, int] = field(default_factory=dict)
    """The entry that had last changed the state when a turn was sent."""


@contextmanager
def _logged() -> Iterator[None]:
    """Log errors: one broken match must not stop the others, and the next sweep may do better."""
    try:
        yield
    except WatermeetError as error:
        LOG.warning("turns could not be read", extra=fields(code=error.code))
    except Exception:
        LOG.exception("turns could not be read")


class Turns(Background):
    """All users of a node who wait for a turn."""

    def __init__(self, store: Store, matches: Matches, bus: Bus) -> None:
        super().__init__()
        self._store, self._matches = store, matches
        self._subscription: Subscription = bus.subscribe()
        self._watches: dict[Connection, _Watch] = {}
        self._by_user: defaultdict[str, set[_Watch]] = defaultdict(set)
        self._topics: set[str] = set()
        matches.listen(self._on_news)

    def start(self) -> None:
        """Start to listen to other nodes."""
        self._spawn(self._listen())
        self._spawn(self._sweep())

    async def close(self) -> None:
        """Stop."""
        await self._subscription.close()
        await super().close()

    async def begin(self, connection: Connection, user: str) -> None:
        """Send a user's turns, now and from now on."""
        watch = self._watches[connection] = _Watch(connection, user)
        self._by_user[user].add(watch)
        await self._find(watch, MOST)

    def end(self, connection: Connection) -> None:
        """Send nothing more."""
        watch = self._watches.pop(connection, None)
        if watch is not None:
            self._by_user[watch.user].discard(watch)
            if not self._by_user[watch.user]:
                del self._by_user[watch.user]

    def seats_of(self, connection: Connection) -> list[tuple[str, int]]:
        """The matches of a stream that haven't ended, with the user's seat."""
        watch = self._watches.get(connection)
        return [] if watch is None else list(watch.matches.items())

    # ---- sending ----

    def _on_news(self, live: LiveMatch) -> None:
        for seat in live.match.seats:
            for watch in tuple(self._by_user.get(seat.user, ())):
                self._send(watch, live.match)

    def _send(self, watch: _Watch, match: Match) -> None:
        seat = match.seat_of(watch.user)
        if seat is None:
            return
        if match.has_ended:
            if watch.sent.pop(match.id, None) is not None or match.id in watch.matches:
                outcome = projection.outcome(match)
                watch.connection.send(Finished(match.id, seat, match.seq, outcome))
                watch.matches.pop(match.id, None)
            return
        is_turn = match.running_seat == seat and match.seats[seat].has_say
        if not is_turn or watch.sent.get(match.id) == match.changed_seq:
            return
        watch.sent[match.id] = match.changed_seq
        position = projection.Moment(match).position(seat)
        watch.connection.send(Turn(match.id, seat, match.seq, projection.info(match), position))

    # ---- matches ----

    async def _find(self, watch: _Watch, most: int) -> None:
        """Find the matches of a user, and send what wasn't sent."""
        cursor, seen = None, 0
        while seen < most:
            rows = await self._store.matches_of(watch.user, before=cursor, limit=PAGE)
            for row in rows:
                if row.id in watch.matches:
                    await self._recheck(row)
                elif row.stage not in (FINISHED, ABORTED):
                    await self._add(watch, row.id)
            if len(rows) < PAGE:
                return
            seen += len(rows)
            cursor = (rows[-1].changed_at, rows[-1].id)

    async def _add(self, watch: _Watch, match: str) -> None:
        seat = (await self._matches.load(match)).match.seat_of(watch.user)
        if seat is None:
            return
        watch.matches[match] = seat
        if match not in self._topics:
            self._topics.add(match)
            await self._subscription.add(topic_of(match))
        # What is written from here on is announced; what was written before is read now.
        self._send(watch, (await self._matches.current(match)).match)

    async def _recheck(self, row: MatchRow) -> None:
        """Read what wasn't announced: the store was unavailable, or a node died."""
        live = self._matches.cached(row.id)
        if live is None or (live.match.at, live.match.stage) != (row.changed_at, row.stage):
            self._on_news(await self._matches.current(row.id))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            with _logged():
                for watch in tuple(self._watches.values()):
                    await self._find(watch, PAGE)
                await self._drop_topics()

    async def _drop_topics(self) -> None:
        """Drop matches that have ended or that nobody waits for."""
        wanted = {match for watch in self._watches.values() for match in watch.matches}
        for match in self._topics - wanted:
            self._topics.discard(match)
            await self._subscription.remove(topic_of(match))

    async def _listen(self) -> None:
        async for note in self._subscription:
            with _logged():
                if isinstance(note, Gap):
                    for match in tuple(self._topics):
                        await self._read(match)
                else:
                    await self._read(note.topic.partition(":")[2], seq_of(note.body))

    async def _read(self, match: str, seq: int | None = None) -> None:
        live = self._matches.cached(match)
        if live is None:
            self._on_news(await self._matches.load(match))
        elif seq is None or live.match.seq < seq:
            await self._matches.catch_up(match)
