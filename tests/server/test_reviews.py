"""Reviews: of matches that have ended, computed once, and kept."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.server.inside import Inside, bearer, inside

pytestmark = pytest.mark.anyio
RECORD = """game: flume@1
options: size=3 pie=false
result: -1 1

1. a1 2. c1 3. b1 4. c2 5. b2 6. b3 7. a3 8. a2 9. c3
"""


async def imported(app: Inside, token: str) -> str:
    async with app.http(token) as http:
        made = await http.post("/api/records", json={"record": RECORD})
    assert made.status_code == 201, made.text
    return str(made.json()["match"])


async def reviewed(app: Inside, match: str, stages: set[str]) -> dict[str, Any]:
    """The review once it has one of these stages."""
    async with app.http() as http:
        with anyio.fail_after(90):
            while True:
                found: dict[str, Any] = (await http.get(f"/api/matches/{match}/review")).json()
                if found["stage"] in stages:
                    return found
                await anyio.sleep(0.05)


async def test_a_match_is_reviewed_once_and_the_review_is_kept(tmp_path: Path) -> None:
    async with inside(tmp_path) as app:
        token = await app.guest()
        match = await imported(app, token)
        assert (await reviewed(app, match, {"none"}))["decisions"] == []
        async with app.http(token) as http:
            asked = await http.post(f"/api/matches/{match}/review")
            assert (asked.status_code, asked.json()["stage"]) == (200, "waiting")
            found = await reviewed(app, match, {"complete", "failed"})
            assert (await http.post(f"/api/matches/{match}/review")).json() == found
    blunder = found["decisions"][found["turning_point"]]
    assert (blunder["move"], blunder["verdict"], blunder["best"]) == ("b3", "blunder", "a2")
    assert found["searched"] == found["total"] == len(found["decisions"])
    async with inside(tmp_path) as app:
        assert await reviewed(app, match, {"complete"}) == found, "after a restart, too"
        await app.app.state.services.store.put_review(match, b'{"decisions": []}')
        assert await reviewed(app, match, {"none"}), "what an older server stored can't be read"


async def test_a_review_is_refused_while_a_match_is_played(tmp_path: Path) -> None:
    async with inside(tmp_path) as app:
        match, tokens = await app.seated("flume", 2)
        async with app.http() as http:
            path = f"/api/matches/{match}/review"
            refused = await http.post(path, headers=bearer(tokens[0]))
            assert (refused.status_code, refused.json()["code"]) == (409, "wrong_stage")
            assert (await http.post(path)).status_code == 401
            assert (await http.get(path)).json()["stage"] == "none"


async def test_a_review_that_fails_can_be_asked_for_again(tmp_path: Path) -> None:
    async with inside(tmp_path) as app:
        reviews = app.app.state.services.reviews
        reviews._program = (sys.executable, "-c", "print(3)")
        token = await app.guest()
        match = await imported(app, token)
        async with app.http(token) as http:
            codes = []
            for _ in range(4):
                asked = await http.post(f"/api/matches/{match}/review")
                codes.append(asked.json().get("code", "waiting"))
                assert (await reviewed(app, match, {"failed"}))["decisions"] == []
            assert codes == ["waiting"] * 3 + ["too_many"]


async def test_a_server_that_stops_leaves_no_review_running(tmp_path: Path) -> None:
    async with inside(tmp_path) as app:
        reviews = app.app.state.services.reviews
        reviews._program = (sys.executable, "-c", "print(3, flush=True); input(); input()")
        token = await app.guest()
        match = await imported(app, token)
        async with app.http(token) as http:
            await http.post(f"/api/matches/{match}/review")
        assert (await reviewed(app, match, {"running"}))["decisions"] == []
        with anyio.fail_after(30):
            while reviews._process is None:
                await anyio.sleep(0.02)
        process = reviews._process
    assert process.returncode is not None
