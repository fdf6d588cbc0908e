"""Deletes what has expired, once an hour: tokens, codes, imports, and guests who can't come back.

A guest whose last device was signed out is gone for good, as nobody could be them again. Without a
match, all of them is deleted; where matches remain, they lose their name, as whoever deletes an
account does. What people without an account have imported stays for thirty days.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from watermeet.server.background import Background
from watermeet.server.errors import StillPlaying, StoreUnavailable
from watermeet.server.logs import fields
from watermeet.server.matches.setup import DAY
from watermeet.server.people.accounts import Accounts
from watermeet.server.people.users import SESSION_MS
from watermeet.server.store.rows import UserRow
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
SWEEP_S = 3600.0
MOST = 1_000
"""Guests of one sweep, and imports: a server that has collected them for years isn't busy for an
hour."""
IMPORT_MS = 30 * DAY
PAUSE_S = 0.05


class Expiry(Background):
    """An hourly sweep."""

    def __init__(self, store: Store, accounts: Accounts, now: Callable[[], int]) -> None:
        super().__init__()
        self._store, self._accounts, self._now = store, accounts, now

    def start(self) -> None:
        """Start to sweep."""
        self._spawn(self._repeat(self.sweep, SWEEP_S))

    async def sweep(self) -> None:
        """Delete what has expired by now."""
        now = self._now()
        await self._store.delete_expired(now)
        for match in await self._store.old_imports(now - IMPORT_MS, MOST):
            await self._store.delete_match(match)
            await self._store.forget_import(match)
            await asyncio.sleep(PAUSE_S)
        for user in await self._store.expired_guests(now - SESSION_MS, MOST):
            try:
                await self._forget(user)
            except StoreUnavailable:
                raise
            except StillPlaying:
                pass  # Their matches end by themselves.
            except Exception:  # One damaged log must not keep the others.
                LOG.exception("guest not forgotten", extra=fields(user=user.id))
            await asyncio.sleep(PAUSE_S)

    async def _forget(self, user: UserRow) -> None:
        if await self._store.matches_of(user.id, before=None, limit=1):
            await self._accounts.delete(user)
        else:
            await self._store.forget_user(user.id)
