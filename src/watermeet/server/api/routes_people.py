"""Routes about who asks: guests, names, bot accounts, and where somebody sits."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from watermeet.server.access import required
from watermeet.server.api import models
from watermeet.server.api.routes_matches import listed
from watermeet.server.api.services import LISTED, Services, Token, problems
from watermeet.server.store.rows import UserRow

Mark = Annotated[
    str | None,
    Query(
        pattern=r"^[0-9]{1,15}:[A-Za-z0-9_-]{1,40}$",
        description="changed_at:match of the last one of the page before.",
    ),
]


def add_routes(router: APIRouter, services: Services) -> None:
    """Adds the family."""

    @router.post("/guests", status_code=201)
    async def add_guest(request: Request) -> models.AccountMade:
        """A new guest. The token is the device's key: it is shown this once."""
        services.check_rate(request)
        account = await services.people.add_guest()
        return models.AccountMade(user=account.user.id, token=account.token, name=None)

    @router.post("/bots", status_code=201, responses=problems(409))
    async def add_bot(request: Request, wish: models.NameWish) -> models.AccountMade:
        """A new bot account: a program that plays through the same doors as people do."""
        services.check_rate(request)
        account = await services.people.add_bot(wish.name)
        user = account.user
        return models.AccountMade(user=user.id, token=account.token, name=user.name)

    @router.get("/me")
    async def me(token: Token) -> models.Me:
        """Who the token is."""
        return _me(required(await services.access.user(token)))

    @router.put("/me/name", responses=problems(409))
    async def take_name(token: Token, wish: models.NameWish) -> models.Me:
        """Takes a name, which is then kept for who holds the token."""
        user = required(await services.access.user(token))
        return _me(await services.people.take_name(user, wish.name))

    @router.get("/me/matches")
    async def my_matches(token: Token, before: Mark = None) -> models.MatchList:
        """Where the user sits or sat, the last changed first; ``before`` asks for the next page."""
        user = required(await services.access.user(token))
        mark = None if before is None else _mark(before)
        rows = await services.store.matches_of(user.id, before=mark, limit=LISTED)
        return models.MatchList(matches=[listed(row) for row in rows])


def _mark(text: str) -> tuple[int, str]:
    changed_at, _, match = text.partition(":")
    return int(changed_at), match


def _me(user: UserRow) -> models.Me:
    return models.Me(user=user.id, name=user.name, kind=user.kind)
