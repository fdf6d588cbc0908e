"""The guard: what a connection may do before any request or message has been read.

The limits of the API (``api/middleware.py``, ``api/socket.py``) count requests and messages. Below
them, a client could send headers without end, half a request and then nothing, or a million empty
frames that never become a message. The guard stands where the bytes arrive:

    connection ── Guard.admit ── GuardedHttp ──┬── the app
                                               └── upgrade ── GuardedSocket ── the app

Each connection counts for the address of its peer. A trusted proxy's connections count for nobody,
and a socket that comes through one counts for the address that the proxy forwards.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import msgspec
from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import ProtocolError
from websockets.frames import CTRL_OPCODES, DATA_OPCODES, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from watermeet.server.api.connection import CHANNEL, FLOODING
from watermeet.server.api.models import Problem
from watermeet.server.errors import InvalidSettings
from watermeet.server.limits import RateLimiter, TokenBucket, client_key, plain_address
from watermeet.server.logs import fields
from watermeet.server.settings import Settings

LOG = logging.getLogger(__name__)
try:
    from websockets.speedups import apply_mask
except ImportError:  # Where it couldn't be compiled.
    from websockets.utils import apply_mask

BURST_S = 4.0
"""A socket or an address may send as much at once as in this many seconds."""
MAX_PIPELINED = 16
"""Requests or messages of one connection that wait for their turn."""
RESERVED_FILES = 64
"""Open files that aren't connections: the database, the log, pipes to workers."""
MIN_CONNECTIONS = 64
"""With fewer, a server isn't worth starting."""
LINGER_S = 1.0
"""How long a refused client has to read why."""
READ_BYTES = 16_384
"""How much of a response a client reads in the time for it, unless there is less."""
REPORT_S = 60.0
"""Each kind of refusal is logged at most once in this time, however many there are."""
_NEVER = float("inf")


def raise_file_limit() -> int:
    """Let this process open as many files as the system allows; returns how many that is."""
    if sys.platform == "win32":
        return 1_000_000  # There is no such limit for sockets.
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    for wanted in (hard, 65_536, 10_240):  # macOS calls its limit infinite, and refuses that.
        if wanted == unlimited or (soft != unlimited and wanted <= soft):
            continue
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue
        return wanted
    return 1_000_000 if soft == unlimited else soft


def connections_within(files: int, settings: Settings) -> int:
    """How many connections a server may have; raises InvalidSettings if that is next to nothing.

    Requests need connections too, so there are twice as many as sockets.
    """
    usable = files - RESERVED_FILES - 8 * settings.bot_workers
    if usable < MIN_CONNECTIONS:
        raise InvalidSettings(
            f"this system lets a process open {files} files, which is too few for a server",
            "raise the limit: ulimit -n 65536, or LimitNOFILE=65536 in a systemd unit",
        )
    if usable < settings.max_sockets:
        hint = "raise the limit of open files (ulimit -n), or lower max_sockets"
        LOG.warning(
            "fewer connections than max_sockets",
            extra=fields(open_files=files, connections=usable, hint=hint),
        )
    return min(usable, 2 * settings.max_sockets)


class Guard:
    """The limits of a server, and what its addresses have used of them."""

    def __init__(
        self,
        settings: Settings,
        connections: int,
        on_refusal: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``on_refusal`` gets the reason of each refusal, for the metrics."""
        self.settings = settings
        self._max = connections
        self._max_per_address = settings.connections_per_address
        if self._max_per_address < 2 * settings.max_sockets:  # Otherwise it is no limit on purpose.
            self._max_per_address = min(self._max_per_address, max(16, connections // 4))
        self._connections: Counter[str] = Counter()
        self.total = 0
        frames, size = settings.frames_per_second_per_address, settings.bytes_per_second_per_address
        self.frames = RateLimiter(frames, frames * BURST_S)
        self.bytes = RateLimiter(size, size * BURST_S)
        proxies = ",".join(settings.trusted_proxies)
        self._proxies = ProxyHeadersMiddleware(_no_app, proxies).trusted_hosts if proxies else None
        self._on_refusal = on_refusal
        self._reported: dict[str, float] = {}

    def is_proxy(self, address: str) -> bool:
        """Whether a peer is a trusted proxy, which speaks for many clients."""
        return self._proxies is not None and address in self._proxies

    def forwarded(self, headers: list[tuple[bytes, bytes]]) -> str:
        """The client's address that a trusted proxy forwards; empty if it doesn't."""
        values = [value for name, value in headers if name == b"x-forwarded-for"]
        if not values or self._proxies is None:
            return ""
        return self._proxies.get_trusted_client_address(b", ".join(values).decode("latin1"))[0]

    def admit(self, key: str) -> str:
        """Count a connection of an address (empty: of a proxy); a reason if there are too many."""
        if self.total >= self._max:
            return "server_full"
        if key and self._connections[key] >= self._max_per_address:
            return "connections"
        self.total += 1
        self.claim(key)
        return ""

    def claim(self, key: str) -> bool:
        """Count a connection for an address; False if it has too many."""
        if key and self._connections[key] >= self._max_per_address:
            return False
        if key:
            self._connections[key] += 1
        return True

    def release(self, key: str) -> None:
        """A connection has ended."""
        self.total -= 1
        self._connections[key] -= 1
        if self._connections[key] <= 0:
            del self._connections[key]

    def report(self, reason: str) -> None:
        """Count a refusal, and log it now and then. Addresses are personal, so none is logged."""
        self._on_refusal(reason)
        now = time.monotonic()
        if now - self._reported.get(reason, -_NEVER) > REPORT_S:
            self._reported[reason] = now
            LOG.warning("refusing clients", extra=fields(reason=reason))


async def _no_app(*_: Any) -> None:
    raise NotImplementedError


_REFUSALS = {
    "connections": (429, "too many connections from your address", "close some"),
    "server_full": (503, "this server is full", "try again in a moment"),
    "headers": (431, "the headers are too large", "send fewer or shorter ones"),
    "slow_headers": (408, "the request took too long", "send it again"),
    "slow_body": (408, "the request took too long", "send it again"),
    "bytes": (429, "too much data from your address", "send less"),
    "pipelined": (429, "too many requests at once", "wait for the responses"),
    "framing": (400, "the request can't be read", "see /api/openapi.json"),
    "malformed": (400, "the request can't be read", "see /api/openapi.json"),
}
"""For each reason of a refusal: status, message and hint."""
_CODES = {400: "bad_request", 408: "too_slow", 429: "too_many", 431: "too_large", 503: "too_many"}


def refusal(reason: str) -> bytes:
    """The whole response to a connection that is refused."""
    status, message, hint = _REFUSALS[reason]
    body = msgspec.json.encode(Problem(_CODES[status], message, hint))
    head = (
        "content-type: application/json\r\n"
        f"content-length: {len(body)}\r\n"
        "cache-control: no-store\r\n"
        "x-content-type-options: nosniff\r\n"
        "connection: close\r\n\r\n"
    )
    return STATUS_LINE[status] + head.encode() + body


class _Refused(Exception):
    """Ends the parser; the reason is noted already."""


class GuardedHttp(HttpToolsProtocol):
    """Requests, with limits on what comes before the app sees them."""

    guard: ClassVar[Guard]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._key = ""
        self._is_admitted = self._is_refused = False
        self._reason = ""
        self._part = "headers"  # What is awaited: "headers", "body", or "" for a response.
        self._headers = self._header_bytes = self._unfinished_bytes = self._body_bytes = 0
        self._begun = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._unread = 0
        self._reading_deadline: asyncio.TimerHandle | None = None

    # ---- the connection ----

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.client = _plain(self.client)
        address = self.client[0] if self.client else ""
        self._key = "" if self.guard.is_proxy(address) else client_key(address)
        refused = self.guard.admit(self._key)
        if refused:
            self._refuse(refused)
            return
        self._is_admitted = True
        self._await("headers")

    def connection_lost(self, exc: Exception | None) -> None:
        self._await("")
        self._end_reading_deadline()
        if self._is_admitted:
            self._is_admitted = False
            self.guard.release(self._key)
        super().connection_lost(exc)

    def _refuse(self, reason: str) -> None:
        """Say why, if nothing else was said yet, and close."""
        self._await("")
        if self.transport.is_closing() or self._is_refused:
            return
        self._is_refused = True
        self.guard.report(reason)
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and cycle.response_started and not cycle.response_complete:
            self.transport.close()
            return
        self.transport.write(refusal(reason))
        if not self._is_admitted:
            self.transport.close()
            return
        if cycle is not None:  # The app has nothing more to say.
            cycle.disconnected = True
            cycle.message_event.set()
        # If unread data were dropped now, the client might lose the response with them.
        self.transport.write_eof()
        self.transport.pause_reading()
        self.loop.call_later(LINGER_S, self.transport.close)

    def _was_refused(self) -> bool:
        return self._is_refused

    def _await(self, part: str) -> None:
        """Wait for a part of a request, for as long as it may take."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._part = part
        if part:
            settings = self.guard.settings
            seconds = settings.header_timeout_seconds
            if part == "body":
                seconds = settings.body_timeout_seconds
            self._deadline = self.loop.call_later(seconds, self._time_is_up)

    def _time_is_up(self) -> None:
        self._deadline = None
        if self._part == "headers" and not self._header_bytes and not self._unfinished_bytes:
            self.transport.close()  # A connection that a browser kept in reserve.
        else:
            self._refuse(f"slow_{self._part}")

    # ---- what arrives ----

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        if self._key and not self.guard.bytes.take(self._key, self.loop.time(), len(data)):
            self._refuse("bytes")
            return
        part, known = self._part, self._header_bytes + self._body_bytes
        super().data_received(data)
        if self._was_refused() or part != self._part:
            return
        # Of a header that isn't complete, the parser says nothing: count what it swallowed.
        self._unfinished_bytes += len(data) - (self._header_bytes + self._body_bytes - known)
        limit = self.guard.settings.max_header_bytes
        if part == "headers" and self._header_bytes + self._unfinished_bytes > limit:
            self._refuse("headers")
        elif part == "body" and self._unfinished_bytes > limit:
            self._refuse("framing")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._headers = self._header_bytes = self._unfinished_bytes = self._body_bytes = 0
        self._begun += 1
        if self._begun > MAX_PIPELINED:
            self._stop("pipelined")
        self._await("headers")

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._count_header(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._headers += 1
        self._count_header(len(name) + len(value))

    def _count_header(self, size: int) -> None:
        """Trailers count too: they come after the body, and stay in memory as well."""
        settings = self.guard.settings
        self._header_bytes += size
        if self._headers > settings.max_headers or self._header_bytes > settings.max_header_bytes:
            self._stop("headers")

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._unfinished_bytes = 0
        self._await("body")

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._await("")
        super().on_message_complete()
        if not self._begun:  # It was answered before it was complete.
            self._await_next()

    def on_response_complete(self) -> None:
        self._begun = max(0, self._begun - 1)
        super().on_response_complete()
        self._watch_reading()
        if not self._part and not self._begun and not self.transport.is_closing():
            self._await_next()

    def _await_next(self) -> None:
        """Await another request; uvicorn closes the connection before, unless bytes arrive."""
        self._header_bytes = self._unfinished_bytes = 0
        self._await("headers")

    def _stop(self, reason: str) -> None:
        """End the parser from inside one of its calls; the response follows when it returns."""
        self._reason = reason
        raise _Refused(reason)

    def send_400_response(self, msg: str) -> None:
        """What uvicorn calls when its parser has ended."""
        del msg
        self._refuse(self._reason or "malformed")

    # ---- what is read ----

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reading()

    def resume_writing(self) -> None:
        self._end_reading_deadline()
        super().resume_writing()

    def _watch_reading(self) -> None:
        """End the connection if its client doesn't read what it has asked for.

        Otherwise the response, and all that it is made of, would stay in memory, also after a
        close, which waits until everything has been sent.
        """
        self._end_reading_deadline()
        self._unread = self.transport.get_write_buffer_size()
        if self._unread:
            seconds = self.guard.settings.response_timeout_seconds
            self._reading_deadline = self.loop.call_later(seconds, self._check_reading)

    def _end_reading_deadline(self) -> None:
        if self._reading_deadline is not None:
            self._reading_deadline.cancel()
            self._reading_deadline = None

    def _check_reading(self) -> None:
        if self.transport.get_write_buffer_size() > max(0, self._unread - READ_BYTES):
            self.guard.report("unread")
            self.transport.abort()
        else:
            self._watch_reading()

    # ---- sockets ----

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over, together with its place in the guard's books."""
        self._await("")
        self._end_reading_deadline()
        if not self._key:  # Through a proxy.
            forwarded = client_key(self.guard.forwarded(self.headers)[:64])
            if not self.guard.claim(forwarded):
                self._refuse("connections")
                return
            self._key = forwarded
        self._is_admitted = False
        self.ws_protocol_class = partial(GuardedSocket, self.guard, self._key)  # type: ignore[assignment]
        super().handle_websocket_upgrade()
        # The socket has all that it needs. Without this, the parser keeps the rest for long.
        self.parser = self.scope = self.cycle = None  # type: ignore[assignment]


def _plain(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """A peer by the address that proxies and this machine are known by: see plain_address."""
    return None if client is None else (plain_address(client[0]), client[1])


class GuardedSocket(WebSocketsSansIOProtocol):
    """A socket, with limits on its frames and bytes."""

    def __init__(self, guard: Guard, key: str, config: Config, **more: Any) -> None:
        super().__init__(config, **more)
        self._guard, self._key = guard, key
        self._is_open = True
        self._is_at_frame = True
        """Whether the next byte begins a frame, as far as is known."""
        self._unsent: list[bytes] = []
        rate = guard.settings.bytes_per_second
        self._bytes = TokenBucket(rate, rate * BURST_S, self.loop.time())
        self.conn.parser.close()  # It would keep what is replaced here in memory.
        self.queue = _Inbox()  # type: ignore[assignment]
        self.conn: _Frames = _Frames(guard, key, max_size=config.ws_max_size, logger=self.logger)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.client = _plain(self.client)

    def data_received(self, data: bytes) -> None:
        now, size = self.loop.time(), len(data)
        within = self._bytes.take(now, size)
        if within and self._key:
            within = self._guard.bytes.take(self._key, now, size)
        if within:
            if not self._take_frame(data):
                super().data_received(data)
            return
        self._guard.report("bytes")
        if self.conn.state is State.OPEN:
            self.conn.fail(FLOODING, "too_many")
            self.handle_parser_exception()
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._is_open:
            self._is_open = False
            self._guard.release(self._key)
        super().connection_lost(exc)
        # What refers to itself stays until Python looks for cycles, which is rare.
        self.conn.parser.close()
        scope = getattr(self, "scope", None)  # A refused socket has none.
        if scope is not None:
            scope["extensions"].pop(CHANNEL, None)

    # ---- past ASGI: half of what a small message costs is spent between its layers ----

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][CHANNEL] = self  # type: ignore[assignment]

    def _take_frame(self, data: bytes) -> bool:
        """Take what most reads bring: a whole message in one frame, and nothing else."""
        head, conn = message_head(data), self.conn
        if not self._is_at_frame or not head:
            self._is_at_frame = self._is_at_frame and ends_at_frame(data)
            return False
        is_expected = conn.state is State.OPEN and not conn.expect_continuation_frame
        if not is_expected or conn.excess(Opcode.TEXT, fin=True):
            return False  # The parser closes the socket.
        self._pass_on(apply_mask(data[head:], data[head - 4 : head]))
        return True

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; uvicorn would stop and resume reading for each."""
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        self._pass_on(data)

    def _pass_on(self, data: bytes) -> None:
        if self.close_sent:
            return
        if self.response is not None:  # The first message: the handshake is over.
            self.request = self.response = None  # type: ignore[assignment]
        self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        if not self.read_paused and self.queue.qsize() >= MAX_PIPELINED:
            self.read_paused = True
            self.transport.pause_reading()

    def write_text(self, text: bytes) -> None:
        """Send a text, together with what else is written before the event loop goes on."""
        size = len(text)
        if size < 126:
            head = bytes((0x81, size))
        elif size < 65_536:
            head = b"\x81\x7e" + size.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + size.to_bytes(8, "big")
        if not self._unsent:
            self.loop.call_soon(self.flush)
        self._unsent += (head, text)

    def flush(self) -> None:
        """Send what was written, unless the socket is closing."""
        unsent, self._unsent = self._unsent, []
        if unsent and self.conn.state is State.OPEN and not self.transport.is_closing():
            self.transport.write(b"".join(unsent))

    @property
    def queued_bytes(self) -> int:
        """What the client hasn't read yet."""
        return self.transport.get_write_buffer_size()

    def abort(self) -> None:
        """Close the connection without waiting for the client."""
        self.transport.abort()


class _Inbox:
    """The events of a socket for its one reader. An empty queue of Python's takes 3 kB."""

    __slots__ = ("_events", "_waiter")

    def __init__(self) -> None:
        self._events: list[Any] = []
        self._waiter: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        return len(self._events)

    def empty(self) -> bool:
        return not self._events

    def put_nowait(self, event: Any) -> None:
        self._events.append(event)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get(self) -> Any:
        while not self._events:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self._events.pop(0)


class _Frames(ServerProtocol):
    """Counts each frame before anything is done with it.

    One read brings up to 256 kB, which may be 40,000 frames: whoever counted after each read would
    have parsed them all.
    """

    def __init__(self, guard: Guard, key: str, **more: Any) -> None:
        super().__init__(**more)
        settings, now = guard.settings, time.monotonic()
        rate, control = settings.frames_per_second, settings.control_frames_per_second
        self._guard, self._key = guard, key
        self._all = TokenBucket(rate, rate * BURST_S, now)
        self._control = TokenBucket(control, control * BURST_S, now)
        self._fragments = 0

    def recv_frame(self, frame: Frame) -> None:
        reason = self.excess(frame.opcode, fin=frame.fin)
        if reason:
            self._guard.report(reason)
            self.fail(FLOODING, "too_many")
            raise ProtocolError(reason)
        super().recv_frame(frame)

    def excess(self, opcode: Opcode, *, fin: bool) -> str:
        """The limit that a frame breaks, if any."""
        now = time.monotonic()
        if not self._all.take(now):
            return "frames"
        if self._key and not self._guard.frames.take(self._key, now):
            return "frames"
        if opcode in CTRL_OPCODES:
            is_control_flood = opcode is not Opcode.CLOSE and not self._control.take(now)
            return "control_frames" if is_control_flood else ""
        if opcode in DATA_OPCODES:
            self._fragments = 0 if fin else self._fragments + 1
            if self._fragments >= self._guard.settings.max_fragments:
                return "fragments"
        return ""


def message_head(data: bytes) -> int:
    """Where the content begins, if this is one whole masked text frame of a message; otherwise 0.

    >>> message_head(bytes([0x81, 0x82, 1, 2, 3, 4, 5, 6])), message_head(bytes([0x81, 0x82, 1]))
    (6, 0)
    """
    if len(data) < 6 or data[0] != 0x81 or data[1] < 0x80:
        return 0
    size, head = data[1] & 0x7F, 6
    if size == 126:
        size, head = int.from_bytes(data[2:4], "big"), 8
    return head if size < 65_536 and len(data) == head + size else 0


def ends_at_frame(data: bytes) -> bool:
    """Whether this is some whole frames; False also for very many, which aren't worth counting."""
    at = 0
    for _ in range(MAX_PIPELINED):
        if at + 2 > len(data):
            break
        size = data[at + 1] & 0x7F
        more = {126: 2, 127: 8}.get(size, 0)
        if more:
            size = int.from_bytes(data[at + 2 : at + 2 + more], "big")
        at += 2 + more + 4 * (data[at + 1] >= 0x80) + size
    return at == len(data)


def guarded_http(guard: Guard) -> type[GuardedHttp]:
    """The class that uvicorn makes a protocol of for each connection of a server."""
    return type("GuardedHttp", (GuardedHttp,), {"guard": guard})
