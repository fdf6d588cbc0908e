"""Attempts to sign in, counted in the store: all nodes count together, and a restart forgets none.

They count by name and address together, so whoever guesses from elsewhere locks nobody out. A
device on which the user has signed in shows the mark that it got, and has an allowance of its own,
whatever its neighbours behind the same address do. Recovery codes and mailed links aren't counted
at all: they can't be guessed.
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
from watermeet.server.tokens import hash_token

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
        """What a device shows on which a user has signed in."""
        if not self._key:
            self._key = await self._store.server_key(MARK_KEY, secrets.token_bytes(32))
        return hmac.new(self._key, user.encode(), hashlib.sha256).hexdigest()

    async def knows(self, user: str | None, mark: str) -> bool:
        """Whether it is the mark of a user's device."""
        right = await self.mark(user or "nobody")
        return hmac.compare_digest(right.encode(), mark.encode())

    async def check(
        self, way: Way, address: str, name: str = "", *, is_known: bool = False
    ) -> None:
        """Raise TooMany for an address that tries too often, whatever the name, or by this name."""
        counts = []
        if not is_known:
            counts.append(_count(f"{way} from {address}", PER_ADDRESS))
        if name:
            source = "a known device" if is_known else address
            counts.append(_count(f"{way} as {name_key(name)} from {source}", PER_NAME))
        if not await self._store.count_attempts(counts, self._now()):
            raise TooMany("too many attempts to sign in from this address", "wait a minute")

    async def may_mail(self, user: str) -> bool:
        """Whether a user may be mailed another link: whoever asks too soon has one already."""
        count = _count(f"mail to {user}", Allowance(5, 300_000))
        return await self._store.count_attempts([count], self._now())


def _count(what: str, allowance: Allowance) -> Count:
    """What is stored says neither the name nor the address."""
    at_once, every_ms = allowance
    return Count(hash_token(f"attempt {what}"), every_ms, (at_once - 1) * every_ms)
