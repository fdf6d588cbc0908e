"""Company: whom people follow, block and mute.

A block works in both directions: neither joins the other's matches, challenges, is paired with or
gets a rematch with the other, or hears them. Nobody learns who has blocked them. A mute is a block
of talk alone, and in one direction.
"""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Literal

from watermeet.server.errors import BadRequest, Blocked, NotFound, TooMany
from watermeet.server.limits import RateLimiter
from watermeet.server.store.company import NamedTie, TieRow
from watermeet.server.store.rows import UserRow
from watermeet.server.store.store import Store

Kind = Literal["follow", "block", "mute"]
MAX_TIES = 200
"""How many people one may follow, block and mute, each."""
TELL_AGAIN_S = 24 * 3600
"""How long nobody hears again that the same person follows them."""


async def _nobody_listens(_: str) -> None:
    pass


class Company:
    """All ties between users, through the store."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._now = store, now
        self._told = RateLimiter(1 / TELL_AGAIN_S, 1)
        self.changed: Callable[[str], Awaitable[None]] = _nobody_listens
        """Called with a user whose ties have changed."""

    async def blocked_by_or_blocking(self, user: str) -> set[str]:
        """Those whom a user has blocked or who have blocked them, by id."""
        return await self._store.blocked(user)

    async def unheard(self, user: str) -> set[str]:
        """Those whose talk a user doesn't hear: blocked in either direction, or muted."""
        return await self._store.blocked(user) | await self._store.muted(user)

    async def check_peace(self, user: str, others: Iterable[str]) -> None:
        """Raise Blocked if a block stands between a user and one of the others."""
        await self._store.check_not_blocked(user, others)

    async def are_friends(self, user: str, other: str) -> bool:
        """Whether two users follow each other."""
        has = self._store.has_tie
        return await has(user, "follow", other) and await has(other, "follow", user)

    async def add(self, user: UserRow, kind: Kind, other: UserRow, label: str = "") -> None:
        """Follow, block or mute somebody; raises BadRequest, Blocked, TooMany."""
        if user.id == other.id:
            raise BadRequest("that's you", "choose somebody else")
        if kind == "follow":
            await self.check_peace(user.id, [other.id])
        tie = TieRow(user.id, kind, other.id, label, self._now())
        if not await self._store.add_tie(tie, MAX_TIES):
            raise TooMany(f"your list is full: {MAX_TIES} people", "remove somebody first")
        # Each writes first and looks afterwards, so whichever comes last sees the other.
        if kind == "block":
            await self._store.unfollow_both(user.id, other.id)
        if kind == "follow":
            try:
                await self.check_peace(user.id, [other.id])
            except Blocked:
                await self._store.remove_tie(user.id, kind, other.id)
                raise
        await self._tell(kind, user.id, other.id)

    async def is_news(self, user: str, other: str) -> bool:
        """Whether somebody wants to hear that a user follows them: once, and not from everybody."""
        is_first = self._told.take(f"{user} {other}", time.monotonic())
        return is_first and user not in await self.unheard(other)

    async def remove(self, user: UserRow, kind: Kind, other: str) -> None:
        """Undo it."""
        await self._store.remove_tie(user.id, kind, other)
        await self._tell(kind, user.id, other)

    async def _tell(self, kind: Kind, user: str, other: str) -> None:
        if kind != "follow":
            await self.changed(user)
        if kind == "block":
            await self.changed(other)

    async def ties(self, user: UserRow, kind: Kind) -> list[NamedTie]:
        """The ties of a user, the last one first."""
        return await self._store.ties(user.id, kind)

    async def unblock(self, user: UserRow, block: str) -> None:
        """Remove a block or a mute by its id; raises NotFound."""
        kinds: tuple[Kind, ...] = ("block", "mute")
        for kind in kinds:
            for each in await self.ties(user, kind):
                if block_id(each.tie) == block:
                    await self.remove(user, kind, each.tie.other)
                    return
        raise NotFound("you have no such block", "GET /api/me/blocks lists them")


def block_id(tie: TieRow) -> str:
    """What a block is called in the list; the ids of users are never sent."""
    digest = hashlib.sha256(f"{tie.kind} {tie.user} {tie.other}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:12]).decode()
