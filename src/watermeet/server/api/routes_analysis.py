"""Endpoints for the analysis board: positions, records with variations, and thinking about them.

They need no token and store nothing. What is asked about comes with the request, so they know
nothing of matches: of one that is still being played, a caller has what the match shows them.
"""

from __future__ import annotations

import asyncio
import time

from watermeet.core.state import State
from watermeet.server.api import analysis, models, models_learn
from watermeet.server.api.routes_games import find
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.bots.messages import Thoughts
from watermeet.server.engines import url_of
from watermeet.server.errors import NotFound, TooMany


async def _state(call: Call, body: models_learn.PositionRequest) -> State:
    find(body.game)
    return await call.work(
        analysis.find_position, body.game, body.version, body.options, body.position
    )


@endpoint("POST", "/analysis", errors=(404, 409))
async def analyse(call: Call, body: models_learn.AnalysisRequest) -> models_learn.AnalysisResponse:
    """A position after some moves, as whoever is to move sees it."""
    call.check_position_rate()
    state = await _state(call, body)
    return await call.work(analysis.analyse, state, body.moves, draw=body.draw, seat=body.seat)


@endpoint("POST", "/analysis/records", errors=(404,))
async def open_record(call: Call, body: models.RecordRequest) -> models_learn.RecordTree:
    """A record as a tree, with its variations, comments and all positions."""
    call.check_rate()
    return await call.work(analysis.record_tree, body.record)


@endpoint("POST", "/analysis/engine", errors=(404, 409))
async def get_analysis_task(
    call: Call, body: models_learn.SearchRequest
) -> models_learn.AnalysisTask:
    """What the browser's own engine has to search in a position."""
    call.check_position_rate()
    state = await _state(call, body)
    game, level = state.game, analysis.best_level(state.game)
    module = await asyncio.to_thread(call.services.engines.find, game.name)
    if module is None or level is None:
        raise NotFound(f"{game.name} has no engine yet", "have the server think")
    task = await call.work(analysis.task_of, state, level, is_open=body.is_open)
    worst, best = game.returns_range
    return models_learn.AnalysisTask(url_of(game.name, module), task, float(worst), float(best))


@endpoint("POST", "/analysis/lines", errors=(404, 409))
async def describe_lines(call: Call, body: models_learn.LinesRequest) -> models_learn.LinesResponse:
    """What an engine found in a position, in the notation of the game."""
    call.check_position_rate()
    known = analysis.known_state(await _state(call, body), is_open=body.is_open)
    return models_learn.LinesResponse(await call.work(analysis.lines_of, known, body.lines))


@endpoint("POST", "/analysis/thoughts", errors=(404, 409))
async def think_about(call: Call, body: models_learn.PositionRequest) -> Thoughts:
    """What the server finds in a position, by what the seat to move knows."""
    key = call.check_position_rate()
    known = analysis.known_state(await _state(call, body), is_open=False)
    if not call.services.hints.take(key, time.monotonic()):
        raise TooMany("you have asked several times", "wait a few seconds")
    return await call.services.pool.think_about(known)
