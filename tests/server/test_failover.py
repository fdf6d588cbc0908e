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
from watermeet.server.bots.pool import LEASE_MS, POLL_S

GAME, LEVEL = "flume", "random"
PEOPLE_TABLES, BOT_TABLES = 4, 4
THINK_S = 0.1
CALM_MOVES = 4
"""How many moves each table plays before the accident,"""
START_S = 60.0
"""and how long that may take: on a busy machine, bot workers start slowly."""
LONGEST_WAIT_S = LEASE_MS / 1000 + POLL_S + 20.0
"""Until the jobs of a lost node are found, and some more to connect and to think, on a machine
that runs other tests as well. Without another node it would be forever."""

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

    def longest_wait(self, after: float) -> float:
        """Between two acknowledgements: news of the opponent's move, connecting, our own move."""
        gaps = [(a, b) for a, b in pairwise(sorted(self.times)) if after < b]
        return max((b - a - THINK_S for a, b in gaps), default=0.0)


def start(tables: list[Table]) -> None:
    """Start matches, and return when everybody has moved some times."""
    for table in tables:
        for thread in table.threads:
            thread.start()
    end = time.monotonic() + START_S
    while min(len(table.times) for table in tables) < CALM_MOVES:
        assert time.monotonic() < end, "the matches don't start"
        time.sleep(0.02)


@pytest.mark.parametrize(
    "accident",
    [
        pytest.param("killed", marks=pytest.mark.slow),
        pytest.param("hangs", marks=pytest.mark.nightly),
    ],
)
def test_nobody_waits_long_for_a_lost_node(
    nodes: list[PlainNode], accident: str, record_property: Record
) -> None:
    urls = [f"http://{node.address}" for node in nodes]
    bots = [  # Every other one begins on the other node, so that both bot workers are busy.
        Table(urls[:: 1 if number % 2 else -1], f"Person {number}", has_bot=True)
        for number in range(BOT_TABLES)
    ]
    people = [Table(urls, f"People {number}", has_bot=False) for number in range(PEOPLE_TABLES)]
    tables = people + bots
    start(bots)
    start(people)
    lost_at = time.monotonic()
    if accident == "killed":
        nodes[0].kill()
    else:
        os.kill(nodes[0].pid, signal.SIGSTOP)
    for table in tables:
        for thread in table.threads:
            thread.join(max(0.0, lost_at + 90 - time.monotonic()))
    longest = [max(each.longest_wait(lost_at) for each in kind) for kind in (people, bots)]
    shown = f"{longest[0]:.1f} s between people, {longest[1]:.1f} s with bots"
    record_property("counted", f"a node is {accident}: nobody waited longer than {shown}")
    for kind in (people, bots):
        assert any(lost_at < max(table.times) for table in kind), "too late"
    for table in tables:
        assert len(table.ends) == len(table.threads), "a player never saw the end"
        assert len({str(end.outcome) for end in table.ends}) == 1
    assert max(longest) < LONGEST_WAIT_S
