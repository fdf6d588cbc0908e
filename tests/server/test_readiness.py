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
