"""Liveness and readiness: a server that can't write isn't ready, but it is alive."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.inside import inside

from watermeet.server import readiness

pytestmark = pytest.mark.anyio


async def test_a_server_that_cannot_write_is_alive_but_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "CACHE_S", 0.0)
    async with inside(tmp_path) as server, server.http() as http:

        async def statuses() -> list[int]:
            paths = ("live", "ready", "")
            return [
                (await http.get(f"/api/health/{path}".rstrip("/"))).status_code for path in paths
            ]

        assert await statuses() == [200, 200, 200]
        store = server.app.state.services.store
        store._connection.execute("PRAGMA query_only = ON")
        assert await statuses() == [200, 503, 503]
        refused = (await http.get("/api/health/ready")).json()
        assert refused["code"] == "store_unavailable"
        assert str(tmp_path) not in str(refused)
        store._connection.execute("PRAGMA query_only = OFF")
        assert await statuses() == [200, 200, 200]


async def test_the_status_works_without_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "CACHE_S", 0.0)
    async with inside(tmp_path) as server, server.http(await server.guest()) as http:
        first = (await http.get("/api/status")).json()
        assert (first["moves"], first["bots"], first["bot_wait_ms"]) == ("ok", "ok", 0)
        assert first["started_at"] <= first["moves_since"] + 1000 <= first["now"] + 1000
        bot = {"who": "bot", "level": "random"}
        for seats in ([bot, bot], [bot, {}]):  # No bot works here: those of people wait.
            seat = {} if seats[1] == bot else {"seat": 1}
            made = await http.post("/api/matches", json={"game": "flume", "seats": seats, **seat})
            assert made.status_code == 201
            await asyncio.sleep(0.02)
            wait = (await http.get("/api/status")).json()["bot_wait_ms"]
            assert (wait > 0) == (seats[1] != bot)
        store = server.app.state.services.store
        store._connection.execute("PRAGMA query_only = ON")
        last = await http.get("/api/status")
        assert last.status_code == 200
        assert (last.json()["moves"], last.json()["bots"]) == ("down", None)
        assert last.json()["moves_since"] > first["moves_since"]


async def test_many_who_ask_share_one_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with inside(tmp_path) as server, server.http() as http:
        store, writes = server.app.state.services.store, []
        probe = store.probe

        async def counted() -> None:
            writes.append(1)
            await probe()

        monkeypatch.setattr(store, "probe", counted)
        answers = await asyncio.gather(*(http.get("/api/health/ready") for _ in range(20)))
        assert {answer.status_code for answer in answers} == {200}
        assert len(writes) == 1
