"""What the lobby lists: matches and seeks, so that nobody's many hide everybody else's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

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
KEPT_S = 0.4
"""How long whoever asks gets a list that was made for somebody else."""
FEW = 3
"""How many of one person's come before everybody else's."""


Rows = list[tuple[MatchRow, int | None]]


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
        self._kept = dict[tuple[str, str | None], tuple[float, asyncio.Future[Rows]]]()

    async def seeks(self) -> list[StoredSeek]:
        """What people look for, the longest waiting first."""
        found = few_of_each(await self._seeks.all(), lambda each: each[0], FEW)
        return [seek for _, seek in found[:LISTED]]

    async def open(self, game: str | None = None) -> Rows:
        """Public matches that wait for players, the newest first, a few of each host.

        Whoever created one, or has joined it, is connected, unless it is a slow one.
        """
        return await self._shared(OPEN, game, self._open)

    async def playing(self, game: str | None = None) -> Rows:
        """Public matches that are being played, the newest first, a few of each host."""
        return await self._shared(PLAYING, game, self._playing)

    def forget(self) -> None:
        """Make the lists again at the next request: something has changed."""
        self._kept.clear()

    async def _shared(
        self, stage: str, game: str | None, make: Callable[[str | None], Awaitable[Rows]]
    ) -> Rows:
        """A list that is the same for everybody: it is made once for those who ask together."""
        now, key = time.monotonic(), (stage, game)
        until, found = self._kept.get(key, (0.0, None))
        if found is None or now >= until:
            self._kept = {each: kept for each, kept in self._kept.items() if now < kept[0]}
            found = asyncio.ensure_future(make(game))
            self._kept[key] = now + KEPT_S, found
        return await asyncio.shield(found)

    async def _open(self, game: str | None) -> Rows:
        shown: list[MatchRow] = []
        for row, about in await self._fairly(OPEN, game):
            if len(shown) == LISTED:
                break
            if await self._is_attended(row.id, about):
                shown.append(row)
        return await self._audience.listed(shown)

    async def _playing(self, game: str | None) -> Rows:
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
