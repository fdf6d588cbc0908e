"""Audience: what somebody may see of a match, and how late. Nothing else decides about that.

Players see what their seat knows, at once. Everybody else sees nothing of a closed match once it
has begun, and of others what happened before the delay that was chosen. Documents, sockets,
streams, lists, searches, favourites and exports all ask here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

import msgspec

from watermeet.server.errors import Forbidden
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches.errors import PlayersOnly
from watermeet.server.matches.match import OPEN, Match
from watermeet.server.matches.service import Matches, row_of
from watermeet.server.store.rows import MatchRow

LOG = logging.getLogger(__name__)


def may_see(match: Match, seat: int | None) -> bool:
    """Whether a seat, or a spectator (None), may see a match at all."""
    return seat is not None or not match.is_closed


def check_may_see(match: Match, seat: int | None) -> None:
    """Raise PlayersOnly."""
    if not may_see(match, seat):
        raise PlayersOnly("only its players may see this match", "ask them about it")


def sees_at_once(match: Match, seat: int | None) -> bool:
    """Whether they see everything as it happens, and so what is said about it."""
    return may_see(match, seat) and (seat is not None or not _is_late(match))


def _is_late(match: Match) -> bool:
    return bool(match.setup.spectator_delay_s) and not match.has_ended


def seen(live: LiveMatch, seat: int | None, now: int) -> Match:
    """A match as they may see it now; raises PlayersOnly."""
    check_may_see(live.match, seat)
    return live.at(live.visible_seq(seat, now))


def check_not_delayed(match: Match) -> None:
    """Raise Forbidden for what is the same for all, such as a record, while some see later."""
    if _is_late(match):
        raise Forbidden("spectators see this match with a delay", "wait until it ends")


class _About(msgspec.Struct, frozen=True):
    """What a stored headline says about who may see it."""

    users: tuple[str, ...] = ()
    spectators: str = "all"
    delay_ms: int = 0


def seat_in(row: MatchRow, user: str) -> int | None:
    """The seat of a user; None without one, as when they left before the match began."""
    users = msgspec.json.decode(row.headline, type=_About).users
    return users.index(user) if user and user in users else None


class Audience:
    """The same for the rows of lists."""

    def __init__(self, matches: Matches, now: Callable[[], int]) -> None:
        self._matches, self._now = matches, now

    async def listed(
        self, rows: Iterable[MatchRow], user: str = ""
    ) -> list[tuple[MatchRow, int | None]]:
        """Rows as a user may see them, with the user's seats; without what they may not see."""
        found = [(await self._seen(row, user), seat_in(row, user)) for row in rows]
        return [(row, seat) for row, seat in found if row is not None]

    async def _seen(self, row: MatchRow, user: str) -> MatchRow | None:
        if row.stage == OPEN or seat_in(row, user) is not None:
            return row
        about, now = msgspec.json.decode(row.headline, type=_About), self._now()
        if about.spectators == "none":
            return None
        if not about.delay_ms or row.changed_at <= now - about.delay_ms:
            return row
        try:
            return row_of(seen(await self._matches.load(row.id), None, now))
        except Exception:  # One broken match must not hide the others.
            LOG.exception("a match can't be listed", extra=fields(match=row.id))
            return None
