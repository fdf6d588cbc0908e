"""How many matches between bots alone a user or an address may have running at once.

Nobody waits for such a match, but its bots think all the time. A node counts those that were
created through it, in memory; whether they still run, the store says.
"""

from __future__ import annotations

from collections import OrderedDict

from watermeet.server.errors import TooManyBotMatches
from watermeet.server.limits import MAX_CLIENTS
from watermeet.server.matches.match import PLAYING
from watermeet.server.store.store import Store


class BotMatchQuota:
    """The matches of bots alone that were created through this node, by user and by address."""

    def __init__(self, store: Store, per_user: int, per_address: int) -> None:
        self._store = store
        self._limits = {"user": per_user, "address": per_address}
        self._running: OrderedDict[tuple[str, str], set[str]] = OrderedDict()
        self._new: set[str] = set()
        """Those that aren't in the store yet."""

    async def take(self, match: str, user: str, address: str) -> None:
        """Count a match that is about to be created; raises TooManyBotMatches."""
        parties = [("user", user), ("address", address)]
        for party in parties:
            if self._is_full(party):
                await self._forget_ended(party)
        for party in parties:
            if self._is_full(party):
                limit, kind = self._limits[party[0]], party[0]
                raise TooManyBotMatches(
                    f"this {kind} has {limit} matches between bots running",
                    "wait until one has ended, or take a seat yourself",
                )
        self._new.add(match)
        for party in parties:
            self._running.setdefault(party, set()).add(match)
            self._running.move_to_end(party)
        while len(self._running) > 2 * MAX_CLIENTS:
            self._running.popitem(last=False)

    def created(self, match: str) -> None:
        """The match is in the store, or wasn't created after all: then it is soon forgotten."""
        self._new.discard(match)

    def _is_full(self, party: tuple[str, str]) -> bool:
        return len(self._running.get(party, ())) >= self._limits[party[0]]

    async def _forget_ended(self, party: tuple[str, str]) -> None:
        for match in tuple(self._running.get(party, ())):
            if match not in self._new:
                row = await self._store.match_row(match)
                if row is None or row.stage != PLAYING:
                    self._running.get(party, set()).discard(match)
