"""Chat: at matches, players apart from spectators, and between friends.

Messages are stored as they were written, for reports, and masked whenever they are shown. Nobody
gets those of people whom they don't hear. The text of a message is never logged.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from typing import Literal

from watermeet.server.errors import BadRequest, Forbidden, TooMany
from watermeet.server.limits import RateLimiter
from watermeet.server.matches.match import Match
from watermeet.server.matches.setup import DAY
from watermeet.server.people.company import Company
from watermeet.server.people.moderation import check_not_muted
from watermeet.server.people.word_filter import WordFilter
from watermeet.server.store.chat import ChatRow
from watermeet.server.store.rows import UserRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import make_id

MatchRoom = Literal["players", "spectators"]
MAX_LENGTH, KEPT, KEPT_MS = 300, 200, 90 * DAY
"""Characters of a message; messages of a room that are kept, and for how long."""
PER_SECOND, AT_ONCE = 0.5, 6
"""How much one user may write."""


class Chat:
    """All messages, through the store."""

    def __init__(
        self,
        store: Store,
        company: Company,
        words: WordFilter,
        now: Callable[[], int],
        *,
        with_guests: bool = False,
    ) -> None:
        self._store, self._company, self._words, self._now = store, company, words, now
        self.with_guests = with_guests
        self._limit = RateLimiter(PER_SECOND, AT_ONCE)

    def may_chat(self, user: UserRow) -> bool:
        """Whether somebody takes part in chats at all."""
        return user.is_registered or (self.with_guests and user.kind != "bot")

    def has_guests(self, match: Match) -> bool:
        """Whether guests who play a match chat there: wherever its host invited the others."""
        seats = match.setup.seats
        is_by_invitation = bool(match.created.by) and all(plan.who != "open" for plan in seats)
        return self.with_guests or is_by_invitation

    def check_may_chat(self, user: UserRow, match: Match | None = None) -> None:
        """Raise Forbidden; whoever plays a match may chat there if guests do."""
        is_guest_there = (
            match is not None and match.seat_of(user.id) is not None and self.has_guests(match)
        )
        if not is_guest_there and not self.may_chat(user):
            raise Forbidden("chat is for people with an account", "sign up")

    async def write_at(self, user: UserRow, match: Match, text: str) -> ChatRow:
        """Write at a match: to everybody as a player, otherwise to the spectators."""
        self.check_may_chat(user, match)
        seat = match.seat_of(user.id)
        name = user.name or "Guest" if seat is None else match.seats[seat].name
        room = room_of(match.id, "spectators" if seat is None else "players")
        return await self._write(user, room, name, seat, text)

    async def write_to(self, user: UserRow, other: UserRow, text: str) -> ChatRow:
        """Write to a friend; raises Forbidden unless the two follow each other."""
        self.check_may_chat(user)
        if not await self._company.are_friends(user.id, other.id):
            raise Forbidden("you can write to people who follow you back", "follow each other")
        room = room_between(user.id, other.id)
        return await self._write(user, room, user.name or "Guest", None, text)

    async def _write(
        self, user: UserRow, room: str, name: str, seat: int | None, text: str
    ) -> ChatRow:
        now = self._now()
        check_not_muted(user, now)
        text = clean_text(text)
        if not self._limit.take(user.id, time.monotonic()):
            raise TooMany("that was too much at once", "wait a few seconds")
        row = ChatRow(room, now, make_id(), user.id, name, seat, text)
        await self._store.add_message(row, kept=KEPT, since=now - KEPT_MS)
        return row._replace(text=self._words.mask(text))

    async def messages(self, user: UserRow, room: str, match: Match | None = None) -> list[ChatRow]:
        """The messages of a room as a user may see them, the first one first."""
        self.check_may_chat(user, match)
        unheard = await self._company.unheard(user.id)
        rows = await self._store.messages(room, KEPT)
        return [
            row._replace(text=self._words.mask(row.text)) for row in rows if row.user not in unheard
        ]


def clean_text(text: str) -> str:
    """A message on one line, without characters that can't be seen; raises BadRequest."""
    shown = "".join(
        " " if each.isspace() else each
        for each in text
        if each.isspace() or unicodedata.category(each) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    shown = " ".join(shown.split())
    if not shown:
        raise BadRequest("an empty message", "write something")
    if len(shown) > MAX_LENGTH:
        raise BadRequest(f"a message of {len(shown)} characters", f"{MAX_LENGTH} at most")
    return shown


def room_of(match: str, room: MatchRoom) -> str:
    """The key of a match's room."""
    return f"match:{match}:{room}"


def match_of_room(room: str) -> str:
    """The match of a room; empty for that of two friends."""
    kind, match, *_ = room.split(":")
    return match if kind == "match" else ""


def room_between(one: str, other: str) -> str:
    """The key of the room of two friends."""
    return "friends:" + ":".join(sorted((one, other)))
