"""``watermeet load`` against a real server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.driving import plain_server

from watermeet.client.load import Latency, find_games
from watermeet.core.errors import InvalidArgument


def run(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "watermeet", "load", url, "--json", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.slow
def test_load_plays_reconnects_and_reads_everything_back(tmp_path: Path) -> None:
    with plain_server(tmp_path, creations_per_minute=10_000, bot_workers=1) as address:
        url = f"http://{address}"
        with pytest.raises(InvalidArgument, match="no game 'chess'"):
            find_games(url, ["chess"])
        arguments = "--game kuhn_poker --game flume:size=3 --matches 6 --rate 40 --seconds 3"
        arguments += " --spectators 1 --reconnect 1 --processes 2 --bots 1"
        done = run(url, *arguments.split())
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["moves"] > 6
    assert report["checked"] >= report["moves"], "moves before and after measuring count too"
    assert report["faults"] == []
    assert report["errors"] == {}
    assert report["reconnects"] > 0
    assert report["sockets"] == 6 * 3 - 1, "two players and a spectator, but no socket for a bot"
    assert report["matches"] > 6, "short matches are followed by others"
    for name in ("acknowledgements", "news", "bot_moves"):
        figures = report[name]
        assert 0 < figures["p50"] <= figures["p95"] <= figures["p99"] <= figures["max"], name


def test_load_says_that_there_is_no_server() -> None:
    done = run("http://127.0.0.1:9", "--seconds", "1")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "server_unreachable"


def test_quantiles_of_one_and_none() -> None:
    assert Latency.of([]) is None
    assert Latency.of([7.0]) == Latency(1, 7.0, 7.0, 7.0, 7.0)
