"""Nothing acknowledged is lost or done twice, and every match ends, whatever crashes.

``KILLS=100 pytest -o faulthandler_timeout=0 tests/server/test_kills.py`` kills that often.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from tests.server.crowd import Crowd, Game
from tests.server.ledger import check
from tests.server.nodes import LoadBalancer, PlainNode, running
from tests.server.servers import Postgres, Valkey

KILLS = int(os.environ.get("KILLS", "0"))
GAMES: tuple[Game, ...] = (("flume", {"size": 5}), ("kuhn_poker", {}))
"""The first has no chance or hidden information; the second does."""
MATCHES, NODES, LIMIT_S = 30, 3, 240.0 + 30.0 * KILLS
"""A match that never ends is a failure too."""
LIFE_S, MOVES_A_LIFE = (12.0 if KILLS else 4.0), 300
"""The server is killed after this long, or after at most this many acknowledged moves."""
DOWN_S, TIMEOUT_S = 1.0, 60.0

Note = Callable[[str, object], None]
Accident = Callable[[], Awaitable[None]]


def summary(counts: Counter[str]) -> str:
    """The counts in one line."""
    names = (
        "matches", "moves", "acknowledged", "events", "accidents", "matches across nodes",
        "lost connections", "commands resent", "requests retried",
    )  # fmt: skip
    return ", ".join(f"{counts[name]:,} {name}" for name in names)


async def play(
    address: str,
    nodes: list[PlainNode],
    url: str,
    accidents: Callable[[Crowd], Awaitable[None]],
) -> Crowd:
    """Let a crowd play during some accidents, and compare what it received with the log."""
    crowd = Crowd(address, GAMES)
    try:
        async with asyncio.timeout(LIMIT_S), asyncio.TaskGroup() as group:
            group.create_task(crowd.play(MATCHES))
            await accidents(crowd)
            crowd.no_more.set()
    except TimeoutError:
        raise AssertionError(crowd.stuck()) from None
    for node in nodes:
        await asyncio.to_thread(node.stop)
    crowd.counts += await check(url, crowd.seats)
    return crowd


@pytest.mark.nightly
def test_nothing_is_lost_when_the_only_server_is_killed(record_property: Note) -> None:
    rng = random.Random(0)

    async def kill_often(crowd: Crowd) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(KILLS or 4):
            end, last = loop.time() + LIFE_S, crowd.counts["ack"] + rng.randrange(MOVES_A_LIFE)
            while loop.time() < end and crowd.counts["ack"] < last:
                await asyncio.sleep(0.002)
            await asyncio.to_thread(node.kill)
            await asyncio.to_thread(node.start)
            crowd.counts["accidents"] += 1

    with running(PlainNode()) as [node]:
        url = f"sqlite:///{node.folder}/watermeet.db"
        crowd = asyncio.run(play(node.address, [node], url, kill_often))
    record_property("counted", f"killed on SQLite: {summary(crowd.counts)}")
    assert crowd.counts["accidents"] == (KILLS or 4)


# ---- several nodes ------------------------------------------------------------------------------


def on_different_nodes(crowd: Crowd, balancer: LoadBalancer) -> int:
    """The number of matches with players on different nodes."""
    places: dict[str, set[int]] = {}
    for (match, _), port in crowd.ports.items():
        if port in balancer.node_of:
            places.setdefault(match, set()).add(balancer.node_of[port])
    return sum(len(nodes) > 1 for nodes in places.values())


async def wait_for(is_so: Callable[[], int], what: Callable[[], str]) -> int:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            while not (found := is_so()):
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(what()) from None
    return found


@pytest.mark.slow
def test_play_continues_while_nodes_bus_and_database_crash(
    own_postgres: Postgres, valkey: Valkey, record_property: Note
) -> None:
    """The players of a match are on different nodes, behind a load balancer."""
    url = own_postgres.new_database()

    async def lose_node(number: int) -> None:
        await asyncio.to_thread(nodes[number].kill)
        await asyncio.sleep(2 * DOWN_S)
        await asyncio.to_thread(nodes[number].start)

    async def restart_bus() -> None:
        await asyncio.to_thread(valkey.kill)
        await asyncio.sleep(DOWN_S)
        await asyncio.to_thread(valkey.start)

    async def crash_database() -> None:
        await asyncio.to_thread(own_postgres.kill)
        await asyncio.to_thread(own_postgres.start)

    accidents: dict[str, Accident] = {
        f"kill {number + 1} of a node": partial(lose_node, number % NODES)
        for number in range(KILLS or 1)
    }
    accidents |= {"restarting the bus": restart_bus, "crashing the database": crash_database}

    async def cause(crowd: Crowd, balancer: LoadBalancer) -> None:
        for name, accident in accidents.items():
            across = await wait_for(
                lambda: on_different_nodes(crowd, balancer),
                lambda name=name: f"before {name}: nobody plays across nodes",  # type: ignore[misc]
            )
            counts = crowd.counts
            counts["matches across nodes"] = max(across, counts["matches across nodes"])
            await accident()
            counts["accidents"] += 1
            ended = counts["ended"]
            await wait_for(
                lambda ended=ended: crowd.counts["ended"] > ended,  # type: ignore[misc]
                lambda name=name: f"after {name} no match ends; {crowd.stuck()}",  # type: ignore[misc]
            )

    async def drill() -> Crowd:
        balancer = LoadBalancer(nodes)
        address = await balancer.open()
        try:
            return await play(address, nodes, url, lambda crowd: cause(crowd, balancer))
        finally:
            await balancer.close()

    with running(*(PlainNode(store_url=url, bus_url=valkey.url) for _ in range(NODES))) as nodes:
        crowd = asyncio.run(drill())
    record_property("counted", f"three nodes: {summary(crowd.counts)}")
    assert crowd.counts["accidents"] == len(accidents)
