"""Engines: the browser gets a game's module, and of a state what its seat knows."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.server.inside import Inside, call, inside
from tests.server.test_hints import against_bot

import watermeet as wm
from watermeet.server import engines
from watermeet.server.engines import STAMP, Engines
from watermeet.server.precompiler import ENGINE, marker_file

pytestmark = pytest.mark.anyio
SECRETIVE = next(name for name in sorted(wm.games()) if wm.game(name).has_secrets)
MODULE = b"\0asm\x01\0\0\0" + bytes(1000)


async def post(
    app: Inside, match: str, token: str, what: str, body: Any = None, expected: Any = None
) -> Any:
    return await call(app, token, "POST", f"/matches/{match}/{what}", body, expected)


def pack(folder: Path) -> None:
    for name in wm.games():
        (folder / f"{name}.wasm").write_bytes(MODULE)


async def test_an_engine_gets_what_the_seat_knows_and_explains_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "digest_of_sources", lambda: "today")
    monkeypatch.setattr(engines, "built_file", lambda name: None)
    async with inside(tmp_path) as app:
        services = app.services

        def find_engines() -> None:
            object.__setattr__(services, "engines", Engines(tmp_path))

        find_engines()
        match, token = await against_bot(app, SECRETIVE)
        await post(app, match, token, "engine", None, "not_found")  # None is built.
        pack(tmp_path)
        (tmp_path / STAMP).write_text("yesterday")
        find_engines()
        await post(app, match, token, "engine", None, 404)  # It is of other sources.
        (tmp_path / STAMP).write_text("today")
        find_engines()
        found = await post(app, match, token, "engine", None, 200)
        live = await services.matches.current(match)
        state, task = live.match.state, found["task"]
        array = np.frombuffer(base64.b64decode(task["state"]), state.game.dtype)
        assert (array == state.conceal(0).array).all()
        assert (array != state.array).any(), "the bag and the other hand are hidden"
        assert task["moves"] == list(state.legal_moves)
        assert task["search"] == "simulate_hidden"
        seats = (await app.document(match, token))["seats"]
        assert [seat["hints"] for seat in seats] == [1, 0], "it counts as a hint"

        async with app.http() as http:
            module = await http.get(found["module"])
            assert module.content == MODULE
            assert module.headers["content-type"] == "application/wasm"
            assert "immutable" in module.headers["cache-control"]
            assert (await http.get(found["module"][:-1] + "x")).status_code == 422
            older = found["module"][:-16] + "0" * 16
            assert (await http.get(older)).status_code == 404

        action = state.legal_actions[0]
        best = {"action": action, "value": 0.25, "visits": 7}
        body = {"seq": found["seq"], "candidates": [best], "pv": [action]}
        body |= {"nodes": 9, "seconds": 0.5, "proven": False}
        thoughts = await post(app, match, token, "thoughts", body, 200)
        assert thoughts["candidates"][0]["line"][0]["move"] == task["moves"][0]
        assert thoughts["candidates"][0]["line"][0]["explanation"]["legal"]
        await post(app, match, token, "thoughts", body | {"seq": -1}, "conflict")


async def test_no_engine_for_a_match_of_two_people(server: Inside) -> None:
    match, tokens = await server.seated("flume", 2)
    for what in ("engine", "hints"):
        await post(server, match, tokens[0], what, None, "no_hints")


def test_a_module_in_the_wheel_is_not_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = tmp_path / "built.wasm"
    monkeypatch.setattr(engines, "built_file", lambda name: built)
    monkeypatch.setattr(engines, "digest_of_sources", lambda: "today")
    monkeypatch.setattr(engines.packed_file, "__defaults__", (tmp_path,))
    assert marker_file("flume", ENGINE) == built
    pack(tmp_path)
    (tmp_path / STAMP).write_text("today")
    assert marker_file("flume", ENGINE) == tmp_path / "flume.wasm"
    (tmp_path / STAMP).write_text("yesterday")
    assert marker_file("flume", ENGINE) == built


def test_a_module_appears_when_it_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "flume.wasm"
    monkeypatch.setattr(engines, "built_file", lambda name: file)
    monkeypatch.setattr(engines, "build_engine", lambda game: MODULE)
    known = Engines(tmp_path / "nothing")
    assert known.find("flume") is None
    engines.build("flume")
    found = known.find("flume")
    assert found is not None
    assert gzip.decompress(found.compressed) == found.content == MODULE
    assert [each.name for each in tmp_path.iterdir()] == ["flume.wasm"]
