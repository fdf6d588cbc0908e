"""A whole server in the test's process: the real app and its database, without a network.

Requests, sockets and streams go through the app as a web server would pass them on, so all that
is sent can be inspected byte by byte, and a million messages take minutes.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from argon2 import PasswordHasher
from starlette.applications import Starlette
from tests.server.talk import Talk

from watermeet.core.kernel import plain_python
from watermeet.server.app import create_app
from watermeet.server.settings import Settings
from watermeet.server.tokens import hash_token

HOST = "127.0.0.1:8765"
PASSWORD = "correct horse"  # noqa: S105
FIREFOX = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"}
GENEROUS = {
    "bot_workers": 0,
    "creations_per_minute": 1_000_000,
    "requests_per_second": 1_000_000,
    "messages_per_second": 1_000_000,
}


@asynccontextmanager
async def inside(folder: Path, **changes: Any) -> AsyncIterator[Inside]:
    """A server with a database in a folder; kernels run as plain Python."""
    with plain_python():
        async with inside_compiled(folder, **changes) as found:
            yield found


@asynccontextmanager
async def inside_compiled(folder: Path, **changes: Any) -> AsyncIterator[Inside]:
    """The same, but the server compiles as it would outside of tests."""
    settings = Settings(data_dir=str(folder), **(GENEROUS | changes))
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        yield Inside(app)


class Inside:
    """The server, and ways to reach it."""

    def __init__(self, app: Starlette) -> None:
        self.app = app

    def http(self, token: str = "", address: str = "127.0.0.1") -> httpx2.AsyncClient:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx2.ASGITransport(self.app, client=(address, 1), raise_app_exceptions=False)
        return httpx2.AsyncClient(transport=transport, base_url=f"http://{HOST}", headers=headers)

    @property
    def services(self) -> Any:
        """What the app is made of."""
        return self.app.state.services

    async def guest(self, name: str = "") -> str:
        """The token of a new guest."""
        token: str = (await call(self, "", "POST", "/guests"))["token"]
        if name:
            await call(self, token, "PUT", "/me/name", {"name": name}, 200)
        return token

    async def member(self, name: str, role: str = "player") -> str:
        """The token of somebody with an account."""
        account = await self.services.people.add_guest()
        id_: str = account.user.id
        assert await self.services.store.add_account(
            id_, name, hashed_password(), but=hash_token(account.token)
        )
        if role != "player":
            user = await self.services.store.user(id_)
            await self.services.moderation.put_role(None, user, role)
        return str(account.token)

    async def seated(self, game: str, seats: int, **setup: Any) -> tuple[str, list[str]]:
        """A match with a guest on every seat, and their tokens."""
        tokens = [await self.guest() for _ in range(seats)]
        return await self.match_of(tokens, game=game, **setup), tokens

    async def match_of(self, tokens: Sequence[str], **setup: Any) -> str:
        """A match of the people with these tokens, who take the first seats in turn."""
        body = {"game": "kuhn_poker", "seats": [{}] * len(tokens), "seat": 0} | setup
        match: str = (await call(self, tokens[0], "POST", "/matches", body, 201))["match"]
        for seat, token in enumerate(tokens[1:], start=1):
            await call(self, token, "POST", f"/matches/{match}/seats/{seat}", {}, 201)
        return match

    async def document(self, match: str, token: str = "") -> Any:
        """A match as somebody sees it."""
        return await call(self, token, "GET", f"/matches/{match}", None, 200)

    async def command(self, match: str, token: str, id_: str, **command: Any) -> Any:
        """The response to a command."""
        body = {"id": id_, "command": command}
        return await call(self, token, "POST", f"/matches/{match}/commands", body)

    async def to_move(self, match: str, tokens: Sequence[str]) -> tuple[int, list[Any]]:
        """The seat to move, and its legal moves."""
        for seat, token in enumerate(tokens):
            view = (await self.document(match, token))["view"]
            if view["to_move"] == seat:
                return seat, view["legal"]
        raise AssertionError("nobody is to move")

    async def play(self, match: str, tokens: Sequence[str], moves: int = 10**6) -> None:
        """Play the first legal move in turn, to the end or this many times."""
        for _ in range(moves):
            shown = await self.document(match, tokens[0])
            if shown["stage"] != "playing":
                return
            seat, legal = await self.to_move(match, tokens)
            command = {"type": "play", "move": legal[0]["action"]}
            done = await self.command(match, tokens[seat], f"p{shown['seq']}", **command)
            assert done["status"] == 200, done

    async def socket(self, token: str = "", **more: Any) -> Socket:
        """A socket that has said hello."""
        socket = Socket(self.app, **more)
        await socket.open()
        await socket.send({"type": "hello", "protocol": 1, "token": token})
        await socket.receive("welcome", "error")
        return socket

    async def stream(self, path: str, token: str = "") -> Stream:
        """A streaming response."""
        stream = Stream(self.app, path, token)
        await stream.begin()
        return stream


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def call(
    server: Inside,
    token: str,
    method: str,
    path: str,
    body: Any = None,
    expected: int | str | None = None,
) -> Any:
    """The JSON of a response, with its status; checks the status or the error code, if given."""
    async with server.http(token) as http:
        answer = await http.request(method, f"/api{path}", json=body, headers=FIREFOX)
    found = answer.json() | {"status": answer.status_code}
    assert expected in (None, found["status"], found.get("code")), answer.text
    return found


@functools.cache
def hashed_password() -> str:
    return PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)


def _scope(kind: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
    path, _, query = path.partition("?")
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "ws" if kind == "websocket" else "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [
            (name.lower().encode(), value.encode())
            for name, value in ({"host": HOST} | headers).items()
        ],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8765),
        "subprotocols": [],
        "state": {},
    }


async def until(is_so: Callable[[], Any]) -> None:
    """Return when something holds, which may be a coroutine's result."""
    async with asyncio.timeout(30):
        while True:
            found = is_so()
            if await found if inspect.isawaitable(found) else found:
                return
            await asyncio.sleep(0.005)


class Clock:
    """Milliseconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000_000_000_000

    def __call__(self) -> int:
        return self.now


class _Call:
    """A long-running call of the app."""

    def __init__(self, app: Starlette, scope: dict[str, Any]) -> None:
        self._app, self._scope = app, scope
        self._to_app: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._from_app: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.task: asyncio.Task[None] | None = None

    def _run(self) -> None:
        async def send(message: Any) -> None:
            self._from_app.put_nowait(message)

        self.task = asyncio.create_task(self._app(self._scope, self._to_app.get, send))

    async def _next(self) -> dict[str, Any]:
        async with asyncio.timeout(60):
            return await self._from_app.get()

    async def _end(self, message: dict[str, Any]) -> None:
        self._to_app.put_nowait(message)
        assert self.task is not None
        async with asyncio.timeout(20):
            await self.task


class Socket(_Call, Talk):
    """A client's socket; ``raw`` has every text received, ``code`` says how it was closed."""

    def __init__(self, app: Starlette, **headers: str) -> None:
        super().__init__(app, _scope("websocket", "/api/socket", headers))
        self.raw: list[str] = []
        self.code: int | None = None

    async def open(self) -> bool:
        self._run()
        self._to_app.put_nowait({"type": "websocket.connect"})
        answer = await self._next()
        if answer["type"] != "websocket.accept":
            self.code = answer.get("code", 0)
        return self.code is None

    def push(self, content: str | bytes) -> None:
        kind = "text" if isinstance(content, str) else "bytes"
        self._to_app.put_nowait({"type": "websocket.receive", kind: content})

    async def send(self, message: Any) -> None:
        self.push(json.dumps(message))

    async def next(self) -> dict[str, Any] | None:
        """The next message; None if the server closed the socket."""
        if self.code is not None:
            return None
        event = await self._next()
        if event["type"] == "websocket.close":
            self.code = event["code"]
            return None
        self.raw.append(event["text"])
        message: dict[str, Any] = json.loads(event["text"])
        return message

    async def receive(self, *types: str) -> dict[str, Any]:
        while True:
            message = await self.next()
            assert message is not None, f"closed with {self.code}"
            if message["type"] in types:
                return message

    def waiting(self) -> int:
        return self._from_app.qsize()

    async def close(self) -> None:
        await self._end({"type": "websocket.disconnect", "code": 1000})


class Stream(_Call):
    """A response of lines."""

    def __init__(self, app: Starlette, path: str, token: str) -> None:
        super().__init__(app, _scope("http", path, bearer(token) if token else {}))
        self.status = 0
        self.headers: dict[str, str] = {}
        self.raw: list[str] = []
        self._rest = b""
        self._beats = 0
        self.is_over = False

    async def begin(self) -> None:
        self._run()
        self._to_app.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        start = await self._next()
        self.status = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}

    async def next(self) -> dict[str, Any] | None:
        """The next line; None at the end."""
        while b"\n" not in self._rest:
            if self.is_over:
                return None
            event = await self._next()
            self._rest += event.get("body", b"")
            self.is_over = not event.get("more_body", False)
        line, _, self._rest = self._rest.partition(b"\n")
        self._beats = self._beats + 1 if line.startswith(b'{"type":"heartbeat"') else 0
        assert self._beats < 5, "nothing but heartbeats"
        self.raw.append(line.decode())
        message: dict[str, Any] = json.loads(line)
        return message

    async def receive(self, *types: str) -> dict[str, Any]:
        while True:
            message = await self.next()
            assert message is not None, "the stream is over"
            if message["type"] in types:
                return message

    async def close(self) -> None:
        await self._end({"type": "http.disconnect"})
