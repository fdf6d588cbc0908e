"""Endpoints for digests: mail about matches that wait for somebody."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from watermeet.server.api.routing import Call, endpoint
from watermeet.server.people.digests import Every
from watermeet.server.people.texts import Language

Code = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{1,60}$", description="The code of the link in a digest.")
]


class DigestRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """How often to send a digest at most, and in which language."""

    every: Every
    language: Language = "en"


class DigestResponse(Struct, frozen=True):
    """How often the user gets a digest, and whether they can: they need a mail address."""

    every: Every
    is_possible: bool


@endpoint("GET", "/me/digest", auth="required", scope=None)
async def get_digest(call: Call) -> DigestResponse:
    """How often the user gets mail about matches that wait for them."""
    return await _response(call, (await call.user()).id)


@endpoint("PUT", "/me/digest", auth="required", scope=None, errors=(409,))
async def set_digest(call: Call, body: DigestRequest) -> DigestResponse:
    """Send the user mail about matches that wait for them, or no more."""
    user = await call.user()
    await call.services.digests.choose(user.id, body.every, body.language)
    return await _response(call, user.id)


@endpoint("POST", "/digests/{code}/unsubscribe", errors=(404,))
async def unsubscribe(call: Call, code: Code) -> DigestResponse:
    """End digests by the code of a link, as mail programs do with one click."""
    call.check_rate()
    await call.services.digests.unsubscribe(code)
    return DigestResponse("never", is_possible=False)


async def _response(call: Call, user: str) -> DigestResponse:
    digests = call.services.digests
    has_address = await call.services.store.mail_address(user) is not None
    return DigestResponse(await digests.every(user), digests.is_on and has_address)
