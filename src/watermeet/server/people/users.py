"""People: guests, names reserved for a device's token, bot accounts, and whose seat is whose.

A device gets a token, and with it a user, when it needs one. A user may reserve a name; whoever has
the token is that user. Nobody has to sign up; those who do have more in ``accounts``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from watermeet.server.audience import check_may_see
from watermeet.server.errors import Forbidden, Unauthorized, WrongScope
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
Scope = Literal["read", "play", "chat", "bot", "moderate"]

HOUR_MS = 3_600_000
NAME_KEPT_MS = 30 * 24 * HOUR_MS
"""For how long nobody else gets a name that somebody had: lists and matches still show it."""
SESSION_MS = 365 * 24 * HOUR_MS
"""A device that isn't used for this long is signed out; use is noted once an hour."""


@dataclass(frozen=True)
class Account:
    """A new user, with a token that is shown only this once."""

    user: UserRow
    token: str
    device: str = ""
    """What the device shows when somebody signs in there again: see attempts.py."""


class Caller(NamedTuple):
    """A person, or a bot account, and the token that they came with."""

    user: UserRow
    token: TokenRow

    def may(self, scope: Scope | None) -> bool:
        """Whether the token allows something; None: what only sessions may do."""
        return self.token.kind != PERSONAL or scope in (self.token.scopes or "").split()

    def check(self, scope: Scope | None) -> None:
        """Raise WrongScope unless the token allows it."""
        if not self.may(scope):
            raise WrongScope(
                "this token doesn't allow that",
                f"it needs the scope {scope}" if scope else "sign in instead",
            )


class Viewer(NamedTuple):
    """Who looks at a match."""

    seat: int | None
    """None: a spectator."""
    caller: Caller | None
    """The person. None for a stranger, and for the token of a seat, which is nobody."""


class People:
    """All users, through the store."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now

    async def add_guest(self, label: str = "") -> Account:
        """Create a guest; ``label`` is their device, in words."""
        return await self._add(GUEST, None, DEVICE, label)

    async def add_bot(self, name: str, owner: UserRow | None = None) -> Account:
        """Create a bot account, which always has a name; raises BadName, NameTaken.

        It stops when its owner is suspended or deleted, and so do bots that it creates.
        """
        name = clean_name(name)
        await self.check_free(name, "")
        id_ = None if owner is None else owner.owner or owner.id
        return await self._add(BOT_USER, name, BOT, owner=id_)

    async def _add(
        self,
        kind: str,
        name: str | None,
        token_kind: str,
        label: str = "",
        owner: str | None = None,
    ) -> Account:
        user = UserRow(make_id(), kind, name, self._now(), owner=owner)
        token, row = new_session(token_kind, user.id, self._now(), label)
        await self._store.add_user(user, row)
        return Account(user, token)

    async def take_name(self, user: UserRow, name: str) -> UserRow:
        """Reserve a name for the user; raises BadName, NameTaken."""
        name = clean_name(name)
        await self.check_free(name, user.id)
        if not await self._store.rename(user.id, name, self._now() + NAME_KEPT_MS):
            raise Unauthorized("this user was deleted", "ask for a new one: POST /api/guests")
        found = await self._store.user(user.id)
        assert found is not None, "users are never deleted"
        return found

    async def check_free(self, name: str, user: str) -> None:
        """Raise NameTaken if the name is somebody else's, or was, or looks like it."""
        if not await self._store.is_name_free(name, user, self._now()):
            raise name_taken(name)

    async def user_of(self, token: str, scope: Scope | None = "play") -> UserRow:
        """The user of a device or bot account; raises what ``caller`` does."""
        return (await self.caller(token, scope)).user

    async def caller(self, token: str, scope: Scope | None = "play") -> Caller:
        """The user of a device or bot account, with the token; raises Unauthorized, Suspended.

        WrongScope for a personal access token without the scope; None: for all of them.
        """
        row = await self.token_row(token)
        user = await self._store.user(row.user) if row.user else None
        is_token = row.kind in (DEVICE, BOT, PERSONAL)
        if not is_token or user is None or user.kind == "deleted":
            raise Unauthorized(
                "this token belongs to no user", "ask for a new one: POST /api/guests"
            )
        found = Caller(user, row)
        found.check(scope)
        now = self._now()
        check_not_suspended(user, now)
        if now - (row.used_at or row.created_at) >= HOUR_MS:
            expires_at = now + SESSION_MS if row.kind == DEVICE else row.expires_at
            await self._store.touch(row.hash, now - now % HOUR_MS, expires_at)
        return found

    async def token_row(self, token: str) -> TokenRow:
        """What a token allows; raises Unauthorized."""
        return await self.token_by(hash_token(token[: MAX_LENGTH + 1]))

    async def token_by(self, hash: bytes) -> TokenRow:  # noqa: A002
        """The same, by the token's hash."""
        row = await self._store.token(hash)
        if row is None or (row.expires_at is not None and row.expires_at <= self._now()):
            raise Unauthorized("unknown token", "get one: POST /api/guests")
        return row

    async def viewer(
        self,
        match: Match,
        token: str,
        caller: Caller | None = None,
        scope: Scope | None = "play",
    ) -> Viewer:
        """Who looks at a match by a token, or as a caller without one.

        Raises Unauthorized; Suspended; Forbidden for the token of a seat in another match, or of a
        seat that somebody else has by now; and PlayersOnly for spectators of a closed match.
        """
        if token:
            row = await self.token_row(token)
            if row.kind == SEAT:
                owner = await self._store.user(row.user or "")
                if owner is not None:
                    check_not_suspended(owner, self._now())
                return Viewer(_seat_of(match, row), caller)
            caller = await self.caller(token, scope)
        seat = None if caller is None else match.seat_of(caller.user.id)
        check_may_see(match, seat)
        return Viewer(seat, caller)

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
