"""Routes about how a match stood: earlier positions, for replays, and pictures."""

from __future__ import annotations

import asyncio
import random
from functools import lru_cache
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Response
from fastapi import Path as InPath

from watermeet.core.registry import game as find_game
from watermeet.core.registry import games as registered
from watermeet.core.state import State
from watermeet.server.api.documents import EarlierPosition
from watermeet.server.api.routes_facts import GameName
from watermeet.server.api.services import AnyToken, MatchId, Services, problems, text_answer
from watermeet.server.errors import NotFound
from watermeet.server.matches import projection
from watermeet.server.matches.match import Match

SVG = "image/svg+xml"
_SEED = 7
_SHARE = 45
"""The picture of a game is of a match that is so far on: neither empty nor full."""
Share = Annotated[int, Query(ge=0, le=100, description="How far the match is on, in percent.")]
Ply = Annotated[int, InPath(ge=0, le=1_000_000, description="Actions before it, draws counted.")]


def add_routes(router: APIRouter, services: Services) -> None:
    """Adds the family."""

    async def told(match: str, token: str) -> tuple[Match, int | None]:
        """A match as who asks may see it now, and which seat that is."""
        live = await services.load(match)
        seat = await services.access.seat(live.match, token, None)
        last = live.match.seq
        if seat is None and live.match.created.watch_delay_s:
            last = projection.watchable(live.entries, services.now())
        return services.matches.at(live, last), seat

    @router.get(
        "/matches/{match}/positions/{ply}",
        response_class=Response,
        responses=problems(403, 404) | {200: {"model": EarlierPosition}},
    )
    async def earlier_position(match: MatchId, ply: Ply, token: AnyToken) -> Response:
        """How the match stood after so many of the actions that stand, as who asks sees it."""
        found, seat = await told(match, token)
        document = projection.earlier(found, ply, seat)
        if document is None:
            raise _no_such(found, ply)
        return Response(msgspec.json.encode(document), media_type="application/json")

    @router.get(
        "/matches/{match}/picture",
        response_class=Response,
        responses=text_answer(SVG) | problems(403, 404),
    )
    async def match_picture(
        match: MatchId,
        token: AnyToken,
        ply: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
    ) -> Response:
        """A picture of what who asks sees, now or after so many actions."""
        found, seat = await told(match, token)
        state = found.state if ply is None else projection.state_at(found, ply)
        if state is None:
            raise _no_such(found, ply or 0)
        return _picture(state.render_svg(seat), found.created.game)

    @router.get(
        "/games/{name}/picture",
        response_class=Response,
        responses=text_answer(SVG) | problems(404),
    )
    async def game_picture(name: GameName, share: Share = _SHARE) -> Response:
        """A picture of a match that somebody might have played, always the same one."""
        if name not in registered():
            raise NotFound(f"there is no game {name!r}", f"there are {', '.join(registered())}")
        await services.precompiler.wait_for_rules(name)
        return _picture(await asyncio.to_thread(_drawn, name, share), name)


def _picture(svg: str | None, game: str) -> Response:
    if svg is None:
        raise NotFound(f"{game} draws no pictures", "ask who wrote the game")
    return Response(svg, media_type=SVG)


def _no_such(match: Match, ply: int) -> NotFound:
    return NotFound(f"there is no position {ply}", f"there are 0 to {len(match.steps())}")


def _drawn(name: str, share: int) -> str | None:
    states = _random_match(name)
    return states[(len(states) - 1) * share // 100].render_svg(None)


@lru_cache(maxsize=64)
def _random_match(name: str) -> tuple[State, ...]:
    """Where seats were to move in a random match, and how it ended."""
    rng = random.Random(_SEED)
    states: list[State] = [find_game(name).start().sample(rng)]
    while states[-1].to_move >= 0:
        states.append(states[-1].play(rng.choice(states[-1].legal_actions)).sample(rng))
    return tuple(states)
