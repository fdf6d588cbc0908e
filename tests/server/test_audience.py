"""What others get depends on no secret: lists, feeds, streams, exports and searches of matches.

The same scenario is played twice, and only the secret part differs: what is done in a closed match,
or within the delay of its spectators; the other hand; who has blocked whom. All else is made equal,
ids and tokens too, and every byte is compared. New routes are asked as soon as they exist.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.server.inside import Clock, Inside, Socket, Stream, call, inside

from watermeet.server import tokens
from watermeet.server.api.routes import ENDPOINTS
from watermeet.server.api.streams import NDJSON
from watermeet.server.matches.randomness import Randomness

pytestmark = pytest.mark.anyio

DELAY_S = 60
SETUPS: dict[str, dict[str, Any]] = {
    "a closed match": {"spectators": "none"},
    "a delayed match": {"spectator_delay_s": DELAY_S},
    "a hidden hand": {},
    "a block": {},
}
WITHOUT_MATCHES = re.compile(
    r"/api/(accounts|addresses|games|health|me/push|metrics|puzzles|status|version)\b"
)
"""Routes that know nothing of matches. Metrics are the host's; each server has its own push key."""
SEARCHES = (
    "/matches?stage=playing", "/matches?stage=playing&game=kuhn_poker",
    "/users/Ada/matches?opponent=Bob", "/users/Ada/matches?game=kuhn_poker",
    "/matches/{match}/chat?room=spectators",
)  # fmt: skip
ACTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/matches/{match}/seats/1", {}),
    ("/matches/{match}/review", {}),
    ("/matches/{match}/review/0", {"moves": []}),
    ("/matches/{match}/hints", {}),
    ("/matches/{match}/commands", {"id": "x", "command": {"type": "resign"}}),
    ("/matches", {"game": "kuhn_poker", "seats": [{}, {}], "start": {"match": "", "ply": 0}}),
    ("/matches/{match}/chat", {"text": "hm"}),
    ("/me/blocks", {"match": "", "seat": 0, "only_chat": True}),
    ("/reports", {"match": "", "seat": 0, "reason": "spam"}),
)
"""What spectators may try; an empty match is the one of the scenario."""
TIMELESS = ("snapshot", "changes", "said", "chat")
"""The messages of a socket whose number doesn't depend on how fast the machine is."""


class Scenario:
    """Ada and Bob play; Eve, who has the match as a favourite, and strangers look on."""

    def __init__(self, server: Inside, clock: Clock, kind: str) -> None:
        self.server, self.clock, self.kind = server, clock, kind
        self.feeds: list[Socket | Stream] = []

    async def begin(self) -> None:
        server = self.server
        self.ada, self.bob, self.eve = [await server.member(name) for name in ("Ada", "Bob", "Eve")]
        setup = {"game": "kuhn_poker", "seats": [{}, {}], "seat": 0, "is_public": True}
        made = await call(server, self.ada, "POST", "/matches", setup | SETUPS[self.kind], 201)
        self.match = made["match"]
        await call(server, self.eve, "PUT", f"/me/favourites/{self.match}", None, 200)
        await call(server, self.bob, "POST", f"/matches/{self.match}/seats/1", {}, 201)
        for _ in range(2):  # Another one, before and after which it might be listed.
            self.clock.now += 1000
            await server.match_of([self.ada, self.bob], is_public=True)
        self.clock.now += DELAY_S * 1000
        await call(server, self.ada, "POST", "/seeks", {"game": "flume"}, 201)
        self.players = [await server.socket(token) for token in (self.ada, self.bob)]
        for socket in self.players:  # Who is there isn't secret.
            await socket.follow(self.match)
        for token in self.lookers:
            socket = await server.socket(token)
            await socket.follow(self.match)
            stream = await server.stream(f"/api/matches/{self.match}/events", token)
            self.feeds += [socket, stream]

    @property
    def lookers(self) -> tuple[str, ...]:
        """Those who may not know the secret."""
        is_bobs = self.kind in ("a hidden hand", "a block")
        return ("", self.eve, self.bob) if is_bobs else ("", self.eve)

    async def act(self, is_secret: bool) -> None:
        """What lookers may not notice, or its twin."""
        server, match = self.server, self.match
        if self.kind == "a block" and is_secret:
            await call(server, self.ada, "POST", "/me/blocks", {"name": "Bob"}, 201)
        if self.kind == "a hidden hand":
            await server.command(match, self.ada, "p", type="play", move=3)
        if self.kind in ("a closed match", "a delayed match") and is_secret:
            self.clock.now += 1000
            await server.command(match, self.ada, "p", type="play", move=3)
            await call(server, self.ada, "POST", f"/matches/{match}/chat", {"text": "hello"}, 201)
            self.clock.now -= 1000
        if self.kind == "a closed match" and is_secret:
            await server.command(match, self.bob, "r", type="resign")
        self.clock.now += 2000

    async def seen(self) -> dict[str, Any]:
        """All that lookers get."""
        found: dict[str, Any] = {}
        known = {"match": self.match, "user": "Ada", "game": "kuhn_poker", "ply": "0"}
        values = defaultdict(lambda: "none", known)
        paths = [each.path for each in ENDPOINTS if is_asked(each)]
        paths += [f"/api{each}" for each in SEARCHES]
        for number, token in enumerate(self.lookers):
            async with self.server.http(token) as http:
                for path in paths:
                    answer = await http.get(path.format_map(values))
                    found[f"{path} {number}"] = answer.status_code, answer.content
            socket = await self.server.socket(token)
            await socket.send({"type": "lobby", "what": "all"})
            found[f"lobby {number}"] = await socket.receive("lobby")
            await socket.follow(self.match)
            self.feeds.append(socket)
            if token:
                self.feeds.append(await self.server.stream("/api/me/turns", token))
        for path, body in ACTS if len(self.lookers) == 2 else ():
            named = json.dumps(body).replace('"match": ""', f'"match": "{self.match}"')
            where, given = path.format_map(known), json.loads(named)
            found[where] = await call(self.server, self.eve, "POST", where, given)
        for number, feed in enumerate(self.feeds):
            found[f"feed {number}"] = await texts_of(feed)
        return found


def is_asked(endpoint: Any) -> bool:
    is_stream = endpoint.media_type == NDJSON
    return endpoint.method == "GET" and not (is_stream or WITHOUT_MATCHES.match(endpoint.path))


async def texts_of(feed: Socket | Stream) -> list[str]:
    """What has arrived by now."""
    if isinstance(feed, Socket):
        await feed.send({"type": "ping", "sent": 0})
        await feed.receive("pong")
        return [text for text in feed.raw if json.loads(text).get("type") in TIMELESS]
    while feed._from_app.qsize():
        event = feed._from_app.get_nowait()
        feed.raw.append(event.get("body", b"").decode())
    return [text for text in feed.raw if "presence" not in text and "heartbeat" not in text]


async def played(
    folder: Path, clock: Clock, patch: pytest.MonkeyPatch, kind: str, *, is_secret: bool
) -> dict[str, Any]:
    """What lookers get of a scenario."""
    rng = random.Random(7)
    clock.now = 1_000_000_000_000
    fixed = SimpleNamespace(
        randbelow=rng.randrange,
        token_bytes=rng.randbytes,
        token_urlsafe=lambda count: rng.randbytes(count).hex()[:43],
    )
    patch.setattr(tokens, "secrets", fixed)
    hand = int(is_secret and kind == "a hidden hand")
    patch.setattr(Randomness, "sample", lambda *given: hand if given[-1] == 1 else 2)
    async with inside(folder) as server:
        scenario = Scenario(server, clock, kind)
        await scenario.begin()
        await scenario.act(is_secret)
        rng.seed(8)
        return await scenario.seen()


@pytest.mark.parametrize("kind", SETUPS)
async def test_p11_4_nothing_that_others_get_depends_on_a_secret(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    with_it, without_it = [
        await played(tmp_path / str(so), clock, monkeypatch, kind, is_secret=so)
        for so in (True, False)
    ]
    assert with_it.keys() == without_it.keys()
    for what, got in with_it.items():
        assert got == without_it[what], f"{what}: {kind}"
    statuses = {got[0] for what, got in with_it.items() if what.startswith("/api/")}
    assert {200, 401, 403} <= statuses
