"""The programs of the pages, taken from them, do what the pages say."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.server.driving import plain_server

from watermeet.client import Client, Connection, Position, play_match

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 240


def program(page: str, title: str) -> str:
    """The block of code with a title."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (found,) = re.findall(
        rf'^```python title="{title}"\n(.*?)^```$', text, re.DOTALL | re.MULTILINE
    )
    return str(found)


def play_from_the_lobby(url: str, folder: Path, source: str, name: str, **variables: str) -> str:
    """Run a bot's program, join it from the lobby with random moves, and return what it prints."""
    (folder / "bot.py").write_text(source, encoding="utf-8")
    bot = subprocess.Popen(
        [sys.executable, "-u", "bot.py", url],
        cwd=folder,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    killer = threading.Timer(TIMEOUT_S, bot.kill)
    killer.start()
    try:
        assert bot.stdout is not None
        first = bot.stdout.readline()
        assert first == f"{name} waits in the lobby.\n", first + bot.stdout.read()
        person = Client(url)
        person.create_guest()
        seeks: list[dict[str, object]] = []
        while bot.poll() is None and not seeks:
            seeks = [each for each in person.seeks() if each["game"] == "flume"]
        match = person.join_seek(str(seeks[0]["id"]))["match"]
        with Connection(person) as connection:
            play_match(connection, match, _anything)
        return bot.stdout.read()
    finally:
        killer.cancel()
        bot.kill()
        bot.communicate()


def _anything(position: Position) -> str:
    return position.legal_moves[hash(position.state) % len(position.legal_moves)]


@pytest.mark.slow
def test_the_bot_of_the_guide_plays_whoever_joins_it(tmp_path: Path) -> None:
    with plain_server(tmp_path) as address:
        said = play_from_the_lobby(
            f"http://{address}",
            tmp_path,
            program("guides/network-bots.md", "otter.py"),
            "Otter",
            NUMBA_DISABLE_JIT="1",
        )
    assert re.fullmatch(r"The board is full\. (Red|Blue) wins \d+ to \d+\.\n", said), said


@pytest.mark.nightly
def test_a_policy_learns_and_the_curve_is_plotted() -> None:
    """Fifty of its 300 batches lead from one half to nearly nine tenths; any increase will do."""
    learner: dict[str, Any] = runpy.run_path(str(ROOT / "examples" / "train_policy.py"))
    curve = learner["train"](50, evaluate_every=25)
    assert curve.matches == [0, 25 * 512, 50 * 512]
    assert 0.4 < curve.win_rates[0] < 0.6
    assert curve.win_rates[-1] > curve.win_rates[0] + 0.15
    assert ElementTree.fromstring(learner["plot"](curve)).tag.endswith("svg")
