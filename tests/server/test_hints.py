"""Hints: for the only person in a match, on their turn, and from nothing but what they know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import Inside, call, inside

pytestmark = pytest.mark.anyio
BOT = {"who": "bot", "level": "random"}


async def against_bot(app: Inside, game: str, seat: int = 0) -> tuple[str, str]:
    token, seats = await app.guest(), [BOT, BOT]
    seats[seat] = {}
    body = {"game": game, "seats": seats, "seat": seat}
    return (await call(app, token, "POST", "/matches", body, 201))["match"], token


async def ask(app: Inside, match: str, token: str, expected: Any) -> Any:
    return await call(app, token, "POST", f"/matches/{match}/hints", None, expected)


async def test_hints_are_refused_to_all_but_the_only_person_on_their_turn(server: Inside) -> None:
    shared, tokens = await server.seated("flume", 2)
    for token in tokens:
        await ask(server, shared, token, "no_hints")
    waiting, token = await against_bot(server, "flume", seat=1)  # No bot plays.
    await ask(server, waiting, token, "not_your_turn")
    await ask(server, waiting, "", 401)
    await ask(server, waiting, tokens[0], "forbidden")
    own, token = await against_bot(server, "flume")
    for number in range(7):
        await ask(server, own, token, "cannot_think" if number < 6 else "too_many")
    for match in (shared, waiting, own):
        seats = (await server.document(match))["seats"]
        assert [seat["hints"] for seat in seats] == [0, 0]


@pytest.mark.slow
async def test_a_hint_is_counted_once_for_each_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    async with inside(tmp_path, bot_workers=1) as app:
        match, token = await against_bot(app, "flume")
        before = await app.document(match, token)
        legal = {one["action"]: one["move"] for one in before["view"]["legal"]}
        for _ in range(2):
            thoughts = await ask(app, match, token, 200)
            best = thoughts["candidates"][0]
            assert {one["action"] for one in thoughts["candidates"]} <= set(legal)
            assert best["line"][0]["move"] == legal[best["action"]]
            assert best["line"][0]["explanation"]["legal"]
            assert thoughts["worst"] <= best["value"] <= thoughts["best"]
        after = await app.document(match, token)
        assert [seat["hints"] for seat in after["seats"]] == [1, 0]
        assert after["view"] == before["view"]
