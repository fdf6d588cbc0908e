"""Endpoints for seats: to join, and to do what a socket's command does."""

from __future__ import annotations

import time

from watermeet.server.api import models
from watermeet.server.api.messages import Ack
from watermeet.server.api.models import MatchId, SeatNumber
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.api.services import Services
from watermeet.server.errors import Forbidden, Unauthorized
from watermeet.server.matches.commands import Join, Reclaim
from watermeet.server.people import clean_name
from watermeet.server.store.rows import TokenRow, UserRow
from watermeet.server.tokens import SEAT, hash_token, make_token


@endpoint(
    "POST", "/matches/{match}/seats/{seat}", status=201, auth="required", errors=(403, 404, 409)
)
async def join(
    call: Call, match: MatchId, seat: SeatNumber, body: models.JoinRequest
) -> models.JoinResponse:
    """Take a seat. The returned token speaks for the seat on any device."""
    services, user = call.services, await call.user()
    call.check_rate()  # Every time a new token is stored.
    live = await services.matches.current(match)
    invited = await services.access.invitation(live.match, body.invitation)
    return await take_seat(services, match, seat, user, body, is_invited=invited == seat)


@endpoint("POST", "/matches/{match}/commands", auth="required", errors=(403, 404, 409))
async def command(call: Call, match: MatchId, body: models.CommandRequest) -> Ack:
    """Do a command for the seat of the token, as through a socket.

    A client that got no response sends it again with the same ``id``: it isn't done twice.
    """
    if not call.token:
        raise Unauthorized("this request has no token", "send that of a seat")
    services, matches = call.services, call.services.matches
    live = await matches.current(match)
    seat = await call.seat_in(live.match)
    if seat is None:
        raise Forbidden("spectators can't do that", "take a seat")
    if isinstance(body.command, Reclaim):
        await services.presence.touch(match, seat)  # matches.touch would reclaim the seat itself.
    else:
        await matches.touch(match, seat)
    started = time.perf_counter()
    user = live.match.seats[seat].user
    seq = await matches.do(match, seat, body.command, client_id=body.id, user=user)
    services.metrics.command_seconds.observe(time.perf_counter() - started)
    return Ack(body.id, match, seq)


async def take_seat(
    services: Services,
    match: str,
    seat: int,
    user: UserRow,
    request: models.JoinRequest,
    *,
    is_invited: bool,
) -> models.JoinResponse:
    """Seat a user and return a token for the seat."""
    token = make_token()
    row = TokenRow(hash_token(token), SEAT, user.id, match, seat, services.now())
    name = user.name or (clean_name(request.name) if request.name else "Guest")
    command = Join(user=user.id, name=name, seed=request.seed, is_invited=is_invited)
    await services.matches.do(match, seat, command, tokens=(row,))
    if await services.store.token(row.hash) is None:  # Had the seat already: a new token anyway.
        await services.store.add_token(row)
    return models.JoinResponse(match, seat, token)
