"""Endpoints for the server and the games."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import random
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Annotated, Literal

from msgspec import Meta
from starlette.responses import Response

from watermeet.bots.levels import declared_levels
from watermeet.core.errors import WatermeetError
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games as registered
from watermeet.core.state import State
from watermeet.learn.course import step_count
from watermeet.learn.explorer import has_openings
from watermeet.learn.puzzles import puzzle_count
from watermeet.server.api import models
from watermeet.server.api.messages import PROTOCOL
from watermeet.server.api.models import PicturePart
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.api.services import Services
from watermeet.server.errors import Forbidden, NotFound
from watermeet.server.matches.fairness import BOTS_ALONE_MS
from watermeet.server.matches.service import BOT_JOB
from watermeet.server.matches.setup import GameName
from watermeet.server.metrics import CONTENT_TYPE
from watermeet.server.network import is_loopback, network_hosts, url
from watermeet.server.precompiler import BOTS

Language = Annotated[
    str, Meta(pattern=r"^[a-z]{2}$", description="Two letters; English if there is no such text.")
]
Share = Annotated[int, Meta(ge=0, le=100, description="After how many percent of the match.")]
ENGLISH = "en"
MARKDOWN, SVG = "text/markdown", "image/svg+xml"
_SEED = 7
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""What a proxy adds: the caller isn't on this machine, although the proxy is."""
STATUS_S = 3.0
SLOW_BOTS_MS, NO_BOTS_MS = 5_000, 60_000
"""A bot that hasn't begun to think after this long is slow; after that, there is none."""


@endpoint("GET", "/health/live")
async def check_live(_: Call) -> models.HealthResponse:
    """Whether the process responds. If not, restart it."""
    return models.HealthResponse()


@endpoint("GET", "/health/ready", errors=(503,))
async def check_ready(call: Call) -> models.HealthResponse:
    """Whether moves can be stored: it writes to the database. If not, send people elsewhere."""
    await call.services.readiness.check()
    return models.HealthResponse()


@endpoint("GET", "/health", errors=(503,))
async def check_health(call: Call) -> models.HealthResponse:
    """The same as ``/health/ready``."""
    return await check_ready(call)


@endpoint("GET", "/status")
async def get_status(call: Call) -> models.StatusResponse:
    """How the server is, for people: it answers even if the database is down."""
    services, wait = call.services, None
    readiness, now = services.readiness, services.now()
    with contextlib.suppress(WatermeetError, TimeoutError):
        await readiness.check()
        async with asyncio.timeout(STATUS_S):
            since = await services.store.waiting_since(BOT_JOB, now, BOTS_ALONE_MS)
        wait = 0 if since is None else max(0, now - since)
    bots: Literal["ok", "slow", "down"] | None = None
    if wait is not None:
        bots = "ok" if wait < SLOW_BOTS_MS else "slow" if wait < NO_BOTS_MS else "down"
    return models.StatusResponse(
        moves="ok" if readiness.is_ready else "down",
        moves_since=readiness.since,
        bots=bots,
        bot_wait_ms=wait,
        version=services.version,
        started_at=services.started_at,
        now=now,
    )


@endpoint("GET", "/version")
async def get_version(call: Call) -> models.VersionResponse:
    """What runs here."""
    return models.VersionResponse(call.services.version, PROTOCOL)


@endpoint("GET", "/addresses")
async def list_addresses(call: Call) -> models.AddressListResponse:
    """Where other devices reach this server, for links that are made on its own machine.

    Others know an address already, and don't learn those of the server's networks.
    """
    settings, request = call.services.settings, call.request
    if settings.public_url:
        return models.AddressListResponse([settings.public_url])
    asker = request.client.host if request.client else ""
    if not (is_loopback(asker) and is_loopback(request.url.hostname or "")):
        return models.AddressListResponse([])
    port = request.scope["server"][1]
    hosts = await asyncio.to_thread(network_hosts, settings.host)
    return models.AddressListResponse([url(host, port) for host in hosts])


@endpoint("GET", "/metrics", auth="optional", scope=None, errors=(403,), media_type="text/plain")
async def get_metrics(call: Call) -> Response:
    """Metrics for Prometheus: for callers on the server's own machine, or with its token."""
    settings, request = call.services.settings, call.request
    if settings.metrics_token:
        is_allowed = hmac.compare_digest(call.token.encode(), settings.metrics_token.encode())
    else:
        asker = request.client.host if request.client else ""
        is_forwarded = any(name in request.headers for name in FORWARDED)
        # Anybody may point a name of theirs at 127.0.0.1, and have a page there read what it says.
        is_own_name = is_loopback(request.url.hostname or "")
        is_allowed = is_loopback(asker) and is_own_name and not is_forwarded
    if not is_allowed:
        raise Forbidden("metrics aren't public", "set metrics_token, and send it as Bearer TOKEN")
    await _take_stock(call.services)
    return Response(call.services.metrics.text(), media_type=CONTENT_TYPE)


async def _take_stock(services: Services) -> None:
    """Set the gauges that somebody has to look for."""
    try:
        await services.readiness.check()
        ready_at = await services.store.ready_at(BOT_JOB)
    except WatermeetError:
        services.metrics.is_ready.set(0)
        return
    services.metrics.is_ready.set(1)
    age = 0 if ready_at is None else max(0, services.now() - ready_at)
    services.metrics.bot_queue_seconds.set(age / 1000)


@endpoint("GET", "/games")
async def list_games(_: Call) -> models.GameListResponse:
    """All games, with their options and the levels of their bots."""
    return models.GameListResponse([_response(find_game(name)) for name in registered()])


@endpoint("GET", "/games/{name}", errors=(404,))
async def get_game(_: Call, name: GameName) -> models.Game:
    """One game."""
    return _response(find(name))


@endpoint("GET", "/games/{name}/readiness", errors=(404,))
async def get_readiness(call: Call, name: GameName) -> models.ReadinessResponse:
    """Whether a game, its bots and the engine that browsers run are compiled."""
    known, precompiler = find(name).name, call.services.precompiler
    engine = await asyncio.to_thread(call.services.engines.find, known)
    return models.ReadinessResponse(
        precompiler.is_ready(known), precompiler.is_ready(known, BOTS), engine is not None
    )


@endpoint("GET", "/games/{name}/rules", errors=(404,), media_type=MARKDOWN)
async def get_rules(_: Call, name: GameName, language: Language = ENGLISH) -> Response:
    """The rules of a game as Markdown, in English if they aren't translated."""
    found = find(name)
    used = language if has_rules(found, language) else ENGLISH
    headers = {"Content-Language": used}
    return Response(rules_of(found, used), headers=headers, media_type=f"{MARKDOWN}; charset=utf-8")


@endpoint("GET", "/games/{name}/picture", errors=(404,), media_type=SVG)
async def get_game_picture(
    call: Call, name: GameName, share: Share = 45, part: PicturePart = ""
) -> Response:
    """A picture of a match of random moves, always the same one; or of its board alone."""
    call.check_address(call.services.pictures)
    find(name)
    return picture(await call.work(_render, name, share, part), name)


def find(name: str) -> Game:
    """A game; raises NotFound."""
    if name not in registered():
        raise NotFound(f"there is no game {name[:40]!r}", f"there are {', '.join(registered())}")
    return find_game(name)


def _response(found: Game) -> models.Game:
    levels = [level for level in declared_levels(found) if level.is_installed]
    only = {
        level.name: {name: list(values) for name, values in level.only.items()}
        for level in levels
        if level.only
    }
    return models.Game(
        found.name,
        [level.name for level in levels],
        only,
        found.facts(),
        step_count(found),
        has_openings(found),
        puzzle_count(found),
    )


def rules_of(game: Game, language: str = ENGLISH) -> str:
    """The rules in a game's folder; raises NotFound without any."""
    if not has_rules(game, language):
        raise NotFound(f"{game.name} has no written rules", "ask the author of the game")
    return _rules_file(game, language).read_text(encoding="utf-8")


def has_rules(game: Game, language: str = ENGLISH) -> bool:
    """Whether a game's folder has its rules in a language."""
    return _rules_file(game, language).is_file()


def _rules_file(game: Game, language: str) -> Traversable:
    """English is RULES.md, another language such as French RULES.fr.md."""
    name = "RULES.md" if language == ENGLISH else f"RULES.{language}.md"
    return resources.files(game.package) / name


def picture(svg: str | None, game: str) -> Response:
    """An SVG picture as a response."""
    if svg is None:
        raise NotFound(f"{game} has no pictures", "ask the author of the game")
    return Response(svg, media_type=SVG)


@lru_cache(maxsize=256)
def _render(name: str, share: int, part: str) -> str | None:
    states = _random_match(name)
    return states[(len(states) - 1) * share // 100].render_svg(None, part=part)


@lru_cache(maxsize=64)
def _random_match(name: str) -> tuple[State, ...]:
    """The states of a random match in which seats were to move, and the last one."""
    rng = random.Random(_SEED)
    states: list[State] = [find_game(name).start().sample(rng)]
    while states[-1].to_move >= 0:
        states.append(states[-1].play(rng.choice(states[-1].legal_actions)).sample(rng))
    return tuple(states)
