"""The time from a command to the end of the first random match, in a process of its own.

Run as a program it is that process: ``python -m watermeet.bench.startup PACKAGE [NAME=VALUE ...]``
plays one random match and prints two numbers: its seconds of CPU time, and those of them that went
into the game: loading its rules, compiling or loading its kernels, playing the match.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from watermeet.core.code_cache import CACHE_FOLDER_VARIABLE
from watermeet.core.game import Game

WARM_STARTS = 3


@dataclass(frozen=True)
class Start:
    """How long a fresh process took: by the wall clock, of CPU time, and of that for the game."""

    seconds: float
    cpu_seconds: float
    game_cpu_seconds: float


@dataclass(frozen=True)
class Starts:
    """A start with nothing compiled yet, and the median of starts after it."""

    cold: Start
    warm: Start


def measure_starts(game: Game) -> Starts:
    """Starts fresh processes, the first with an empty folder for compiled code."""
    options = game.options.changed().items()
    words = [f"{name}={game.option(name).format(value)}" for name, value in options]
    with tempfile.TemporaryDirectory() as folder:
        environment = _environment(folder)
        # Python's own byte code is written at installation, so a cold start has it already.
        _run(["-c", "import numba, watermeet.bench.workload"], environment)
        first_match = ["-m", "watermeet.bench.startup", game.package, *words]
        cold = _timed(first_match, environment)
        warm = [_timed(first_match, environment) for _ in range(WARM_STARTS)]
    return Starts(cold, sorted(warm, key=lambda start: start.seconds)[len(warm) // 2])


def _environment(folder: str) -> dict[str, str]:
    environment = {
        **os.environ,
        CACHE_FOLDER_VARIABLE: folder,
        "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode"),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def _timed(arguments: list[str], environment: dict[str, str]) -> Start:
    begin = time.perf_counter()
    printed = _run(arguments, environment)
    return Start(time.perf_counter() - begin, *map(float, printed.split()))


def _run(arguments: list[str], environment: dict[str, str]) -> str:
    """What a fresh Python process prints."""
    # Safe: our own interpreter with our own module, and no shell.
    return subprocess.run(  # noqa: S603
        [sys.executable, *arguments],
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def _play_first_match(package: str, words: list[str]) -> None:
    from watermeet.bench.workload import playout_worker
    from watermeet.core.registry import game_of_package

    begin = time.process_time()
    assignments = dict(word.split("=", 1) for word in words)
    game = game_of_package(package).with_option_texts(assignments)
    playout_worker(game)(1)
    end = time.process_time()
    sys.stdout.write(f"{end} {end - begin}\n")


if __name__ == "__main__":
    _play_first_match(sys.argv[1], sys.argv[2:])
