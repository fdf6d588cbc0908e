"""Endpoints for users: guests, names, bot accounts, and their matches."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.responses import Response

from watermeet.server.api import models
from watermeet.server.api.routes_matches import LISTED
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.api.streams import NDJSON, TurnStream
from watermeet.server.api.summaries import summaries
from watermeet.server.errors import TooMany
from watermeet.server.people.users import Account
from watermeet.server.store.rows import MatchRow, UserRow

Cursor = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{1,15}:[A-Za-z0-9_-]{1,40}$",
        description="The time and the id of the last match of the previous page.",
    ),
]


@endpoint("POST", "/guests", status=201)
async def create_guest(call: Call) -> models.AccountResponse:
    """Create a guest. The token identifies the device and is shown only this once."""
    call.check_rate()
    return account_response(await call.services.people.add_guest(call.device))


@endpoint("POST", "/bots", status=201, auth="optional", scope="bot", errors=(403, 409))
async def create_bot(call: Call, body: models.NameRequest) -> models.AccountResponse:
    """Create a bot account, for a program that plays through the same API as people.

    With a token, the bot is its user's, and stops when they are suspended or deleted.
    """
    owner = None
    if call.token or call.services.settings.sign_up == "invited":
        owner = await call.beginner()
    call.check_rate()
    return account_response(await call.services.people.add_bot(body.name, owner))


def account_response(account: Account) -> models.AccountResponse:
    """A user with a new token."""
    return models.AccountResponse(account.user.id, account.token, account.user.name, account.device)


@endpoint("GET", "/me", auth="required", scope="read")
async def get_me(call: Call) -> models.UserResponse:
    """Whom the token belongs to."""
    found = user_response(await call.user())
    return msgspec.structs.replace(found, guest_chat=call.services.chat.with_guests)


@endpoint("PUT", "/me/name", auth="required", scope=None, errors=(409,))
async def set_name(call: Call, body: models.NameRequest) -> models.UserResponse:
    """Reserve a name for the holder of the token; not too often, or nobody knows who is who."""
    user = await call.user()
    if body.name != user.name and not call.services.renames.take(user.id, time.monotonic()):
        raise TooMany("you have changed your name too often", "wait five minutes")
    return user_response(await call.services.people.take_name(user, body.name))


def user_response(user: UserRow) -> models.UserResponse:
    """A user, as they see themselves."""
    return models.UserResponse(user.id, user.name, user.kind, user.is_registered, user.role)


async def own_summaries(
    call: Call, user: UserRow, rows: Sequence[MatchRow]
) -> list[models.MatchSummary]:
    """Matches of a user, with their seats; without those that they left before they began."""
    listed = await call.services.audience.listed(rows, user.id)
    return summaries((row, seat) for row, seat in listed if seat is not None)


def parsed(cursor: str | None) -> tuple[int, str] | None:
    """The time and the match of a cursor."""
    if cursor is None:
        return None
    at, _, match = cursor.partition(":")
    return int(at), match


@endpoint("GET", "/me/matches", auth="required", scope="read")
async def list_my_matches(call: Call, before: Cursor | None = None) -> models.MatchListResponse:
    """The user's matches, the last changed first; ``before`` asks for the next page."""
    user = await call.user()
    rows = await call.services.store.matches_of(user.id, before=parsed(before), limit=LISTED)
    return models.MatchListResponse(await own_summaries(call, user, rows))


@endpoint("GET", "/me/turns", auth="required", scope="read", media_type=NDJSON)
async def stream_turns(call: Call) -> Response:
    """Where it is the user's turn, now and whenever that changes, one message a line."""
    caller = await call.caller()
    call.check_address(call.services.turn_streams)
    streams = call.request.app.state.streams
    streams.check_capacity()
    return TurnStream(streams, call.token, caller)
