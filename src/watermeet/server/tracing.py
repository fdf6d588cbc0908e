"""Traces by OpenTelemetry, for those who configure it: the extra ``otel`` and OTEL_ variables.

Nothing is imported and nothing costs anything unless it is configured. Then functions of the store,
the bus, the matches and the bots are replaced on their objects by others that open a span. Spans
name matches, seats and kinds of commands; never users, moves, names, addresses or tokens.

A client's own ``traceparent`` is ignored: strangers don't decide what is recorded.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib.util
import logging
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from watermeet.core.errors import WatermeetError
from watermeet.server.api.routing import ENDPOINTS
from watermeet.server.bots.pool import BotPool
from watermeet.server.bus.bus import Bus
from watermeet.server.instruments import OPERATIONS
from watermeet.server.logs import ROOT
from watermeet.server.matches.commands import Command
from watermeet.server.matches.service import Matches
from watermeet.server.store.rows import Job
from watermeet.server.store.store import Store

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

LOG = logging.getLogger(__name__)
CLOSE_S = 3.0
"""How long to wait for the last spans to be sent."""
UNTRACED = ("/api/health", "/api/metrics")
"""What machines ask every few seconds."""
_in_job: ContextVar[bool] = ContextVar("in_job", default=False)
Attributes = Mapping[str, str | int]


def open_tracing(environ: Mapping[str, str] = os.environ) -> Tracing | None:
    """Tracing as the usual variables configure it; None if they don't."""
    exporter = environ.get("OTEL_TRACES_EXPORTER", "")
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    is_wanted = bool(exporter) or any(environ.get(name) for name in endpoints)
    is_disabled = environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if not is_wanted or is_disabled or exporter == "none":
        return None
    if importlib.util.find_spec("opentelemetry") is None:
        LOG.warning("OTEL_ variables are set, but Watermeet's extra otel isn't installed")
        return None
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter

    names = {} if "OTEL_SERVICE_NAME" in environ else {SERVICE_NAME: "watermeet"}
    provider = TracerProvider(resource=Resource.create(names))
    if exporter == "console":
        provider.add_span_processor(BatchSpanProcessor(ConsoleSpanExporter()))
    else:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Tracing(provider)


class Tracing:
    """Makes spans of what a node does."""

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry import trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider, self._tracer = provider, provider.get_tracer("watermeet")
        self._current, self._propagator = trace.get_current_span, TraceContextTextMapPropagator()
        self._error = trace.Status(trace.StatusCode.ERROR)

    async def close(self) -> None:
        """Send the last spans."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await asyncio.to_thread(self._provider.shutdown)

    @contextlib.contextmanager
    def span(
        self, name: str, attributes: Attributes | None = None, parent: Context | None = None
    ) -> Iterator[Span]:
        """Open a span. Errors count by their code alone: their messages may quote people."""
        with self._tracer.start_as_current_span(
            name,
            context=parent,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except WatermeetError as error:
                span.set_attribute("error.type", error.code)
                raise
            except Exception as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(self._error)
                raise

    # ---- a node ----

    def watch(self, store: Store, bus: Bus, matches: Matches, pool: BotPool) -> None:
        """Make spans of what these do from now on."""
        for name, operation in OPERATIONS.items():
            what = name if name == operation else f"{operation} {name}"
            self._replace(store, name, f"store {what}")
        self._replace(bus, "publish", "bus publish")
        self._replace(pool, "_choose", "bot choose")
        matches.decide = self._decided(matches.decide)
        matches.job_body = self._job_body
        setattr(matches, "do_here", self._done(matches.do_here))  # noqa: B010
        setattr(pool, "_do", self._worked(pool._do))  # noqa: B010
        for handler in logging.getLogger(ROOT).handlers:
            handler.addFilter(self._with_trace_id)

    def _replace(self, owner: object, name: str, span: str) -> None:
        """Put a span around a method; only inside another one, or polling would make traces."""
        function: Callable[..., Awaitable[Any]] = getattr(owner, name)

        @functools.wraps(function)
        async def call(*args: Any, **kwargs: Any) -> Any:
            if not self._current().is_recording():
                return await function(*args, **kwargs)
            with self.span(span):
                return await function(*args, **kwargs)

        setattr(owner, name, call)

    def _decided(self, decide: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            with self.span("decide"):
                return decide(*args)

        return call

    def _done(self, do: Callable[..., Awaitable[int]]) -> Callable[..., Awaitable[int]]:
        async def call(match: str, seat: int | None, command: Command, **kwargs: Any) -> int:
            attributes: dict[str, str | int] = {"watermeet.match": match}
            if seat is not None:
                attributes["watermeet.seat"] = seat
            with self.span(f"command {str(command.__struct_config__.tag).lower()}", attributes):
                return await do(match, seat, command, **kwargs)

        return call

    # ---- jobs, which may be done by another node ----

    def _job_body(self) -> bytes:
        """The context that a new job carries; none from a bot to a bot, or traces never ended."""
        carrier: dict[str, str] = {}
        if not _in_job.get():
            self._propagator.inject(carrier)
        return carrier.get("traceparent", "").encode()

    def _worked(self, work: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        async def call(job: Job, *args: Any) -> None:
            carrier = {"traceparent": job.body.decode("ascii", "replace")}
            parent = self._propagator.extract(carrier)
            attributes: Attributes = {"watermeet.match": job.match, "watermeet.seat": job.seat}
            token = _in_job.set(True)
            try:
                with self.span("bot job", attributes, parent):
                    await work(job, *args)
            finally:
                _in_job.reset(token)

        return call

    def _with_trace_id(self, record: logging.LogRecord) -> bool:
        found = self._current().get_span_context()
        if found.is_valid:
            values = getattr(record, "fields", {})
            record.fields = {**values, "trace_id": f"{found.trace_id:032x}"}
        return True


class TracedRequests:
    """Middleware: a span for each request to the API, named by its route."""

    def __init__(self, app: ASGIApp, tracing: Tracing) -> None:
        self._app, self._tracing = app, tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        path: str = scope.get("path", "")
        is_traced = scope["type"] == "http" and path.startswith("/api/")
        if not is_traced or path.startswith(UNTRACED):
            await self._app(scope, receive, send)
            return
        with self._tracing.span(scope["method"]) as span:

            async def send_on(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                await send(message)

            try:
                await self._app(scope, receive, send_on)
            finally:
                route = route_of(path, scope.get("path_params", {}))
                span.update_name(f"{scope['method']} {route}")
                span.set_attribute("http.request.method", scope["method"])
                span.set_attribute("http.route", route)


def route_of(path: str, parameters: Mapping[str, Any]) -> str:
    """The route of a path: its parameters by name; nothing that somebody made up.

    >>> from watermeet.server.api import routes
    >>> route_of("/api/matches/aB3/seats/1", {"match": "aB3", "seat": "1"})
    '/api/matches/{match}/seats/{seat}'
    >>> route_of("/api/nonsense", {})
    'unknown'
    """
    names = {str(value): f"{{{name}}}" for name, value in parameters.items()}
    route = "/".join(names.get(part, part) for part in path.split("/"))
    return route if any(route == each.path for each in ENDPOINTS) else "unknown"
