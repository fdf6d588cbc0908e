"""The opening explorer's endpoint: finished matches are counted once, up to symmetry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.server.inside import Inside, inside

import watermeet as wm

pytestmark = pytest.mark.anyio
SETUP: dict[str, Any] = {"options": {"size": 3, "pie": False}}
PATH = "/api/games/flume/openings"
OPTIONS = "size=3 pie=no"


async def play(app: Inside, line: str, **setup: Any) -> None:
    match, tokens = await app.seated("flume", 2, **SETUP, **setup)
    state = wm.game("flume").with_options(**SETUP["options"]).start()
    for move in line.split():
        done = await app.command(match, tokens[state.to_move], move, type="play", move=move)
        assert done["status"] == 200, done
        state = state.play(move)


async def explored(app: Inside, count: int, **query: str) -> dict[str, Any]:
    """The answer once this many matches are counted."""
    async with app.http() as http:
        with anyio.fail_after(20):
            while True:
                answer = await http.get(PATH, params={"options": OPTIONS} | query)
                assert answer.status_code == 200, answer.text
                found: dict[str, Any] = answer.json()
                if found["matches"] >= count:
                    return found
                await anyio.sleep(0.05)


async def test_finished_matches_are_counted_once_and_up_to_symmetry(tmp_path: Path) -> None:
    async with inside(tmp_path) as app:
        await play(app, "a1 c1 b1 c2 b2 b3 a3 a2 c3")
        await play(app, "c1 a1 b1 a2 b2 b3 c3 c2 a3")  # Its mirror image.
        await play(app, "b2 a1 a2 a3 b1 b3 c1 c2 c3", spectators="none")
        found = await explored(app, 2)
        [corner] = found["moves"]
        assert (corner["move"], corner["also"], corner["matches"]) == ("a1", ["c1", "a3", "c3"], 2)
        assert (corner["wins"], corner["losses"], corner["length"]) == (0, 2, 9.0)
        assert len(found["view"]["legal"]) == 9
        deeper = await explored(app, 2, moves="c3")
        assert deeper["moves"][0]["wins"] == 2, "for whoever moved"
        assert deeper["played"] == ["c3"]
    async with inside(tmp_path) as app:
        assert await explored(app, 2) == found, "a restart counts nothing twice"
        async with app.http() as http:
            refused = await http.get(PATH, params={"options": OPTIONS, "moves": "a1 a1"})
            hidden = await http.get("/api/games/qwirkle/openings")
            engine = (await http.get(PATH, params={"source": "engine"})).json()
    assert (refused.status_code, refused.json()["code"]) == (409, "illegal_move")
    assert (hidden.status_code, hidden.json()["code"]) == (404, "not_found")
    assert engine["has_engine"]
    assert engine["matches"] >= 100
