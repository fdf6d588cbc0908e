"""A live connection to the server: one WebSocket for all matches, which reconnects automatically.

It listens in its own thread, so it stays connected while a bot thinks. After reconnecting, it tells
the server the last entry it has seen of each match, and repeats unanswered commands with the same
id, so nothing is done twice.
"""

from __future__ import annotations

import json
import queue
import random
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from watermeet.client.clock import ServerClock, local_ms
from watermeet.client.errors import (
    ApiError,
    ServerUnreachable,
    check_number,
    check_text,
    check_type,
)
from watermeet.client.position import Position
from watermeet.client.rest import Client
from watermeet.client.tls import shared_context
from watermeet.core.errors import InvalidArgument, WatermeetError

PROTOCOL = 1
PING_S = 2.0
"""After a silence of this long, the server is pinged,"""
PONG_S, MAX_PONG_S = 2.0, 8.0
"""and after another it counts as gone. Each time this happens to a server that is only slow, it is
given twice as long, up to the second."""
CONNECT_S = (2.0, 2.0, 4.0, 8.0, 16.0)
"""How long connecting may take, and the response to our hello: less at first, since a proxy may try
a node that hangs."""
CLOSE_S = 0.5
BACKOFF_S = (0.1, 0.2, 0.5, 1.0, 1.0, 1.0, 1.0, 2.0, 5.0)
"""The longest delays before reconnecting; the last repeats. They are shortened at random, or all
clients would come at once. Whoever lost one node of several tries every second at first."""
TRANSIENT = ("store_unavailable", "bus_unavailable", "too_many", "stopping", "internal")
"""Codes of errors that go away on their own."""
PHRASES = (
    "hello", "good_luck", "well_played", "thanks", "oops", "nice", "hurry", "sorry", "bye",
    "smile", "clap", "think", "wow", "heart",
)  # fmt: skip
"""What can be said; people read it in their own language."""
MAX_MESSAGE_BYTES = 16 * 1024 * 1024


class Connection:
    """A connection; a context manager. It gives up after ``timeout_s`` without the server.

    ``on_said`` is called with the match, the seat and the phrase whenever somebody says something,
    from the thread of the connection.
    """

    def __init__(
        self,
        client: Client,
        timeout_s: float = 300.0,
        on_said: Callable[[str, int, str], None] | None = None,
    ) -> None:
        check_type("client", client, Client)
        check_number("timeout_s", timeout_s, may_be_float=True)
        self._client, self._timeout_s, self._on_said = client, timeout_s, on_said
        self.clock = ServerClock()
        self._seen: dict[str, int | None] = {}
        self._present: dict[str, frozenset[int]] = {}
        self._pending: dict[str, tuple[dict[str, Any], Future[int]]] = {}
        self._news: queue.SimpleQueue[Position | WatermeetError] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._socket: ClientConnection | None = None
        self._failure: WatermeetError | None = None
        self._is_closed = threading.Event()
        self._pong_s = PONG_S
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Disconnect."""
        self._is_closed.set()
        with self._lock:
            socket = self._socket
        if socket is not None:
            socket.close()
        self._thread.join(5.0)

    # ---- the public methods ----

    def follow(self, match: str) -> None:
        """Receive the positions of a match from now on: those of our seat, or a spectator's."""
        check_text("match", match, may_be_empty=False)
        with self._lock:
            self._seen[match] = None
            self._send({"type": "follow", "match": match})

    def positions(self) -> Iterator[Position]:
        """The new position of a match whenever one changes; raises ServerUnreachable, ApiError."""
        while True:
            news = self._news.get()
            if isinstance(news, WatermeetError):
                raise news
            yield news

    def play(self, position: Position, move: str | int) -> int:
        """Play a move, and return the number of its log entry; raises ApiError."""
        check_type("position", position, Position)
        (check_text if isinstance(move, str) else check_number)("move", move)
        return self.command(position.match, "play", move=move, at_seq=position.seq)

    def command(self, match: str, command: str, **arguments: Any) -> int:
        """Send a command for our seat, such as ``command(match, "resign")``; raises ApiError."""
        check_text("match", match, may_be_empty=False)
        check_text("command", command)
        id_ = secrets.token_hex(8)
        sent = {"type": command, **arguments}
        message = {"type": "command", "id": id_, "match": match, "command": sent}
        future: Future[int] = Future()
        with self._lock:
            if self._failure is not None:
                raise self._failure
            self._pending[id_] = message, future
            self._send(message)
        try:
            return future.result(self._timeout_s)
        except TimeoutError:
            raise ServerUnreachable("no reply from the server", "is it running?") from None
        finally:
            with self._lock:
                self._pending.pop(id_, None)

    def say(self, match: str, what: str) -> None:
        """Say one of ``PHRASES`` to everybody at a followed match; lost while disconnected."""
        check_text("match", match, may_be_empty=False)
        if what not in PHRASES:
            raise InvalidArgument(f"{what!r} can't be said", f"say one of {', '.join(PHRASES)}")
        with self._lock:
            self._send({"type": "say", "match": match, "what": what})

    def present(self, match: str) -> frozenset[int] | None:
        """The seats of a followed match whose players are connected; None before that is known."""
        check_text("match", match, may_be_empty=False)
        with self._lock:
            return self._present.get(match)

    # ---- the thread ----

    def _send(self, message: dict[str, Any]) -> None:
        """Send if connected; otherwise connecting sends it. The caller holds the lock."""
        if self._socket is not None:
            try:
                self._socket.send(json.dumps(message))
            except (OSError, WebSocketException):
                self._socket = None  # The thread reconnects and sends what is missing.

    def _run(self) -> None:
        attempts, lost_at = 0, time.monotonic()
        while not self._is_closed.is_set():
            connect_s = CONNECT_S[min(attempts, len(CONNECT_S) - 1)]
            try:
                url = self._client.socket_url
                with connect(
                    url,
                    ssl=shared_context() if url.startswith("wss:") else None,
                    compression=None,
                    ping_interval=None,
                    open_timeout=connect_s,
                    close_timeout=CLOSE_S,
                    max_size=MAX_MESSAGE_BYTES,
                ) as socket:
                    self._greet(socket, connect_s)
                    attempts = 0
                    self._listen(socket)
            except WatermeetError as error:
                self._fail(error)
                return
            except (OSError, WebSocketException, TimeoutError) as error:
                if attempts == 0:
                    lost_at = time.monotonic()
                if time.monotonic() - lost_at > self._timeout_s:
                    message = f"{self._client.url} doesn't respond: {error}"
                    self._fail(ServerUnreachable(message, "is the server running?"))
                    return
            except Exception as error:  # noqa: BLE001 - everyone who waits must learn of it.
                self._fail(ServerUnreachable(f"unexpected message: {error!r}", "is it our server?"))
                return
            with self._lock:
                self._socket = None
            self._client.use_next_address()
            delay = BACKOFF_S[min(attempts, len(BACKOFF_S) - 1)]
            self._is_closed.wait(delay * random.uniform(0.5, 1.0))
            attempts += 1

    def _fail(self, error: WatermeetError) -> None:
        """Pass a fatal error on to everyone who waits."""
        with self._lock:
            self._failure = error
            self._news.put(error)
            for _, future in self._pending.values():
                future.set_exception(error)

    def _greet(self, socket: ClientConnection, timeout_s: float) -> None:
        """Send our token, the matches that we follow and the commands without a reply."""
        hello = {"type": "hello", "protocol": PROTOCOL, "token": self._client.token}
        socket.send(json.dumps(hello))
        reply = json.loads(socket.recv(timeout=timeout_s))
        if reply["type"] != "welcome":
            raise OSError(reply["code"]) if reply["code"] in TRANSIENT else ApiError(reply)
        with self._lock:
            self._socket = socket
            for match, seen in self._seen.items():
                self._send({"type": "follow", "match": match, "after": seen})
            for message, _ in self._pending.values():
                self._send(message)
            self._send({"type": "ping", "sent": local_ms()})

    def _listen(self, socket: ClientConnection) -> None:
        is_pinged = False
        while self._socket is not None and not self._is_closed.is_set():
            try:
                text = socket.recv(timeout=self._pong_s if is_pinged else PING_S)
            except TimeoutError:
                if is_pinged:  # The node hangs, or its machine is gone without a word.
                    self._pong_s = min(2 * self._pong_s, MAX_PONG_S)
                    raise
                is_pinged = True
                with self._lock:
                    self._send({"type": "ping", "sent": local_ms()})
                continue
            except ConnectionClosed:
                return
            is_pinged = False
            self._handle(json.loads(text))

    def _handle(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "pong":
            received = local_ms()
            self.clock.add(sent=message["sent"], received=received, now=message["now"])
            if received - message["sent"] < 500 * PONG_S:
                self._pong_s = PONG_S
        elif kind in ("snapshot", "changes"):
            data = message["document"] if kind == "snapshot" else message["position"]
            with self._lock:
                if message["match"] in self._seen:
                    self._seen[message["match"]] = message["seq"]
            self._news.put(Position(message["match"], data))
        elif kind == "presence":
            with self._lock:
                self._present[message["match"]] = frozenset(message["seats"])
        elif kind == "said" and self._on_said is not None:
            self._on_said(message["match"], message["seat"], message["what"])
        elif kind in ("ack", "error") and message.get("id") is not None:
            with self._lock:
                _, future = self._pending.get(message["id"], (None, None))
            if future is not None and not future.done():  # A repeated command may get two replies.
                if kind == "ack":
                    future.set_result(int(message["seq"]))
                else:
                    future.set_exception(ApiError(message))
        elif kind == "error" and message["code"] in TRANSIENT:
            raise OSError(message["code"])  # Reconnecting repeats everything.
        elif kind == "error":
            self._news.put(ApiError(message))
        elif kind == "bye" and message["code"] == "other_protocol":
            raise ApiError({**message, "message": "the server speaks another protocol version"})
