"""Endpoints for being called: push messages on a device."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from watermeet.server.api.models_calls import CallData, PushData, QueuedData, VacationData
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import BadRequest
from watermeet.server.people import webpush
from watermeet.server.people.calls import CallKind, queued
from watermeet.server.people.texts import Language
from watermeet.server.people.vacations import YEAR, slow_seat
from watermeet.server.store.called import SubscriptionRow
from watermeet.server.store.rows import UserRow
from watermeet.server.tokens import hash_token

Url = Annotated[str, Meta(max_length=1000)]


class PushRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser's subscription to a push service, in base64 for URLs, and what it is for."""

    endpoint: Url
    p256dh: Annotated[str, Meta(max_length=120)]
    auth: Annotated[str, Meta(max_length=60)]
    kinds: Annotated[tuple[CallKind, ...], Meta(max_length=4)]
    language: Language = "en"


class PushResponse(Struct, frozen=True):
    """The server's public key, and what this device is called about."""

    public_key: str
    kinds: tuple[str, ...]


@endpoint("GET", "/me/push", auth="required", scope=None)
async def get_push(call: Call) -> PushResponse:
    """What this device is called about by push messages, and the key to subscribe with."""
    await call.user()
    return await _push_response(call)


@endpoint("PUT", "/me/push", auth="required", scope=None)
async def set_push(call: Call, body: PushRequest) -> PushResponse:
    """Have this device called by push messages."""
    user = await call.user()
    call.check_rate()
    try:
        p256dh, auth = webpush.unb64(body.p256dh), webpush.unb64(body.auth)
        webpush.check_keys(p256dh, auth)
    except ValueError as error:
        raise BadRequest("these aren't the keys of a browser", "send getKey()'s") from error
    await call.services.outgoing.check(body.endpoint, by=call.address)
    kinds = " ".join(sorted(set(body.kinds)))
    row = SubscriptionRow(
        hash_token(call.token), user.id, body.endpoint, p256dh, auth, body.language, kinds
    )
    await call.services.store.put_subscription(row)
    call.services.calls.expect(user.id)
    return await _push_response(call)


@endpoint("DELETE", "/me/push", auth="required", scope=None)
async def delete_push(call: Call) -> PushResponse:
    """Send this device no more push messages."""
    await call.user()
    await call.services.store.delete_subscription(hash_token(call.token))
    return await _push_response(call)


async def _push_response(call: Call) -> PushResponse:
    row = await call.services.store.subscription(hash_token(call.token))
    kinds = () if row is None else tuple(row.kinds.split())
    return PushResponse(await call.services.calls.public_key(), kinds)


async def calls_data(call: Call, user: UserRow) -> CallData:
    """What the server keeps about calling a user, for their export."""
    store, now, queues = call.services.store, call.services.now(), []
    for row in await store.running_of(user.id):
        seat = slow_seat(row, user.id)
        if seat is not None:
            match = (await call.services.matches.current(row.id)).match
            lines = await queued(store, match, seat) or ()
            queues.append(QueuedData(row.id, [list(line) for line in lines]))
    return CallData(
        push=[
            PushData(row.endpoint, row.kinds.split(), row.language)
            for row in await store.subscriptions_of(user.id)
        ],
        digest=await call.services.digests.every(user.id),
        vacations=[
            VacationData(row.began_at, row.ended_at)
            for row in await store.vacations_of(user.id, now - YEAR)
        ],
        replies=[each for each in queues if each.lines],
    )
