"""How much CPU time it takes to compile all games, from an empty cache.

Each game is compiled as the server does it: its rules in one process, then what its bots need in a
second one, which reads from disk what the first has left. All games share one cache, which is
empty at first. The figures are the CPU time of these processes, user and system, with starting
Python and importing the game. Another checkout can be measured in the same run, in turns:

    python -m bench compile -- --against ../watermeet-before --rounds 3 flows flume
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import watermeet as wm
from bench.progress import progress
from bench.report import ROOT
from watermeet.testing.speed import Measurement

TITLE = "Compiling"
PARTS = ("rules", "bots")
_COMPILE = """
import sys
from watermeet.server.precompiler import RUN
RUN[sys.argv[1]](sys.argv[2])
"""

Seconds = dict[str, list[float]]
"""The CPU seconds of each part, one per round."""


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """All games, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m bench compile --")
    parser.add_argument("games", nargs="*", default=wm.games())
    parser.add_argument("--against", type=Path, help="the root of another checkout")
    parser.add_argument("--rounds", type=int, default=1)
    chosen = parser.parse_args(arguments)
    trees: list[Path] = [ROOT] if chosen.against is None else [chosen.against.resolve(), ROOT]
    found: dict[str, list[Seconds]] = {
        name: [{part: [] for part in PARTS} for _ in trees] for name in chosen.games
    }
    for round_ in range(chosen.rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name in chosen.games:
                for number, tree in enumerate(trees):
                    progress(f"{name}, round {round_ + 1}, {tree.name}")
                    cache = Path(folder) / str(number)
                    places = {"WATERMEET_CACHE_DIR": str(cache), "PYTHONPATH": str(tree / "src")}
                    for part in PARTS:
                        found[name][number][part].append(_cpu_of(part, name, places))
    return [*_rows(found)]


def _cpu_of(part: str, name: str, places: dict[str, str]) -> float:
    command = [sys.executable, "-c", _COMPILE, part, name]
    process = subprocess.Popen(command, env={**os.environ, **places})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime


def _rows(found: dict[str, list[Seconds]]) -> list[Measurement]:
    """A row for each part of a game, and the total; each figure is the median of the rounds."""
    rows = []
    totals = [0.0] * max(len(times) for times in found.values())
    for name, times in found.items():
        for part in PARTS:
            medians = [statistics.median(each[part]) for each in times]
            totals = [total + median for total, median in zip(totals, medians, strict=True)]
            rows.append(_row(name, f"compiling its {part}", medians))
    return [*rows, _row("all games", "compiling", totals)]


def _row(name: str, what: str, medians: list[float]) -> Measurement:
    *before, now = medians
    note = "".join(f"{each:.1f} s before: {now / each:.0%} of it" for each in before)
    return Measurement(name, what, now, "s of CPU", note)
