"""Routes that go on answering: the events of a match, and whose turn it is, line by line."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from watermeet.server.access import required
from watermeet.server.api.services import AnyToken, MatchId, Services, Token, problems, text_answer
from watermeet.server.api.streams import NDJSON

After = Annotated[
    int | None, Query(ge=0, le=2**31 - 1, description="The last entry that was seen before.")
]
_LINES = text_answer(NDJSON)


def add_routes(router: APIRouter, services: Services) -> None:
    """Adds the family."""

    @router.get(
        "/matches/{match}/events",
        response_class=Response,
        responses=_LINES | problems(401, 403, 404),
    )
    async def events(match: MatchId, token: AnyToken, after: After = None) -> Response:
        """What a socket that follows the match is sent, a message a line, until it is over."""
        live = await services.load(match)
        seat = await services.access.seat(live.match, token, None)
        return services.streams.of_match(match, seat, after)

    @router.get("/me/turns", response_class=Response, responses=_LINES)
    async def turns(token: Token) -> Response:
        """Tells, a line each, whenever it is the user's turn in any match; and at once, where."""
        user = required(await services.access.user(token))
        return services.streams.of_turns(user.id)
