"""Attempts to sign in, counted in the store: all nodes count together, and a restart forgets none.

They count by name and address together, so whoever guesses from elsewhere locks nobody out. A
device on which the user has proved who they are shows the mark that it got, and has an allowance of
its own, whatever its neighbours behind the same address do, or whoever has another device's mark.
Marks end with the password. Links to a new password aren't counted at all: they can't be
guessed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Literal, NamedTuple

from watermeet.server.errors import TooMany
from watermeet.server.store.sign_in import Count
from watermeet.server.store.store import Store, name_key
from watermeet.server.tokens import hash_token, make_id

Way = Literal["sign in", "mail", "prove", "device", "passkey"]
MARK_KEY = "known devices"


class Allowance(NamedTuple):
    """How many attempts there may be at once, and after how long there is one more."""

    at_once: int
    every_ms: int


PER_NAME, PER_ADDRESS = Allowance(10, 30_000), Allowance(30, 10_000)


class Attempts:
    """All attempts, through the store."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now
        self._key = b""

    async def mark(self, user: str) -> str:
        """A new mark, for a device on which a user has just proved who they are."""
        return await self._signed(make_id(), user, await self._store.password(user))

    async def _signed(self, id_: str, user: str, password: str | None) -> str:
        if not self._key:
            self._key = await self._store.server_key(MARK_KEY, secrets.token_bytes(32))
        text = f"{id_} {user} {password or ''}"
        signature = hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()
        return f"{id_}.{signature[:48]}"

    async def knows(self, user: str, password: str | None, mark: str) -> bool:
        """Whether it is the mark of a user's device, as long as their password has this hash."""
        right = await self._signed(mark.partition(".")[0], user, password)
        return hmac.compare_digest(right.encode(), mark.encode())

    async def check(self, way: Way, address: str, name: str = "", *, mark: str = "") -> None:
        """Raise TooMany for an address that tries too often, whatever the name, or by this name.

        A known device has a ``mark``, and comes first out of its own allowance.
        """
        now = self._now()
        as_name = f"{way} as {name_key(name)} from"
        if mark:
            own = _count(f"{as_name} the device {mark}", PER_NAME)
            if await self._store.count_attempts([own], now):
                return
        counts = [_count(f"{way} from {address}", PER_ADDRESS)]
        if name:
            counts.append(_count(f"{as_name} {address}", PER_NAME))
        if not await self._store.count_attempts(counts, now):
            raise TooMany("too many attempts to sign in from this address", "wait a minute")

    async def may_mail(self, user: str) -> bool:
        """Whether a user may be mailed another link: whoever asks too soon has one already."""
        return await self._may_mail(f"mail to {user}", Allowance(5, 300_000))

    async def may_confirm(self, mailed: str) -> bool:
        """Whether another link to confirm a mail address may go there, whoever asks for it."""
        local, _, domain = mailed.casefold().rpartition("@")
        mailbox = f"{local.partition('+')[0]}@{domain}"  # What is after a + is the owner's affair.
        return await self._may_mail(f"confirm {mailbox}", Allowance(3, 1_200_000))

    async def _may_mail(self, what: str, allowance: Allowance) -> bool:
        return await self._store.count_attempts([_count(what, allowance)], self._now())


def _count(what: str, allowance: Allowance) -> Count:
    """What is stored says neither the name nor the address."""
    at_once, every_ms = allowance
    return Count(hash_token(f"attempt {what}"), every_ms, (at_once - 1) * every_ms)
