"""Measures all registered games, the floor and the peers; prints a table, writes RESULTS.md.

    python bench/run.py                   everything; peers are measured where they are installed
    python bench/run.py --only games      one section: games, floor, search or peers
    python bench/run.py --seconds 0.2     a quick look
    python bench/run.py --print           leaves RESULTS.md as it is

Each section of RESULTS.md stands between two markers; text outside them is kept as it is.
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import watermeet as wm
from watermeet.bench.peers import measure_peers, missing_peers, peer_versions
from watermeet.bench.report import machine, markdown, table, with_section
from watermeet.bench.runner import Measurement, measure_game, rate, ratio
from watermeet.bench.search import Think, measure_limits, measure_search, measure_threads
from watermeet.bench.timing import Task, time_in_turns
from watermeet.bench.workload import playout_worker
from watermeet.bots.making import levels_of
from watermeet.bots.searcher import Searcher
from watermeet.core.levels import Level
from watermeet.search.limits import Limits
from watermeet.search.thought import Thought

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "RESULTS.md"

SIZES = (7, 9, 13)
"""The sizes of Flume that are measured, here and by hand-written kernels."""
VARIANTS: dict[str, tuple[dict[str, int], ...]] = {
    "flume": tuple({"size": size} for size in SIZES),
    "flows": ({"seats": 2}, {"seats": 3}),
    "flow": ({}, {"scenarios": 6}),
}
"""The options that a game is measured with; games that are not here, with the default ones."""

PUBLISHED = {7: {"Ludii": 4_000, "AbstractPlay": 490}, 9: {"Ludii": 1_710, "AbstractPlay": 220}}
"""Random playouts a second of Flume by other programs, by size, on another machine (aarch64)."""

NEW_PAGE = """\
# Results

How fast the games run, beside hand-written kernels and other libraries in the same run.
`bench/run.py` writes this page, each section between its markers.

    make bench                           # everything, with the peers installed first
    python bench/run.py                  # everything that is installed
    python bench/run.py --only floor     # one section: games, floor, search or peers

Figures are medians of five rounds in which everything takes its turn, per second of one core's CPU
time; those of two threads go by the clock on the wall. Figures of different machines cannot be
compared; ratios can, and each was taken within one round. A busy machine shows in the load and in
the distance of median and best.
"""


def main() -> None:
    """Measures what the command line asks for."""
    arguments = _arguments()
    sections = {
        "games": _measure_games,
        "floor": _measure_floor,
        "search": _measure_search,
        "peers": _measure_peers,
    }
    if arguments.only:
        sections = {arguments.only: sections[arguments.only]}
    for name, measure in sections.items():
        measurements = measure(arguments.seconds)
        if not measurements:
            continue
        print(f"\n{table(measurements)}\n")
        if not arguments.print:
            _write_section(name, measurements)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure (default 1)")
    parser.add_argument("--only", choices=("games", "floor", "search", "peers"), help="one section")
    parser.add_argument("--print", action="store_true", help="do not write RESULTS.md")
    return parser.parse_args()


def _tell(text: str) -> None:
    print(f"... {text}", file=sys.stderr, flush=True)


# ---- what is measured -------------------------------------------------------------------------


def _measure_games(seconds: float) -> list[Measurement]:
    measurements = []
    for name in wm.games():
        for options in VARIANTS.get(name, ({},)):
            game = wm.game(name, **options)
            measurements += measure_game(game, seconds=seconds, progress=_tell)
    return measurements


def _measure_floor(seconds: float) -> list[Measurement]:
    return [measurement for size in SIZES for measurement in _measure_floor_of_size(size, seconds)]


def _measure_floor_of_size(size: int, seconds: float) -> list[Measurement]:
    """The ordinary kernels of Flume and the two written by hand, turn by turn."""
    sys.path.insert(0, str(ROOT))  # This folder is no package that could be installed.
    from bench import floor

    name = f"Flume {size}x{size}"
    by_hand = {
        "occupancy only": floor.occupancy_playouts,
        "with colours": floor.coloured_playouts,
    }
    tasks = [
        Task(f"{name}, ordinary kernels", playout_worker(wm.game("flume", size=size))),
        *(Task(f"{name}, by hand, {kind}", _by_hand(play, size)) for kind, play in by_hand.items()),
    ]
    ours, *floors = time_in_turns(tasks, seconds=seconds, progress=_tell)
    own = rate(name, "random playouts, ordinary kernels", "playouts/s", [s.rate for s in ours])
    measurements = [own]
    for kind, samples in zip(by_hand, floors, strict=True):
        gaps = [fast.rate / slow.rate for slow, fast in zip(ours, samples, strict=False)]
        measurements += [
            rate(name, f"by hand, {kind}", "playouts/s", [s.rate for s in samples]),
            ratio(name, f"by hand ({kind}) against ordinary", gaps),
        ]
    return measurements + _hints(own, size)


def _by_hand(play: Callable[[int, int, int], int], size: int) -> Callable[[int], int]:
    return lambda count: play(size, count, 123456789)


def _hints(own: Measurement, size: int) -> list[Measurement]:
    return [
        Measurement(
            own.name,
            f"ordinary against {peer}",
            own.value / figure,
            "times",
            f"a hint: its {figure:,} playouts/s are of another machine",
        )
        for peer, figure in PUBLISHED.get(size, {}).items()
    ]


def _measure_search(seconds: float) -> list[Measurement]:
    """Plain search beside a peer's; of every top level its limits, and what two threads do."""
    found = []
    for size in (7, 9):
        game = wm.game("flume", size=size)
        found += measure_search(game, seconds=seconds, progress=_tell)
    for name in wm.games():
        game = wm.game(name)
        top = levels_of(game)[-1]
        _tell(f"limits of {name}")
        found += measure_limits(game, Searcher(game, top).think, top.name)
        found += measure_threads(game, partial(_thinking, game, top), top.name)
    return found


def _thinking(game: wm.Game, level: Level, threads: int) -> Think:
    """What a bot of a level thinks, with so many threads; every time in a new tree."""
    bot = Searcher(game, dataclasses.replace(level, threads=threads))

    def think(state: wm.State, limits: Limits) -> Thought:
        bot.begin(0)
        return bot.think(state, limits)

    return think


def _measure_peers(seconds: float) -> list[Measurement]:
    for peer in missing_peers():
        _tell(f'{peer} is not installed, so it is left out; pip install "watermeet[bench]" has it')
    return measure_peers(seconds=seconds, progress=_tell)


# ---- RESULTS.md -------------------------------------------------------------------------------


def _write_section(name: str, measurements: list[Measurement]) -> None:
    page = RESULTS.read_text(encoding="utf-8") if RESULTS.is_file() else NEW_PAGE
    when = datetime.now(tz=UTC).date().isoformat()
    facts = [machine(), *(peer_versions() if name in ("peers", "search") else ())]
    heading = f"## {name.capitalize()}\n\n{when}, commit {_commit()}; {', '.join(facts)}."
    page = with_section(page, name, f"{heading}\n\n{markdown(measurements)}")
    RESULTS.write_text(page, encoding="utf-8")


def _commit() -> str:
    git = shutil.which("git")
    if git is None:
        return "unknown"
    # Safe: a fixed command and no shell.
    command = [git, "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
