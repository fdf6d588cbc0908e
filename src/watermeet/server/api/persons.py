"""The connections of users, whatever they follow: what is sent to a person, on whichever node.

A node knows of the users connected to it whom they don't hear, so that it needn't ask the store for
every message. A user's topic of the bus says when that has changed, when somebody is suspended, and
when tokens have ended.

A connection may rely on the tokens of several users: on the device's, which makes it a person's,
and on the tokens of seats, which make it nobody's. It ends with any of them.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from watermeet.core.errors import WatermeetError
from watermeet.server.api.connection import SIGNED_OUT, SUSPENDED, Connection
from watermeet.server.api.messages import Bye
from watermeet.server.background import Background
from watermeet.server.bus.bus import Bus, Gap, Message
from watermeet.server.logs import fields
from watermeet.server.people.company import Company
from watermeet.server.store.rows import UserRow
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
BYE = Bye("suspended", "ask the host of this server")
BYE_SIGNED_OUT = Bye("signed_out", "sign in again")


@dataclass(eq=False, slots=True)
class Hold:
    """That a connection relies on a user's token."""

    user: str
    connection: Connection
    token: bytes
    """Its hash."""
    hears: bool
    """Whether what is written to the user comes by it: not by a seat's, nor without the scope."""


class _Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message of a user's topic."""

    text: str = ""
    """To be sent to the user."""
    by: str = ""
    """Who has written it: somebody whom the user hears."""
    changed: bool = False
    """Whom they don't hear has changed."""
    end: bool = False
    """They are suspended."""
    ended: bool = False
    """Tokens of theirs have ended."""


class Persons(Background):
    """All connections of a node whose users are known."""

    def __init__(self, store: Store, bus: Bus, company: Company, now: Callable[[], int]) -> None:
        super().__init__()
        self._store, self._bus, self._company, self._now = store, bus, company, now
        self._holds: dict[str, set[Hold]] = {}
        self._unheard: dict[str, set[str]] = {}
        self._rows: dict[str, UserRow] = {}
        self._subscription = bus.subscribe()
        company.changed = self.reload

    def start(self) -> None:
        """Start to listen."""
        self._spawn(self._listen())

    async def close(self) -> None:
        """Stop."""
        await self._subscription.close()
        await super().close()

    async def add(self, hold: Hold) -> None:
        """A connection relies on a user's token from now on."""
        self._holds.setdefault(hold.user, set()).add(hold)
        await self._subscription.add(_topic(hold.user))
        await self._read(hold.user)

    async def remove(self, hold: Hold) -> None:
        """It does no longer."""
        user, holds = hold.user, self._holds.get(hold.user, set())
        holds.discard(hold)
        if not holds and self._holds.pop(user, None) is not None:
            self._unheard.pop(user, None)
            self._rows.pop(user, None)
            await self._subscription.remove(_topic(user))

    def hears(self, user: str, speaker: str) -> bool:
        """Whether a user who is connected here hears a speaker."""
        return speaker not in self._unheard.get(user, ())

    def row(self, user: str) -> UserRow | None:
        """A user who is connected here."""
        return self._rows.get(user)

    async def send(self, user: str, text: bytes, by: str = "") -> None:
        """Send an encoded message to all connections of a user, if they hear ``by``."""
        await self._publish(user, _Note(text=text.decode(), by=by))

    async def reload(self, user: str) -> None:
        """Whom a user doesn't hear has changed, or what they may do."""
        if user in self._holds:  # Here at once; other nodes follow.
            await self._read(user)
        await self._publish(user, _Note(changed=True))

    async def end(self, user: str) -> None:
        """Close all connections of a user who is suspended."""
        await self._publish(user, _Note(end=True))

    async def recheck(self, user: str) -> None:
        """Tokens of a user have ended: so do the connections that rely on them, on all nodes."""
        await self._publish(user, _Note(ended=True))
        with contextlib.suppress(WatermeetError):  # Connections ask once a minute, too.
            await self._check(user)  # Here at once.

    async def _check(self, user: str) -> None:
        for hold in tuple(self._holds.get(user, ())):
            row = await self._store.token(hold.token)
            if row is None or (row.expires_at or self._now() + 1) <= self._now():
                hold.connection.end(SIGNED_OUT, BYE_SIGNED_OUT)

    async def _publish(self, user: str, note: _Note) -> None:
        await self._bus.publish(_topic(user), msgspec.json.encode(note))

    async def _read(self, user: str) -> None:
        found, row = await self._company.unheard(user), await self._store.user(user)
        if user in self._holds and row is not None:
            self._unheard[user], self._rows[user] = found, row

    async def _listen(self) -> None:
        async for message in self._subscription:
            try:
                await self._take(message)
            except (WatermeetError, msgspec.DecodeError) as error:
                kind = type(error).__name__
                LOG.warning("a person's message can't be read", extra=fields(error=kind))

    async def _take(self, message: Message | Gap) -> None:
        if isinstance(message, Gap):  # Anything may have been missed.
            for user in tuple(self._holds):
                row = await self._store.user(user)
                if row is not None and (row.suspended_until or 0) > self._now():
                    self._end(user)
                await self._check(user)
                await self._read(user)
            return
        user = message.topic.partition(":")[2]
        note = msgspec.json.decode(message.body, type=_Note)
        if note.changed:
            await self._read(user)
        if note.end:
            self._end(user)
        if note.ended:
            await self._check(user)
        if note.text and self.hears(user, note.by):
            holds = self._holds.get(user, ())
            for connection in {hold.connection for hold in holds if hold.hears}:
                connection.send_text(note.text.encode())

    def _end(self, user: str) -> None:
        for hold in tuple(self._holds.get(user, ())):
            hold.connection.end(SUSPENDED, BYE)


def _topic(user: str) -> str:
    return f"person:{user}"
