"""Several server processes on one port: a match continues when one of them is killed."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.server.nodes import PlainNode, running
from tests.server.servers import Postgres, Valkey

from watermeet.client import Client, Connection, Position, play_match
from watermeet.server.errors import InvalidSettings, WorkersFailed
from watermeet.server.settings import Settings
from watermeet.server.workers import check_workers, run_workers


@pytest.mark.parametrize(
    "settings",
    [
        Settings(workers=2),
        Settings(workers=2, bus_url="valkey://x"),
        Settings(workers=2, store_url="postgresql://x/y"),
    ],
)
def test_workers_need_what_they_can_share(settings: Settings) -> None:
    with pytest.raises(InvalidSettings, match="PostgreSQL"):
        check_workers(settings)


def _end(settings: Settings, listeners: object) -> None:
    """A worker that can't start."""
    del settings, listeners


@pytest.mark.slow
def test_workers_that_cannot_start_are_given_up() -> None:
    with socket.socket() as shared, socket.socket() as own, pytest.raises(WorkersFailed):
        run_workers(Settings(workers=2), shared, [own], _end)


def workers_of(node: PlainNode) -> list[int]:
    """The process ids of a server's workers: those of its children that accept connections."""
    children = Path(f"/proc/{node.pid}/task/{node.pid}/children").read_text().split()
    shown = {int(pid): Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children}
    return [pid for pid, command in shown.items() if b"spawn_main" in command]


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def node(postgres: Postgres, valkey: Valkey) -> Iterator[PlainNode]:
    settings = {"store_url": postgres.new_database(), "bus_url": valkey.url, "workers": "2"}
    with running(PlainNode(**settings)) as nodes:
        yield nodes[0]


@pytest.mark.slow
def test_a_match_continues_when_a_worker_is_killed(node: PlainNode) -> None:
    first = workers_of(node)
    assert len(first) == 2
    clients = [Client(f"http://{node.address}") for _ in range(2)]
    for number, client in enumerate(clients):
        client.create_bot(f"Worker {number}")
    options = {"game": "flume", "options": {"size": 5}, "seats": [{}, {}], "seat": 0}
    match = str(clients[0].request("POST", "/matches", options)["match"])
    clients[1].join(match, 1)
    played = threading.Semaphore(0)
    ends: list[Position] = []

    def choose(position: Position) -> str:
        played.release()
        time.sleep(0.1)
        return position.legal_moves[0]

    def play(client: Client) -> None:
        with Connection(client, timeout_s=60) as connection:
            ends.append(play_match(connection, match, choose))

    threads = [threading.Thread(target=play, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for pid in first:  # One after the other, so that whoever is connected to either has to move.
        for _ in range(4):
            assert played.acquire(timeout=60)
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda gone=pid: gone not in workers_of(node) and len(workers_of(node)) == 2)  # type: ignore[misc]
    for thread in threads:
        thread.join(60)
    assert [each.stage for each in ends] == ["finished"] * 2
    assert not set(first) & set(workers_of(node))
    last = workers_of(node)
    node.stop()
    assert not any(Path(f"/proc/{pid}").exists() for pid in last)
