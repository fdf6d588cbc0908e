"""What every request passes through: origin, size and rate checks, and security headers.

It is outermost, so nothing gets past it: no error leaves with a trace, and no response without the
headers that browsers obey.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from watermeet.server.api.problems import problem
from watermeet.server.limits import RateLimiter, client_key
from watermeet.server.logs import fields
from watermeet.server.settings import Settings

LOG = logging.getLogger(__name__)
BURST_S = 4.0
"""An address may send as much at once as in this many seconds."""
RECORDS = "/api/records"
_READS = ("GET", "HEAD", "OPTIONS")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # The URL of a private match is private.
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_OF_DOCUMENTS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


SOCKET = "/api/socket"


class Gateway:
    """The middleware."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        rate = settings.requests_per_second
        self._requests = RateLimiter(rate, rate * BURST_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_allowed = is_own_page(Headers(scope=scope), self._settings)
        if not is_allowed or not self._is_within_rate(scope):
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "forbidden"})
        elif scope["path"] == SOCKET:  # Each layer between would stay in memory with the socket.
            await scope["app"].state.sockets.serve(WebSocket(scope, receive, send))
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = _Response(send, is_document=scope["path"].startswith("/api/"))
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, response)
            return
        limit = self._limit(scope)
        try:
            await self._app(scope, _Measured(receive, limit), response)
        except ClientDisconnect:
            return  # Nobody is there to respond to.
        except Exception:
            LOG.exception("a request failed", extra=fields(method=scope["method"]))
            if response.is_begun:
                raise  # Too late for an error: the connection is cut, and the client sees that.
            error = problem(500, "internal", "something went wrong on our side", "try again later")
            await error(scope, receive, response)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._is_within_rate(scope):
            wait = {"Retry-After": "1"}
            return problem(429, "too_many", "too many requests", "send fewer", wait)
        if scope["method"] in _READS:
            return None
        if not is_own_page(headers, self._settings):
            return problem(403, "forbidden", "another page may not do that", "")
        limit = self._limit(scope)
        length = headers.get("content-length", "0")
        is_number = length.isascii() and length.isdigit() and len(length) <= 12
        if not is_number or int(length) > limit:
            return _too_large(limit)
        return None

    def _limit(self, scope: Scope) -> int:
        settings = self._settings
        return settings.max_record_bytes if scope["path"] == RECORDS else settings.max_request_bytes

    def _is_within_rate(self, scope: Scope) -> bool:
        address = scope["client"][0] if scope.get("client") else ""
        return self._requests.take(client_key(address), time.monotonic())


def _too_large(limit: int) -> Response:
    return problem(413, "too_large", "the request is too large", f"{limit} bytes at most")


class _Measured:
    """A request body, limited also where no length was declared."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._left, self._limit = receive, limit, limit

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise HTTPException(413, f"the request is too large: {self._limit} bytes at most")
        return message


class _Response:
    """A response with our headers."""

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


def is_own_page(headers: Headers, settings: Settings) -> bool:
    """Whether a request comes from our own page, a listed one, or a program."""
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is None or origin in settings.allowed_origins:
        return True
    if settings.public_url and origin == origin_of(settings.public_url):
        return True
    return origin in (f"http://{host}", f"https://{host}") and _is_ours(host, settings)


def origin_of(url: str) -> str:
    """The origin of a URL, as browsers write it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_ours(host: str, settings: Settings) -> bool:
    """Whether a host can be this server's own name.

    A server that listens on the loopback has no other name: anybody may point a name of theirs at
    127.0.0.1, and a page there would pass for ours (DNS rebinding). A server with a name behind a
    proxy sets ``public_url``.
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
