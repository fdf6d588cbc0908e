"""The analysis board's endpoints: moves, records as trees, tasks; and whatever is sent to them."""

from __future__ import annotations

import asyncio
import base64
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.server.inside import Inside, call, inside

import watermeet as wm
from watermeet.core.contract import CHANCE
from watermeet.core.errors import WatermeetError
from watermeet.core.kernel import plain_python
from watermeet.server import engines
from watermeet.server.api.analysis import analyse, find_position, record_tree
from watermeet.server.engines import STAMP, Engines

pytestmark = pytest.mark.anyio
SECRETIVE = next(name for name in sorted(wm.games()) if wm.game(name).has_secrets)
RECORD = """game: flume@1
options: size=3 pie=no no_centre_first=no
seats: Ada, Bob
event: a quiet evening

{two ways} 1. a1 @1.5 !? {a corner} ( 1. b2 ! 2. c3 {far} ( 2. a3 ) ) ( 1. c1 ) 2. c1 ??
"""
PIECES = (
    *("(", ")", "{", "}", "{a}", "!", "??", "!?!", "@1", "@x", "1.", "a1", "b2", "~a1", "swap"),
    *("\n", "\n\n", "game: flume@1", "game: flume@7", "game: chess@1", "options: size=3", "\x00"),
    *("options: size=99", "start: 3/3/3 r 0", "start: x", "result: 1 -1", "seats: A, B", "\ud83d"),
)


async def post(app: Inside, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
    found = await call(app, "", "POST", f"/analysis{path}", body)
    return found.pop("status"), found


async def test_positions_records_and_lines(server: Inside) -> None:
    small = {"game": "flume", "options": {"size": 3, "pie": False}}
    status, found = await post(server, "", **small, moves=["a1", "c1"])
    assert status == 200, found
    assert [(step["move"], step["seat"]) for step in found["steps"]] == [("a1", 0), ("c1", 1)]
    assert found["position"] == found["steps"][-1]["position"]
    assert found["view"]["seat"] == found["view"]["to_move"] == 0, "whoever is to move sees it"
    assert len(found["view"]["legal"]) == 7
    status, refused = await post(server, "", **small, position=found["position"], moves=["a1"])
    assert (status, refused["code"], refused["explanation"]["cells"]) == (
        409,
        "illegal_move",
        ["a1"],
    )
    status, refused = await post(server, "", **small, position="3/3 r 0")
    assert (status, refused["hint"]) == (422, "there are 2 rows instead of 3")

    status, tree = await post(server, "/records", record=RECORD)
    assert status == 200, tree
    assert [(node["parent"], node["move"], node["symbol"]) for node in tree["nodes"]] == [
        (-1, "a1", "!?"), (-1, "b2", "!"), (1, "c3", ""), (1, "a3", ""), (-1, "c1", ""),
        (0, "c1", "??"),
    ]  # fmt: skip
    assert tree["headers"] == RECORD.split("\n")[:4]
    wrong = RECORD.replace("c1 ??", "a1")
    status, refused = await post(server, "/records", record=wrong)
    assert (status, refused["code"]) == (422, "invalid_record")
    assert refused["message"].startswith("line 6, column 84: flume: 'a1' is illegal")

    lines = [[0, 2, 4], [99]]
    status, found = await post(server, "/lines", **small, lines=lines)
    assert [[each["move"] for each in line] for line in found["lines"]] == [
        ["a1", "c1", "b2"],
        [],
    ]
    assert (await post(server, "/thoughts", **small))[1]["code"] == "cannot_think"
    answers = await asyncio.gather(*(post(server, "", **small) for _ in range(200)))
    assert {answer.get("code") for _, answer in answers} == {None, "too_many"}


async def test_a_search_knows_the_seat_s_knowledge_or_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "digest_of_sources", lambda: "today")
    (tmp_path / f"{SECRETIVE}.wasm").write_bytes(b"\0asm")
    (tmp_path / STAMP).write_text("today")
    async with inside(tmp_path) as app:
        object.__setattr__(app.services, "engines", Engines(tmp_path))
        status, found = await post(app, "", game=SECRETIVE, draw=True)
        assert status == 200, found
        assert found["view"]["to_move"] != CHANCE, "everything was drawn"
        assert {step["seat"] for step in found["steps"]} == {None}
        state = wm.game(SECRETIVE).parse(found["position"])
        for is_open, known, search in (
            (False, state.conceal(state.to_move), "simulate_hidden"),
            (True, state, "simulate"),
        ):
            body = {"game": SECRETIVE, "position": found["position"], "is_open": is_open}
            status, answer = await post(app, "/engine", **body)
            assert status == 200, answer
            array = np.frombuffer(base64.b64decode(answer["task"]["state"]), state.game.dtype)
            assert (array == known.array).all()
            assert answer["task"]["search"] == search
        first = await post(app, "", game=SECRETIVE)
        assert sum(each["probability"] for each in first[1]["outcomes"]) == pytest.approx(1)
        status, refused = await post(app, "/engine", game=SECRETIVE)
        assert (status, refused["code"]) == (409, "conflict"), "chance is to move"


def test_whatever_is_imported_only_our_own_errors_are_raised() -> None:
    rng, refused = random.Random(7), 0
    with plain_python():
        for _ in range(600):
            text = RECORD
            for _ in range(rng.randrange(1, 5)):
                place, length = rng.randrange(len(text) + 1), rng.choice((0, 0, 1, 9))
                noise = bytes(rng.randrange(256) for _ in range(3)).decode("latin-1")
                piece = rng.choice((*PIECES, noise))
                text = text[:place] + rng.choice(("", " ")) + piece + text[place + length :]
            try:
                record_tree(text)
            except WatermeetError:  # Anything else fails the test.
                refused += 1
    assert 100 < refused < 600


@pytest.mark.parametrize("name", sorted(wm.games()))
def test_whatever_is_set_up_only_our_own_errors_are_raised(name: str) -> None:
    rng, refused, played = random.Random(name), 0, 0
    with plain_python():
        state = wm.game(name).start().sample(rng)
        for _ in range(6):
            if state.to_move >= 0:
                state = state.play(rng.choice(state.legal_actions)).sample(rng)
        for _ in range(150):
            text = state.text
            for _ in range(rng.randrange(1, 4)):
                place, length = rng.randrange(len(text) + 1), rng.choice((0, 1, 1, 4))
                piece = rng.choice((*"rbaz019/;,=?!*-. ", "board=", "turn=9", "\x00", text[:9], ""))
                text = text[:place] + piece + text[place + length :]
            try:
                found = find_position(name, None, {}, text)
                analyse(found, found.legal_moves[:1], draw=False, seat=None)
                played += 1
            except WatermeetError:  # Anything else fails the test.
                refused += 1
    assert refused > 20
    assert played + refused == 150


async def test_texts_that_cannot_be_read_have_codes_and_places(server: Inside) -> None:
    """So that the page can say in any language what is wrong, and where."""
    status, refused = await post(server, "", game="flume", position="nonsense")
    assert (status, refused["code"]) == (422, "invalid_position")
    status, refused = await post(server, "/records", record="game: flume@1\n\n1. a1 2. z9\n")
    assert (status, refused["code"], refused["facts"]["line"]) == (422, "invalid_record", 3)
