"""Run a server: listen, start, announce the address, and stop gracefully."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import logging
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from functools import partial

import uvicorn
from starlette.applications import Starlette

from watermeet.core.errors import WatermeetError
from watermeet.server.app import create_app, end_connections
from watermeet.server.errors import PortInUse
from watermeet.server.guard import Guard, connections_within, guarded_http, raise_file_limit
from watermeet.server.logs import fields, set_up_logs
from watermeet.server.network import EVERYWHERE, network_hosts, url
from watermeet.server.running import RunningServer, data_folder_held, write_place
from watermeet.server.settings import Settings
from watermeet.server.store.factory import open_store
from watermeet.server.workers import check_workers, run_workers

LOG = logging.getLogger(__name__)
SWITCH_INTERVAL_S = 0.0005
"""How long a thread may run before it yields to others. The thread that writes to the database
needs several turns per move: with Python's default of five milliseconds, the median move took 15 ms
instead of 10 at a thousand moves a second (``python -m bench load``)."""
PORT_TAKEN = {errno.EADDRINUSE} | ({errno.EACCES} if sys.platform == "win32" else set())
"""Windows refuses a port that another program has to itself, or that it keeps for itself."""
GC_THRESHOLD = (50_000, 20, 20)
"""There is little garbage to collect: matches are immutable values without cycles."""


def serve(
    settings: Settings,
    *,
    announce: Callable[[RunningServer], None],
    open_browser: bool,
    any_port: bool = False,
) -> None:
    """Serve until Ctrl-C or SIGTERM; raises PortInUse, StoreUnavailable, BusUnavailable.

    ``announce`` is called when the server has started. With ``any_port`` it takes a free port if
    its own is in use.
    """
    check_workers(settings)
    set_up_logs(settings.log_level, settings.log_format)
    listener = _listen(settings.host, settings.port, any_port=any_port)
    host = "127.0.0.1" if settings.host in EVERYWHERE else settings.host
    port = listener.getsockname()[1]
    page = settings.public_url or url(host, port)

    with contextlib.closing(listener), data_folder_held(settings.data_folder) as place:

        def on_start() -> None:
            hosts = [] if settings.public_url else network_hosts(settings.host)
            server = RunningServer(page, [url(each, port) for each in hosts], port)
            if place is not None:
                write_place(place, server)
            announce(server)
            if open_browser:
                open_page(page)

        if settings.workers == 1:
            _serve_on(settings, [listener], on_start)
            return
        with contextlib.ExitStack() as opened:
            own = [
                opened.enter_context(contextlib.closing(_own_port(port + number)))
                for number in range(1, settings.workers + 1)
            ]
            asyncio.run(_prepare_store(settings))
            on_start()
            run_workers(settings, listener, own, work)


def _own_port(wanted: int) -> socket.socket:
    """Where a worker alone listens; a free port if something else has the wanted one."""
    listener = _listen("127.0.0.1", wanted, any_port=True)
    LOG.info("a worker has a port of its own", extra=fields(port=listener.getsockname()[1]))
    return listener


async def _prepare_store(settings: Settings) -> None:
    """Bring the database up to date, so that workers needn't wait for each other."""
    await (await open_store(settings.database_url)).close()


def work(settings: Settings, listeners: list[socket.socket]) -> None:
    """Serve in a process of several."""
    set_up_logs(settings.log_level, settings.log_format)
    try:
        _serve_on(settings, listeners, lambda: None)
    except WatermeetError as error:
        LOG.error("the server can't run", extra=fields(reason=str(error)))  # noqa: TRY400
        sys.exit(1)


def _serve_on(
    settings: Settings, listeners: list[socket.socket], on_start: Callable[[], None]
) -> None:
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.set_threshold(*GC_THRESHOLD)
    app = create_app(settings)
    with _uvicorns_log_filtered(app):
        _run(Server(uvicorn_config(app, settings), app, on_start), app, listeners)


def _run(server: uvicorn.Server, app: Starlette, listeners: list[socket.socket]) -> None:
    """Serve; raises what kept the server from starting, instead of leaving with a number."""
    try:
        server.run(sockets=listeners)
    except SystemExit:
        if _failure_of(app) is None:
            raise
    failure = _failure_of(app)
    if failure is not None:
        raise failure


def _failure_of(app: Starlette) -> WatermeetError | None:
    return getattr(app.state, "failure", None)


@contextlib.contextmanager
def _uvicorns_log_filtered(app: Starlette) -> Iterator[None]:
    """Leave out of uvicorn's log what is no fault of the server, or is said in one line anyway."""
    logger = logging.getLogger("uvicorn.error")

    def is_wanted(record: logging.LogRecord) -> bool:
        return _failure_of(app) is None and "Invalid HTTP request" not in record.getMessage()

    logger.addFilter(is_wanted)
    try:
        yield
    finally:
        logger.removeFilter(is_wanted)


def open_page(page: str) -> None:
    """Open a page in the user's browser, if there is one."""
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(page)


def uvicorn_config(app: Starlette, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves the app. Only trusted proxies may forward a client's address."""
    connections = connections_within(raise_file_limit(), settings)
    guard = Guard(settings, connections, partial(_count_refusal, app))
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http=guarded_http(guard),
        ws="websockets-sansio",
        ws_max_size=settings.max_request_bytes,
        ws_per_message_deflate=False,  # It doubles the round trip of a small message.
        ws_ping_interval=None,  # Clients ping, and idle ones are dropped.
        timeout_graceful_shutdown=int(settings.shutdown_timeout_seconds) + 1,
        forwarded_allow_ips=",".join(settings.trusted_proxies),
        proxy_headers=bool(settings.trusted_proxies),
        server_header=False,
    )


def _count_refusal(app: Starlette, reason: str) -> None:
    app.state.services.metrics.refused.labels(reason).inc()


class Server(uvicorn.Server):
    """Reports when it has started, and says goodbye to clients before it waits for them."""

    def __init__(
        self, config: uvicorn.Config, app: Starlette, on_start: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._app, self._on_start = app, on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Streams never end on their own, and uvicorn tells the app only after all have ended.
        end_connections(self._app)
        await super().shutdown(sockets)


def _listen(host: str, port: int, *, any_port: bool = False) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    # On Windows, the usual option would let two programs listen on one port.
    option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    listener.setsockopt(socket.SOL_SOCKET, option, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        if any_port and error.errno in PORT_TAKEN:
            return _listen(host, 0, any_port=False)
        raise PortInUse(
            f"can't listen on {host}:{port}: {error.strerror}",
            "choose another port, or stop the program that uses it",
        ) from error
    return listener
