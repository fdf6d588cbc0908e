"""Three nodes behind one address: one is killed, the bus and the database are started anew.

The seats of a match are on different nodes, as connections come; play goes on, nothing is lost.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest
from tests.server.crowd import Crowd
from tests.server.killing import GAMES, told
from tests.server.ledger import check
from tests.server.nodes import Door, Node
from tests.server.servers import Postgres, Valkey

pytestmark = pytest.mark.slow

TABLES, NODES, LIMIT_S = 60, 3, 240.0
CALM_S = 4.0
"""How long all goes well between two accidents."""
AWAY_S = 1.0
PATIENCE_S = 60.0

Note = Callable[[str, object], None]
Accident = Callable[[], Awaitable[None]]


@contextmanager
def running_nodes(store_url: str, bus_url: str) -> Iterator[list[Node]]:
    nodes = [Node(store_url=store_url, bus_url=bus_url) for _ in range(NODES)]
    try:
        for node in nodes:
            node.start()
            if node is nodes[0]:
                node.wait_until_warm()  # The others find what this one has compiled.
        yield nodes
    finally:
        for node in nodes:
            node.remove()


def on_different_nodes(crowd: Crowd, door: Door) -> int:
    """How many matches have their seats on different nodes now."""
    places: dict[str, set[int]] = {}
    for (match, _), port in crowd.lines.items():
        if port in door.node_of:
            places.setdefault(match, set()).add(door.node_of[port])
    return sum(len(nodes) > 1 for nodes in places.values())


async def played_across(crowd: Crowd, door: Door, name: str) -> int:
    """How many matches are played across nodes, as soon as any is: that may take a while."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while (apart := on_different_nodes(crowd, door)) == 0:
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"before {name}: nobody plays across nodes") from None
    return apart


async def goes_on(crowd: Crowd, name: str) -> None:
    """Returns when a match has ended since the accident: it did not stop everything."""
    before = crowd.counts["ended"]
    try:
        async with asyncio.timeout(PATIENCE_S):
            while crowd.counts["ended"] == before:
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"after {name} no match ends; {crowd.stuck()}") from None


async def play_with_accidents(
    nodes: list[Node], url: str, accidents: dict[str, Accident]
) -> Counter[str]:
    door = Door(nodes)
    crowd = Crowd(await door.open(), GAMES)
    try:
        async with asyncio.timeout(LIMIT_S), asyncio.TaskGroup() as group:
            group.create_task(crowd.play(TABLES))
            for name, accident in accidents.items():
                await asyncio.sleep(CALM_S)
                apart = await played_across(crowd, door, name)
                crowd.counts["matches across nodes"] = max(
                    apart, crowd.counts["matches across nodes"]
                )
                await accident()
                crowd.counts["accidents"] += 1
                await goes_on(crowd, name)
            crowd.no_more.set()
    except TimeoutError:
        raise AssertionError(crowd.stuck()) from None
    finally:
        await door.close()
    for node in nodes:
        await asyncio.to_thread(node.stop)
    return await check(url, crowd.seats) + crowd.counts


def test_play_goes_on_while_nodes_bus_and_database_come_and_go(
    own_postgres: Postgres, valkey: Valkey, record_property: Note
) -> None:
    url = own_postgres.new_database()
    with running_nodes(url, valkey.url) as nodes:

        async def lose_node() -> None:
            await asyncio.to_thread(nodes[0].kill)
            await asyncio.sleep(2 * AWAY_S)
            await asyncio.to_thread(nodes[0].start)

        async def restart_bus() -> None:
            await asyncio.to_thread(valkey.kill)
            await asyncio.sleep(AWAY_S)
            await asyncio.to_thread(valkey.start)

        async def restart_database() -> None:
            await asyncio.to_thread(own_postgres.stop)
            await asyncio.sleep(AWAY_S)
            await asyncio.to_thread(own_postgres.start)

        async def crash_database() -> None:
            await asyncio.to_thread(own_postgres.kill)
            await asyncio.to_thread(own_postgres.start)

        accidents: dict[str, Accident] = {
            "a node is killed": lose_node,
            "the bus is started anew": restart_bus,
            "the database is started anew": restart_database,
            "the database crashes": crash_database,
        }
        counts = asyncio.run(play_with_accidents(nodes, url, accidents))
    across = counts["matches across nodes"]
    more = f"{counts['accidents']} accidents, {across} matches across nodes at once"
    record_property("counted", f"three nodes: {told(counts)}, {more}")
