"""What all routes share: the parts of the server, who asks, how often, and the problems they tell.

Who asks says who it is by ``Authorization: Bearer TOKEN``; there are no cookies, so no other page
can ask in somebody's name. Tokens are never in an address: addresses end up in logs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from fastapi.openapi.models import HTTPBearer as BearerModel
from fastapi.security.base import SecurityBase

from watermeet.server.access import Access
from watermeet.server.api import models
from watermeet.server.api.streams import Streams
from watermeet.server.desk import Desk
from watermeet.server.errors import TooMany, Unauthorized
from watermeet.server.limits import RateLimiter, client_key
from watermeet.server.matches.service import LiveMatch, Matches
from watermeet.server.metrics import Metrics
from watermeet.server.people import People
from watermeet.server.precompiler import Precompiler
from watermeet.server.presence import Presence
from watermeet.server.settings import Settings
from watermeet.server.store.store import Store

LISTED = 50
_BEARER = "bearer "


class Services:
    """What the routes work with; there once the server has started, while routes are there before.

    So the description of the routes can be had without a database.
    """

    settings: Settings
    store: Store
    matches: Matches
    people: People
    access: Access
    presence: Presence
    desk: Desk
    streams: Streams
    metrics: Metrics
    creations: RateLimiter
    now: Callable[[], int]
    precompiler: Precompiler
    version: str

    async def load(self, match: str) -> LiveMatch:
        """A match as the log has it now: another node may have written."""
        return await self.matches.catch_up(match) or await self.matches.load(match)

    def check_rate(self, request: Request) -> None:
        """Raises TooMany for an address that makes too much.

        A proxy's word for the address counts if the proxy is trusted: uvicorn has seen to that.
        """
        address = request.client.host if request.client else ""
        if not self.creations.take(client_key(address), time.monotonic()):
            raise TooMany("too much is made from this address", "wait a minute")


class _Bearer(SecurityBase):
    """Reads the token of a request, and tells the description of the routes that there is one."""

    def __init__(self, *, is_needed: bool) -> None:
        self.model = BearerModel(description="The token of a device, a bot account or a seat.")
        self.scheme_name = "token" if is_needed else "token, or none"

    async def __call__(self, request: Request) -> str:
        return token_of(request.headers.get("authorization", ""))


def token_of(authorization: str) -> str:
    """The token of a header; empty without one; raises Unauthorized for another kind of header."""
    if not authorization:
        return ""
    kind, token = authorization[: len(_BEARER)], authorization[len(_BEARER) :].strip()
    if kind.lower() != _BEARER or not token:
        raise Unauthorized("the header Authorization has no token", "write: Bearer TOKEN")
    return token


Token = Annotated[str, Depends(_Bearer(is_needed=True))]
"""Of a request that is refused without one."""
AnyToken = Annotated[str, Depends(_Bearer(is_needed=False))]
"""Of a request that anybody may make; who has a token may see more."""
MatchId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="The match.")]
SeatNumber = Annotated[int, Path(ge=0, le=15, description="From 0.")]


Answers = dict[int | str, dict[str, Any]]


def problems(*statuses: int) -> Answers:
    """The errors of a route that are its own; those of all routes are added in openapi.py."""
    return {status: {"model": models.Problem} for status in statuses}


def text_answer(media_type: str) -> Answers:
    """An answer that is no JSON document."""
    return {200: {"content": {media_type: {"schema": {"type": "string"}}}}}
