"""Compiling all games from an empty cache, and the wait for a first match.

Each game is compiled as the server does it: its rules in one process, then what its bots need in a
second one, which reads from disk what the first has left. All games share one cache, which is
empty at first. The figures are the CPU time of these processes, with starting Python. A first match
is one random match in a process of its own, by the wall clock.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

import watermeet as wm
from bench.report import Row, label, progress

TITLE = "Compiling"
ABOUT = (
    "Seconds of CPU time to compile a game's rules and its bots, from an empty cache; and seconds "
    "from starting Python to the end of a first random match, with nothing compiled and later."
)
COLUMNS = {
    "": "game",
    "rules": "rules",
    "bots": "bots",
    "first": "first match, nothing compiled",
    "later": "first match, from the cache",
}
_COMPILE = """
import sys
from watermeet.server.precompiler import RUN
RUN[sys.argv[1]](sys.argv[2])
"""
_FIRST_MATCH = """
import sys
import watermeet as wm
from watermeet.testing.speed import playout_worker
playout_worker(wm.game(sys.argv[2]))(1)
"""


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """All games."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as shared:
        for name in games or wm.games():
            progress(name)
            game = wm.game(name)
            for part in ("rules", "bots"):
                cpu, _ = _run(_COMPILE, part, name, shared)
                rows.append(Row(label(game), part, cpu, "s of CPU"))
            with tempfile.TemporaryDirectory() as empty:
                for what in ("first", "later"):
                    cpu, wall = _run(_FIRST_MATCH, what, name, empty)
                    rows.append(Row(label(game), what, wall, "s", f"{cpu:.2f} s of CPU"))
    return rows


def _run(program: str, what: str, name: str, cache: str) -> tuple[float, float]:
    """The CPU time and the time of a process, in seconds."""
    command = [sys.executable, "-c", program, what, name]
    begin = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, "WATERMEET_CACHE_DIR": cache})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - begin
