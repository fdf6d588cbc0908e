"""``watermeet perft``."""

from __future__ import annotations

import json
from typing import Any

import pytest

import watermeet as wm
from watermeet.cli import perft as command
from watermeet.core.kernel import plain_python, runs_plain_python
from watermeet.testing.perft import divide, perft


def test_counts(run: Any) -> None:
    shown = run("perft", "flume", "2", "-o", "size=3")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("81 sequences of 2 actions in ")


def test_json(run: Any) -> None:
    answer = json.loads(run("perft", "flume", "3", "-o", "size=3", "--json").stdout)
    with plain_python():
        assert answer["count"] == perft(wm.game("flume", size=3).start(), 3)
    assert (answer["game"], answer["depth"], answer["state"]) == ("flume", 3, "3/3/3 r 0")
    assert "divide" not in answer


def test_divide_sums_to_the_count(run: Any) -> None:
    with plain_python():
        parts = divide(wm.game("flume", size=3).start(), 2)
    arguments = ("perft", "flume", "2", "-o", "size=3", "--divide")
    assert json.loads(run(*arguments, "--json").stdout)["divide"] == parts
    lines = run(*arguments).stdout.splitlines()
    assert lines[:-1] == [f"{move}: {count}" for move, count in parts.items()]


def test_from_another_state(run: Any) -> None:
    shown = run("perft", "flume", "1", "-o", "size=3", "--from", "rbr/brb/3 r 0")
    assert shown.stdout.startswith("3 sequences")


@pytest.mark.parametrize("depth", ["-1", "201", "two"])
def test_invalid_depths_are_refused(run: Any, depth: str) -> None:
    assert run("perft", "flume", "--", depth).exit_code == 2


def test_depth_zero_is_one_sequence(run: Any) -> None:
    assert run("perft", "flume", "0", "--divide").stdout.startswith("1 sequence")


@pytest.mark.parametrize(("depth", "plain"), [("2", True), ("9", False)])
def test_only_small_counts_run_as_plain_python(
    run: Any, monkeypatch: pytest.MonkeyPatch, depth: str, plain: bool
) -> None:
    seen: list[bool] = []

    def count(*_: object) -> tuple[int, dict[str, int]]:
        seen.append(runs_plain_python())
        return 1, {}

    monkeypatch.setattr(command, "_count", count)
    before = runs_plain_python()
    run("perft", "flume", depth)
    assert seen == [plain or before]
