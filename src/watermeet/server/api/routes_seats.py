"""Routes about seats: to sit down, and to do there what a socket's Do does."""

from __future__ import annotations

import time

import msgspec
from fastapi import APIRouter, Request

from watermeet.server.access import required
from watermeet.server.api import models
from watermeet.server.api.messages import HandBack, Order, decode_strictly
from watermeet.server.api.openapi import order_body
from watermeet.server.api.services import MatchId, SeatNumber, Services, Token, problems
from watermeet.server.errors import BadRequest, Unauthorized
from watermeet.server.matches.commands import Join
from watermeet.server.matches.match import Match
from watermeet.server.people import clean_name
from watermeet.server.store.rows import TokenRow, UserRow
from watermeet.server.tokens import SEAT, hash_token, make_token

_ORDER: msgspec.json.Decoder[Order] = msgspec.json.Decoder(Order)


def add_routes(router: APIRouter, services: Services) -> None:
    """Adds the family."""

    @router.post(
        "/matches/{match}/seats/{seat}", status_code=201, responses=problems(403, 404, 409)
    )
    async def join(
        request: Request, match: MatchId, seat: SeatNumber, token: Token, joining: models.Joining
    ) -> models.SeatTaken:
        """Sits down. The token that comes back speaks for the seat on any device."""
        user = required(await services.access.user(token))
        services.check_rate(request)  # Every time a new token is kept.
        live = await services.load(match)
        invited = await services.access.invitation(live.match, joining.invitation) == seat
        return await sit(services, live.match, seat, user, joining, invited=invited)

    @router.post(
        "/matches/{match}/commands",
        responses=problems(403, 404, 409),
        openapi_extra=order_body(),
    )
    async def command(match: MatchId, token: Token, request: Request) -> models.CommandDone:
        """Does something for the seat of the token: all that can be done through a socket.

        Who got no answer asks again with the same ``id``: it is not done twice.
        """
        if not token:
            raise Unauthorized("nobody is known by this request", "send the token of a seat")
        order = await _order(request)
        live = await services.load(match)
        seat = await services.access.seat(live.match, token, None)
        if seat is not None and isinstance(order.command, HandBack):
            await services.presence.touch(match, seat)  # Not hear_of, which would do it for him.
        elif seat is not None:
            await services.desk.hear_of(match, seat)
        started = time.perf_counter()
        user = "" if seat is None else live.match.seats[seat].user
        done = await services.desk.do(match, seat, order.id, order.command, user)
        services.metrics.command_seconds.observe(time.perf_counter() - started)
        return models.CommandDone(id=order.id, match=match, seq=done.seq)


async def _order(request: Request) -> Order:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":  # Nothing that another page can send without being asked first.
        raise BadRequest(f"{kind[:40]!r} is not read here", "send application/json")
    try:
        return decode_strictly(_ORDER, await request.body())
    except msgspec.DecodeError as error:
        told = f"unreadable: {str(error)[:200]}"
        raise BadRequest(told, "see docs/reference/rest.md") from error


async def sit(
    services: Services,
    match: Match,
    seat: int,
    user: UserRow,
    joining: models.Joining,
    *,
    invited: bool,
) -> models.SeatTaken:
    """A user takes a seat, and gets a token for it."""
    token = make_token()
    row = TokenRow(hash_token(token), SEAT, user.id, match.id, seat, services.now())
    name = user.name or (clean_name(joining.name) if joining.name else "Guest")
    command = Join(seat=seat, user=user.id, name=name, salt=joining.salt, invited=invited)
    await services.matches.do(match.id, command, tokens=(row,))
    if await services.store.token(row.hash) is None:  # Sat there already: a new token all the same.
        await services.store.add_token(row)
    return models.SeatTaken(match=match.id, seat=seat, token=token)
