"""``watermeet perft``."""

from __future__ import annotations

import json
from typing import Any

import pytest

import watermeet as wm
from watermeet.core.kernel import plain_python
from watermeet.testing.perft import divide

SMALL = ("perft", "flume", "2", "-o", "size=3")


def test_sequences_are_counted_in_all_and_by_the_first_move(run: Any) -> None:
    assert run(*SMALL).stdout.startswith("81 sequences of 2 actions in ")
    with plain_python():
        parts = divide(wm.game("flume", size=3).start(), 2)
    assert sum(parts.values()) == 81
    answer = json.loads(run(*SMALL, "--divide", "--json").stdout)
    assert (answer["game"], answer["state"], answer["depth"]) == ("flume", "3/3/3 r 0", 2)
    assert (answer["count"], answer["divide"]) == (81, parts)
    lines = run(*SMALL, "--divide").stdout.splitlines()
    assert lines[:-1] == [f"{move}: {count}" for move, count in parts.items()]
    assert run("perft", "flume", "0", "--divide").stdout.startswith("1 sequence")


def test_from_another_state(run: Any) -> None:
    shown = run("perft", "flume", "1", "-o", "size=3", "--from", "rbr/brb/3 r 0")
    assert shown.stdout.startswith("3 sequences")


@pytest.mark.parametrize("depth", ["-1", "201", "two"])
def test_invalid_depths_are_refused(run: Any, depth: str) -> None:
    assert run("perft", "flume", "--", depth).exit_code == 2
