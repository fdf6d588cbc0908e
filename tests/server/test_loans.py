"""Bots on a player's device: who may play for them, and when the server takes over."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.server.inside import Clock, Inside, Socket, call, inside, until
from tests.server.test_engines import MODULE

import watermeet as wm
from watermeet.nets.forward import HEIGHT
from watermeet.nets.packed import unpack
from watermeet.server import engines
from watermeet.server.api import loans
from watermeet.server.matches.service import BOT_JOB

pytestmark = pytest.mark.anyio
BOT = {"who": "bot", "level": "stream"}


@asynccontextmanager
async def lending(
    folder: Path, monkeypatch: pytest.MonkeyPatch, **changes: Any
) -> AsyncIterator[Inside]:
    """A server with an engine for every game."""
    file = folder / "any.wasm"
    file.write_bytes(MODULE)
    monkeypatch.setattr(engines, "built_file", lambda name: file)
    async with inside(folder, **changes) as app:
        yield app


async def against_bot(app: Inside, **changes: Any) -> tuple[str, str]:
    """A match of one person, whose token it returns, and a bot."""
    token = await app.guest()
    body = {"game": "flume", "seats": [{}, BOT], "seat": 0} | changes
    return (await call(app, token, "POST", "/matches", body, 201))["match"], token


async def offered(app: Inside, match: str, token: str) -> tuple[Socket, dict[str, Any]]:
    """A socket that follows a match and offers to think; and the response."""
    socket = await app.socket(token)
    await socket.follow(match)
    await socket.send({"type": "think_for_bots", "match": match, "is_on": True})
    return socket, await socket.receive("lent", "error")


async def bot_move(socket: Socket, match: str, action: int, at_seq: int) -> dict[str, Any]:
    message = {"type": "bot_move", "id": f"b{at_seq}-{action}", "match": match, "seat": 1}
    await socket.send(message | {"action": action, "at_seq": at_seq})
    return await socket.receive("ack", "error")


async def own_move(socket: Socket, match: str, move: str) -> dict[str, Any]:
    """Play, and return what the device is asked to search."""
    command = {"type": "play", "move": move}
    await socket.send({"type": "command", "id": move, "match": match, "command": command})
    first, second = [await socket.receive("ack", "bot_task") for _ in range(2)]
    return first if first["type"] == "bot_task" else second


async def log_of(app: Inside, match: str) -> list[Any]:
    return list((await app.services.matches.current(match)).entries)


async def test_a_device_plays_the_bot_that_was_lent_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lending(tmp_path, monkeypatch) as app:
        match, token = await against_bot(app)
        socket, lent = await offered(app, match, token)
        assert lent["seats"] == [1]
        assert lent["module"].startswith("/api/games/flume/engines/")
        task = await own_move(socket, match, "a1")
        state = wm.game("flume").start().play("a1")
        array = np.frombuffer(base64.b64decode(task["task"]["state"]), state.game.dtype)
        assert (array == state.conceal(0).array).all(), "the person knows as much"
        action = state.legal_actions[0]
        again, refused = await offered(app, match, token)
        assert refused["why"] == "conflict", "one connection thinks"
        assert (await bot_move(again, match, action, task["seq"]))["code"] == "cannot_lend"
        assert (await bot_move(socket, match, action, task["seq"] - 1))["code"] == "conflict"
        done = await bot_move(socket, match, action, task["seq"])
        assert done["type"] == "ack"
        assert (await log_of(app, match))[done["seq"] - 1].on_device
        await own_move(socket, match, "d4")
        refusal = await bot_move(socket, match, action, task["seq"] + 2)
        assert refusal["code"] == "illegal_move", "the server checks every move"
        refusal = await bot_move(socket, match, action + 1, task["seq"] + 2)
        assert refusal["code"] == "cannot_lend", "whoever tries that has had its chance"


async def test_a_device_gets_the_network_of_its_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "flecks"
    seats = [{}, {"who": "bot", "level": "ocean"}]
    async with lending(tmp_path, monkeypatch) as app:
        match, token = await against_bot(app, game=name, seats=seats)
        socket, lent = await offered(app, match, token)
        assert lent["seats"] == [1]
        state, moves = wm.game(name).start(), []
        while state.to_move == 0:  # A turn has several moves.
            moves.append(state.legal_moves[-1])
            state = state.play(moves[-1])
        for move in moves[:-1]:
            await socket.do(match, {"type": "play", "move": move})
        network = (await own_move(socket, match, moves[-1]))["task"]["network"]
        url = f"/api/games/{name}/networks/"
        async with app.http() as http:
            found = await http.get(url + network["digest"])
            assert unpack(found.content, wm.game(name)).sizes[HEIGHT:].tolist() == network["board"]
            assert "immutable" in found.headers["cache-control"]
            assert (await http.get(url + "0" * 16)).status_code == 404


async def test_bots_that_a_device_may_not_play_stay_on_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lending(tmp_path, monkeypatch) as app:
        for changes in (
            {"game": "qwirkle"},
            {"game": "flows"},
            {"time_control": {"type": "real_time", "initial_ms": 60_000}},
            {"seats": [{}, {"who": "bot", "level": "sea"}]},
            {"seats": [{}, {"who": "bot", "level": "random"}]},
        ):
            match, token = await against_bot(app, **changes)
            socket, lent = await offered(app, match, token)
            assert (lent["seats"], lent["why"]) == ([], "cannot_lend"), changes
            assert (await bot_move(socket, match, 0, 99))["code"] == "cannot_lend"
        match, tokens = await app.seated("flume", 2)
        _, lent = await offered(app, match, tokens[0])
        assert (lent["seats"], lent["why"]) == ([], "cannot_lend")
        spectator, refusal = await offered(app, match, await app.guest())
        assert refusal["code"] == "forbidden"
        assert (await bot_move(spectator, match, 0, 99))["code"] == "forbidden"


@pytest.mark.parametrize("ending", ["late", "closed", "returned"])
async def test_the_server_takes_over(
    clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    if ending == "late":
        monkeypatch.setattr(loans, "limit_ms", lambda level: 200)

    async def is_free() -> bool:
        """Whether a bot of the server would get the job now."""
        store = app.services.store
        job = await store.lease([BOT_JOB], "test", clock.now, clock.now + 1)
        if job is not None:
            await store.release(job.id, "test", job.ready_at)
        return job is not None

    async with lending(tmp_path, monkeypatch) as app:
        match, token = await against_bot(app)
        socket, _ = await offered(app, match, token)
        task = await own_move(socket, match, "a1")
        assert not await is_free(), "the server's bot waits"
        if ending == "late":
            clock.now += 200
        elif ending == "closed":
            await socket.close()
        else:
            await socket.send({"type": "think_for_bots", "match": match, "is_on": False})
        await until(is_free)
        if ending != "closed":
            assert (await socket.receive("lent"))["why"] == ending
            assert (await bot_move(socket, match, 0, task["seq"]))["code"] == "cannot_lend"
