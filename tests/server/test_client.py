"""The client for programs: a whole match, lines that break, the server's clock, the example."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.driving import plain_server

from watermeet.client import Line, Position, Server, ServerClock, ServerRefused, Unreachable, play

GAME = "kuhn_poker"
EXAMPLE = Path(__file__).parents[2] / "examples" / "bots" / "network.py"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    with plain_server(folder) as address:
        yield f"http://{address}"


def bot(url: str, name: str) -> Server:
    server = Server(url)
    assert server.make_bot(name) == server.token
    return server


def laid(server: Server, **wish: Any) -> str:
    made = server.ask("POST", "/matches", {"game": GAME, "seats": [{}, {}], "sit": 0, **wish})
    return str(made["match"])


def first_move(position: Position) -> str:
    assert position.is_our_turn
    assert position.state
    return position.moves[0]


def test_two_programs_play_a_match(url: str) -> None:
    ada, bob = bot(url, "Ada 1"), bot(url, "Bob 1")
    match = laid(ada)
    bob.sit(match, 1)
    ends: dict[str, Position] = {}

    def run(name: str, server: Server) -> None:
        with Line(server) as line:
            ends[name] = play(line, match, first_move)

    threads = [threading.Thread(target=run, args=pair) for pair in (("ada", ada), ("bob", bob))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert ends["ada"].outcome == ends["bob"].outcome is not None
    assert ends["ada"].stage == "over"
    assert [each["match"] for each in bob.my_matches()] == [match]


def test_a_refusal_has_the_servers_words(url: str) -> None:
    server = bot(url, "Cid 1")
    with pytest.raises(ServerRefused) as caught:
        server.make_bot("Cid 1")
    assert caught.value.server_code == "name_taken"
    match = laid(server)
    with Line(server) as line:
        line.follow(match)
        assert next(line.positions()).stage == "open"
        with pytest.raises(ServerRefused) as caught:
            line.do(match, "resign")
        assert caught.value.server_code == "wrong_stage"
        line.follow("nothing")
        with pytest.raises(ServerRefused) as caught:
            list(line.positions())
        assert caught.value.server_code == "not_found"
    with Line(Server(url, "A" * 43)) as line, pytest.raises(ServerRefused):
        next(line.positions())


def test_who_is_not_there_is_told_so() -> None:
    server = Server("http://127.0.0.1:9")
    with pytest.raises(Unreachable):
        server.ask("GET", "/version")
    with Line(server, patience_s=0.2) as line, pytest.raises(Unreachable):
        next(line.positions())


def test_the_servers_clock(url: str) -> None:
    clock = ServerClock()
    assert (clock.offset_ms, clock.error_ms) == (0.0, float("inf"))
    clock.add(sent=0, received=400, now=5000)
    clock.add(sent=1000, received=1010, now=5605)
    clock.add(sent=2000, received=2100, now=7000)
    assert (clock.offset_ms, clock.error_ms) == (4600.0, 5.0), "the quickest knows best"
    server = bot(url, "Dot 1")
    with Line(server) as line:
        line.follow(laid(server))
        next(line.positions())
        deadline = threading.Event()
        while line.clock.error_ms > 1000 and not deadline.wait(0.02):
            pass
        assert abs(line.clock.offset_ms) <= line.clock.error_ms + 1, "it is the same machine"


def test_a_line_comes_back_and_goes_on(tmp_path: Path) -> None:
    """The server is stopped while somebody waits, and starts again at the same port."""
    with plain_server(tmp_path) as address:
        ada, bob = bot(f"http://{address}", "Ada"), bot(f"http://{address}", "Bob")
        match = laid(ada)
        bob.sit(match, 1)
        line = Line(ada)
        line.follow(match)
        seen = next(line.positions())
        assert seen.is_our_turn
    asked = threading.Thread(target=lambda: line.play(seen, seen.moves[0]))
    asked.start()
    with plain_server(tmp_path, port=int(address.rpartition(":")[2])):
        asked.join(30)
        assert not asked.is_alive(), "what was not answered was asked again"
        after = next(line.positions())
        assert after.seq > seen.seq
        line.close()


@pytest.mark.anyio
async def test_the_example_plays_to_the_end_against_a_bot_of_the_server(url: str) -> None:
    host = bot(url, "Host")
    wish = {"seats": [{"who": "bot", "level": "drop"}, {"who": "invited"}], "sit": None}
    made = host.ask("POST", "/matches", {"game": GAME, **wish})
    words = ["--server", url, "--name", "Otter", "--match", made["match"], "--seat", "1"]
    words += ["--invitation", made["invitations"]["1"], "--level", "drop"]
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        str(EXAMPLE),
        *words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    async with asyncio.timeout(120):
        said, complaints = await program.communicate()
    assert program.returncode == 0, complaints.decode()
    assert said.decode().split()[:2] == [made["match"], "over"]
    assert "the token of Otter is" in complaints.decode()
