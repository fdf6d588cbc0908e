"""What the lobby lists: matches and seeks, so that nobody's many hide everybody else's."""

from __future__ import annotations

import msgspec

from watermeet.server.audience import Audience
from watermeet.server.limits import few_of_each
from watermeet.server.matches.match import OPEN, PLAYING
from watermeet.server.matches.setup import Correspondence, TimeControl, Unlimited
from watermeet.server.people.seeks import Seeks, StoredSeek
from watermeet.server.presence import Presence
from watermeet.server.store.rows import MatchRow
from watermeet.server.store.store import Store

LISTED, CONSIDERED = 50, 500
"""How many are listed, and from how many of the newest matches those are chosen."""
FEW = 3
"""How many of one person's come before everybody else's."""


class _About(msgspec.Struct, frozen=True):
    """What a stored headline says about whose match it is."""

    users: tuple[str, ...] = ()
    by: str = ""
    time_control: TimeControl = Unlimited()

    @property
    def host(self) -> str:
        """Who created it; who sits there, of matches from before that was noted."""
        return self.by or next(filter(None, self.users), "")


class LobbyLists:
    """The lists, as all nodes make them."""

    def __init__(self, store: Store, presence: Presence, audience: Audience, seeks: Seeks) -> None:
        self._store, self._presence, self._audience = store, presence, audience
        self._seeks = seeks

    async def seeks(self) -> list[StoredSeek]:
        """What people look for, the longest waiting first."""
        found = few_of_each(await self._seeks.all(), lambda each: each[0], FEW)
        return [seek for _, seek in found[:LISTED]]

    async def open(self, game: str | None = None) -> list[tuple[MatchRow, int | None]]:
        """Public matches that wait for players, the newest first, a few of each host.

        Whoever created one, or has joined it, is connected, unless it is a slow one.
        """
        shown: list[MatchRow] = []
        for row, about in await self._fairly(OPEN, game):
            if len(shown) == LISTED:
                break
            if await self._is_attended(row.id, about):
                shown.append(row)
        return await self._audience.listed(shown)

    async def playing(self, game: str | None = None) -> list[tuple[MatchRow, int | None]]:
        """Public matches that are being played, the newest first, a few of each host."""
        found = await self._fairly(PLAYING, game)
        return await self._audience.listed([row for row, _ in found[:LISTED]])

    async def _fairly(self, stage: str, game: str | None) -> list[tuple[MatchRow, _About]]:
        """The newest matches at a stage, a few of each host before the rest."""
        rows = await self._store.public_matches(stage, game=game, limit=CONSIDERED)
        found = [(row, msgspec.json.decode(row.headline, type=_About)) for row in rows]
        return few_of_each(found, lambda each: each[1].host, FEW)

    async def _is_attended(self, match: str, about: _About) -> bool:
        if isinstance(about.time_control, Correspondence):
            return True
        return await self._presence.is_attended(match, about.users, about.by)
