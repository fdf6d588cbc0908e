"""What the store knows of those who leave rated matches."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from watermeet.server.store.part import StorePart
from watermeet.server.store.sql import Statement, numbered

ADD_DEPARTURE = """
INSERT INTO departures (match_id, user_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"""

READ_DEPARTURES = "SELECT at FROM departures WHERE user_id = $1 AND at > $2 ORDER BY at"


def departures_of(count: int) -> str:
    """The same of some users."""
    users = numbered(2, count)
    return f"SELECT user_id, at FROM departures WHERE user_id IN ({users}) AND at > $1"


FORGET_DEPARTURES = "DELETE FROM departures"


class ConductStore(StorePart):
    """The part of the store that is about conduct."""

    async def add_departures(self, match: str, found: Sequence[tuple[str, int]]) -> None:
        """Note who has left a match, and when; again changes nothing."""
        if found:
            await self._write(*(Statement(ADD_DEPARTURE, [match, *each]) for each in found))

    async def departures(self, user: str, since: int) -> list[int]:
        """When a user has left matches, the first time first."""
        return [at for (at,) in await self._read(Statement(READ_DEPARTURES, [user, since]))]

    async def departures_of(self, users: Collection[str], since: int) -> dict[str, list[int]]:
        """The same of some users; those who have left none are missing."""
        found: dict[str, list[int]] = {}
        if users:
            text = departures_of(len(users))
            for user, at in await self._read(Statement(text, [since, *users])):
                found.setdefault(user, []).append(at)
        return found

    async def forget_departures(self) -> None:
        """Delete all: they are about to be computed again."""
        await self._write(Statement(FORGET_DEPARTURES))
