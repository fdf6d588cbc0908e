"""Every registered game: kernels, the Python API, and the time to the first match."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import watermeet as wm
from bench.progress import progress
from watermeet.core.options import Value
from watermeet.testing.speed import Measurement, measure_game

TITLE = "Games"
VARIANTS: dict[str, tuple[dict[str, Value], ...]] = {
    "flume": ({"size": 7}, {"size": 9}, {"size": 13}),
    "flows": ({"seats": 2}, {"seats": 3}),
    "flow": ({}, {"scenarios": 6}),
}
"""The options to measure a game with; default: its defaults."""
WARM_STARTS = 3

_FIRST_MATCH = """
import sys, time
from watermeet.core.game import load_game
from watermeet.testing.speed import playout_worker
begin = time.process_time()
game = load_game(sys.argv[1])
game = game.with_option_texts(dict(word.split("=", 1) for word in sys.argv[2:]))
playout_worker(game)(1)
print(time.process_time() - begin)
"""


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """All games, or those that are named."""
    found = []
    for name in arguments or wm.games():
        for options in VARIANTS.get(name, ({},)):
            game = wm.game(name, **options)
            found += measure_game(game, seconds=seconds, progress=progress)
            found += measure_start(game)
    return found


def measure_start(game: wm.Game) -> list[Measurement]:
    """The time from starting Python to the end of a first random match, compiled or cached."""
    progress(f"{game.describe()}: starting fresh processes")
    options = game.options.changed().items()
    words = [f"{name}={game.option(name).format(value)}" for name, value in options]
    command = [sys.executable, "-c", _FIRST_MATCH, game.package, *words]
    with tempfile.TemporaryDirectory() as folder:
        places = {
            "WATERMEET_CACHE_DIR": folder,
            "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode"),
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        }
        # Python's own byte code is written at installation, so a cold start has it already.
        warm_up = [sys.executable, "-c", "import numba, watermeet.testing.speed"]
        subprocess.run(warm_up, env={**os.environ, **places}, check=True)
        starts = []
        for _ in range(1 + WARM_STARTS):
            begin = time.perf_counter()
            printed = subprocess.run(
                command, env={**os.environ, **places}, check=True, stdout=subprocess.PIPE
            ).stdout
            starts.append((time.perf_counter() - begin, float(printed)))
    cold, *warm = starts
    rows = (("cold", cold), ("warm", sorted(warm)[len(warm) // 2]))
    return [
        Measurement(game.describe(), f"{kind} start to first playout", wall, "s",
                    f"{cpu:.2f} s of CPU time for the game")
        for kind, (wall, cpu) in rows
    ]  # fmt: skip
