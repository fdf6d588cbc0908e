"""The Python client: a whole match, lost connections, the server's clock, the example."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.server.driving import plain_server

from watermeet.client import (
    PHRASES,
    ApiError,
    Client,
    Connection,
    InvalidArgument,
    Position,
    ServerClock,
    ServerUnreachable,
    play_match,
)
from watermeet.server.api.messages import Phrase

GAME = "kuhn_poker"
EXAMPLE = Path(__file__).parents[2] / "examples" / "bots" / "network.py"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    with plain_server(folder) as address:
        yield f"http://{address}"


def bot(url: str, name: str) -> Client:
    client = Client(url)
    assert client.create_bot(name) == client.token
    return client


def new_match(client: Client, **options: Any) -> str:
    request = {"game": GAME, "seats": [{}, {}], "seat": 0, **options}
    return str(client.request("POST", "/matches", request)["match"])


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def first_move(position: Position) -> str:
    assert position.is_our_turn
    assert position.state
    return position.legal_moves[0]


def test_two_programs_play_a_match(url: str) -> None:
    ada, bob = bot(url, "Ada 1"), bot(url, "Bob 1")
    match = new_match(ada)
    bob.join(match, 1)
    assert [each["match"] for each in bob.my_matches()] == [match]
    ends: dict[str, Position] = {}

    def run(name: str, client: Client) -> None:
        with Connection(client) as connection:
            ends[name] = play_match(connection, match, first_move)

    threads = [threading.Thread(target=run, args=pair) for pair in (("ada", ada), ("bob", bob))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert ends["ada"].outcome == ends["bob"].outcome is not None
    assert ends["ada"].stage == "finished"


@pytest.mark.slow
def test_programs_see_who_is_there_and_talk(url: str) -> None:
    ada, bob = bot(url, "Ada 2"), bot(url, "Bob 2")
    match = new_match(ada)
    bob.join(match, 1)
    heard: list[tuple[str, int, str]] = []
    with (
        Connection(ada) as mine,
        Connection(bob, on_said=lambda *said: heard.append(said)) as theirs,
    ):
        assert mine.present(match) is None
        for connection in (mine, theirs):
            connection.follow(match)
            next(connection.positions())
        wait_until(lambda: mine.present(match) == frozenset({0, 1}))
        mine.say(match, PHRASES[0])
        wait_until(lambda: heard == [(match, 0, PHRASES[0])])
        with pytest.raises(InvalidArgument, match="can't be said"):
            mine.say(match, "nonsense")
        theirs.close()
        wait_until(lambda: mine.present(match) == frozenset({0}))
    assert get_args(Phrase) == PHRASES


def test_an_error_carries_the_servers_message(url: str) -> None:
    client = bot(url, "Cid 1")
    with pytest.raises(ApiError) as caught:
        client.create_bot("Cid 1")
    assert caught.value.server_code == "name_taken"
    match = new_match(client)
    with Connection(client) as connection:
        connection.follow(match)
        assert next(connection.positions()).stage == "open"
        with pytest.raises(ApiError) as caught:
            connection.command(match, "resign")
        assert caught.value.server_code == "wrong_stage"
        connection.follow("nothing")
        with pytest.raises(ApiError) as caught:
            list(connection.positions())
        assert caught.value.server_code == "not_found"
    with Connection(Client(url, "A" * 43)) as connection, pytest.raises(ApiError):
        next(connection.positions())


def test_an_unreachable_server_is_an_error() -> None:
    client = Client("http://127.0.0.1:9")
    with pytest.raises(ServerUnreachable):
        client.request("GET", "/version")
    with Connection(client, timeout_s=0.2) as connection, pytest.raises(ServerUnreachable):
        next(connection.positions())


def test_wrong_arguments_are_rejected() -> None:
    client = Client("http://127.0.0.1:9")
    for wrong in (
        lambda: Client("ftp://example.org"),
        lambda: Client(None),  # type: ignore[arg-type]
        lambda: client.join("m", -1),
        lambda: client.join("m", True),
        lambda: client.join("", 0),
        lambda: client.create_bot(7),  # type: ignore[arg-type]
        lambda: Connection("http://127.0.0.1"),  # type: ignore[arg-type]
        lambda: client.sign_in("Grace Hopper", None),  # type: ignore[arg-type]
    ):
        with pytest.raises(InvalidArgument):
            wrong()


def test_the_servers_clock(url: str) -> None:
    clock = ServerClock()
    assert (clock.offset_ms, clock.error_ms) == (0.0, float("inf"))
    clock.add(sent=0, received=400, now=5000)
    clock.add(sent=1000, received=1010, now=5605)
    clock.add(sent=2000, received=2100, now=7000)
    assert (clock.offset_ms, clock.error_ms) == (4600.0, 5.0), "the fastest is the most accurate"
    client = bot(url, "Dot 1")
    with Connection(client) as connection:
        connection.follow(new_match(client))
        next(connection.positions())
        deadline = threading.Event()
        while connection.clock.error_ms > 1000 and not deadline.wait(0.02):
            pass
        assert abs(connection.clock.offset_ms) <= connection.clock.error_ms + 1, (
            "it is the same machine"
        )


def test_a_connection_is_restored_and_continues(tmp_path: Path) -> None:
    """The server stops while a command is pending, and starts again on the same port."""
    with plain_server(tmp_path) as address:
        ada, bob = bot(f"http://{address}", "Ada"), bot(f"http://{address}", "Bob")
        match = new_match(ada)
        bob.join(match, 1)
        connection = Connection(ada)
        connection.follow(match)
        seen = next(connection.positions())
        assert seen.is_our_turn
    asked = threading.Thread(target=lambda: connection.play(seen, seen.legal_moves[0]))
    asked.start()
    with plain_server(tmp_path, port=int(address.rpartition(":")[2])):
        asked.join(30)
        assert not asked.is_alive(), "the unanswered command was repeated"
        after = next(connection.positions())
        assert after.seq > seen.seq
        connection.close()


@pytest.mark.slow
def test_the_example_plays_to_the_end_against_a_bot_of_the_server(url: str) -> None:
    options = {"seats": [{"who": "bot", "level": "drop"}, {"who": "invited"}], "seat": None}
    made = bot(url, "Host").request("POST", "/matches", {"game": GAME, **options})
    arguments = ["--server", url, "--name", "Otter", "--match", made["match"], "--seat", "2"]
    arguments += ["--invitation", made["invitations"]["1"], "--level", "drop"]
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[:2] == [made["match"], "finished"]
    assert "the token of Otter is" in done.stderr


def test_an_account_from_the_first_day_to_the_last(url: str) -> None:
    first, second, third = Client(url), Client(url), Client(url)
    first.create_guest()
    first.sign_up("Grace Hopper", "nanoseconds")
    second.sign_in("grace hopper", "nanoseconds")
    third.continue_here(second.device_code())
    assert [each["is_current"] for each in third.sessions()].count(True) == 1
    assert len(third.sessions()) == 3
    third.end_session("current")
    with pytest.raises(ApiError, match="unknown token"):
        third.sessions()
    second.change_password("nanoseconds", "microseconds")
    with pytest.raises(ApiError, match="the name or the password"):
        third.sign_in("Grace Hopper", "nanoseconds")
    third.sign_in("Grace Hopper", "microseconds")
    first.sign_in("Grace Hopper", "microseconds")
    third.end_other_sessions()
    secret = "microseconds"  # noqa: S105
    program = Client(url, third.create_token("My bot", ["read"], days=1, password=secret))
    assert len(program.my_matches()) == 0
    with pytest.raises(ApiError, match="this token doesn't allow"):
        program.sessions()
    third.revoke_token(third.tokens()[0]["id"])
    with pytest.raises(ApiError, match="unknown token"):
        program.my_matches()
    assert third.my_data()["user"]["name"] == "Grace Hopper"
    third.delete_account("microseconds")
    assert third.token == ""
    with pytest.raises(ApiError):
        third.sign_in("Grace Hopper", "nanoseconds")


def test_programs_look_for_a_match_and_find_each_other(url: str) -> None:
    one, two = bot(url, "Seeker one"), bot(url, "Seeker two")
    seek = one.seek("flecks")["seek"]
    assert seek in [each["id"] for each in two.seeks()]
    assert one.withdraw_seek(seek) == {"seeks": [], "match": None}
    with pytest.raises(ApiError, match="nobody seeks that"):
        two.join_seek(seek)
    one.seek(GAME)
    match = two.find_match(GAME)
    assert one.renew_seeks()["match"] == match
    seat = one.request("GET", f"/matches/{match}")["seat"]
    assert two.request("GET", f"/matches/{match}")["seat"] == 1 - seat


def test_programs_challenge_each_other(url: str) -> None:
    one, two = bot(url, "Challenger"), bot(url, "Challenged")
    first = one.challenge("Challenged", GAME)["id"]
    one.withdraw_challenge(first)
    second = one.challenge("challenged", GAME, seat=1)["id"]
    two.decline_challenge(second)
    third = one.challenge("Challenged", GAME, seat=1)["id"]
    assert [each["status"] for each in two.challenges()] == ["withdrawn", "declined", "open"]
    match = two.accept_challenge(third)
    assert one.request("GET", f"/matches/{match}")["seat"] == 1
    with pytest.raises(ApiError, match="no such challenge"):
        one.withdraw_challenge(third)
