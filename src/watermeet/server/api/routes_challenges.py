"""Endpoints for challenges: one user asks another for a match of two."""

from __future__ import annotations

from watermeet.server.api.models_challenges import (
    AcceptedResponse,
    ChallengeId,
    ChallengeInfo,
    ChallengeRequest,
    ChallengesResponse,
    challenge_info,
)
from watermeet.server.api.routes_games import find
from watermeet.server.api.routes_seeks import guest_name
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import NotFound
from watermeet.server.people.calls import Call as CallData
from watermeet.server.people.seeks import Wanted


@endpoint("GET", "/me/challenges", auth="required", scope="read")
async def list_my_challenges(call: Call) -> ChallengesResponse:
    """Open challenges from and to the user; and for a minute, what became of others."""
    return await _challenges_of(call, (await call.user()).id)


async def _challenges_of(call: Call, user: str) -> ChallengesResponse:
    found = await call.services.challenges.of(user)
    return ChallengesResponse([challenge_info(each, user) for each in found])


@endpoint("POST", "/challenges", status=201, auth="required", scope="play", errors=(400, 403, 404))
async def send_challenge(call: Call, body: ChallengeRequest) -> ChallengeInfo:
    """Challenge a user to a match of two."""
    user = await call.beginner()
    call.check_rate()
    find(body.game)
    to = await call.services.store.user_named(body.to)
    if to is None:
        raise NotFound(f"nobody is called {body.to!r}", "check the spelling")
    wanted = Wanted(
        game=body.game,
        options=tuple(sorted(body.options.items())),
        time_control=body.time_control,
        is_rated=body.is_rated,
    )
    name = await guest_name(call, user, body.name)
    made = await call.services.challenges.add(user, to, wanted, body.seat, name, call.address)
    about = CallData(body.game, (made.content.from_name,), url="/lobby")
    await call.services.calls.call(to.id, "challenge", about)
    return challenge_info(made, user.id)


@endpoint(
    "POST", "/challenges/{challenge}/acceptance", auth="required", scope="play", errors=(403, 404)
)
async def accept_challenge(call: Call, challenge: ChallengeId) -> AcceptedResponse:
    """Accept a challenge: the match begins."""
    user = await call.user()
    return AcceptedResponse(await call.services.challenges.accept(user, challenge))


@endpoint("POST", "/challenges/{challenge}/refusal", auth="required", scope="play", errors=(404,))
async def decline_challenge(call: Call, challenge: ChallengeId) -> ChallengesResponse:
    """Decline a challenge; the challenger learns of it."""
    user = await call.user()
    await call.services.challenges.decline(user, challenge)
    return await _challenges_of(call, user.id)


@endpoint("DELETE", "/challenges/{challenge}", auth="required", scope="play", errors=(404,))
async def withdraw_challenge(call: Call, challenge: ChallengeId) -> ChallengesResponse:
    """Take one's own challenge back."""
    user = await call.user()
    await call.services.challenges.withdraw(user, challenge)
    return await _challenges_of(call, user.id)
