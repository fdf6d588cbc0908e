"""Admission: who may take a seat, or play again, as far as that is known before it is written.

What must hold at the very moment, such as that nobody has blocked another, the store asks in the
transaction that writes it.
"""

from __future__ import annotations

from collections.abc import Callable

from watermeet.server.matches.commands import Command, Join, Offer, Respond
from watermeet.server.matches.match import Match
from watermeet.server.matches.offers import REMATCH
from watermeet.server.people.conduct import check_may_play_rated
from watermeet.server.people.invitations import check_may_begin
from watermeet.server.store.store import Store


class Admission:
    """Who may play with whom in the matches of a server."""

    def __init__(self, store: Store, now: Callable[[], int], sign_up: str) -> None:
        self._store, self._now, self._sign_up = store, now, sign_up

    async def check(self, match: Match, user: str, command: Command) -> None:
        """Raise CoolingDown or InvitedToSignUp for a seat or a rematch that a user may not have."""
        if isinstance(command, Join):
            user = command.user
            is_asked = match.seat_of(user) is None
        else:
            is_asked = _wants_rematch(command)
            if is_asked and match.offer(REMATCH) is None:
                for row in await self._store.users([user]):
                    check_may_begin(row, self._sign_up)
        if is_asked and match.setup.is_rated:
            others = {seat.user for seat in match.seats if seat.user} - {user}
            await check_may_play_rated(self._store, user, self._now(), others)


def _wants_rematch(command: Command) -> bool:
    if isinstance(command, Respond):
        return command.accept and command.what == REMATCH
    return isinstance(command, Offer) and command.what == REMATCH
