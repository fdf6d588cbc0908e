"""How much a user or an address may have waiting or running at once.

Matches between bots alone: nobody waits for them, but their bots think all the time. Open matches
and seeks: everybody sees the list of them. A node counts what was created through it, in memory;
whether it still runs or waits, the store says.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from watermeet.server.errors import TooMany, TooManyBotMatches, TooManyOpen
from watermeet.server.limits import MAX_CLIENTS
from watermeet.server.matches.match import OPEN, PLAYING
from watermeet.server.people.seeks import Seeks
from watermeet.server.store.store import Store

Refusal = tuple[type[TooMany], str, str]
"""The error, what there are too many of, and a hint."""


class MatchQuota:
    """The matches at a stage that were created through this node, by user and by address."""

    def __init__(
        self, store: Store, stage: str, per_user: int, per_address: int, refusal: Refusal
    ) -> None:
        self._store, self._stage, self._refusal = store, stage, refusal
        self._limits = {"user": per_user, "address": per_address}
        self._counted: OrderedDict[tuple[str, str], set[str]] = OrderedDict()
        self._new: set[str] = set()
        """Those that aren't in the store yet."""

    async def take(self, match: str, user: str, address: str) -> None:
        """Count a match that is about to be created; raises the error."""
        parties = [("user", user), ("address", address)]
        for party in parties:
            if self._is_full(party):
                await self._forget_others(party)
        for party in parties:
            if self._is_full(party):
                kind, what, hint = self._refusal
                raise kind(f"this {party[0]} has {self._limits[party[0]]} {what}", hint)
        self._new.add(match)
        for party in parties:
            self._counted.setdefault(party, set()).add(match)
            self._counted.move_to_end(party)
        while len(self._counted) > 2 * MAX_CLIENTS:
            self._counted.popitem(last=False)

    def created(self, match: str) -> None:
        """The match is in the store, or wasn't created after all: then it is soon forgotten."""
        self._new.discard(match)

    def _is_full(self, party: tuple[str, str]) -> bool:
        return len(self._counted.get(party, ())) >= self._limits[party[0]]

    async def _forget_others(self, party: tuple[str, str]) -> None:
        """Forget those that are at another stage by now."""
        for match in tuple(self._counted.get(party, ())):
            if match not in self._new:
                row = await self._store.match_row(match)
                if row is None or row.stage != self._stage:
                    self._counted.get(party, set()).discard(match)


class SeekQuota:
    """The seeks of an address, whoever seeks there."""

    def __init__(self, seeks: Seeks, per_address: int) -> None:
        self._seeks, self._most = seeks, per_address
        self._users: OrderedDict[str, set[str]] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def seeking(self, user: str, address: str) -> AsyncIterator[None]:
        """Let somebody seek, one after another; raises TooManyOpen if others seek too much."""
        async with self._locks.setdefault(address, asyncio.Lock()):
            others = self._users.get(address, set()) - {user}
            found = await self._seeks.of_all(sorted(others))
            seeking = {other: len(each.seeks) for other, each in found.items() if each.seeks}
            self._users[address] = {*seeking, user}
            self._users.move_to_end(address)
            if len(self._users) > MAX_CLIENTS:
                self._users.popitem(last=False)
            if sum(seeking.values()) >= self._most:
                raise TooManyOpen(
                    f"{self._most} seeks of this address wait for others", "join one of them"
                )
            yield


def bot_matches(store: Store, per_user: int, per_address: int) -> MatchQuota:
    """The quota of running matches between bots alone."""
    hint = "wait until one has ended, or take a seat yourself"
    refusal = TooManyBotMatches, "matches between bots running", hint
    return MatchQuota(store, PLAYING, per_user, per_address, refusal)


def open_matches(store: Store, per_user: int, per_address: int) -> MatchQuota:
    """The quota of public matches that wait for players."""
    hint = "wait until somebody joins, or cancel one"
    refusal = TooManyOpen, "matches that wait for players", hint
    return MatchQuota(store, OPEN, per_user, per_address, refusal)
