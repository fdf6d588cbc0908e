"""The desk: what clients ask for a seat becomes a command of the match, and is done.

Sockets, REST and bots all come through here: there is one way to do a thing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from watermeet.core.errors import WatermeetError
from watermeet.server.api import messages as asked
from watermeet.server.api.messages import Asked
from watermeet.server.errors import Forbidden
from watermeet.server.matches import commands
from watermeet.server.matches.commands import Command
from watermeet.server.matches.service import Done, Matches
from watermeet.server.presence import Presence
from watermeet.server.tokens import make_id

_MAKERS: dict[type, Callable[..., Command]] = {
    asked.Play: commands.Play,
    asked.Undo: commands.Undo,
    asked.Offer: commands.Offer,
    asked.Answer: commands.Answer,
    asked.Resign: commands.Resign,
    asked.Claim: commands.Claim,
    asked.HandBack: commands.HandBack,
    asked.Leave: commands.Leave,
    asked.Salt: commands.Salt,
}
"""Fields have the same names on both sides; what a client may not say, the desk adds."""


class Desk:
    """Takes what is asked for a seat."""

    def __init__(self, matches: Matches, presence: Presence) -> None:
        self._matches, self._presence = matches, presence

    async def hear_of(self, match: str, seat: int) -> None:
        """Somebody on a seat is there: he is present, and plays again if a bot has stood in."""
        await self._presence.touch(match, seat)
        live = self._matches.cached(match)
        if live is None or live.match.is_final:
            return
        place = live.match.seats[seat]
        if place.stand_in and place.user and not place.out:
            with contextlib.suppress(WatermeetError):  # Another line of his was faster.
                await self._matches.do(match, commands.HandBack(seat=seat), user=place.user)

    async def do(
        self, match: str, seat: int | None, client_id: str, wanted: Asked, user: str = ""
    ) -> Done:
        """Does what who speaks for a seat asks; raises why it is not done.

        ``user``: who that is. If somebody else sits there by now, nothing is done.
        """
        if seat is None:
            raise Forbidden("who watches cannot do that", "take a seat")
        added: dict[str, Any] = {"seat": seat, "client_id": client_id}
        if isinstance(wanted, asked.Offer | asked.Answer):
            added["new_match"] = make_id()
        if isinstance(wanted, asked.Claim):
            live = await self._matches.load(match)
            added["away_since"] = await self._presence.away_since(live.match)
        fields = {name: getattr(wanted, name) for name in wanted.__struct_fields__}
        command = _MAKERS[type(wanted)](**fields, **added)
        return await self._matches.do(match, command, user=user)
