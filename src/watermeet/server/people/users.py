"""People: guests, names reserved for a device's token, bot accounts, and whose seat is whose.

A device gets a token, and with it a user, when it needs one. A user may reserve a name; whoever has
the token is that user. Nobody has to sign up; those who do have more in ``accounts``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from watermeet.server.errors import Forbidden, Unauthorized, WrongScope
from watermeet.server.matches.errors import PlayersOnly
from watermeet.server.matches.match import Match
from watermeet.server.names import clean_name
from watermeet.server.people.moderation import check_not_suspended
from watermeet.server.store.rows import TokenRow, UserRow
from watermeet.server.store.store import Store, name_taken
from watermeet.server.tokens import (
    BOT,
    DEVICE,
    INVITE,
    MAX_LENGTH,
    PERSONAL,
    SEAT,
    hash_token,
    make_id,
    make_token,
)

GUEST, NAMED, BOT_USER = "guest", "named", "bot"
Scope = Literal["read", "play", "bot", "moderate"]

HOUR_MS = 3_600_000
SESSION_MS = 365 * 24 * HOUR_MS
"""A device that isn't used for this long is signed out; use is noted once an hour."""


@dataclass(frozen=True)
class Account:
    """A new user, with a token that is shown only this once."""

    user: UserRow
    token: str


class People:
    """All users, through the store."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now

    async def add_guest(self, label: str = "") -> Account:
        """Create a guest; ``label`` is their device, in words."""
        return await self._add(GUEST, None, DEVICE, label)

    async def add_bot(self, name: str) -> Account:
        """Create a bot account, which always has a name; raises BadName, NameTaken."""
        name = clean_name(name)
        await self.check_free(name, "")
        return await self._add(BOT_USER, name, BOT)

    async def _add(self, kind: str, name: str | None, token_kind: str, label: str = "") -> Account:
        user = UserRow(make_id(), kind, name, self._now())
        token, row = new_session(token_kind, user.id, self._now(), label)
        await self._store.add_user(user, row)
        return Account(user, token)

    async def take_name(self, user: UserRow, name: str) -> UserRow:
        """Reserve a name for the user; raises BadName, NameTaken."""
        name = clean_name(name)
        await self.check_free(name, user.id)
        await self._store.rename(user.id, name)
        found = await self._store.user(user.id)
        assert found is not None, "users are never deleted"
        return found

    async def check_free(self, name: str, user: str) -> None:
        """Raise NameTaken if the name is somebody else's, or was, or looks like it."""
        if not await self._store.is_name_free(name, user):
            raise name_taken(name)

    async def user_of(self, token: str, scope: Scope | None = "play") -> UserRow:
        """The user of a device or bot account; raises Unauthorized, Suspended.

        Forbidden for a personal access token without the scope; None: for all of them.
        """
        row = await self.token_row(token)
        if row.kind == PERSONAL and scope not in (row.scopes or "").split():
            raise WrongScope(
                "this token doesn't allow that",
                f"it needs the scope {scope}" if scope else "sign in instead",
            )
        user = await self._store.user(row.user) if row.user else None
        if row.kind not in (DEVICE, BOT, PERSONAL) or user is None:
            raise Unauthorized(
                "this token belongs to no user", "ask for a new one: POST /api/guests"
            )
        now = self._now()
        check_not_suspended(user, now)
        if now - (row.used_at or row.created_at) >= HOUR_MS:
            expires_at = now + SESSION_MS if row.kind == DEVICE else row.expires_at
            await self._store.touch(row.hash, now - now % HOUR_MS, expires_at)
        return user

    async def token_row(self, token: str) -> TokenRow:
        """What a token allows; raises Unauthorized."""
        row = await self._store.token(hash_token(token)) if len(token) <= MAX_LENGTH else None
        if row is None or (row.expires_at is not None and row.expires_at <= self._now()):
            raise Unauthorized("unknown token", "get one: POST /api/guests")
        return row

    async def seat_in(
        self,
        match: Match,
        token: str,
        user: UserRow | None = None,
        scope: Scope | None = "play",
    ) -> int | None:
        """The seat that a token or a user speaks for; None: a spectator.

        Raises Unauthorized; Suspended; Forbidden for the token of a seat in another match, or of a
        seat that somebody else has by now; and PlayersOnly for spectators of a closed match.
        """
        if token:
            row = await self.token_row(token)
            if row.kind == SEAT:
                owner = await self._store.user(row.user or "")
                if owner is not None:
                    check_not_suspended(owner, self._now())
                return _seat_of(match, row)
            user = await self.user_of(token, scope)
        seat = None if user is None else match.seat_of(user.id)
        if seat is None and match.is_closed:
            raise PlayersOnly("only its players may see this match", "ask them about it")
        return seat

    async def invited_seat(self, match: Match, token: str) -> int | None:
        """The seat of an invitation; None without one; raises Unauthorized, Forbidden."""
        if not token:
            return None
        row = await self.token_row(token)
        if row.kind != INVITE or row.match != match.id or row.seat is None:
            raise Forbidden("this link isn't an invitation to this match", "ask for another link")
        return row.seat


def new_session(kind: str, user: str, now: int, label: str) -> tuple[str, TokenRow]:
    """A token for a device or a bot account, and its row."""
    token, expires_at = make_token(), now + SESSION_MS if kind == DEVICE else None
    return token, TokenRow(
        hash_token(token), kind, user, None, None, now, label[:40], None, expires_at
    )


def _seat_of(match: Match, row: TokenRow) -> int:
    if row.match != match.id or row.seat is None:
        raise Forbidden("this token is for another match", "use the link of this one")
    if match.seats[row.seat].user != row.user:
        raise Forbidden("somebody else has the seat now", "watch, or take another seat")
    return row.seat
