"""A line to the server: one socket for all matches, which comes back by itself when it breaks.

A thread of its own listens, so that a bot may think for as long as it likes and is still there.
When the line breaks it is opened again: the server is told which entry of each match was seen last,
and what was asked but not answered is asked again with the same id, so nothing is done twice.
"""

from __future__ import annotations

import json
import queue
import secrets
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from watermeet.client.clock import ServerClock, local_ms
from watermeet.client.errors import ServerRefused, Unreachable
from watermeet.client.position import Position
from watermeet.client.rest import Server
from watermeet.core.errors import WatermeetError

PROTOCOL = 1
PING_S = 2.5
WAITS_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""How long it is waited before the line is opened again; the last one over and over."""
PASSING = ("store_unavailable", "bus_unavailable", "too_many", "stopping", "internal")
"""Codes of refusals that pass by themselves."""
LONGEST_MESSAGE = 16 * 1024 * 1024


class Line:
    """A line; a context manager. ``patience_s``: how long a server may be away."""

    def __init__(self, server: Server, patience_s: float = 300.0) -> None:
        self._server, self._patience_s = server, patience_s
        self.clock = ServerClock()
        self._seen: dict[str, int | None] = {}
        self._asked: dict[str, tuple[dict[str, Any], queue.SimpleQueue[Any]]] = {}
        self._news: queue.SimpleQueue[Position | WatermeetError] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._socket: ClientConnection | None = None
        self._is_closed = threading.Event()
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
        """Hangs up."""
        self._is_closed.set()
        with self._lock:
            socket = self._socket
        if socket is not None:
            socket.close()
        self._thread.join(5.0)

    # ---- what a program calls ----

    def follow(self, match: str) -> None:
        """Hears of a match from now on: as who sits there, else as a watcher."""
        with self._lock:
            self._seen[match] = None
            self._send({"type": "follow", "match": match})

    def positions(self) -> Iterator[Position]:
        """How matches stand, whenever one has changed; raises Unreachable, ServerRefused."""
        while True:
            news = self._news.get()
            if isinstance(news, WatermeetError):
                raise news
            yield news

    def play(self, position: Position, move: str | int) -> int:
        """Plays a move in a position; the number of its entry. Raises ServerRefused."""
        return self.do(position.match, "play", move=move, at_seq=position.seq)

    def do(self, match: str, command: str, **more: Any) -> int:
        """Asks for something for our seat, such as ``do(match, "resign")``."""
        id_ = secrets.token_hex(8)
        message = {"type": "do", "id": id_, "match": match, "command": {"do": command, **more}}
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        with self._lock:
            self._asked[id_] = message, answers
            self._send(message)
        try:
            answer = answers.get(timeout=self._patience_s)
        except queue.Empty:
            raise Unreachable("the server does not answer", "does it run?") from None
        finally:
            with self._lock:
                self._asked.pop(id_, None)
        if isinstance(answer, WatermeetError):
            raise answer
        return int(answer["seq"])

    # ---- the thread ----

    def _send(self, message: dict[str, Any]) -> None:
        """Sends, if the line is open; else it is sent when it is. Under the lock."""
        if self._socket is not None:
            try:
                self._socket.send(json.dumps(message))
            except (OSError, WebSocketException):
                self._socket = None  # The thread opens it again, and sends what is missing.

    def _run(self) -> None:
        tries, broken_at = 0, time.monotonic()
        while not self._is_closed.is_set():
            try:
                with connect(
                    self._server.socket_url,
                    compression=None,
                    ping_interval=None,
                    max_size=LONGEST_MESSAGE,
                ) as socket:
                    self._greet(socket)
                    tries = 0
                    self._listen(socket)
            except WatermeetError as error:
                self._fail(error)
                return
            except (OSError, WebSocketException, TimeoutError) as error:
                if tries == 0:
                    broken_at = time.monotonic()
                if time.monotonic() - broken_at > self._patience_s:
                    self._fail(Unreachable(f"{self._server.url} is away: {error}", "does it run?"))
                    return
            except Exception as error:  # noqa: BLE001 - whoever waits must hear of it.
                self._fail(Unreachable(f"what came cannot be read: {error!r}", "is it ours?"))
                return
            with self._lock:
                self._socket = None
            self._is_closed.wait(WAITS_S[min(tries, len(WAITS_S) - 1)])
            tries += 1

    def _fail(self, error: WatermeetError) -> None:
        """Nothing can be done: everybody who waits is told."""
        with self._lock:
            self._news.put(error)
            for _, answers in self._asked.values():
                answers.put(error)

    def _greet(self, socket: ClientConnection) -> None:
        """Says who we are, what we follow, and what was not answered."""
        hello = {"type": "hello", "protocol": PROTOCOL, "token": self._server.token}
        socket.send(json.dumps(hello))
        told = json.loads(socket.recv(timeout=30.0))
        if told["type"] != "welcome":
            if told["code"] in PASSING:
                raise OSError(told["code"])
            raise ServerRefused(told)
        with self._lock:
            self._socket = socket
            for match, seen in self._seen.items():
                self._send({"type": "follow", "match": match, "after": seen})
            for message, _ in self._asked.values():
                self._send(message)
            self._send({"type": "ping", "sent": local_ms()})

    def _listen(self, socket: ClientConnection) -> None:
        while self._socket is not None and not self._is_closed.is_set():
            try:
                text = socket.recv(timeout=PING_S)
            except TimeoutError:
                with self._lock:
                    self._send({"type": "ping", "sent": local_ms()})
                continue
            except ConnectionClosed:
                return
            self._take(json.loads(text))

    def _take(self, told: dict[str, Any]) -> None:
        kind = told["type"]
        if kind == "pong":
            self.clock.add(sent=told["sent"], received=local_ms(), now=told["now"])
        elif kind in ("snapshot", "changes"):
            position = told["document"] if kind == "snapshot" else told["position"]
            with self._lock:
                if told["match"] in self._seen:
                    self._seen[told["match"]] = told["seq"]
            self._news.put(Position(told["match"], position))
        elif kind in ("done", "refused") and told.get("id") is not None:
            with self._lock:
                asked = self._asked.get(told["id"])
            if asked is not None:
                asked[1].put(told if kind == "done" else ServerRefused(told))
        elif kind == "refused" and told["code"] in PASSING:
            raise OSError(told["code"])  # The line is opened again, and all is asked again.
        elif kind == "refused":
            self._news.put(ServerRefused(told))
        elif kind == "bye" and told["code"] == "other_protocol":
            raise ServerRefused({**told, "message": "the server speaks another protocol"})
