"""Compile a part of every game on all cores: ``python scripts/precompile.py [rules] [bots]``.

Otherwise each of several test processes would compile the same. The machine keeps the result, so a
second run has nothing to do.
"""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

from watermeet.core.registry import game, games
from watermeet.server.precompiler import RUN, run_once


def main(parts: list[str]) -> None:
    """Compile, and name what is done."""
    longest_first = sorted(games(), key=lambda name: -game(name).sizes.actions)
    jobs = [(name, part) for part in parts or RUN for name in longest_first]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=context) as pool:
        for (name, part), _ in zip(jobs, pool.map(run_job, jobs), strict=True):
            print(f"{name}: {part}", flush=True)


def run_job(job: tuple[str, str]) -> None:
    """One part of one game."""
    run_once(*job)


if __name__ == "__main__":
    main(sys.argv[1:])
