"""People: guests by link, names that are kept by a device's key, and bot accounts.

A device has a token, made when its first match is, and with it a user. A user may take a name;
who has the device's token is that user. Nothing else is asked of anybody. Passwords and further
devices belong here, when they come.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from watermeet.server.errors import BadName, Unauthorized
from watermeet.server.store.rows import TokenRow, UserRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import BOT, DEVICE, MAX_LENGTH, hash_token, make_id, make_token

GUEST, NAMED, BOT_USER = "guest", "named", "bot"
_NAME = re.compile(r"[^\W_](?:(?:[^\W_]|[ .'\u2019-]){0,22}(?:[^\W_]|\.))?")


@dataclass(frozen=True)
class Account:
    """A new user with the token that is shown this once."""

    user: UserRow
    token: str


class People:
    """All users, through the store."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now

    async def add_guest(self) -> Account:
        """A new guest."""
        return await self._add(GUEST, None, DEVICE)

    async def add_bot(self, name: str) -> Account:
        """A new bot account, which has a name from the beginning; raises BadName, NameTaken."""
        return await self._add(BOT_USER, clean_name(name), BOT)

    async def _add(self, kind: str, name: str | None, token_kind: str) -> Account:
        user = UserRow(make_id(), kind, name, self._now())
        token = make_token()
        row = TokenRow(hash_token(token), token_kind, user.id, None, None, self._now())
        await self._store.add_user(user, row)
        return Account(user, token)

    async def take_name(self, user: UserRow, name: str) -> UserRow:
        """The user under a name of its own; raises BadName, NameTaken."""
        name = clean_name(name)
        await self._store.rename(user.id, name)
        found = await self._store.user(user.id)
        assert found is not None, "users are never deleted"
        return found

    async def user_of(self, token: str) -> UserRow:
        """Whose device or bot account it is; raises Unauthorized."""
        row = await self.token_row(token)
        user = await self._store.user(row.user) if row.user else None
        if row.kind not in (DEVICE, BOT) or user is None:
            raise Unauthorized("this token is of no user", "ask for a new one: POST /api/guests")
        return user

    async def token_row(self, token: str) -> TokenRow:
        """What a token allows; raises Unauthorized."""
        row = await self._store.token(hash_token(token)) if len(token) <= MAX_LENGTH else None
        if row is None:
            raise Unauthorized("nobody knows this token", "ask for a new one: POST /api/guests")
        return row


def clean_name(name: str) -> str:
    """A name as it is kept: without needless spaces, in one spelling; raises BadName."""
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not _NAME.fullmatch(name):
        raise BadName(
            f"{name[:40]!r} is no name",
            "take 1 to 24 letters and digits, with single spaces, points, hyphens or apostrophes",
        )
    return name
