"""Who may speak for a seat: every request is asked, and nothing is taken on trust."""

from __future__ import annotations

from watermeet.server.errors import Forbidden, Unauthorized
from watermeet.server.matches.match import Match
from watermeet.server.people import People
from watermeet.server.store.rows import TokenRow, UserRow
from watermeet.server.tokens import INVITE, SEAT


class Access:
    """Turns tokens into users and seats."""

    def __init__(self, people: People) -> None:
        self._people = people

    async def user(self, token: str) -> UserRow | None:
        """Whose device or bot account a token is; None without a token; raises Unauthorized."""
        return await self._people.user_of(token) if token else None

    async def seat(self, match: Match, token: str, user: UserRow | None) -> int | None:
        """The seat that somebody may speak for: by its own token, else by who sits there.

        None: may watch. Raises Unauthorized, Forbidden for a token that is of another match, or
        of somebody who sits there no more.
        """
        if token:
            row = await self._people.token_row(token)
            if row.kind == SEAT:
                return _seat_of(match, row)
            user = await self._people.user_of(token)
        if user is None:
            return None
        seats = [number for number, seat in enumerate(match.seats) if seat.user == user.id]
        return seats[0] if seats else None

    async def invitation(self, match: Match, token: str) -> int | None:
        """The seat that a token invites to; None without one; raises Unauthorized, Forbidden."""
        if not token:
            return None
        row = await self._people.token_row(token)
        if row.kind != INVITE or row.match != match.id or row.seat is None:
            raise Forbidden("this link invites to no seat of the match", "ask for another link")
        return row.seat


def _seat_of(match: Match, row: TokenRow) -> int:
    if row.match != match.id or row.seat is None:
        raise Forbidden("this token is of another match", "use the link of this one")
    if match.seats[row.seat].user != row.user:
        raise Forbidden("somebody else sits there now", "watch, or take another seat")
    return row.seat


def required(user: UserRow | None) -> UserRow:
    """A user; raises Unauthorized where nobody is known."""
    if user is None:
        raise Unauthorized("nobody is known by this request", "send a token: POST /api/guests")
    return user
