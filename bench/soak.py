"""Whether a server that is played on for long keeps its memory: all games, reconnects, spectators.

The cache of matches is small here, so that it is full after the warm-up and nothing has a reason to
grow any more.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from pathlib import Path

import watermeet as wm
from bench.load import LoadNode, usage
from bench.report import ROOT
from watermeet.client.load import LoadGame, LoadPlan, run_load
from watermeet.testing.speed import Measurement

TITLE = "Memory over twenty minutes"
CACHE_BYTES = 16_777_216
SAMPLE_S = 5.0


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """Play, and look at the server's memory now and then."""
    parser = argparse.ArgumentParser(prog="python -m bench soak --")
    parser.add_argument("--seconds", type=float, default=1200.0)
    parser.add_argument("--warm-up", type=float, default=300.0, help="of these")
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--rate", type=float, default=60.0, help="moves per second (60)")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:
        node = LoadNode(Path(folder), max_cache_bytes=str(CACHE_BYTES))
        try:
            node.start()
            node.wait_until_compiled()
            return _soak(node, chosen)
        finally:
            node.remove()


def _soak(node: LoadNode, chosen: argparse.Namespace) -> list[Measurement]:
    games = [wm.game(name) for name in wm.games()]
    plan = LoadPlan(
        url=f"http://{node.address}",
        games=tuple(LoadGame(each.name, {}, each.seats) for each in games),
        matches=chosen.matches,
        rate=chosen.rate,
        seconds=chosen.seconds,
        spectators=1,
        reconnect_s=60.0,
        is_checked=False,
    )
    samples: list[tuple[float, float]] = []
    is_over = threading.Event()

    def watch() -> None:
        begin = time.monotonic()
        while not is_over.wait(SAMPLE_S):
            samples.append((time.monotonic() - begin, usage(node.pid)[1]))

    watching = threading.Thread(target=watch)
    watching.start()
    report = run_load(plan)
    is_over.set()
    watching.join()
    warm = [held for at, held in samples if chosen.warm_up <= at < chosen.warm_up + 60]
    last = [held for at, held in samples if at >= chosen.seconds - 60]
    before, after = statistics.median(warm), statistics.median(last)
    peak = max(held for at, held in samples if at >= chosen.warm_up)
    name = f"{chosen.matches} matches, {chosen.rate:.0f} moves/s"
    moves = f"{report.moves:,} moves, {report.matches:,} matches, {report.reconnects:,} reconnects"
    return [
        Measurement(name, f"memory after {chosen.warm_up:.0f} s", before, "MB", moves),
        Measurement(name, f"memory after {chosen.seconds:.0f} s", after, "MB", ""),
        Measurement(name, "growth", 100 * (after / before - 1), "%", f"peak {peak:.0f} MB"),
    ]
