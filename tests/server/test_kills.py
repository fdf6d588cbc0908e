"""No acknowledged move is lost or played twice, and every match ends, despite kills.

``python -m bench kills`` does the same for as long as you like.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.server.killing import Plan, play_with_kills, summary
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
    try:
        counts = asyncio.run(play_with_kills(node, url, Plan()))
    finally:
        node.remove()
    record_property("counted", f"killed on {engine}: {summary(counts)}")
    assert counts["kills"] == Plan.kills
