"""Kill the server again and again while hundreds of matches are played; nothing may be lost.

The same as tests/server/test_kills.py, for as long as you like.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter

from tests.server.killing import GAMES, Plan, play_with_kills, summary
from tests.server.nodes import Node
from tests.server.servers import Postgres

from bench.progress import progress
from watermeet.core.registry import games

TITLE = "The server, killed again and again"


def measure(seconds: float, arguments: list[str]) -> str:
    """Play, kill, check, and return what was counted."""
    parser = argparse.ArgumentParser(prog="python -m bench kills --")
    parser.add_argument("--engine", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--matches", type=int, default=200, help="at the same time (200)")
    parser.add_argument("--kills", type=int, default=100, help="(100)")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    plan = Plan(
        matches=chosen.matches,
        kills=chosen.kills,
        games=tuple(game for game in GAMES if game[0] in games()),
        seed=chosen.seed,
        limit_s=120.0 + 60.0 * chosen.kills,
    )
    counts = [f"{engine}: {summary(run(engine, plan))}." for engine in chosen.engine]
    return "\n\n".join(["Nothing lost, nothing duplicated, every match finished.", *counts])


def run(engine: str, plan: Plan) -> Counter[str]:
    """One plan on an engine; raises if something was lost."""
    postgres = Postgres() if engine == "postgresql" else None
    try:
        if postgres is None:
            node = Node()
            url = f"sqlite:///{node.folder}/watermeet.db"
        else:
            postgres.start()
            url = postgres.new_database()
            node = Node(store_url=url)
        try:
            return asyncio.run(play_with_kills(node, url, plan, progress))
        finally:
            node.remove()
    finally:
        if postgres is not None:
            postgres.remove()
