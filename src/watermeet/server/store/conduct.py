"""What the store knows of those who leave rated matches."""

from __future__ import annotations

from collections.abc import Sequence

from watermeet.server.store.part import StorePart
from watermeet.server.store.sql import Statement

ADD_DEPARTURE = """
INSERT INTO departures (match_id, user_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"""

READ_DEPARTURES = "SELECT at FROM departures WHERE user_id = $1 AND at > $2 ORDER BY at"

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

    async def forget_departures(self) -> None:
        """Delete all: they are about to be computed again."""
        await self._write(Statement(FORGET_DEPARTURES))
