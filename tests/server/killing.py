"""Plays with a crowd while the server is killed and started again, and tells what was counted."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from tests.server.crowd import Crowd, Game
from tests.server.ledger import check
from tests.server.nodes import Node

GAMES: tuple[Game, ...] = (
    ("flume", {"size": 5}),
    ("kuhn_poker", {}),
    ("flows", {"radius": 2}),
)
"""Of the first nothing is hidden or drawn; the others have draws, and hands that nobody sees."""


@dataclass(frozen=True)
class Plan:
    """How much is played, and how often the server dies."""

    matches: int = 200
    kills: int = 8
    moves_a_life: int = 500
    """After so many acknowledged moves at the most it is killed again,"""
    life_s: float = 4.0
    """or after so long."""
    games: tuple[Game, ...] = GAMES
    seed: int = 0
    limit_s: float = 240.0
    """So long at the most: a match that never ends is a failure too."""


def say_nothing(text: str) -> None:
    """For those who do not wait for it."""


async def play_with_kills(
    node: Node, url: str, plan: Plan, tell: Callable[[str], None] = say_nothing
) -> Counter[str]:
    """Runs a plan; ``url`` is the database that the node writes to. Raises what does not hold.

    After every tenth kill it tells how far it is.
    """
    rng = random.Random(plan.seed)
    crowd = Crowd(node.address, plan.games, seed=plan.seed)
    await asyncio.to_thread(node.start)
    await asyncio.to_thread(node.wait_until_compiled)
    try:
        async with asyncio.timeout(plan.limit_s), asyncio.TaskGroup() as group:
            group.create_task(crowd.play(plan.matches))
            for _ in range(plan.kills):
                await _live(crowd, rng.randrange(plan.moves_a_life), plan.life_s)
                await asyncio.to_thread(node.kill)
                await asyncio.to_thread(node.start)
                crowd.counts["kills"] += 1
                if crowd.counts["kills"] % 10 == 0:
                    tell(f"{crowd.counts['kills']} kills, {crowd.counts['done']:,} moves")
            crowd.no_more.set()
    except TimeoutError:
        raise AssertionError(crowd.stuck()) from None
    await asyncio.to_thread(node.stop)
    return await check(url, crowd.seats) + crowd.counts


async def _live(crowd: Crowd, moves: int, seconds: float) -> None:
    """By moves and not by time alone: so it dies while it is played with, on slow machines too."""
    loop = asyncio.get_running_loop()
    end, last = loop.time() + seconds, crowd.counts["ack"] + moves
    while loop.time() < end and crowd.counts["ack"] < last:
        await asyncio.sleep(0.002)


def summary(counts: Counter[str]) -> str:
    """The counts on one line."""
    names = (
        "matches", "moves", "acknowledged", "events", "kills", "broken lines", "asked again",
        "requests again",
    )  # fmt: skip
    return ", ".join(f"{counts[name]:,} {name}" for name in names)
