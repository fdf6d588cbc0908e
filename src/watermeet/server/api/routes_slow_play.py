"""Endpoints for slow play: vacations, and replies that are queued."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from watermeet.server.api.models import MatchId
from watermeet.server.api.routes_matches import own_seat
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.matches.replies import LONGEST_LINE, MOST_LINES, make_queue
from watermeet.server.people.calls import queued

MoveText = Annotated[str, Meta(max_length=200)]
QueuedLine = Annotated[tuple[MoveText, ...], Meta(max_length=LONGEST_LINE)]


class VacationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Begin a vacation, or end it."""

    is_on: bool


class VacationResponse(Struct, frozen=True):
    """Whether the user is on vacation, until when at most, and what they have left after it."""

    is_on: bool
    ends_at: int | None
    left_ms: int


class RepliesRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Lines of moves, the others' and one's own, from the position of the match."""

    lines: Annotated[tuple[QueuedLine, ...], Meta(max_length=MOST_LINES)]


class RepliesResponse(Struct, frozen=True):
    """What is left of the lines in the position of the match."""

    lines: tuple[tuple[str, ...], ...]


@endpoint("GET", "/me/vacation", auth="required", scope="read")
async def get_vacation(call: Call) -> VacationResponse:
    """Whether the user is on vacation from slow matches."""
    user = await call.user()
    return VacationResponse(*await call.services.vacations.allowance(user.id))


@endpoint("PUT", "/me/vacation", auth="required", scope="play", errors=(409,))
async def set_vacation(call: Call, body: VacationRequest) -> VacationResponse:
    """Stop the user's time in all slow matches, or let it run again."""
    user, vacations = await call.user(), call.services.vacations
    await (vacations.begin(user.id) if body.is_on else vacations.end(user.id))
    return VacationResponse(*await vacations.allowance(user.id))


@endpoint("GET", "/matches/{match}/replies", auth="required", scope="read", errors=(403, 404))
async def get_replies(call: Call, match: MatchId) -> RepliesResponse:
    """The replies that the seat of the token has queued. Nobody else sees them."""
    live = await call.services.matches.current(match)
    seat = await own_seat(call, live.match)
    return RepliesResponse(await queued(call.services.store, live.match, seat) or ())


@endpoint("PUT", "/matches/{match}/replies", auth="required", scope="play", errors=(403, 404, 409))
async def set_replies(call: Call, match: MatchId, body: RepliesRequest) -> RepliesResponse:
    """Queue replies for the seat of the token, instead of those from before; none deletes them."""
    live = await call.services.matches.current(match)
    seat, found, store = await own_seat(call, live.match), live.match, call.services.store
    if not body.lines:
        await store.delete_replies(match, seat)
        return RepliesResponse(())
    call.check_position_rate()
    queue = await call.work(make_queue, found, seat, body.lines)
    await store.put_replies(match, seat, msgspec.json.encode(queue))
    await call.services.calls.check(match, seat)  # Others may have played meanwhile.
    return RepliesResponse(queue.lines)
