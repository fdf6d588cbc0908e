"""The drill: two nodes behind Caddy with TLS are restarted under matches, or one hangs.

It uses deploy/Caddyfile, with a certificate of its own instead of a public authority's.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.server.nodes import PlainNode, running
from tests.server.servers import Postgres, Server, Valkey, find_program
from websockets.sync.client import ClientConnection, connect

from watermeet.client import ApiError, Client, Connection, Position, ServerUnreachable, play_match
from watermeet.client.tls import shared_context

GAME = "flume"
THINK_S = 0.05
LONGEST_WAIT_S = 12.0
"""What a player may wait for a move on a machine that is busy with other tests. Usual are a quarter
of a second when nodes restart, and five seconds when one hangs."""
CADDYFILE = Path(__file__).parents[2] / "deploy" / "Caddyfile"


class Caddy(Server):
    """Caddy with our own file, on a free port of localhost."""

    def __init__(self, nodes: list[PlainNode]) -> None:
        self._program = find_program(("caddy",), "caddy", [])
        super().__init__("watermeet-caddy-")
        self._nodes = " ".join(node.address for node in nodes)
        self.certificate = self.folder / "certificate.pem"
        key = self.folder / "key.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        command += ["-keyout", str(key), "-out", str(self.certificate)]
        subprocess.run(command, check=True, capture_output=True)
        text = CADDYFILE.read_text(encoding="utf-8")
        # It would redirect port 80 otherwise, and listen for orders on a fixed port.
        text = text.replace("{\n", "{\n\tadmin off\n\tauto_https disable_redirects\n", 1)
        site = "{$SITE_ADDRESS} {\n"
        assert site in text
        text = text.replace(site, f"{site}\ttls {self.certificate} {key}\n")
        (self.folder / "Caddyfile").write_text(text, encoding="utf-8")

    def _command(self) -> list[str]:
        return [str(self._program), "run", "--config", str(self.folder / "Caddyfile")]

    def _environment(self) -> dict[str, str]:
        site = {"SITE_ADDRESS": f"localhost:{self.port}", "ACME_EMAIL": "nobody@example.org"}
        return site | {"NODES": self._nodes, "HOME": str(self.folder)}

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def url(self) -> str:
        """Its address."""
        return f"https://localhost:{self.port}"


@pytest.fixture
def nodes(postgres: Postgres, valkey: Valkey) -> Iterator[list[PlainNode]]:
    """Two nodes that share a database and a bus."""
    url = postgres.new_database()
    settings = {"store_url": url, "bus_url": valkey.url, "trusted_proxies": "127.0.0.1"}
    with running(PlainNode(**settings), PlainNode(**settings)) as found:
        yield found


@pytest.fixture
def caddy(nodes: list[PlainNode], monkeypatch: pytest.MonkeyPatch) -> Iterator[Caddy]:
    """A proxy that our clients trust."""
    server = Caddy(nodes)
    monkeypatch.setenv("SSL_CERT_FILE", str(server.certificate))
    server.start()
    yield server
    server.remove()


def _player(url: str, name: str) -> Client:
    client = Client(url)
    client.create_bot(name)
    return client


def _new_match(host: Client, guest: Client) -> str:
    """A match of both. A request that a node drops as it ends isn't repeated automatically."""
    request: dict[str, Any] = {"game": GAME, "seats": [{}, {}], "seat": 0}
    for _ in range(3):
        with contextlib.suppress(ApiError, ServerUnreachable):
            match = str(host.request("POST", "/matches", request)["match"])
            guest.join(match, 1)
            return match
        time.sleep(0.5)
    raise AssertionError("nobody can create a match")


def _play_until(done: threading.Event, url: str) -> tuple[list[float], int]:
    """Play matches until ``done``; the pauses between moves, and the number of matches.

    A pause has everything in it but the time to think: our own move, connecting again, and news of
    it at the opponent's.
    """
    players = [_player(url, name) for name in ("Ada", "Bob")]
    waits: list[float] = []
    matches = 0
    while not done.is_set():
        match = _new_match(*players)
        times: list[float] = []

        def choose(position: Position, times: list[float] = times) -> str:
            times.append(time.monotonic())
            time.sleep(THINK_S)
            return position.legal_moves[0]

        def run(client: Client, match: str = match, choose: Any = choose) -> Position:
            with Connection(client, timeout_s=60) as connection:
                return play_match(connection, match, choose)

        with ThreadPoolExecutor(2) as threads:
            ends = list(threads.map(run, players, timeout=120))
        assert ends[0].outcome == ends[1].outcome is not None, "both see the end"
        matches += 1
        waits += [later - earlier - THINK_S for earlier, later in pairwise(sorted(times))]
    return waits, matches


def _restart_all(nodes: list[PlainNode]) -> None:
    for node in nodes:
        time.sleep(1.5)
        node.stop()
        node.start()


def _stop_one(nodes: list[PlainNode]) -> None:
    """It hangs: its connections stay open, and nothing comes."""
    time.sleep(1.5)
    os.kill(nodes[0].pid, signal.SIGSTOP)
    time.sleep(8.0)


@pytest.mark.parametrize(
    "accident",
    [
        pytest.param(_restart_all, marks=pytest.mark.slow),
        pytest.param(_stop_one, marks=pytest.mark.nightly),
    ],
)
def test_an_accident_is_a_blink(
    accident: Callable[[list[PlainNode]], None],
    nodes: list[PlainNode],
    caddy: Caddy,
    record_property: Callable[[str, object], None],
) -> None:
    _check_the_players_of_a_match_meet(nodes, caddy)
    done = threading.Event()
    with ThreadPoolExecutor(1) as thread:
        happening = thread.submit(accident, nodes)
        happening.add_done_callback(lambda _: done.set())
        waits, matches = _play_until(done, caddy.url)
        happening.result()
    record_property("matches", matches)
    record_property("median_wait_s", sorted(waits)[len(waits) // 2])
    record_property("longest_wait_s", max(waits))
    assert max(waits) < LONGEST_WAIT_S


def _sockets(node: PlainNode) -> int:
    text = httpx2.get(f"http://{node.address}/api/metrics").text
    (found,) = re.findall(r"^watermeet_open_sockets (\d+)", text, flags=re.MULTILINE)
    return int(found)


def _check_the_players_of_a_match_meet(nodes: list[PlainNode], caddy: Caddy) -> None:
    """Caddy sends them to the same node, and spreads matches over the nodes."""
    url = caddy.url.replace("https", "wss") + "/api/socket"
    used, tls = set(), shared_context()

    def reach() -> ClientConnection:
        return connect(f"{url}?match=match{number}", ssl=tls)

    for number in range(8):
        with reach(), reach(), reach():
            shares = [_sockets(node) for node in nodes]
        assert sorted(shares) == [0, 3], f"match{number}: {shares}"
        used.add(shares.index(3))
        end = time.monotonic() + LONGEST_WAIT_S
        while any(_sockets(node) for node in nodes):
            assert time.monotonic() < end, "sockets stay open"
            time.sleep(0.02)
    assert used == {0, 1}, "matches are spread over the nodes"
