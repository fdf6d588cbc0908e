"""Endpoints for seeks: looking for a match, and joining somebody who does."""

from __future__ import annotations

from watermeet.server.api.models_seeks import (
    JoinSeekRequest,
    LobbyResponse,
    SeekId,
    SeekingResponse,
    SeekRequest,
    SeekResponse,
    seek_info,
    seeking_response,
)
from watermeet.server.api.routes_games import find
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.matches.setup import SECOND
from watermeet.server.names import clean_name
from watermeet.server.people.seeks import Wanted
from watermeet.server.store.rows import UserRow


@endpoint("GET", "/seeks")
async def list_seeks(call: Call) -> LobbyResponse:
    """What people look for right now, the longest waiting first."""
    found = await call.services.lobby_lists.seeks()
    return LobbyResponse([seek_info(seek) for seek in found])


@endpoint("POST", "/seeks", status=201, auth="required", scope="play", errors=(403, 404))
async def add_seek(call: Call, body: SeekRequest) -> SeekResponse:
    """Look for a match. The seek ends ten seconds after the user was last heard from.

    A socket that watches the lobby keeps it alive, as does `POST /api/me/seeks/renewal`.
    """
    user = await call.beginner()
    call.check_rate()
    find(body.game)
    wanted = Wanted(
        game=body.game,
        options=tuple(sorted(body.options.items())),
        time_control=body.time_control,
        is_rated=body.is_rated,
        bot_after_ms=None if body.bot_after_s is None else body.bot_after_s * SECOND,
    )
    name = await guest_name(call, user, body.name)
    async with call.services.seek_quota.seeking(user.id, call.address):
        seek, seeking = await call.services.seeks.add(user, wanted, name, body.known_match)
    found = seeking_response(seeking)
    return SeekResponse(found.seeks, found.match, seek or None)


async def guest_name(call: Call, user: UserRow, name: str) -> str:
    """The name that a guest goes by; raises BadName, NameTaken."""
    if user.name is not None or not name:
        return ""
    name = clean_name(name)
    await call.services.people.check_free(name, user.id)
    return name


@endpoint(
    "POST", "/seeks/{seek}/join", status=201, auth="required", scope="play", errors=(400, 403, 404)
)
async def join_seek(call: Call, seek: SeekId, body: JoinSeekRequest) -> SeekingResponse:
    """Play with somebody who seeks. If it takes more than two, wait for the others."""
    user = await call.beginner()
    call.check_rate()
    name = await guest_name(call, user, body.name)
    async with call.services.seek_quota.seeking(user.id, call.address):
        joined = await call.services.seeks.join(user, seek, name, body.known_match)
    return seeking_response(joined)


@endpoint("DELETE", "/seeks/{seek}", auth="required", scope="play")
async def withdraw_seek(call: Call, seek: SeekId) -> SeekingResponse:
    """End a seek of the user; whoever was paired a moment ago gets the match."""
    user = await call.user()
    return seeking_response(await call.services.seeks.withdraw(user.id, seek))


@endpoint("GET", "/me/seeks", auth="required", scope="read")
async def list_my_seeks(call: Call) -> SeekingResponse:
    """What the user seeks, or the match that they were paired for a moment ago."""
    return seeking_response(await call.services.seeks.of((await call.user()).id))


@endpoint("POST", "/me/seeks/renewal", auth="required", scope="play")
async def renew_seeks(call: Call) -> SeekingResponse:
    """Keep the user's seeks alive for ten seconds more: for clients without a socket."""
    user = await call.user()
    await call.services.seeks.renew([user.id])
    return seeking_response(await call.services.seeks.of(user.id))
