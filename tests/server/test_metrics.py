"""Who may read the metrics."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.inside import bearer, inside

pytestmark = pytest.mark.anyio


async def test_metrics_are_for_the_servers_own_machine(tmp_path: Path) -> None:
    async with inside(tmp_path) as server:
        async with server.http() as http:
            assert (await http.get("/api/metrics")).status_code == 200
            proxied = await http.get("/api/metrics", headers={"X-Forwarded-For": "192.0.2.1"})
            assert proxied.status_code == 403, "a proxy on this machine asks for somebody else"
        async with server.http(address="192.0.2.1") as http:
            refused = await http.get("/api/metrics")
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


async def test_metrics_with_a_token(tmp_path: Path) -> None:
    token = "m" * 20
    async with (
        inside(tmp_path, metrics_token=token) as server,
        server.http(address="192.0.2.1") as http,
    ):
        answers = [
            (await http.get("/api/metrics", headers=headers)).status_code
            for headers in ({}, bearer("wrong"), bearer(token))
        ]
    assert answers == [403, 403, 200]
