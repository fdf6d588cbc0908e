"""A guest who posts heavy records, and everybody else, who doesn't notice."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
from tests.server.attacks.hostile import HOSTILE, Attacked, attacked, needs_addresses, slowest

pytestmark = [needs_addresses, pytest.mark.slow]

SECONDS = 5.0
BOUND_S = 0.5
"""What an attack may add to a bystander's request at the 99th percentile."""
PAIRING_S = 3.0
"""How long two people may wait for each other, who want the same."""
HEAD = "game: flume@1\noptions: size=9\n\n"
SHAPES = ("( a2 ) ", "{x} ", "1. ", "a1 ")
"""What is repeated after a move: variations of it, comments on it, numbers of turns, moves."""


def heavy(shape: str, size: int) -> str:
    """A record of this size that is more work than it looks."""
    return HEAD + "a1 " + shape * (size // len(shape))


class Poster:
    """Posts heavy records from one address, several at once, as long as it takes."""

    def __init__(self, node: Attacked) -> None:
        self._url, self._end = f"http://{node.address}", threading.Event()
        self.statuses: list[int] = []

    def run(self) -> None:
        """Post in as many threads as the server had for everything."""
        posters = [threading.Thread(target=self._post, args=(number,)) for number in range(8)]
        for each in posters:
            each.start()
        for each in posters:
            each.join()

    def stop(self) -> None:
        """Post no more."""
        self._end.set()

    def _post(self, number: int) -> None:
        transport = httpx2.HTTPTransport(local_address=HOSTILE)
        with httpx2.Client(base_url=self._url, transport=transport, timeout=120) as http:
            token = http.post("/api/guests").json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            while not self._end.is_set():
                path, size = "/api/records", 400_000
                if number % 2:
                    path, size = "/api/analysis/records", 60_000
                body = {"record": heavy(SHAPES[number // 2], size)}
                self.statuses.append(http.post(path, json=body, headers=headers).status_code)


async def bystander(node: Attacked, seconds: float) -> dict[str, list[float]]:
    """How long the requests of somebody else take, of each kind."""
    times: dict[str, list[float]] = {}
    async with httpx2.AsyncClient(base_url=f"http://{node.address}", timeout=120) as http:

        async def timed(kind: str, request: Awaitable[httpx2.Response]) -> Any:
            begun = time.perf_counter()
            answer = await request
            times.setdefault(kind, []).append(time.perf_counter() - begun)
            assert answer.status_code < 300, (kind, answer.text)
            return answer.json() if "json" in answer.headers["content-type"] else None

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            tokens = [(await timed("guest", http.post("/api/guests")))["token"] for _ in range(2)]
            ada, bob = ({"Authorization": f"Bearer {token}"} for token in tokens)
            new = {"game": "flume", "options": {"size": 3}, "seats": [{}, {}], "seat": 0}
            made = await timed("create", http.post("/api/matches", json=new, headers=ada))
            path = f"/api/matches/{made['match']}"
            await timed("join", http.post(f"{path}/seats/1", json={}, headers=bob))
            await timed("picture", http.get(f"{path}/picture"))
            asked = {"game": "flume", "options": {"size": 3}, "moves": ["b2"]}
            await timed("analysis", http.post("/api/analysis", json=asked))
            resign = {"id": "r", "command": {"type": "resign"}}
            await timed("resign", http.post(f"{path}/commands", json=resign, headers=ada))
            await timed("record", http.get(f"{path}/record"))
            begun = time.perf_counter()
            for headers in (ada, bob):
                await http.post("/api/seeks", json={"game": "flume"}, headers=headers)
            while not (await timed("seeks", http.get("/api/me/seeks", headers=ada)))["match"]:
                await asyncio.sleep(0.01)
            times.setdefault("pairing", []).append(time.perf_counter() - begun)
    return times


def test_heavy_records_of_one_guest_keep_nobody_waiting(
    record_property: Callable[[str, object], None],
) -> None:
    with attacked() as node:
        asyncio.run(bystander(node, 0.1))  # The first requests import things.
        before = asyncio.run(bystander(node, SECONDS / 2))
        poster = Poster(node)
        attack = threading.Thread(target=poster.run)
        attack.start()
        time.sleep(0.3)
        try:
            times = asyncio.run(bystander(node, SECONDS))
        finally:
            poster.stop()
            attack.join(120)
    worst = {kind: round(slowest(each), 3) for kind, each in times.items()}
    quiet = {kind: round(slowest(each), 3) for kind, each in before.items()}
    record_property("bystander", f"p99 {worst}, {quiet} before; {len(poster.statuses)} posted")
    assert len(poster.statuses) > 4
    assert worst.pop("pairing") < PAIRING_S
    assert max(worst[kind] - quiet[kind] for kind in worst) < BOUND_S, (worst, quiet)
