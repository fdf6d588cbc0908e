"""The hub of a node: who follows which match, and what to send them when it changes.

The hub hears of new entries from the node's own matches, and of those of other nodes from the bus.
It sends every follower what comes after the last entry that they have: nothing twice, nothing left
out, in whatever order news arrives.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from watermeet.core.errors import WatermeetError
from watermeet.server.api.connection import Connection
from watermeet.server.api.messages import (
    ChatMessage,
    EncodedChanges,
    PartnerSignal,
    Presence,
    Said,
    Snapshot,
    encode,
)
from watermeet.server.audience import check_may_see, may_see, sees_at_once
from watermeet.server.background import Background
from watermeet.server.bus.bus import Bus, Gap, Message, Subscription
from watermeet.server.documents import Documents
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches import projection
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import DELETED_TOPIC, Matches, seq_of, topic_of
from watermeet.server.presence import NOTES, TTL_S, notes_of

LOG = logging.getLogger(__name__)

RETRY_S = 1.0
"""How long after a failed read it is tried again."""
RECHECK_S = 30.0
"""How often a quiet match is read again: a node may have died before it published."""
PRESENCE_S = 0.5
"""How often it is sent who is connected, at most."""
MAX_MISSED = 20
"""Whoever has missed more entries gets a snapshot: the events of a long match take too long."""
NOTHING = -1


@dataclass(eq=False)
class Follower:
    """A client that follows a match, as a seat or as a spectator (None)."""

    connection: Connection
    match: str
    seat: int | None
    viewer: str = ""
    """The person who follows; empty for strangers, and for the token of a seat alone."""
    with_chat: bool = False
    """Whether what the viewer may read is sent, too."""
    user: str = ""
    """Who had the seat at first: the client follows as that seat as long as they have it."""
    others: tuple[int, ...] = ()
    """Further seats at the same screen."""
    seen: int = NOTHING
    """The last entry that it was sent."""
    with_state: bool = True
    """Whether it wants the text of states, too."""
    present: tuple[int, ...] | None = None
    """The seats that it knows to be connected."""

    def check_seat(self, match: Match) -> None:
        """Turn the follower into a spectator if their seat is somebody else's now."""
        if self.seat is not None and match.seats[self.seat].user != self.user:
            self.seat = None

    def seats(self) -> tuple[int, ...]:
        """The seats whose players are present with this client."""
        return self.others if self.seat is None else (self.seat, *self.others)


@dataclass
class _Batch:
    """What the followers of a match are sent at one time: those with the same view share texts."""

    texts: dict[tuple[int, int, int | None, bool], bytes] = field(default_factory=dict)
    """By the last entry that was seen, the last that is sent, the seat, and ``with_state``."""
    moments: dict[int, projection.Moment] = field(default_factory=dict)


class Hub(Background):
    """All followers of a node."""

    def __init__(
        self, matches: Matches, bus: Bus, now: Callable[[], int], documents: Documents
    ) -> None:
        super().__init__()
        self._matches, self._bus, self._now = matches, bus, now
        self._documents = documents
        self._followers: dict[str, set[Follower]] = {}
        self._subscription: Subscription = bus.subscribe(self._is_news)
        self._unread: set[str] = set()
        self._checked_at: dict[str, float] = {}
        self._timers: dict[Follower, asyncio.TimerHandle] = {}
        self._presence_due: set[str] = set()
        self.hears: Callable[[str, str], bool] = lambda viewer, speaker: True
        """Whether somebody hears somebody else."""
        self.chats: Callable[[str, Match | None], bool] = lambda viewer, match: False
        """Whether somebody takes part in chats."""
        matches.listen(self._on_news)

    def start(self) -> None:
        """Start to listen to other nodes."""
        self._spawn(self._listen())
        self._spawn(self._sweep())
        self._spawn(self._watch_presence())

    async def close(self) -> None:
        """Stop."""
        await self._subscription.close()
        for timer in self._timers.values():
            timer.cancel()
        await super().close()

    # ---- followers ----

    async def follow(
        self,
        connection: Connection,
        match: str,
        seat: int | None,
        after: int | None,
        *,
        with_state: bool = True,
        viewer: str = "",
        with_chat: bool = False,
        address: str = "",
    ) -> Follower:
        """Send a snapshot of a match, or what was missed after ``after``, and all that follows.

        Whoever has missed too much gets a snapshot, too. Raises PlayersOnly, and TooMany.
        """
        follower = Follower(connection, match, seat, viewer, with_chat, with_state=with_state)
        # Counted from now on, so that nobody who leaves meanwhile drops the topic.
        self._followers.setdefault(match, set()).add(follower)
        try:
            await self._subscription.add(topic_of(match))
            await self._subscription.add(notes_of(match))
            # What is written from here on is announced; what was written before is read now.
            live = await self._matches.current(match)
            check_may_see(live.match, seat)  # It may have begun meanwhile, behind closed doors.
            last = live.visible_seq(seat, self._now())
            follower.user = "" if seat is None else live.match.seats[seat].user
            if after is not None and max(1, last - MAX_MISSED) <= after <= last:
                follower.seen = after
            else:
                document = await self._documents.of(live.at(last), seat, address)
                live = self._matches.cached(match) or live  # What came meanwhile is sent below.
                connection.send(Snapshot(match, last, document))
                follower.seen = last
        except BaseException:
            await self.unfollow(follower)
            raise
        self._checked_at.setdefault(match, time.monotonic())
        self._push(live, follower, _Batch())
        if seat is None:
            self._presence_due.add(match)
        else:
            await self._matches.presence.announce(match)
        return follower

    async def unfollow(self, follower: Follower) -> None:
        """Send nothing more of the match."""
        timer = self._timers.pop(follower, None)
        if timer is not None:
            timer.cancel()
        followers = self._followers.get(follower.match, set())
        followers.discard(follower)
        if not followers and self._followers.pop(follower.match, None) is not None:
            self._checked_at.pop(follower.match, None)
            await self._subscription.remove(topic_of(follower.match))
            await self._subscription.remove(notes_of(follower.match))

    def has_seat(self, match: str, seat: int) -> bool:
        """Whether a seat is connected to this node."""
        return any(seat in follower.seats() for follower in self._followers.get(match, ()))

    def followed(self) -> list[str]:
        """The matches that are followed here."""
        return list(self._followers)

    # ---- news ----

    def _on_news(self, live: LiveMatch) -> None:
        followers = self._followers.get(live.match.id)
        if not followers:
            return
        self._checked_at[live.match.id] = time.monotonic()
        batch = _Batch()
        for follower in tuple(followers):
            if follower.seen != NOTHING:
                self._push(live, follower, batch)

    def _push(self, live: LiveMatch, follower: Follower, batch: _Batch) -> None:
        """Send a follower what they don't have yet."""
        follower.check_seat(live.match)
        if not may_see(live.match, follower.seat):  # It watched before the match began.
            return
        last = live.visible_seq(follower.seat, self._now())
        for seq in live.steps(follower.seen, last) if last > follower.seen else ():
            key = (follower.seen, seq, follower.seat, follower.with_state)
            if key not in batch.texts:
                batch.texts[key] = encode(self._changes(live, batch, *key))
            follower.seen = seq
            follower.connection.send_text(batch.texts[key])
        if last < live.match.seq:
            self._push_later(live, follower, last)

    def _changes(
        self,
        live: LiveMatch,
        batch: _Batch,
        after: int,
        last: int,
        seat: int | None,
        with_state: bool,
    ) -> EncodedChanges:
        if last not in batch.moments:
            batch.moments[last] = projection.Moment(live.at(last))
        moment = batch.moments[last]
        events = projection.events_of(moment.match, live.entries, live.undone, seat, after)
        position = msgspec.Raw(moment.text(seat, with_state=with_state))
        return EncodedChanges(live.match.id, after, last, events, position)

    def _push_later(self, live: LiveMatch, follower: Follower, last: int) -> None:
        delay = live.match.setup.spectator_delay_s * 1000
        wait = max(0, live.entries[last].at + delay - self._now()) / 1000 + 0.01
        old = self._timers.pop(follower, None)
        if old is not None:
            old.cancel()
        loop = asyncio.get_running_loop()
        self._timers[follower] = loop.call_later(wait, self._push, live, follower, _Batch())

    # ---- notes ----

    async def send(
        self, message: PartnerSignal | Said, to: list[int] | None = None, by: str = ""
    ) -> None:
        """Send a message to some seats, or everybody, on whichever node. Nothing is stored.

        Those who have blocked or muted the user ``by`` don't get it.
        """
        note = {"to": to, "by": by, "text": encode(message).decode()}
        await self._bus.publish(notes_of(message.match), json.dumps(note).encode())

    async def send_chat(self, message: ChatMessage, by: str) -> None:
        """Send a message of a match to those who may see it, on whichever node."""
        note = {"chat": message.room, "by": by, "text": encode(message).decode()}
        await self._bus.publish(notes_of(message.match), json.dumps(note).encode())

    def _on_note(self, match: str, body: bytes) -> None:
        if not body:  # Somebody came or went.
            self._presence_due.add(match)
            return
        live, note = self._matches.cached(match), json.loads(body)
        to, text, by, room = note.get("to"), note["text"].encode(), note["by"], note.get("chat")
        for follower in tuple(self._followers.get(match, ())):
            is_meant = _hears(live, follower) if to is None else follower.seat in to
            if room is not None:
                match_ = None if live is None or follower.seat is None else live.match
                is_reader = follower.with_chat and self.chats(follower.viewer, match_)
                is_meant = is_reader and _reads(live, follower, room)
            if is_meant and self.hears(follower.viewer, by):
                follower.connection.send_text(text)

    async def _watch_presence(self) -> None:
        """Send who is connected: where somebody came or went, and everywhere now and then."""
        all_at = 0.0
        while True:
            await asyncio.sleep(PRESENCE_S)
            due, self._presence_due = self._presence_due, set()
            if time.monotonic() > all_at:  # A node may have died with its players' connections.
                due, all_at = set(self._followers), time.monotonic() + TTL_S
            try:
                for match in due:
                    await self._send_presence(match)
            except Exception:  # It must continue.
                LOG.exception("presence could not be read")

    async def _send_presence(self, match: str) -> None:
        live = self._matches.cached(match)
        if live is None:
            return
        present = await self._matches.presence.present(live.match)
        for follower in tuple(self._followers.get(match, ())):
            is_new = follower.seen != NOTHING and follower.present != present
            if is_new and may_see(live.match, follower.seat):
                follower.present = present
                follower.connection.send(Presence(match, present))

    # ---- other nodes ----

    async def _listen(self) -> None:
        await self._subscription.add(DELETED_TOPIC)
        async for note in self._subscription:
            try:
                await self._take(note)
            except Exception as error:  # noqa: BLE001 - others write there too; it must continue.
                kind = type(error).__name__
                LOG.warning("a message of the bus can't be read", extra=fields(error=kind))

    async def _take(self, note: Message | Gap) -> None:
        if isinstance(note, Gap):  # Notes may have been lost: read everything that is followed.
            await self._read(tuple(self._followers))
            return
        topic, _, match = note.topic.partition(":")
        if topic == DELETED_TOPIC:
            self._matches.forget(note.body.decode())
            return
        if topic == NOTES:
            self._on_note(match, note.body)
            return
        try:
            is_taken = await self._matches.take_news(match, note.body)
        except (ValueError, WatermeetError):  # The log has what the message should have had.
            is_taken = False
        if not is_taken:
            await self._read((match,))

    def _is_news(self, topic: str, body: bytes) -> bool:
        """Whether a message says anything new: what this node has written, it has sent already."""
        kind, _, match = topic.partition(":")
        live = None if kind == NOTES else self._matches.cached(match)
        if live is None:
            return True
        try:
            return live.match.seq < seq_of(body)
        except ValueError:  # Others write there too.
            return True

    async def _read(self, matches: Iterable[str]) -> None:
        """Read what is new in matches that are followed here."""
        self._unread.update(matches)
        while self._unread:
            match = self._unread.pop()
            if match not in self._followers:
                continue
            try:
                live = await self._matches.current(match)
            except WatermeetError as error:
                LOG.warning("news could not be read", extra=fields(match=match, code=error.code))
                self._unread.add(match)
                return  # The store is unavailable: the sweep tries again.
            except Exception:  # One broken match must not stop the others.
                LOG.exception("news could not be read", extra=fields(match=match))
                continue
            self._on_news(live)

    async def _sweep(self) -> None:
        """Read again what could not be read, and quiet matches now and then."""
        while True:
            await asyncio.sleep(RETRY_S)
            old = time.monotonic() - RECHECK_S
            await self._read([match for match, at in self._checked_at.items() if at < old])


def _hears(live: LiveMatch | None, follower: Follower) -> bool:
    """Whether a follower hears what is said: not before they see what it is about."""
    if follower.seat is not None:
        return True
    return live is not None and sees_at_once(live.match, None)


def _reads(live: LiveMatch | None, follower: Follower, room: str) -> bool:
    """Whether a follower may read a room: players don't read spectators before the end."""
    if room == "players" or follower.seat is None:
        return _hears(live, follower)
    return live is not None and live.match.has_ended
