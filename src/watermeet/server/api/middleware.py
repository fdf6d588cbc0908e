"""What every request passes: where it comes from, how much and how often; and how errors are told.

Outermost of all, so that nothing gets past it: no error leaves with a trace, and no answer without
the headers that browsers keep to.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import time
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from watermeet.core.errors import (
    Conflict,
    IllegalMove,
    InvalidOptions,
    NoSuchSeat,
    NotYourTurn,
    UnknownGame,
    WatermeetError,
)
from watermeet.server.api.openapi import PATH as DESCRIPTION
from watermeet.server.errors import ServerError
from watermeet.server.limits import RateLimiter, client_key
from watermeet.server.logs import fields
from watermeet.server.settings import Settings

LOG = logging.getLogger(__name__)
BURST_S = 4.0
"""An address may ask as much at once as in so many seconds."""
RECORDS = "/api/records"
_READS = ("GET", "HEAD", "OPTIONS")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # The address of a private match is nobody else's business.
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_OF_DOCUMENTS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


# ---- errors -------------------------------------------------------------------------------------

_STATUS: dict[type[WatermeetError], int] = {
    UnknownGame: 404,
    InvalidOptions: 422,
    IllegalMove: 409,
    NoSuchSeat: 404,
    NotYourTurn: 409,
    Conflict: 409,
}
_CODES = {404: "not_found", 405: "wrong_method", 413: "too_large"}
_HINT = f"see {DESCRIPTION}"


def problem(
    status: int, code: str, message: str, hint: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    """An error as it goes over the wire."""
    told = {"code": code, "message": message, "hint": hint}
    return JSONResponse(told, status, headers)


def add_handlers(app: FastAPI) -> None:
    """Tells errors in one form: {code, message, hint}."""

    @app.exception_handler(WatermeetError)
    async def refuse(_: Request, error: WatermeetError) -> JSONResponse:
        kinds = type(error).__mro__
        status = next((_STATUS[kind] for kind in kinds if kind in _STATUS), 422)
        if isinstance(error, ServerError):
            status = error.status
        content: dict[str, object] = dict(error.as_json())
        if isinstance(error, IllegalMove) and error.explanation is not None:
            content["explanation"] = error.explanation.as_json()
        return JSONResponse(content, status)

    @app.exception_handler(RequestValidationError)
    async def unreadable(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return problem(422, "bad_request", f"{where[:200]}: {first['msg'][:200]}", _HINT)

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> JSONResponse:
        code = _CODES.get(error.status_code, "bad_request")
        headers = dict(error.headers or {})
        if error.status_code == 405:  # The first route of a path knows its own methods alone.
            headers["Allow"] = ", ".join(sorted(_methods(app, request.url.path)))
        return problem(error.status_code, code, str(error.detail), _HINT, headers)


def _methods(app: FastAPI, path: str) -> set[str]:
    """The methods that all routes of a path take together."""
    found: set[str] = set()
    for template, methods in app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template)), path):
            found |= {method.upper() for method in methods}
    return found


# ---- the guard ----------------------------------------------------------------------------------


class Guard:
    """Stands before the app."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        rate = settings.requests_per_second
        self._asked = RateLimiter(rate, rate * BURST_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request pass, or answers it."""
        if scope["type"] == "websocket":
            await self._pass_socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._pass_request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _pass_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        is_welcome = is_allowed(headers, self._settings) and self._may_ask(scope)
        if not is_welcome:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "forbidden"})
            return
        await self._app(scope, receive, send)

    async def _pass_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Answer(send, is_document=scope["path"].startswith("/api/"))
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, answer)
            return
        limit = self._limit(scope)
        try:
            await self._app(scope, _Measured(receive, limit), answer)
        except Exception:
            LOG.exception("a request broke", extra=fields(method=scope["method"]))
            if answer.is_begun:
                raise  # Too late for words: the line is cut, and the client sees that.
            broken = problem(500, "internal", "the server made a mistake", "try again later")
            await broken(scope, receive, answer)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        if not self._may_ask(scope):
            wait = {"Retry-After": "1"}
            return problem(429, "too_many", "too many requests", "ask less often", wait)
        if scope["method"] in _READS:
            return None
        if not is_allowed(headers, self._settings):
            return problem(403, "forbidden", "another page may not ask that", "")
        limit = self._limit(scope)
        told = headers.get("content-length", "0")
        if not (told.isascii() and told.isdigit()) or len(told) > 12 or int(told) > limit:
            return _too_large(limit)
        return None

    def _limit(self, scope: Scope) -> int:
        settings = self._settings
        return settings.max_record_bytes if scope["path"] == RECORDS else settings.max_request_bytes

    def _may_ask(self, scope: Scope) -> bool:
        address = scope["client"][0] if scope.get("client") else ""
        return self._asked.take(client_key(address), time.monotonic())


def _too_large(limit: int) -> JSONResponse:
    return problem(413, "too_large", "the request is too large", f"{limit} bytes at most")


class _Measured:
    """What comes in, as long as it is not too much: also where no length was told before."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._left, self._limit = receive, limit, limit

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise HTTPException(413, f"the request is too large: {self._limit} bytes at most")
        return message


class _Answer:
    """What goes out, with our headers."""

    def __init__(self, send: Send, *, is_document: bool) -> None:
        self._send, self._is_document = send, is_document
        self.is_begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.is_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            for name, value in _OF_DOCUMENTS.items() if self._is_document else ():
                headers.setdefault(name, value)
        await self._send(message)


# ---- origin -------------------------------------------------------------------------------------


def is_allowed(headers: Headers, settings: Settings) -> bool:
    """Whether a page may ask: our own, one that is listed, or no page at all but a program."""
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is None or origin in settings.allowed_origins:
        return True
    if settings.public_url and origin == origin_of(settings.public_url):
        return True
    return origin in (f"http://{host}", f"https://{host}") and _is_ours(host, settings)


def origin_of(url: str) -> str:
    """The origin of an address, as a browser tells it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_ours(host: str, settings: Settings) -> bool:
    """Whether a host can be this server's own name.

    A server for this machine alone has no name but the machine's own: anybody may let a name of
    theirs lead to 127.0.0.1, and a page there would pass for ours. Whoever serves under a name
    behind a proxy sets ``public_url``.
    """
    if settings.host not in _LOOPBACK:
        return True
    name = urlsplit(f"//{host}").hostname or ""
    if name == "localhost":
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
