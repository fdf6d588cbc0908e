"""Kills the server again and again while hundreds play, and shows that nothing was lost.

    python bench/server_kills.py                       SQLite, 100 kills
    python bench/server_kills.py --engine postgresql   a PostgreSQL of our own
    python bench/server_kills.py --tables 500 --kills 1000
    python bench/server_kills.py --write               and writes RESULTS.md

The same as tests/server/test_kills.py, for as long as you like.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))  # The tests know how to start servers and how to play with them.

from tests.server.killing import GAMES, Plan, play_with_kills, told  # noqa: E402
from tests.server.nodes import Node  # noqa: E402
from tests.server.servers import Postgres  # noqa: E402

from watermeet.bench.report import machine, with_section  # noqa: E402
from watermeet.core.registry import games  # noqa: E402

RESULTS = ROOT / "bench" / "RESULTS.md"


def main() -> None:
    """Plays, kills and tells."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--tables", type=int, default=200, help="matches at the same time (200)")
    parser.add_argument("--kills", type=int, default=100, help="(100)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    chosen = parser.parse_args()
    here = tuple(game for game in GAMES if game[0] in games())  # One belongs to the tests.
    plan = Plan(
        matches=chosen.matches,
        kills=chosen.kills,
        games=here,
        seed=chosen.seed,
        limit_s=120.0 + 60.0 * chosen.kills,
    )
    postgres = Postgres() if chosen.engine == "postgresql" else None
    try:
        if postgres is not None:
            postgres.start()
            counts = run(Node(store_url=(url := postgres.new_database())), url, plan)
        else:
            node = Node()
            counts = run(node, f"sqlite:///{node.folder}/watermeet.db", plan)
    finally:
        if postgres is not None:
            postgres.remove()
    print(told(counts))
    if chosen.write:
        write(counts, chosen.engine)


def run(node: Node, url: str, plan: Plan) -> Counter[str]:
    """One plan; raises what does not hold."""
    try:
        return asyncio.run(play_with_kills(node, url, plan, tell))
    finally:
        node.remove()


def tell(text: str) -> None:
    """How far it is."""
    print(f"... {text}", file=sys.stderr, flush=True)


def write(counts: Counter[str], engine: str) -> None:
    """Puts the counts into RESULTS.md."""
    heading = f"## Server killed again and again ({engine})\n\n{machine()}."
    found = f"Nothing lost, nothing doubled, every match ended: {told(counts)}."
    page = RESULTS.read_text(encoding="utf-8")
    page = with_section(page, f"kills-{engine}", f"{heading}\n\n{found}")
    RESULTS.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
