"""Hints: for the only person in a match, on their turn, and from nothing but what they know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.server.inside import Inside, bearer, inside

pytestmark = pytest.mark.anyio
BOT = {"who": "bot", "level": "random"}


async def against_bot(app: Inside, game: str, seat: int = 0) -> tuple[str, str]:
    token = await app.guest()
    seats = [BOT, BOT]
    seats[seat] = {}
    async with app.http(token) as http:
        made = await http.post("/api/matches", json={"game": game, "seats": seats, "seat": seat})
    assert made.status_code == 201, made.text
    return made.json()["match"], token


async def ask(app: Inside, match: str, token: str) -> httpx2.Response:
    async with app.http() as http:
        return await http.post(f"/api/matches/{match}/hints", headers=bearer(token))


async def document(app: Inside, match: str, token: str) -> dict[str, Any]:
    async with app.http(token) as http:
        found: dict[str, Any] = (await http.get(f"/api/matches/{match}")).json()
    return found


async def test_hints_are_refused_to_all_but_the_only_person_on_their_turn(tmp_path: Path) -> None:
    async with inside(tmp_path) as app:
        shared, tokens = await app.seated("flume", 2)
        for token in tokens:
            refused = await ask(app, shared, token)
            assert (refused.status_code, refused.json()["code"]) == (403, "no_hints")
        waiting, token = await against_bot(
            app, "flume", seat=1
        )  # No bot plays: there is no worker.
        assert (await ask(app, waiting, token)).json()["code"] == "not_your_turn"
        assert (await ask(app, waiting, "")).status_code == 401
        assert (await ask(app, waiting, tokens[0])).json()["code"] == "forbidden"
        own, token = await against_bot(app, "flume")
        codes = [(await ask(app, own, token)).json()["code"] for _ in range(7)]
        assert codes == ["cannot_think"] * 6 + ["too_many"]
        for match in (shared, waiting, own):
            seats = (await document(app, match, token))["seats"]
            assert [seat["hints"] for seat in seats] == [0, 0]


@pytest.mark.slow
async def test_a_hint_is_counted_once_for_each_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    async with inside(tmp_path, bot_workers=1) as app:
        match, token = await against_bot(app, "flume")
        before = await document(app, match, token)
        legal = {one["action"]: one["move"] for one in before["view"]["legal"]}
        for _ in range(2):
            answer = await ask(app, match, token)
            assert answer.status_code == 200, answer.text
            thoughts = answer.json()
            best = thoughts["candidates"][0]
            assert {one["action"] for one in thoughts["candidates"]} <= set(legal)
            assert best["line"][0]["move"] == legal[best["action"]]
            assert best["line"][0]["explanation"]["legal"]
            assert thoughts["worst"] <= best["value"] <= thoughts["best"]
        after = await document(app, match, token)
        assert [seat["hints"] for seat in after["seats"]] == [1, 0]
        assert after["view"] == before["view"]
