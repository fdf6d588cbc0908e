"""Endpoints for reviews of matches that have ended."""

from __future__ import annotations

import time

from watermeet.core.record import Record
from watermeet.learn.attempts import attempt
from watermeet.learn.course import Step, Turn
from watermeet.learn.findings import Decision
from watermeet.server.api.models import MatchId, Ply
from watermeet.server.api.models_learn import AttemptRequest, AttemptResponse
from watermeet.server.api.routes_lessons import response_to
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import NotFound, TooMany
from watermeet.server.matches.errors import WrongStage
from watermeet.server.matches.records import record_of
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


@endpoint("POST", "/matches/{match}/review/{ply}", auth="optional", scope="read", errors=(403, 404))
async def retry_mistake(
    call: Call, match: MatchId, ply: Ply, body: AttemptRequest
) -> AttemptResponse:
    """A mistake that somebody tries to better, after their actions: as for a step of a lesson."""
    call.check_position_rate()
    live = await call.services.matches.current(match)
    await call.seat_in(live.match)
    found = await call.services.reviews.find(live.match)
    mistake = next((each for each in found.decisions if each.number == ply and each.better), None)
    if mistake is None:
        raise NotFound(f"no mistake was found at move {ply + 1}", "look at the review")
    record = record_of(live.match)
    return await call.work(lambda: response_to(attempt(_step_of(record, mistake), body.moves)))


def _step_of(record: Record, mistake: Decision) -> Step:
    """The position before a mistake, where any turn that is good enough is right."""
    better = tuple(each.move for each in mistake.better)
    turn = Turn(better, (), free=True, reaches=(better, *mistake.also))
    state = record.replay()[mistake.number]
    return Step(str(mistake.number), state, (), mistake.seat, (turn,))
