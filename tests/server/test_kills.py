"""No acknowledged move is lost or played twice, and every match ends, despite kills.

``KILLS=100 pytest …`` and ``python -m bench kills`` do the same for as long as you like.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.server.killing import KILLS, Plan, play_with_kills, summary
from tests.server.nodes import Node
from tests.server.servers import Postgres

pytestmark = pytest.mark.slow

Note = Callable[[str, object], None]


@pytest.mark.soak
@pytest.mark.parametrize("engine", ["SQLite", "PostgreSQL"])
def test_nothing_is_lost_when_the_server_is_killed(
    engine: str, request: pytest.FixtureRequest, record_property: Note
) -> None:
    if engine == "PostgreSQL":
        server: Postgres = request.getfixturevalue("postgres")
        url = server.new_database()
        node = Node(store_url=url)
    else:
        node = Node()
        url = f"sqlite:///{node.folder}/watermeet.db"
    plan = Plan(kills=4)
    if KILLS:  # On a busy machine a server needs some time before it has anything to lose.
        plan = Plan(kills=KILLS, life_s=12.0, limit_s=120.0 + 30.0 * KILLS)
    try:
        counts = asyncio.run(play_with_kills(node, url, plan))
    finally:
        node.remove()
    record_property("counted", f"killed on {engine}: {summary(counts)}")
    assert counts["kills"] == plan.kills
