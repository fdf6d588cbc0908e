"""Endpoints for chat. What is written here arrives over sockets and streams."""

from __future__ import annotations

from watermeet.server.api.messages import ChatMessage, encode
from watermeet.server.api.models import MatchId
from watermeet.server.api.models_chat import ChatRequest, ChatResponse
from watermeet.server.api.routes_ratings import UserName
from watermeet.server.api.routes_social import find_user
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.audience import check_not_delayed
from watermeet.server.errors import Forbidden
from watermeet.server.people.chat import MatchRoom, room_between, room_of
from watermeet.server.store.chat import ChatRow


def at_match(match: str, row: ChatRow) -> ChatMessage:
    """A message of a match."""
    room = row.room.rpartition(":")[2]
    return ChatMessage(row.id, room, row.name, row.text, row.at, match=match, seat=row.seat)


def of_friends(friend: str, row: ChatRow) -> ChatMessage:
    """A message between friends, for the one who isn't ``friend``."""
    return ChatMessage(row.id, "friends", row.name, row.text, row.at, friend=friend)


@endpoint("GET", "/matches/{match}/chat", auth="required", scope="chat", errors=(403, 404))
async def get_match_chat(call: Call, match: MatchId, room: MatchRoom = "players") -> ChatResponse:
    """What was written at a match; players see what spectators wrote when it has ended."""
    user, live = await call.user(), await call.services.matches.current(match)
    seat = await call.seat_in(live.match)
    if not live.match.has_ended:
        if room == "spectators" and seat is not None:
            raise Forbidden("players see that when the match has ended", "wait")
        if room == "players" and seat is None:
            check_not_delayed(live.match)
    chat = call.services.chat
    rows = await chat.messages(user, room_of(match, room), live.match)
    return ChatResponse([at_match(match, row) for row in rows], chat.has_guests(live.match))


@endpoint(
    "POST",
    "/matches/{match}/chat",
    status=201,
    auth="required",
    scope="chat",
    errors=(400, 403, 404),
)
async def write_at_match(call: Call, match: MatchId, body: ChatRequest) -> ChatMessage:
    """Write at a match: as a player to everybody, otherwise to the spectators."""
    user, live = await call.user(), await call.services.matches.current(match)
    await call.seat_in(live.match)
    row = await call.services.chat.write_at(user, live.match, body.text)
    message = at_match(match, row)
    await call.services.hub.send_chat(message, by=user.id)
    return message


@endpoint("GET", "/me/chats/{user}", auth="required", scope="chat", errors=(403, 404))
async def get_friends_chat(call: Call, user: UserName) -> ChatResponse:
    """What the user and a friend wrote to each other."""
    me, friend = await call.user(), await find_user(call, user)
    rows = await call.services.chat.messages(me, room_between(me.id, friend.id))
    return ChatResponse([of_friends(friend.name or user, row) for row in rows])


@endpoint(
    "POST", "/me/chats/{user}", status=201, auth="required", scope="chat", errors=(400, 403, 404)
)
async def write_to_friend(call: Call, user: UserName, body: ChatRequest) -> ChatMessage:
    """Write to somebody who follows the user back."""
    me, friend, persons = await call.user(), await find_user(call, user), call.services.persons
    row = await call.services.chat.write_to(me, friend, body.text)
    message = of_friends(friend.name or user, row)
    await persons.send(me.id, encode(message))
    await persons.send(friend.id, encode(of_friends(row.name, row)), by=me.id)
    return message
