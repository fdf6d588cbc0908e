"""Endpoints for people together: following, blocks and mutes."""

from __future__ import annotations

import asyncio
from typing import Annotated
from urllib.parse import quote

from msgspec import Meta

from watermeet.server.api.models_company import (
    BlockInfo,
    BlockListResponse,
    BlockRequest,
    FollowedInfo,
    FollowingResponse,
    PersonRequest,
)
from watermeet.server.api.routes_ratings import UserName
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import BadRequest, NotFound
from watermeet.server.people.calls import Call as CallData
from watermeet.server.people.company import block_id
from watermeet.server.store.company import NamedTie
from watermeet.server.store.rows import UserRow

BlockId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="Of the list.")]
GUEST = "Guest"


async def find_user(call: Call, name: str) -> UserRow:
    """The user with a name; raises NotFound."""
    found = await call.services.store.user_named(name)
    if found is None:
        raise NotFound(f"nobody is called {name!r}", "check the spelling")
    return found


async def find_person(call: Call, person: PersonRequest) -> tuple[UserRow, str]:
    """Whom a request is about, and what they are called; raises NotFound, BadRequest."""
    if person.name:
        found = await find_user(call, person.name)
        return found, found.name or GUEST
    if person.match is None or person.seat is None:
        raise BadRequest("that names nobody", "give a name, or a match and a seat")
    match, _ = await call.seen(person.match)
    place = match.seats[person.seat] if person.seat < len(match.seats) else None
    user = await call.services.store.user(place.user) if place and place.user else None
    if place is None or user is None:
        raise NotFound("nobody has that seat", "choose a person's")
    return user, place.name or GUEST


@endpoint("GET", "/me/following", auth="required", scope="read")
async def list_following(call: Call) -> FollowingResponse:
    """Whom the user follows, and who of them is online."""
    return await _following(call, await call.user())


@endpoint("PUT", "/me/following/{user}", auth="required", scope="play", errors=(400, 403, 404))
async def follow(call: Call, user: UserName) -> FollowingResponse:
    """Follow the user with this name. Two people who follow each other are friends."""
    me, other = await call.user(), await find_user(call, user)
    company = call.services.company
    await company.add(me, "follow", other)
    if me.name and await company.is_news(me.id, other.id):
        about = CallData(names=(me.name,), url=f"/user/{quote(me.name)}")
        await call.services.calls.call(other.id, "follow", about)
    return await _following(call, me)


@endpoint("DELETE", "/me/following/{user}", auth="required", scope="play", errors=(404,))
async def unfollow(call: Call, user: UserName) -> FollowingResponse:
    """Follow somebody no longer."""
    me = await call.user()
    await call.services.company.remove(me, "follow", (await find_user(call, user)).id)
    return await _following(call, me)


async def _following(call: Call, user: UserRow) -> FollowingResponse:
    ties = await call.services.company.ties(user, "follow")
    online = await asyncio.gather(
        *(call.services.presence.is_online(each.tie.other) for each in ties)
    )
    found = [
        FollowedInfo(each.name, is_online, each.is_mutual, each.tie.at)
        for each, is_online in zip(ties, online, strict=True)
        if each.name is not None
    ]
    return FollowingResponse(sorted(found, key=lambda each: not each.is_online))


@endpoint("GET", "/me/blocks", auth="required", scope="read")
async def list_blocks(call: Call) -> BlockListResponse:
    """Whom the user has blocked or muted."""
    return await _blocks(call, await call.user())


@endpoint("POST", "/me/blocks", status=201, auth="required", scope="play", errors=(400, 403, 404))
async def block(call: Call, body: BlockRequest) -> BlockListResponse:
    """Block somebody: neither plays with the other, or hears them. They don't learn of it."""
    me = await call.user()
    other, label = await find_person(call, body)
    if body.name:
        label = ""  # The list has the name that they have by then.
    await call.services.company.add(me, "mute" if body.only_chat else "block", other, label)
    return await _blocks(call, me)


@endpoint("DELETE", "/me/blocks/{block}", auth="required", scope="play", errors=(404,))
async def unblock(call: Call, block: BlockId) -> BlockListResponse:
    """Take a block back."""
    me = await call.user()
    await call.services.company.unblock(me, block)
    return await _blocks(call, me)


async def _blocks(call: Call, user: UserRow) -> BlockListResponse:
    company = call.services.company
    ties = [*await company.ties(user, "block"), *await company.ties(user, "mute")]
    return BlockListResponse([_block(each) for each in ties])


def _block(each: NamedTie) -> BlockInfo:
    tie = each.tie
    return BlockInfo(block_id(tie), each.shown or GUEST, tie.kind == "mute", tie.at)
