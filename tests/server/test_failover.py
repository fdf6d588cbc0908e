"""One of two nodes is killed, or hangs, in the middle of matches with people and with bots.

Players know the addresses of both. Nobody waits for long: neither those who were connected to the
lost node, nor those whose opponent was, nor those whose bot was thinking there.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from tests.server.nodes import PlainNode, running
from tests.server.servers import Postgres, Valkey

from watermeet.client import Client, Connection, Position, play_match

pytestmark = pytest.mark.slow

GAME, LEVEL = "flume", "brook"
PEOPLE_TABLES, BOT_TABLES = 4, 4
THINK_S = 0.1
CALM_S = 2.0
LONGEST_WAIT_S = 9.0
"""Five seconds, and some more for a busy machine."""

Record = Callable[[str, object], None]


class Player(Connection):
    """Notes when each move was acknowledged, after some thought."""

    def __init__(self, client: Client, times: list[float]) -> None:
        self.times = times
        super().__init__(client, timeout_s=60)

    def play(self, position: Position, move: str | int) -> int:
        time.sleep(THINK_S)
        seq = super().play(position, move)
        self.times.append(time.monotonic())
        return seq


@pytest.fixture
def nodes(postgres: Postgres, valkey: Valkey) -> Iterator[list[PlainNode]]:
    """Two nodes that share a database and a bus, with a bot worker each."""
    settings = {"store_url": postgres.new_database(), "bus_url": valkey.url, "bot_workers": "1"}
    with running(PlainNode(**settings), PlainNode(**settings)) as found:
        yield found


def _first_move(position: Position) -> str:
    return position.legal_moves[0]


class Table:
    """A match, its players, each in a thread, and the times of all acknowledged moves."""

    def __init__(self, urls: list[str], name: str, *, has_bot: bool) -> None:
        self.times: list[float] = []
        self.ends: list[Position] = []
        players = [Client(urls)] if has_bot else [Client(urls), Client(urls[::-1])]
        for number, player in enumerate(players):
            player.create_bot(f"{name} {number}")
        bot = {"who": "bot", "level": LEVEL}
        setup = {"game": GAME, "seats": [{}, bot if has_bot else {}], "seat": 0}
        match = str(players[0].request("POST", "/matches", setup)["match"])
        for seat, player in enumerate(players[1:], start=1):
            player.join(match, seat)
        self.threads = [
            threading.Thread(target=self._play, args=(player, match), daemon=True)
            for player in players
        ]

    def _play(self, client: Client, match: str) -> None:
        with Player(client, self.times) as connection:
            self.ends.append(play_match(connection, match, _first_move))

    def longest_wait(self) -> float:
        """Between two acknowledgements: news of the opponent's move, connecting, our own move."""
        times = sorted(self.times)
        return max(later - earlier for earlier, later in pairwise(times)) - THINK_S


@pytest.mark.parametrize("accident", ["killed", "hangs"])
def test_nobody_waits_long_for_a_lost_node(
    nodes: list[PlainNode], accident: str, record_property: Record
) -> None:
    urls = [f"http://{node.address}" for node in nodes]
    tables = [Table(urls, f"People {number}", has_bot=False) for number in range(PEOPLE_TABLES)]
    tables += [Table(urls, f"Person {number}", has_bot=True) for number in range(BOT_TABLES)]
    for table in tables:
        for thread in table.threads:
            thread.start()
    time.sleep(CALM_S)
    lost_at = time.monotonic()
    if accident == "killed":
        nodes[0].kill()
    else:
        os.kill(nodes[0].pid, signal.SIGSTOP)
    for table in tables:
        for thread in table.threads:
            thread.join(max(0.0, lost_at + 90 - time.monotonic()))
    waits = [table.longest_wait() for table in tables]
    people, bots = max(waits[:PEOPLE_TABLES]), max(waits[PEOPLE_TABLES:])
    shown = f"{people:.1f} s between people, {bots:.1f} s with bots"
    record_property("longest wait", shown)
    print(f"a node is {accident}: {shown}")  # noqa: T201
    assert any(min(table.times) < lost_at < max(table.times) for table in tables), "too late"
    for table in tables:
        assert len(table.ends) == len(table.threads), "a player never saw the end"
        assert len({str(end.outcome) for end in table.ends}) == 1
    assert max(waits) < LONGEST_WAIT_S
