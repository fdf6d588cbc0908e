"""Sixty people look for matches on three nodes, and one node is killed: nobody is seated twice."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from itertools import combinations

import httpx2
import pytest
from tests.server.nodes import PlainNode, running
from tests.server.servers import Postgres, Valkey

import watermeet as wm
from watermeet.server.store.company import TieRow
from watermeet.server.store.factory import open_store

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

SMALLER: dict[str, dict[str, int]] = {"flume": {"size": 3}, "qwirkle": {"seats": 3}}
GAMES = {name: SMALLER.get(name, {}) for name in wm.games()}
PEOPLE, BLOCKS = 60, 20
ARRIVAL_S = 0.1
"""Time between two arrivals."""
SEATED_BEFORE = 10
"""How many have a match when the node is killed."""
LIMIT_S = 120.0


class Crowd:
    """Everybody who seeks, and who has found a match."""

    def __init__(self, addresses: list[str]) -> None:
        self.addresses = addresses
        self.http = httpx2.AsyncClient(timeout=10)
        self.users: dict[str, int] = {}
        self.found: dict[str, str] = {}
        self.failed = 0

    async def ask(self, number: int, token: str, path: str, body: object = None) -> dict[str, str]:
        """Send a request to somebody's node, or to the next one that responds."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        for attempt in range(30):
            address = self.addresses[(number + attempt) % len(self.addresses)]
            try:
                url = f"http://{address}/api{path}"
                response = await self.http.post(url, json=body, headers=headers)
                if response.status_code < 300:
                    answer: dict[str, str] = response.json()
                    return answer
            except httpx2.HTTPError:
                pass
            self.failed += 1
            await asyncio.sleep(0.2)
        raise AssertionError("no node responds")

    async def come(self, number: int) -> str:
        guest = await self.ask(number, "", "/guests", {})
        self.users[guest["user"]] = number
        return guest["token"]

    async def seek(self, number: int, token: str) -> None:
        """Look for a match until there is one; people are heard from twice a second."""
        await asyncio.sleep(number * ARRIVAL_S)
        game, options = list(GAMES.items())[number % len(GAMES)]
        user = next(id_ for id_, each in self.users.items() if each == number)
        wanted = {"game": game, "options": options}
        answer = await self.ask(number, token, "/seeks", wanted)
        while not answer["match"]:
            await asyncio.sleep(0.5)
            answer = await self.ask(number, token, "/me/seeks/renewal")
            if not answer["match"] and not answer["seeks"]:
                answer = await self.ask(number, token, "/seeks", wanted)
        self.found[user] = answer["match"]

    def may_change(self, blocked: set[frozenset[str]]) -> bool:
        """Whether somebody hasn't heard of their match, or those who wait could play together."""
        heard = Counter(self.found.values())
        for number, options in enumerate(GAMES.values()):
            seats = options.get("seats", 2)
            here = [user for user, each in self.users.items() if each % len(GAMES) == number]
            if any(heard[self.found[user]] < seats for user in here if user in self.found):
                return True
            waiting = [user for user in here if user not in self.found]
            for group in combinations(waiting, seats):
                if not any(pair <= set(group) for pair in blocked):
                    return True
        return False


async def test_nobody_is_seated_twice_although_a_node_is_killed(
    postgres: Postgres, valkey: Valkey
) -> None:
    url = await asyncio.to_thread(postgres.new_database)
    store = await open_store(url)
    nodes = [PlainNode(store_url=url, bus_url=valkey.url) for _ in range(3)]
    with running(*nodes):
        crowd = Crowd([node.address for node in nodes])
        tokens = [await crowd.come(number) for number in range(PEOPLE)]
        by_number = {number: user for user, number in crowd.users.items()}
        blocked = {
            frozenset((by_number[number], by_number[number + len(GAMES)]))
            for number in range(BLOCKS)
        }
        for one, other in blocked:
            await store.add_tie(TieRow(one, "block", other, "", 1))
        seeking = [asyncio.create_task(crowd.seek(n, token)) for n, token in enumerate(tokens)]
        async with asyncio.timeout(LIMIT_S):
            while len(crowd.found) < SEATED_BEFORE:
                await asyncio.sleep(0.02)
        assert len(crowd.found) < PEOPLE, "there is somebody left to pair"
        nodes[0].kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LIMIT_S):
                while any(not task.done() for task in seeking) and crowd.may_change(blocked):
                    await asyncio.sleep(0.1)
        waiting = [task for task in seeking if not task.done()]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await crowd.http.aclose()
        assert all(task.exception() is None for task in seeking if not task.cancelled())
    counts: Counter[str] = Counter()
    for user in crowd.users:
        rows = await store.matches_of(user, before=None, limit=9)
        assert len(rows) <= 1, "nobody is seated twice"
        assert [row.id for row in rows] == ([crowd.found[user]] if user in crowd.found else [])
        counts.update(row.id for row in rows)
    await store.close()
    seats = {crowd.found[user]: number % len(GAMES) for user, number in crowd.users.items()
             if user in crowd.found}  # fmt: skip
    for match, count in counts.items():
        assert count == list(GAMES.values())[seats[match]].get("seats", 2)
        together = {user for user, found in crowd.found.items() if found == match}
        assert not any(pair <= together for pair in blocked)
    assert len(crowd.found) + len(waiting) == PEOPLE
    assert not crowd.may_change(blocked), "whoever still waits is alone, or with somebody blocked"
