"""create_app: the only place where the parts of a server are joined. Nothing here is global."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from starlette.websockets import WebSocket

from watermeet.core.errors import WatermeetError
from watermeet.server.access import Access
from watermeet.server.api.connection import STOPPING
from watermeet.server.api.hub import Hub
from watermeet.server.api.messages import Bye
from watermeet.server.api.middleware import Guard, add_handlers
from watermeet.server.api.openapi import PATH, describing
from watermeet.server.api.pages import Pages, add_pages
from watermeet.server.api.routes import make_router
from watermeet.server.api.services import Services
from watermeet.server.api.socket import Sockets
from watermeet.server.api.streams import Streams
from watermeet.server.api.turns import Turns
from watermeet.server.bots.pool import BotPool
from watermeet.server.bus.factory import open_bus
from watermeet.server.deadlines import Deadlines
from watermeet.server.desk import Desk
from watermeet.server.heartbeat import Heartbeat
from watermeet.server.limits import RateLimiter
from watermeet.server.matches.service import Matches
from watermeet.server.metrics import Metrics
from watermeet.server.people import People
from watermeet.server.precompiler import Precompiler
from watermeet.server.presence import Presence
from watermeet.server.settings import Settings
from watermeet.server.store.factory import open_store
from watermeet.server.tokens import make_id

LOG = logging.getLogger(__name__)


def now_ms() -> int:
    """The server's clock: milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def _running(settings: Settings, app: FastAPI, services: Services) -> AsyncIterator[None]:
    """Opens what the server stands on, and closes it in the opposite order."""
    store = await open_store(settings.database_url)
    bus = await open_bus(settings.bus_url or None)
    metrics = Metrics()
    precompiler = Precompiler()
    matches = Matches(store, bus, metrics, now_ms, precompiler.wait_for_rules)
    people = People(store, now_ms)
    access, presence = Access(people), Presence(bus, now_ms)
    hub = Hub(matches, bus, now_ms)
    ours = version("watermeet")
    desk, turns = Desk(matches, presence), Turns(store, matches, bus)
    sockets = Sockets(settings, matches, hub, desk, access, presence, metrics, now_ms, ours)
    streams = Streams(settings, matches, hub, turns, desk, presence, now_ms)
    heartbeat = Heartbeat(store, matches, now_ms)
    deadlines = Deadlines(store, matches, presence, now_ms, hub.followed, heartbeat.wait)
    pool = BotPool(
        store,
        matches,
        metrics,
        now_ms,
        settings.bot_workers,
        make_id(),
        ready=precompiler.wait_for_bots,
    )
    rate = settings.creations_per_minute / 60
    services.creations = RateLimiter(rate, settings.creations_per_minute)
    services.settings, services.store, services.matches = settings, store, matches
    services.people, services.access, services.presence = people, access, presence
    services.desk, services.streams, services.precompiler = desk, streams, precompiler
    services.metrics, services.now, services.version = metrics, now_ms, ours
    app.state.sockets, app.state.streams = sockets, streams
    for part in (precompiler, hub, turns, heartbeat, deadlines, pool):
        part.start()
    try:
        yield
    finally:
        end_lines(app)
        for lines in (sockets, streams):
            await _wait_for(lines, settings.shutdown_timeout_seconds)
        for part in (pool, deadlines, heartbeat, turns, hub, precompiler):
            await part.close()
        await matches.close()
        await bus.close()
        await store.close()


def end_lines(app: FastAPI) -> None:
    """Says goodbye on all sockets and streams: the server stops."""
    bye = Bye("stopping", "come back in a moment: nothing is lost")
    for lines in ("sockets", "streams"):
        if hasattr(app.state, lines):  # Else it has never started.
            getattr(app.state, lines).end_all(STOPPING, bye)


async def _wait_for(lines: Sockets | Streams, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while lines.count and time.monotonic() < deadline:
        await asyncio.sleep(0.02)


def create_app(settings: Settings) -> FastAPI:
    """A server with these settings; it opens its database when it starts."""
    services = Services()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        try:
            async with _running(settings, app, services):
                yield
        except WatermeetError as error:
            app.state.failure = error  # Whoever runs the server tells it in its own way.
            raise

    app = FastAPI(
        title="Watermeet",
        version=version("watermeet"),
        lifespan=lifespan,
        openapi_url=PATH,
        generate_unique_id_function=lambda route: route.name,
        docs_url=None,  # FastAPI's page runs programs of others beside our tokens.
        redoc_url=None,
        redirect_slashes=False,  # Every document has one address.
    )
    app.include_router(make_router(services))
    app.openapi = describing(app)  # type: ignore[method-assign]
    add_handlers(app)
    app.add_middleware(Guard, settings=settings)

    @app.websocket("/api/socket")
    async def socket(line: WebSocket) -> None:
        sockets: Sockets = line.app.state.sockets
        await sockets.serve(line)

    add_pages(app, Pages())
    return app
