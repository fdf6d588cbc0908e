"""Endpoints for reviews of matches that have ended."""

from __future__ import annotations

import time

from watermeet.server.api.models import MatchId
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import TooMany
from watermeet.server.matches.errors import WrongStage
from watermeet.server.reviews import MatchReview


@endpoint("GET", "/matches/{match}/review", auth="optional", scope="read", errors=(403, 404))
async def get_review(call: Call, match: MatchId) -> MatchReview:
    """The review of a match, as far as it goes; its ``stage`` is ``none`` before anybody asks."""
    live = await call.services.matches.current(match)
    await call.seat_in(live.match)
    return await call.services.reviews.find(live.match)


@endpoint("POST", "/matches/{match}/review", auth="required", scope="play", errors=(403, 404, 409))
async def request_review(call: Call, match: MatchId) -> MatchReview:
    """Have a match that has ended reviewed; GET says how far it is."""
    services, user = call.services, await call.user()
    live = await services.matches.current(match)
    await call.seat_in(live.match)
    if not live.match.has_ended:
        raise WrongStage("the match hasn't ended", "wait until it ends")
    found = await services.reviews.find(live.match)
    if found.stage in ("none", "failed") and not services.reviewers.take(user.id, time.monotonic()):
        raise TooMany("you have asked for several reviews", "try again in a minute")
    return await services.reviews.request(live.match, call.address)
