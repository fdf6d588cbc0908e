"""Who may speak for a seat. Every request is checked."""

from __future__ import annotations

from watermeet.server.errors import Forbidden
from watermeet.server.matches.match import Match
from watermeet.server.people import People
from watermeet.server.store.rows import TokenRow, UserRow
from watermeet.server.tokens import INVITE, SEAT


class Access:
    """Turns tokens into users and seats."""

    def __init__(self, people: People) -> None:
        self._people = people

    async def user(self, token: str) -> UserRow | None:
        """The user of a token; None without a token; raises Unauthorized."""
        return await self._people.user_of(token) if token else None

    async def seat(self, match: Match, token: str, user: UserRow | None) -> int | None:
        """The seat that a token or a user speaks for; None: a spectator.

        Raises Unauthorized; and Forbidden for the token of a seat in another match, or of a seat
        that somebody else has by now.
        """
        if token:
            row = await self._people.token_row(token)
            if row.kind == SEAT:
                return _seat_of(match, row)
            user = await self._people.user_of(token)
        return None if user is None else match.seat_of(user.id)

    async def invitation(self, match: Match, token: str) -> int | None:
        """The seat that a token invites to; None without one; raises Unauthorized, Forbidden."""
        if not token:
            return None
        row = await self._people.token_row(token)
        if row.kind != INVITE or row.match != match.id or row.seat is None:
            raise Forbidden("this link isn't an invitation to this match", "ask for another link")
        return row.seat


def _seat_of(match: Match, row: TokenRow) -> int:
    if row.match != match.id or row.seat is None:
        raise Forbidden("this token is for another match", "use the link of this one")
    if match.seats[row.seat].user != row.user:
        raise Forbidden("somebody else has the seat now", "watch, or take another seat")
    return row.seat
