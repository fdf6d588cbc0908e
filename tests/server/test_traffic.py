"""What leaves the server: no byte depends on hidden information, and no secret is in it.

The method of match/test_leaks.py, through the whole server: a match and its sibling, which a seat
cannot tell apart, lie in the databases of two servers. All that the seat is sent by both, over
sockets, streams and REST, must be the same, refusals and their explanations included.

How many pairs: ``WATERMEET_TEST_LEAKS=5000 pytest -m nightly tests/server/test_traffic.py``.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Clock, Inside, Socket, bearer, inside
from tests.server.matches.test_leaks import HIDDEN, siblings

import watermeet as wm
from watermeet.core.errors import WatermeetError
from watermeet.core.kernel import compiled_code, plain_python
from watermeet.server.api.hub import MAX_MISSED
from watermeet.server.matches import projection
from watermeet.server.matches.entries import Entry, encode
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import Matches, row_of
from watermeet.server.store.rows import Append, TokenRow
from watermeet.server.store.store import Store
from watermeet.server.tokens import SEAT, hash_token
from watermeet.testing.matches import option_sets

pytestmark = pytest.mark.anyio

PAIRS = int(os.environ.get("WATERMEET_TEST_LEAKS", "12"))
NOW = 2_000  # Right after the entries, so no clock has run out.
SECRET = bytes(range(32))
TOKEN = "t" * 43
SMALL, LARGE = "kuhn_poker", [name for name in HIDDEN if name != "kuhn_poker"]
PICTURES = ("/picture", "/picture?ply=1")
POSITIONS = ("/positions/0", "/positions/1", "/positions/3")
TIMED = ('{"type":"heartbeat"', '{"type":"presence"')
NONSENSE = ["nonsense", 0, 1, 5, 10**6, -1, "a1", "pass", "?"]


@pytest.fixture
def frozen_time(clock: Clock) -> None:
    """Freeze the time, so two servers send the same."""
    clock.now = NOW


async def store_log(server: Inside, log: list[Entry], seat: int | None, upto: int) -> Store:
    """Write the first entries of a log to the database, with a token for the seat."""
    store: Store = server.services.matches._store
    rows = []
    if seat is not None:
        rows = [TokenRow(hash_token(TOKEN), SEAT, f"u{seat}", "m", seat, 1)]
    bodies = [encode(entry) for entry in log[:upto]]
    row = row_of(Match.of(log[:upto]))
    await store.append(Append("m", 1, bodies, row, secret=SECRET, tokens=rows))
    return store


async def sent(folder: Path, log: list[Entry], seat: int | None) -> list[str]:
    """Everything that a seat is sent about a match: live, after a reconnect, and as documents."""
    traffic: list[str] = []
    seats = len(Match.of(log[:1]).seats)
    first = seats + 2  # Created, joined by all, begun.
    token = "" if seat is None else TOKEN
    async with inside(folder) as server:
        store = await store_log(server, log, seat, first)
        matches = server.services.matches
        socket = await server.socket()
        await socket.follow("m", token=token)
        stream = await server.stream("/api/matches/m/events", token)
        await stream.receive("snapshot")
        for number in range(first, len(log)):  # As if another node had written.
            match = Match.of(log[: number + 1])
            await store.append(Append("m", number + 1, [encode(log[number])], row_of(match)))
            await matches.catch_up("m")
            await socket.receive("changes")
            await stream.receive("changes")
        for move in NONSENSE:
            await socket.do("m", {"type": "play", "move": move, "at_seq": len(log)}, id=f"n{move}")
            if matches.cached("m").match.seq != len(log):
                break  # It was legal, and what is drawn now may differ.
        else:
            await reconnect(server, socket, token, traffic)
            traffic += stream.raw
        traffic += socket.raw
        await stream.close()
        await socket.close()
    # When and how often these come depends on the machine, not on the match.
    return [line for line in traffic if not line.startswith(TIMED)]


async def reconnect(server: Inside, socket: Socket, token: str, traffic: list[str]) -> None:
    """Follow again from several entries, and read every document."""
    for after in (None, 1, 3):
        await socket.follow("m", token=token, after=after)
    for command in ({"type": "undo"}, {"type": "claim", "absent": 0}, {"type": "reclaim"}):
        await socket.do("m", command)
    headers = bearer(token) if token else {}
    async with server.http() as http:
        for path in ("", "/record", *PICTURES, *POSITIONS):
            traffic.append((await http.get(f"/api/matches/m{path}", headers=headers)).text)
        for move in NONSENSE:
            body = {"id": f"r{move}", "command": {"type": "play", "move": move, "at_seq": 1}}
            answer = await http.post("/api/matches/m/commands", json=body, headers=headers)
            traffic.append(answer.text)
        start = {"match": "m", "ply": 0}
        setup = {"game": "x", "seats": [{}], "start": start}
        traffic.append((await http.post("/api/matches", json=setup, headers=headers)).text)


async def leak(
    folder: Path, game: wm.Game, rng: random.Random, longest: int
) -> tuple[str, str] | None:
    """Anything sent to a seat that distinguishes a match from its sibling, or None."""
    seat = rng.choice([None, *range(game.seats)])
    pair = siblings(game, seat, rng, longest)
    one, other = [await sent(folder / str(rng.random()), log, seat) for log in pair]
    assert len(one) > 4
    pairs = zip_longest(one, other, fillvalue="nothing")
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


def small(game: wm.Game) -> dict[str, Any]:
    return {"radius": 2} if "radius" in game.options else {}


@pytest.mark.parametrize("name", HIDDEN)
async def test_hidden_information_does_not_leave_the_server(
    name: str, tmp_path: Path, frozen_time: None
) -> None:
    rng = random.Random(f"traffic {name}")
    game = wm.game(name, **small(wm.game(name)))
    with plain_python():
        assert await leak(tmp_path, game, rng, 30) is None


@pytest.mark.nightly
@pytest.mark.parametrize("name", HIDDEN)
async def test_hidden_information_does_not_leave_the_server_with_any_options(
    name: str, tmp_path: Path, frozen_time: None
) -> None:
    rng = random.Random(f"more traffic {name}")
    sets = option_sets(wm.game(name))
    for number in range(PAIRS):
        game = wm.game(name, **sets[number % len(sets)])
        with compiled_code():
            assert await leak(tmp_path, game, rng, min(200, game.sizes.max_length)) is None, game


# ---- the test finds leaks -----------------------------------------------------------------------


@pytest.mark.parametrize("what", ["count", "refusal"])
async def test_a_leak_is_found(
    tmp_path: Path, frozen_time: None, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    shown, done = projection.Moment.text, Matches.do

    def leak_count(moment: projection.Moment, seat: int | None, **more: Any) -> bytes:
        secret = str(int(moment.match.state.array.sum())).encode()
        return shown(moment, seat, **more).replace(b'"chance_count":', b'"chance_count":' + secret)

    async def leak_refusal(self: Matches, match: str, *rest: Any, **more: Any) -> Any:
        try:
            return await done(self, match, *rest, **more)
        except WatermeetError as error:
            error.message += (await self.load(match)).match.state.text
            raise

    if what == "count":
        monkeypatch.setattr(projection.Moment, "text", leak_count)
    else:
        monkeypatch.setattr(Matches, "do", leak_refusal)
    rng, game = random.Random(SMALL), wm.game(SMALL)
    for _ in range(24):
        if await leak(tmp_path, game, rng, 30) is not None:
            return
    pytest.fail("no leak was found")


# ---- secrets ------------------------------------------------------------------------------------


async def played(server: Inside, name: str, rng: random.Random, actions: int) -> None:
    """A match of real players; everything sent to each of them is searched.

    Ids of users stay secret, too: they would show where else somebody plays.
    """
    game = wm.game(name)
    match, tokens = await server.seated(name, game.seats)
    matches = server.services.matches
    live = await matches.load(match)
    sockets = [await server.socket(token) for token in (*tokens, "")]
    for socket in sockets:
        await socket.follow(match)
    ids: list[list[str]] = [[] for _ in sockets]
    for number in range(actions):
        seat = live.match.state.to_move
        if live.match.stage != "playing" or seat < 0:
            break
        ids[seat].append(f"client-{seat}-{number}-{rng.random()}")
        move = rng.choice(live.match.state.legal_actions)
        done = await sockets[seat].do(match, {"type": "play", "move": move}, ids[seat][-1])
        assert done["type"] == "ack", done
    users = [seat.user for seat in live.match.seats]
    assert all(users)
    hidden = [live.randomness.secret.hex(), str(live.randomness.secret), *tokens, *users]
    if live.match.stage == "playing":
        search([socket.raw for socket in sockets], ids, hidden)
        await sockets[0].do(match, {"type": "resign"}, "client-resigns")
    raw = [
        [*socket.raw, *(await documents(server, match, token))]
        for socket, token in zip(sockets, (*tokens, ""), strict=True)
    ]
    search(raw, ids, hidden if live.match.stage == "playing" else hidden[1:])
    for socket in sockets:
        await socket.close()


async def documents(server: Inside, match: str, token: str) -> list[str]:
    """Every document of a match, and of turns."""
    paths = [f"/api/matches/{match}", f"/api/matches/{match}/record", "/api/matches"]
    async with server.http(token) as http:
        texts = [(await http.get(path)).text for path in paths + ["/api/me/matches"] * bool(token)]
    after = max(1, json.loads(texts[0])["seq"] - MAX_MISSED // 2)
    events = await server.stream(f"/api/matches/{match}/events?after={after}", token)
    await events.receive("changes")
    await events.close()
    return texts + events.raw


def search(sent: list[list[str]], ids: list[list[str]], hidden: list[str]) -> None:
    for number, texts in enumerate(sent):
        text = "\n".join(texts)
        assert not [word for word in hidden if word in text]
        others = [word for own, group in enumerate(ids) if own != number for word in group]
        assert not [word for word in others if word in text]


@pytest.mark.parametrize("name", [SMALL, *(pytest.param(n, marks=pytest.mark.slow) for n in LARGE)])
async def test_no_secret_token_user_or_client_id_leaves_the_server(
    name: str, tmp_path: Path, lines: io.StringIO
) -> None:
    rng = random.Random(f"secrets {name}")
    async with inside(tmp_path) as server:
        with plain_python() if name == SMALL else compiled_code():
            for actions in (4, 9):
                await played(server, name, rng, actions)
        async with server.http() as http:
            counted = (await http.get("/api/metrics")).text
        store = server.services.matches._store
        matches = re.findall(r'"match": "(\w+)"', lines.getvalue())
        assert matches
        logged = lines.getvalue()
        for match in set(matches):
            secret = await store.secret(match)
            assert secret is not None
            assert secret.hex() not in logged + counted
            assert match not in counted, "a metric for each match would never end"
    assert "client-" not in logged + counted
    assert not re.search(r"[\w-]{43}", counted), "no token is a label"
