"""The hub of a node: who follows which match, and what each of them is sent when it goes on.

The hub is told of new entries by the node's own tables, and of those of other nodes by the bus. It
sends every follower what lies behind the last entry that it has: so nothing is sent twice, and
nothing is left out, in whatever order news arrives.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from watermeet.core.errors import WatermeetError
from watermeet.server.api.connection import Connection
from watermeet.server.api.messages import Changes, Signed, Snapshot, encode
from watermeet.server.bus.bus import Bus, Gap, Message, Subscription
from watermeet.server.logs import fields
from watermeet.server.matches import projection
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import LiveMatch, Matches, topic_of

LOG = logging.getLogger(__name__)

RETRY_S = 1.0
"""How long after the store was away what could not be read is read again."""
LOOK_S = 30.0
"""So often a match is looked at of which nobody speaks: a node may have died before it told."""
NOT_YET = -1
SIGNS = "sign"


def _signs_of(match: str) -> str:
    """What a node listens to for signs between the partners of a match."""
    return f"{SIGNS}:{match}"


@dataclass(eq=False)
class Follower:
    """A client that hears of a match, as a seat or as a watcher (None)."""

    connection: Connection
    match: str
    seat: int | None
    user: str
    """Who sat there when it began: it hears as that seat as long as the same one sits there."""
    seen: int = NOT_YET
    """The last entry that it was sent."""

    def check_seat(self, match: Match) -> None:
        """Who has stood up watches like anybody else, whoever sits there next."""
        if self.seat is not None and match.seats[self.seat].user != self.user:
            self.seat = None


@dataclass
class Telling:
    """What followers of a match are sent at one time: those with the same view share the text."""

    texts: dict[tuple[int, int, int | None], bytes] = field(default_factory=dict)
    """By the last entry that was seen, the last that is told, and the seat."""
    moments: dict[int, projection.Moment] = field(default_factory=dict)


class Hub:
    """All followers of a node."""

    def __init__(self, matches: Matches, bus: Bus, now: Callable[[], int]) -> None:
        self._matches, self._bus, self._now = matches, bus, now
        self._followers: dict[str, set[Follower]] = {}
        self._subscription: Subscription = bus.subscribe()
        self._tasks: list[asyncio.Task[None]] = []
        self._behind: set[str] = set()
        self._looked_at: dict[str, float] = {}
        self._timers: dict[Follower, asyncio.TimerHandle] = {}
        matches.listen(self._on_news)

    def start(self) -> None:
        """Begins to hear of other nodes."""
        self._tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._sweep())]

    async def close(self) -> None:
        """Hears no more."""
        await self._subscription.close()
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ---- followers ----

    async def follow(
        self, connection: Connection, match: str, seat: int | None, after: int | None
    ) -> Follower:
        """Sends how a match stands, or what was missed behind ``after``, and all that follows."""
        follower = Follower(connection, match, seat, "")
        # Counted from now on, so that nobody who leaves meanwhile lets go of the topic.
        self._followers.setdefault(match, set()).add(follower)
        try:
            await self._subscription.add(topic_of(match))
            await self._subscription.add(_signs_of(match))
            # What is written from here on is heard of; what was written before is read now.
            live = await self._matches.catch_up(match) or await self._matches.load(match)
        except BaseException:
            await self.unfollow(follower)
            raise
        self._begin(live, follower, after)
        return follower

    def _begin(self, live: LiveMatch, follower: Follower, after: int | None) -> None:
        seat = follower.seat
        last = self._visible(live, seat)
        follower.user = "" if seat is None else live.match.seats[seat].user
        if after is None or not 0 < after <= last:
            document = projection.document(self._matches.at(live, last), seat)
            follower.connection.send(Snapshot(live.match.id, last, document))
            follower.seen = last
        else:
            follower.seen = after
        self._looked_at.setdefault(live.match.id, time.monotonic())
        self._push(live, follower, Telling())

    async def unfollow(self, follower: Follower) -> None:
        """Sends nothing more of the match."""
        timer = self._timers.pop(follower, None)
        if timer is not None:
            timer.cancel()
        followers = self._followers.get(follower.match, set())
        followers.discard(follower)
        if not followers and self._followers.pop(follower.match, None) is not None:
            self._looked_at.pop(follower.match, None)
            await self._subscription.remove(topic_of(follower.match))
            await self._subscription.remove(_signs_of(follower.match))

    def followers(self, match: str) -> set[Follower]:
        """Who follows a match here."""
        return self._followers.get(match, set())

    def followed(self) -> list[str]:
        """The matches that somebody follows here."""
        return list(self._followers)

    # ---- news ----

    def _on_news(self, live: LiveMatch) -> None:
        followers = self._followers.get(live.match.id)
        if not followers:
            return
        self._looked_at[live.match.id] = time.monotonic()
        telling = Telling()
        for follower in tuple(followers):
            if follower.seen != NOT_YET:
                self._push(live, follower, telling)

    def _push(self, live: LiveMatch, follower: Follower, telling: Telling) -> None:
        """Sends what a follower has not been sent."""
        follower.check_seat(live.match)
        last = self._visible(live, follower.seat)
        if last > follower.seen:
            key = (follower.seen, last, follower.seat)
            if key not in telling.texts:
                telling.texts[key] = encode(self._changes(live, telling, *key))
            follower.seen = last
            follower.connection.send_text(telling.texts[key])
        if last < live.match.seq:
            self._push_later(live, follower, last)

    def _changes(
        self, live: LiveMatch, telling: Telling, after: int, last: int, seat: int | None
    ) -> Changes:
        if last not in telling.moments:
            telling.moments[last] = projection.Moment(self._matches.at(live, last))
        moment = telling.moments[last]
        events = projection.events_of(moment.match, live.entries, live.taken_back, seat, after)
        return Changes(live.match.id, after, last, events, moment.position(seat))

    def _visible(self, live: LiveMatch, seat: int | None) -> int:
        """The last entry that may be shown now: watchers of some tables see it later."""
        if seat is not None or not live.match.created.watch_delay_s:
            return live.match.seq
        return projection.watchable(live.entries, self._now())

    def _push_later(self, live: LiveMatch, follower: Follower, last: int) -> None:
        delay = live.match.created.watch_delay_s * 1000
        wait = max(0, live.entries[last].at + delay - self._now()) / 1000 + 0.01
        old = self._timers.pop(follower, None)
        if old is not None:
            old.cancel()
        loop = asyncio.get_running_loop()
        self._timers[follower] = loop.call_later(wait, self._push, live, follower, Telling())

    # ---- signs ----

    async def sign(self, match: str, seat: int, what: str, to: list[int]) -> None:
        """Shows a sign to some seats, on whichever node they are. It is written down nowhere."""
        body = json.dumps({"seat": seat, "what": what, "to": to}).encode()
        await self._bus.publish(_signs_of(match), body)

    def _on_sign(self, match: str, note: Message) -> None:
        told = json.loads(note.body)
        text = encode(Signed(match, told["seat"], told["what"]))
        for follower in tuple(self._followers.get(match, ())):
            if follower.seat in told["to"]:
                follower.connection.send_text(text)

    # ---- other nodes ----

    async def _hear(self) -> None:
        async for note in self._subscription:
            if isinstance(note, Gap):  # Notes may have been lost: what is followed is looked up.
                await self._look_at(tuple(self._followers))
                continue
            topic, _, match = note.topic.partition(":")
            if topic == SIGNS:
                self._on_sign(match, note)
                continue
            seq = int(note.body)
            live = self._matches.cached(match)
            if live is None or live.match.seq < seq:
                await self._look_at((match,))

    async def _look_at(self, matches: Iterable[str]) -> None:
        """Reads what is new of matches that are followed here."""
        self._behind.update(matches)
        while self._behind:
            match = self._behind.pop()
            if match not in self._followers:
                continue
            try:
                live = await self._matches.catch_up(match) or await self._matches.load(match)
            except WatermeetError as error:
                LOG.warning("news could not be read", extra=fields(match=match, code=error.code))
                self._behind.add(match)
                return  # The store is away: the sweep tries again.
            except Exception:  # Whatever it is, the others must hear on.
                LOG.exception("news could not be read", extra=fields(match=match))
                continue
            self._on_news(live)

    async def _sweep(self) -> None:
        """Reads again what could not be read, and now and then what nobody speaks of."""
        while True:
            await asyncio.sleep(RETRY_S)
            old = time.monotonic() - LOOK_S
            await self._look_at([match for match, at in self._looked_at.items() if at < old])
