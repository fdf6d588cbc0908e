"""Reviews: of matches that have ended, computed once, and kept."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.server.inside import Inside, call, inside, until

from watermeet.server import reviews

pytestmark = pytest.mark.anyio
RECORD = """game: flume@1
options: size=3 pie=false
result: -1 1

1. a1 2. c1 3. b1 4. c2 5. b2 6. b3 7. a3 8. a2 9. c3
"""


async def imported(app: Inside, token: str) -> str:
    return str((await call(app, token, "POST", "/records", {"record": RECORD}, 201))["match"])


async def reviewed(app: Inside, match: str, stages: set[str]) -> dict[str, Any]:
    """The review once it has one of these stages."""
    with anyio.fail_after(300):
        while (found := await ask(app, match))["stage"] not in stages:
            await anyio.sleep(0.02)
    result: dict[str, Any] = found
    return result


async def ask(app: Inside, match: str, token: str = "", method: str = "GET") -> Any:
    return await call(app, token, method, f"/matches/{match}/review")


@pytest.mark.slow
async def test_a_match_is_reviewed_once_and_the_review_is_kept(tmp_path: Path) -> None:
    async with inside(tmp_path) as app:
        token = await app.guest()
        match = await imported(app, token)
        assert (await reviewed(app, match, {"none"}))["decisions"] == []
        asked = await ask(app, match, token, "POST")
        assert (asked["status"], asked["stage"]) == (200, "waiting")
        found = await reviewed(app, match, {"complete", "failed"})
        assert await ask(app, match, token, "POST") == found
        blunder = found["decisions"][found["turning_point"]]
        assert (blunder["move"], blunder["verdict"], blunder["best"]) == ("b3", "blunder", "a2")
        again = f"/matches/{match}/review/{blunder['number']}"
        better = [each["move"] for each in blunder["better"]]
        for moves, kept in ((["b3"], 0), (better, len(better))):
            tried = await call(app, "", "POST", again, {"moves": moves})
            assert tried["kept"] == kept, moves
        await call(app, "", "POST", f"/matches/{match}/review/0", {"moves": []}, 404)
    assert found["searched"] == found["total"] == len(found["decisions"])
    async with inside(tmp_path) as app:
        assert await reviewed(app, match, {"complete"}) == found, "after a restart, too"
        await app.services.store.put_review(match, b'{"decisions": []}')
        assert await reviewed(app, match, {"none"}), "what an older server stored can't be read"


async def test_a_review_is_refused_while_a_match_is_played(server: Inside) -> None:
    match, tokens = await server.seated("flume", 2)
    refused = await ask(server, match, tokens[0], "POST")
    assert (refused["status"], refused["code"]) == (409, "wrong_stage")
    assert (await ask(server, match, "", "POST"))["status"] == 401
    assert (await ask(server, match))["stage"] == "none"


async def test_a_review_that_fails_can_be_asked_for_again(server: Inside) -> None:
    server.services.reviews._program = (sys.executable, "-c", "print(3)")
    token = await server.guest()
    match, codes = await imported(server, token), []
    for _ in range(4):
        codes.append((await ask(server, match, token, "POST")).get("code", "waiting"))
        assert (await reviewed(server, match, {"failed"}))["decisions"] == []
    assert codes == ["waiting"] * 3 + ["too_many"]


async def test_an_address_has_a_share_of_the_queue(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New guests, each with a limit of their own, filled it."""
    monkeypatch.setattr(reviews, "MAX_OF_ADDRESS", 2)
    endless = "import time; print(3, flush=True); time.sleep(60)"
    server.services.reviews._program = (sys.executable, "-c", endless)
    codes = []
    for address in ["192.0.2.1"] * 4 + ["192.0.2.2"]:
        token = await server.guest()
        path = f"/api/matches/{await imported(server, token)}/review"
        async with server.http(token, address) as http:
            codes.append((await http.post(path)).json().get("code", "waiting"))
        await until(lambda: server.services.reviews._process is not None)
    assert codes == ["waiting"] * 3 + ["too_many", "waiting"], "the first one is being computed"


async def test_an_endless_match_is_not_reviewed(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of thousands of moves kept all others waiting for five minutes, and failed."""
    monkeypatch.setattr(reviews, "MAX_DECISIONS", 8)
    token = await server.guest()
    refused = await ask(server, await imported(server, token), token, "POST")
    assert (refused["status"], refused["code"]) == (409, "too_long")


async def test_a_server_that_stops_leaves_no_review_running(tmp_path: Path) -> None:
    async with inside(tmp_path) as app:
        of_app = app.services.reviews
        of_app._program = (sys.executable, "-c", "print(3, flush=True); input(); input()")
        token = await app.guest()
        match = await imported(app, token)
        await ask(app, match, token, "POST")
        assert (await reviewed(app, match, {"running"}))["decisions"] == []
        await until(lambda: of_app._process is not None)
        process = of_app._process
    assert process.returncode is not None
