"""Runs a server: listens, starts, says where it is, and stops gently when it is told to."""

from __future__ import annotations

import contextlib
import gc
import socket
import sys
import webbrowser
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from watermeet.core.errors import WatermeetError
from watermeet.server.app import create_app, end_lines
from watermeet.server.errors import PortInUse
from watermeet.server.logs import set_up_logs
from watermeet.server.settings import Settings

SWITCH_S = 0.0005
"""How long a thread of this process may keep others from running. The one that writes the database
asks for its turn several times for each move. With Python's own five milliseconds half of the moves
took 15 ms instead of 10 at a thousand a second (bench/server_load.py)."""
GARBAGE = (50_000, 20, 20)
"""How many new objects let Python look for garbage. There is little of it here: matches are values
without cycles, which go by themselves."""


def serve(settings: Settings, *, tell: Callable[[str], None], open_browser: bool) -> None:
    """Serves until Ctrl-C or SIGTERM; raises PortInUse, and what opening the database raises."""
    set_up_logs(settings.log_level, settings.log_format)
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(*GARBAGE)
    listening = _listen(settings.host, settings.port)
    address = _address(settings, listening.getsockname()[1])
    app = create_app(settings)
    config = configured(app, settings)
    server = Server(config, app, lambda: _say(address, tell, open_browser=open_browser))
    with contextlib.closing(listening):
        server.run(sockets=[listening])
    failure: WatermeetError | None = getattr(app.state, "failure", None)
    if failure is not None:
        raise failure


def configured(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves the app. Nobody's word for an address counts but a trusted proxy's."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=settings.max_request_bytes,
        ws_per_message_deflate=False,  # It doubles the way of a small message, there and back.
        ws_ping_interval=None,  # Clients ping; who is silent for long is dropped.
        timeout_graceful_shutdown=int(settings.shutdown_timeout_seconds) + 1,
        forwarded_allow_ips=",".join(settings.trusted_proxies),
        proxy_headers=bool(settings.trusted_proxies),
        server_header=False,
    )


class Server(uvicorn.Server):
    """Says when it is there, and says goodbye before it waits for clients to end."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._app, self._say_started = app, started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._say_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A stream does not end by itself, and the app would be told only when all have ended.
        end_lines(self._app)
        await super().shutdown(sockets)


def _say(address: str, tell: Callable[[str], None], *, open_browser: bool) -> None:
    tell(f"Watermeet is at {address} (Ctrl-C stops it; nothing is lost)")
    if open_browser:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)


def _address(settings: Settings, port: int) -> str:
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::", "") else settings.host  # noqa: S104
    return settings.public_url or f"http://{host}:{port}/"


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise PortInUse(
            f"{host}:{port} cannot be listened at: {error.strerror}",
            "choose another port, or end the program that has it",
        ) from error
    return listening
