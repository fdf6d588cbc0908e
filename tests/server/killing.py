"""Plays with a crowd while the server is killed and restarted, and counts what happened."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from tests.server.crowd import Crowd, Game
from tests.server.ledger import check
from tests.server.nodes import Node

KILLS = int(os.environ.get("KILLS", "0"))
"""How often tests kill a server, or a node; 0: a few times. Many kills take more than ten minutes:
``KILLS=100 pytest -m soak -o faulthandler_timeout=0 tests/server/test_kills.py``."""
GAMES: tuple[Game, ...] = (
    ("flume", {"size": 5}),
    ("kuhn_poker", {}),
    ("flows", {"radius": 2}),
)
"""The first has no chance or hidden information; the others do."""


@dataclass(frozen=True)
class Plan:
    """How much is played, and how often the server is killed."""

    matches: int = 60
    kills: int = 6
    moves_a_life: int = 300
    """The server is killed again after at most this many acknowledged moves,"""
    life_s: float = 4.0
    """or after this long."""
    games: tuple[Game, ...] = GAMES
    seed: int = 0
    limit_s: float = 240.0
    """The time limit: a match that never ends is a failure too."""


def ignore(text: str) -> None:
    """Ignore progress."""


async def play_with_kills(
    node: Node, url: str, plan: Plan, report: Callable[[str], None] = ignore
) -> Counter[str]:
    """Run a plan; ``url`` is the node's database. Raises AssertionError if anything is wrong.

    Reports progress after every tenth kill.
    """
    rng = random.Random(plan.seed)
    crowd = Crowd(node.address, plan.games, seed=plan.seed)
    await asyncio.to_thread(node.start)
    await asyncio.to_thread(node.wait_until_compiled)
    try:
        async with asyncio.timeout(plan.limit_s), asyncio.TaskGroup() as group:
            group.create_task(crowd.play(plan.matches))
            for _ in range(plan.kills):
                await _wait_for_moves(crowd, rng.randrange(plan.moves_a_life), plan.life_s)
                await asyncio.to_thread(node.kill)
                await asyncio.to_thread(node.start)
                crowd.counts["kills"] += 1
                if crowd.counts["kills"] % 10 == 0:
                    report(f"{crowd.counts['kills']} kills, {crowd.counts['ack']:,} moves")
            crowd.no_more.set()
    except TimeoutError:
        raise AssertionError(crowd.stuck()) from None
    await asyncio.to_thread(node.stop)
    return await check(url, crowd.seats) + crowd.counts


async def _wait_for_moves(crowd: Crowd, moves: int, seconds: float) -> None:
    """Wait for moves, not only for time, so the kill hits a busy server on slow machines too."""
    loop = asyncio.get_running_loop()
    end, last = loop.time() + seconds, crowd.counts["ack"] + moves
    while loop.time() < end and crowd.counts["ack"] < last:
        await asyncio.sleep(0.002)


def summary(counts: Counter[str]) -> str:
    """The counts in one line."""
    names = (
        "matches", "moves", "acknowledged", "events", "kills",
        "lost connections", "commands resent", "requests retried",
    )  # fmt: skip
    return ", ".join(f"{counts[name]:,} {name}" for name in names)
