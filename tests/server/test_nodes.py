"""Three nodes behind a load balancer: a node is killed, the bus and the database restart.

The players of a match are on different nodes. Play continues and nothing is lost.
``KILLS=100 pytest …`` kills as many nodes, one after the other.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from tests.server.crowd import Crowd
from tests.server.killing import GAMES, KILLS, summary
from tests.server.ledger import check
from tests.server.nodes import LoadBalancer, Node
from tests.server.servers import Postgres, Valkey

pytestmark = [pytest.mark.slow, pytest.mark.soak]

TABLES, NODES, LIMIT_S = 60, 3, 240.0 + 30.0 * KILLS
CALM_S = 2.0
"""Time between two accidents."""
DOWN_S = 1.0
TIMEOUT_S = 60.0

Record = Callable[[str, object], None]
Accident = Callable[[], Awaitable[None]]


@contextmanager
def running_nodes(store_url: str, bus_url: str) -> Iterator[list[Node]]:
    nodes = [Node(store_url=store_url, bus_url=bus_url) for _ in range(NODES)]
    try:
        for node in nodes:
            node.start()
            if node is nodes[0]:
                node.wait_until_compiled()  # The others load what this one compiled.
        yield nodes
    finally:
        for node in nodes:
            node.remove()


def on_different_nodes(crowd: Crowd, balancer: LoadBalancer) -> int:
    """The number of matches with players on different nodes."""
    places: dict[str, set[int]] = {}
    for (match, _), port in crowd.ports.items():
        if port in balancer.node_of:
            places.setdefault(match, set()).add(balancer.node_of[port])
    return sum(len(nodes) > 1 for nodes in places.values())


async def played_across(crowd: Crowd, balancer: LoadBalancer, name: str) -> int:
    """Wait until matches are played across nodes, and return their number."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            while (apart := on_different_nodes(crowd, balancer)) == 0:
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"before {name}: nobody plays across nodes") from None
    return apart


async def continues(crowd: Crowd, name: str) -> None:
    """Return when a match has ended after the accident."""
    before = crowd.counts["ended"]
    try:
        async with asyncio.timeout(TIMEOUT_S):
            while crowd.counts["ended"] == before:
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"after {name} no match ends; {crowd.stuck()}") from None


async def play_with_accidents(
    nodes: list[Node], url: str, accidents: dict[str, Accident]
) -> Counter[str]:
    balancer = LoadBalancer(nodes)
    crowd = Crowd(await balancer.open(), GAMES)
    try:
        async with asyncio.timeout(LIMIT_S), asyncio.TaskGroup() as group:
            group.create_task(crowd.play(TABLES))
            for name, accident in accidents.items():
                await asyncio.sleep(CALM_S)
                apart = await played_across(crowd, balancer, name)
                crowd.counts["matches across nodes"] = max(
                    apart, crowd.counts["matches across nodes"]
                )
                await accident()
                crowd.counts["accidents"] += 1
                await continues(crowd, name)
            crowd.no_more.set()
    except TimeoutError:
        raise AssertionError(crowd.stuck()) from None
    finally:
        await balancer.close()
    for node in nodes:
        await asyncio.to_thread(node.stop)
    return await check(url, crowd.seats) + crowd.counts


def test_play_continues_while_nodes_bus_and_database_go_down(
    own_postgres: Postgres, valkey: Valkey, record_property: Record
) -> None:
    url = own_postgres.new_database()
    with running_nodes(url, valkey.url) as nodes:

        async def lose_node(number: int) -> None:
            await asyncio.to_thread(nodes[number].kill)
            await asyncio.sleep(2 * DOWN_S)
            await asyncio.to_thread(nodes[number].start)

        async def restart_bus() -> None:
            await asyncio.to_thread(valkey.kill)
            await asyncio.sleep(DOWN_S)
            await asyncio.to_thread(valkey.start)

        async def restart_database() -> None:
            await asyncio.to_thread(own_postgres.stop)
            await asyncio.sleep(DOWN_S)
            await asyncio.to_thread(own_postgres.start)

        async def crash_database() -> None:
            await asyncio.to_thread(own_postgres.kill)
            await asyncio.to_thread(own_postgres.start)

        accidents: dict[str, Accident] = {
            f"kill {number + 1} of a node": partial(lose_node, number % NODES)
            for number in range(KILLS or 1)
        }
        accidents |= {
            "restarting the bus": restart_bus,
            "restarting the database": restart_database,
            "crashing the database": crash_database,
        }
        counts = asyncio.run(play_with_accidents(nodes, url, accidents))
    across = counts["matches across nodes"]
    more = f"{counts['accidents']} accidents, {across} matches across nodes at once"
    record_property("counted", f"three nodes: {summary(counts)}, {more}")
