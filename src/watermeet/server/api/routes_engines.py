"""Endpoints for thinking in the browser: a game's module, what to search, and what it means.

The server hands out only what the seat to move knows, and only where that seat may have a hint.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta
from starlette.responses import Response

from watermeet.bots.engine import can_run, engine_task
from watermeet.bots.levels import hint_level
from watermeet.bots.network_engine import network_of, read_network
from watermeet.core.errors import Conflict
from watermeet.search.result import Candidate, SearchResult
from watermeet.server.api import models
from watermeet.server.api.models import MatchId
from watermeet.server.api.routes_games import find
from watermeet.server.api.routes_matches import count_hint, hinted, own_seat
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.bots.messages import Thoughts
from watermeet.server.bots.thoughts import thoughts_of
from watermeet.server.engines import url_of
from watermeet.server.errors import NotFound
from watermeet.server.matches.decide import check_hint
from watermeet.server.matches.setup import GameName

WASM, BINARY = "application/wasm", "application/octet-stream"
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$", description="Of the content.")]


@endpoint("GET", "/games/{name}/engines/{digest}", errors=(404,), media_type=WASM)
async def get_engine(call: Call, name: GameName, digest: Digest) -> Response:
    """The rules and the search of a game as a WebAssembly module."""
    found = await asyncio.to_thread(call.services.engines.find, find(name).name)
    if found is None or found.digest != digest:
        raise NotFound("there is no such engine", "ask for the task again")
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    content = found.content
    if "gzip" in call.request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"], content = "gzip", found.compressed
    return Response(content, headers=headers, media_type=WASM)


@endpoint("GET", "/games/{name}/networks/{digest}", errors=(404,), media_type=BINARY)
async def get_network(_: Call, name: GameName, digest: Digest) -> Response:
    """The network of a game, for its engine."""
    file = network_of(find(name))
    found, content = ("", b"") if file is None else await asyncio.to_thread(read_network, file)
    if found != digest:
        raise NotFound("there is no such network", "ask for the task again")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(content, headers=headers, media_type=BINARY)


@endpoint("POST", "/matches/{match}/engine", auth="required", scope="play", errors=(403, 404, 409))
async def get_engine_task(call: Call, match: MatchId) -> models.EngineResponse:
    """A hint that the browser finds itself: what to search, as the seat of the token knows it.

    It counts as a hint. If the engine of the game isn't built yet, there is none, and
    ``POST /matches/{match}/hints`` has the server think.
    """
    found, seat = await hinted(call, match)
    game, level = found.game, hint_level(found.game)
    module = await asyncio.to_thread(call.services.engines.find, game.name)
    if module is None or not can_run(game, level):
        raise NotFound(f"{game.name} has no engine yet", "have the server think")
    task = await asyncio.to_thread(engine_task, found.state, level)
    await count_hint(call, found, seat)
    url = url_of(game.name, module)
    return models.EngineResponse(url, models.EngineTask(**task), found.seq)


@endpoint(
    "POST", "/matches/{match}/thoughts", auth="required", scope="play", errors=(403, 404, 409)
)
async def explain_found(call: Call, match: MatchId, body: models.FoundRequest) -> Thoughts:
    """What an engine found, in the words of the game: moves and explanations."""
    live = await call.services.matches.current(match)
    found = live.match
    seat = await own_seat(call, found)
    check_hint(found, seat)
    if found.changed_seq > body.seq:
        raise Conflict(f"the state has changed since entry {body.seq}", "think again")
    known = found.state.conceal(seat)
    result = SearchResult(
        tuple(Candidate(each.action, each.value, each.visits, 0.0) for each in body.candidates),
        tuple(body.pv),
        body.nodes,
        body.seconds,
        proven=body.proven,
    )
    return await call.work(thoughts_of, known, result)
