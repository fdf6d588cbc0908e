"""Presence: which players are connected, shared by all nodes through the bus.

Each node remembers on its own since when a player has been away, as long as it keeps checking:
between two checks far apart, the player may have come and gone. A node that has just started
assumes that everybody left at that moment, so a restart costs nobody a match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from watermeet.server.bus.bus import Bus
from watermeet.server.matches.match import Match

TTL_S = 15.0
"""A player who isn't heard from for this long is away."""
NEW_S = 60.0
"""For so long nobody has to be connected to a match that was just created."""
MAX_ABSENCES = 100_000
NOTES = "notes"


class Presence:
    """Who is connected, as far as a node knows."""

    def __init__(self, bus: Bus, now: Callable[[], int]) -> None:
        self._bus, self._now = bus, now
        self._absences: dict[str, tuple[int, int]] = {}
        """The first and the last check that found a player away."""

    async def touch(self, match: str, seat: int) -> None:
        """Record that a player was heard from."""
        key = _key(match, seat)
        self._absences.pop(key, None)
        await self._bus.touch(key, TTL_S)

    async def leave(self, match: str, seat: int) -> None:
        """Record that a player's last connection was closed."""
        key = _key(match, seat)
        self._record(key)
        await self._bus.forget(key)
        await self.announce(match)

    async def touch_user(self, user: str) -> None:
        """Record that a user was heard from, whatever they do."""
        await self._bus.touch(f"online:{user}", TTL_S)

    async def is_online(self, user: str) -> bool:
        """Whether a user is connected."""
        return await self._bus.is_present(f"online:{user}")

    async def touch_new(self, match: str) -> None:
        """Record that a match was created, by somebody who is about to connect."""
        await self._bus.touch(f"new:{match}", NEW_S)

    async def is_attended(self, match: str, users: Sequence[str], by: str) -> bool:
        """Whether one of the users at a match's seats, or who created it, is connected.

        Or it was created a moment ago.
        """
        if await self._bus.is_present(f"new:{match}"):
            return True
        for seat, user in enumerate(users):
            if user and await self._bus.is_present(_key(match, seat)):
                return True
        for user in {*users, by} - {""}:
            if await self.is_online(user):
                return True
        return False

    async def announce(self, match: str) -> None:
        """Tell all nodes that players of a match have come or gone."""
        await self._bus.publish(notes_of(match), b"")

    async def present(self, match: Match) -> tuple[int, ...]:
        """The seats of the players who are connected."""
        return tuple(
            [seat for seat in match.people() if await self._bus.is_present(_key(match.id, seat))]
        )

    async def away_since(self, match: Match) -> dict[int, int]:
        """The seats of the players who are away, and since when, as far as this node knows."""
        away = {}
        for seat in match.people():
            key = _key(match.id, seat)
            if await self._bus.is_present(key):
                self._absences.pop(key, None)
            else:
                away[seat] = self._record(key)
        return away

    def _record(self, key: str) -> int:
        now = self._now()
        since, checked_at = self._absences.get(key, (now, 0))
        if now - checked_at > TTL_S * 1000:
            since = now
        self._absences[key] = since, now
        if len(self._absences) > MAX_ABSENCES:
            del self._absences[next(iter(self._absences))]
        return since


def notes_of(match: str) -> str:
    """The bus topic for what concerns a match but isn't stored: presence, signals and talk."""
    return f"{NOTES}:{match}"


def _key(match: str, seat: int) -> str:
    return f"here:{match}:{seat}"
