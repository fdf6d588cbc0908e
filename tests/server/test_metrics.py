"""Who may read the metrics, and what they say."""

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


async def test_metrics_follow_a_move_through_the_server(tmp_path: Path) -> None:
    async with inside(tmp_path, creations_per_minute=1000) as server, server.http() as http:
        ada = (await http.post("/api/guests")).json()["token"]
        seats = [{}, {"who": "bot", "level": "drop"}]
        setup = {"game": "kuhn_poker", "seats": seats, "seat": 0}
        made = (await http.post("/api/matches", json=setup, headers=bearer(ada))).json()
        path = f"/api/matches/{made['match']}/commands"
        for id_, kind in (("a", "resign"), ("b", "resign")):
            body = {"id": id_, "command": {"type": kind}}
            await http.post(path, json=body, headers=bearer(ada))
        text = (await http.get("/api/metrics")).text
        figures = dict(
            line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")
        )
        await server.app.state.services.store.close()
        broken = (await http.get("/api/metrics")).text
    assert figures['watermeet_commands_total{result="ok"}'] == "1.0"
    assert figures['watermeet_commands_total{result="wrong_stage"}'] == "1.0"
    assert float(figures['watermeet_store_seconds_count{operation="append"}']) >= 2
    assert float(figures["watermeet_bus_publish_seconds_count"]) >= 2
    assert float(figures["watermeet_bus_delivery_seconds_count"]) >= 1, "the first probe"
    assert (figures["watermeet_ready"], figures["watermeet_bot_queue_seconds"]) == ("1.0", "0.0")
    assert "watermeet_ready 0.0" in broken
