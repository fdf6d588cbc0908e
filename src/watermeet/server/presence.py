"""Who is there: kept with the bus, for a while at a time, so that all nodes know.

Since when somebody has been missing is remembered by each node for itself, as long as it looks
again and again: between two looks that lie far apart somebody may have come and gone. A node that
has just started thinks that everybody left at that moment: nobody loses a match to a restart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from watermeet.server.bus.bus import Bus
from watermeet.server.matches.match import Match

TTL_S = 15.0
"""Somebody who was not heard of for so long is away."""
REMEMBERED = 100_000


@dataclass
class _Missed:
    """Somebody is missing, by the first look and by the last one."""

    since: int
    looked_at: int


class Presence:
    """What a node knows of who is there."""

    def __init__(self, bus: Bus, now: Callable[[], int]) -> None:
        self._bus, self._now = bus, now
        self._missed: dict[str, _Missed] = {}

    async def touch(self, match: str, seat: int) -> None:
        """Somebody on a seat was heard of."""
        key = _key(match, seat)
        self._missed.pop(key, None)
        await self._bus.touch(key, TTL_S)

    async def leave(self, match: str, seat: int) -> None:
        """The last line of a seat was closed."""
        key = _key(match, seat)
        self._note(key)
        await self._bus.forget(key)

    async def away_since(self, match: Match) -> dict[int, int]:
        """Since when the people who are missing have been so, by seat, as far as known here."""
        away = {}
        for seat in match.people():
            key = _key(match.id, seat)
            if await self._bus.is_present(key):
                self._missed.pop(key, None)
            else:
                away[seat] = self._note(key)
        return away

    def _note(self, key: str) -> int:
        now = self._now()
        missed = self._missed.get(key)
        if missed is None or now - missed.looked_at > TTL_S * 1000:
            if len(self._missed) >= REMEMBERED:
                del self._missed[next(iter(self._missed))]
            missed = self._missed[key] = _Missed(now, now)
        missed.looked_at = now
        return missed.since


def _key(match: str, seat: int) -> str:
    return f"here:{match}:{seat}"
