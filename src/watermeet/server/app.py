"""create_app: the only place where the parts of a server are joined. Nothing here is global."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from watermeet.core.errors import WatermeetError
from watermeet.core.kernel import deferred_compiling
from watermeet.server.api import openapi
from watermeet.server.api.connection import STOPPING
from watermeet.server.api.hub import Hub
from watermeet.server.api.lobby import Lobby
from watermeet.server.api.lobby_lists import LobbyLists
from watermeet.server.api.messages import Bye
from watermeet.server.api.middleware import Gateway
from watermeet.server.api.pages import Pages, pages_route
from watermeet.server.api.persons import Persons
from watermeet.server.api.problems import HANDLERS
from watermeet.server.api.routes import make_routes
from watermeet.server.api.services import Services
from watermeet.server.api.socket import Sockets
from watermeet.server.api.streams import Streams
from watermeet.server.api.turns import Turns
from watermeet.server.audience import Audience
from watermeet.server.bots.pool import BotPool
from watermeet.server.bus.factory import open_bus
from watermeet.server.deadlines import Deadlines
from watermeet.server.documents import Documents
from watermeet.server.engines import Engines
from watermeet.server.fair_threads import FairThreads
from watermeet.server.heartbeat import Heartbeat
from watermeet.server.instruments import BusProbe, measure
from watermeet.server.jobs import JobRunner
from watermeet.server.limits import RateLimiter
from watermeet.server.mail import Mail
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import BOT_JOB, PLAN_JOB, RATE_JOB, REMATCH_JOB, Matches
from watermeet.server.metrics import Metrics
from watermeet.server.openings import OPENINGS_JOB, Openings
from watermeet.server.outgoing import Outgoing
from watermeet.server.people.accounts import REMOVE_JOB, Accounts
from watermeet.server.people.admission import Admission
from watermeet.server.people.calls import Calls
from watermeet.server.people.challenges import Challenges
from watermeet.server.people.chat import Chat
from watermeet.server.people.company import Company
from watermeet.server.people.digests import Digests
from watermeet.server.people.enforcement import Enforcement
from watermeet.server.people.expiry import Expiry
from watermeet.server.people.mail_addresses import MailAddresses
from watermeet.server.people.moderation import SUSPEND_JOB, Moderation
from watermeet.server.people.orders import Orders
from watermeet.server.people.passkeys import Passkeys
from watermeet.server.people.rater import count_match
from watermeet.server.people.reports import Reports
from watermeet.server.people.seeks import Seeks
from watermeet.server.people.users import People
from watermeet.server.people.vacations import Vacations
from watermeet.server.people.word_filter import make_filter
from watermeet.server.precompiler import BOTS, Precompiler
from watermeet.server.puzzles import Puzzles
from watermeet.server.quotas import SeekQuota, bot_matches, open_matches
from watermeet.server.readiness import Readiness
from watermeet.server.reviews import Reviews
from watermeet.server.settings import Settings
from watermeet.server.store.factory import open_store
from watermeet.server.tokens import make_id
from watermeet.server.tracing import TracedRequests, Tracing, open_tracing
from watermeet.server.watchdog import Watchdog

PHRASES_PER_SECOND, PHRASES_AT_ONCE = 0.5, 4
"""What one seat may say; the rest is dropped."""
RENAMES_PER_SECOND, RENAMES_AT_ONCE = 1 / 300, 6
HINTS_PER_SECOND, HINTS_AT_ONCE = 0.25, 6
REVIEWS_PER_SECOND, REVIEWS_AT_ONCE = 1 / 60, 3
EXPORTS_PER_SECOND, EXPORTS_AT_ONCE = 1 / 60, 5
POSITIONS_PER_SECOND, POSITIONS_AT_ONCE = 30, 120
PICTURES_PER_SECOND, PICTURES_AT_ONCE = 30, 150
TURN_STREAMS_PER_SECOND, TURN_STREAMS_AT_ONCE = 1, 20
"""What one user may ask for, or one address."""
IMPORTED_PER_SECOND, IMPORTED_AT_ONCE = 2, 50_000
"""Entries of imported records, of one user and of one address: each takes about 110 bytes."""
TEXT_THREADS = 2
"""Threads for work on what people have sent."""
DOCUMENT_THREADS = 2
"""Threads for the documents of long matches, which take no more than some milliseconds: those who
come back to a match don't wait for what others have sent."""


def now_ms() -> int:
    """The server's clock: milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def _running(
    settings: Settings, app: Starlette, tracing: Tracing | None
) -> AsyncIterator[None]:
    """Open what the server needs, and close it in reverse order."""
    mail = Mail(settings.smtp_url, settings.mail_from)
    store = await open_store(settings.database_url)
    try:
        bus = await open_bus(settings.bus_url or None)
    except WatermeetError:
        await store.close()
        raise
    metrics, precompiler, people = Metrics(), Precompiler(), People(store, now_ms)
    accounts = Accounts(store, people, now_ms, settings.sign_up)
    measure(store, bus, metrics)
    matches = Matches(store, bus, metrics, now_ms, precompiler.wait_for, settings.max_cache_bytes)
    runner = JobRunner(store, metrics, now_ms, make_id(), others=(BOT_JOB,))
    matches.hear_jobs = runner.hear
    public_url = settings.public_url
    mail_addresses = MailAddresses(store, accounts, mail, runner, now_ms, public_url)
    texts = FairThreads("text", TEXT_THREADS)
    writers = FairThreads("document", DOCUMENT_THREADS)
    documents = Documents(writers)
    hub, turns = Hub(matches, bus, now_ms, documents), Turns(store, matches, bus)
    heartbeat = Heartbeat(store, matches, now_ms)
    deadlines = Deadlines(store, matches, matches.presence, now_ms, hub.followed, heartbeat.wait)
    workers, is_compiled = settings.bot_workers, partial(precompiler.is_ready, part=BOTS)
    pool = BotPool(store, matches, metrics, now_ms, workers, make_id(), is_compiled=is_compiled)
    engines, reviews, openings = Engines(), Reviews(store), Openings(store, matches)
    if tracing is not None:
        tracing.watch(store, bus, matches, pool)
    outgoing = Outgoing(allow_private=settings.allow_private_urls)
    calls = Calls(store, matches, now_ms, runner, outgoing, settings.contact)
    digests = Digests(store, mail, runner, now_ms, public_url)
    vacations = Vacations(store, matches, now_ms, settings.vacation_days_per_year)
    company, moderation = Company(store, now_ms), Moderation(store, now_ms, runner.hear)
    matches.admit = Admission(store, now_ms, settings.sign_up).check
    persons = Persons(store, bus, company, now_ms)
    accounts.tokens_ended = persons.recheck
    words = make_filter(settings.words_file)
    chat = Chat(store, company, words, now_ms, with_guests=settings.guest_chat)
    hub.hears, hub.chats = persons.hears, partial(_chats, persons, chat)
    runner.add(RATE_JOB, partial(count_match, store))
    runner.add(OPENINGS_JOB, openings.count)
    # Players are waiting for these.
    runner.add(REMATCH_JOB, matches.do_rematch, at_once=4, poll_s=1.0)
    runner.add(PLAN_JOB, matches.do_planned, at_once=4, poll_s=1.0)
    seeks = Seeks(store, matches, bus, now_ms)
    challenges = Challenges(store, matches, bus, now_ms, company, seeks)
    enforcement = Enforcement(store, matches, seeks, challenges, persons.end, now_ms)
    runner.add(SUSPEND_JOB, enforcement.suspend, poll_s=2.0)  # The command line adds some, too.
    runner.add(REMOVE_JOB, enforcement.remove)
    accounts.remove = enforcement.remove
    audience = Audience(matches, now_ms)
    lists = LobbyLists(store, matches.presence, audience, seeks)
    lobby = Lobby(matches, bus, seeks, challenges, lists)
    services = Services(
        settings=settings,
        store=store,
        matches=matches,
        audience=audience,
        people=people,
        accounts=accounts,
        mail=mail,
        mail_addresses=mail_addresses,
        passkeys=Passkeys(store, accounts, now_ms),
        company=company,
        chat=chat,
        persons=persons,
        moderation=moderation,
        reports=Reports(store, now_ms),
        seeks=seeks,
        challenges=challenges,
        lobby=lobby,
        lobby_lists=lists,
        presence=matches.presence,
        puzzles=Puzzles(store, now_ms),
        hub=hub,
        documents=documents,
        turns=turns,
        metrics=metrics,
        creations=RateLimiter(settings.creations_per_minute / 60, settings.creations_per_minute),
        bot_matches=bot_matches(
            store, settings.bot_matches_per_user, settings.bot_matches_per_address
        ),
        open_matches=open_matches(
            store, settings.open_matches_per_user, settings.open_matches_per_address
        ),
        seek_quota=SeekQuota(seeks, settings.seeks_per_address),
        phrases=RateLimiter(PHRASES_PER_SECOND, PHRASES_AT_ONCE),
        renames=RateLimiter(RENAMES_PER_SECOND, RENAMES_AT_ONCE),
        hints=RateLimiter(HINTS_PER_SECOND, HINTS_AT_ONCE),
        pool=pool,
        openings=openings,
        reviews=reviews,
        reviewers=RateLimiter(REVIEWS_PER_SECOND, REVIEWS_AT_ONCE),
        exports=RateLimiter(EXPORTS_PER_SECOND, EXPORTS_AT_ONCE),
        imports=RateLimiter(IMPORTED_PER_SECOND, IMPORTED_AT_ONCE),
        positions=RateLimiter(POSITIONS_PER_SECOND, POSITIONS_AT_ONCE),
        pictures=RateLimiter(PICTURES_PER_SECOND, PICTURES_AT_ONCE),
        turn_streams=RateLimiter(TURN_STREAMS_PER_SECOND, TURN_STREAMS_AT_ONCE),
        precompiler=precompiler,
        readiness=Readiness(store),
        engines=engines,
        texts=texts,
        runner=runner,
        calls=calls,
        outgoing=outgoing,
        digests=digests,
        vacations=vacations,
        now=now_ms,
        version=version("watermeet"),
        started_at=now_ms(),
    )
    app.state.services = services
    app.state.sockets, app.state.streams = Sockets(services), Streams(services)
    lobby.count_here = app.state.sockets.people
    watchdog = Watchdog(metrics)
    parts = (
        watchdog,
        BusProbe(bus, metrics),
        precompiler,
        hub,
        turns,
        persons,
        Orders(settings.data_folder, store, moderation),
        heartbeat,
        deadlines,
        pool,
        reviews,
        seeks,
        calls,
        vacations,
        digests,
        lobby,
        Expiry(store, accounts, now_ms),
        runner,
    )
    for part in parts:
        part.start()
    try:
        yield
    finally:
        end_connections(app)
        deadline = time.monotonic() + settings.shutdown_timeout_seconds
        while (app.state.sockets.open or app.state.streams.open) and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        for part in reversed(parts):
            await part.close()
        texts.close()
        writers.close()
        mail.close()
        await accounts.close()
        await matches.close()
        await bus.close()
        await store.close()
        if tracing is not None:
            await tracing.close()


def _chats(persons: Persons, chat: Chat, user: str, playing: Match | None) -> bool:
    row = persons.row(user)
    if row is None:
        return False
    return chat.may_chat(row) or (playing is not None and chat.has_guests(playing))


def end_connections(app: Starlette) -> None:
    """Say goodbye on all sockets and streams: the server stops."""
    bye = Bye("stopping", "reconnect in a moment: nothing is lost")
    for name in ("sockets", "streams"):
        if hasattr(app.state, name):  # Otherwise it has never started.
            for each in tuple(getattr(app.state, name).open):
                each.connection.end(STOPPING, bye)


def create_app(settings: Settings, tracing: Tracing | None = None) -> Starlette:
    """A server with these settings; it opens its database when it starts.

    Without ``tracing``, the environment says whether there is any.
    """
    tracing = tracing or open_tracing()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            with deferred_compiling():
                async with _running(settings, app, tracing):
                    yield
        except WatermeetError as error:
            app.state.failure = error  # For whoever runs the server.
            raise

    middleware = [Middleware(Gateway, settings=settings)]
    if tracing is not None:
        middleware.append(Middleware(TracedRequests, tracing=tracing))
    app = Starlette(
        routes=[
            *make_routes(),
            Route(openapi.PATH, openapi.answer),
            pages_route(Pages()),
        ],
        middleware=middleware,
        exception_handlers=HANDLERS,
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # Every document has one URL.
    return app
