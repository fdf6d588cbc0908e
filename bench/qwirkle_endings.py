"""Measures the exact solver of Qwirkle where the bag has just become empty.

python -m bench.qwirkle_endings --matches 30 --seconds 2

The positions come from matches of `river:nodes=40` against itself, one from each. Seconds are the
CPU time of the thread.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import time
from collections.abc import Iterator

import watermeet as wm
from watermeet.bots.specs import make_bot
from watermeet.core.contract import StateArray
from watermeet.core.errors import TooLarge
from watermeet.games.qwirkle import layout, solver


class OutOfTime(Exception):
    """The limit is over."""


def endings(matches: int) -> Iterator[StateArray]:
    """The first position of each match with an empty bag."""
    game = wm.game("qwirkle")
    bot = make_bot(game, "river:nodes=40", seed=5)
    for seed in range(matches):
        rng = random.Random(f"endings {seed}")
        state = game.start().sample(rng)
        bot.new_match(seed)
        while state.array[layout.BAG_LEFT] > 0:
            state = state.play(bot.play(state.conceal(state.to_move)).action).sample(rng)
        if state.to_move != wm.OVER:
            yield state.array.copy()


def measure(array: StateArray, seconds: float) -> tuple[int | None, int, float]:
    """The value, None if time ran out; nodes; and seconds."""
    begin = time.thread_time()
    nodes = 0

    def progress(count: int) -> None:
        nonlocal nodes
        nodes = count
        if time.thread_time() > begin + seconds:
            raise OutOfTime

    value = None
    with contextlib.suppress(OutOfTime):
        value = solver.solve(array.copy(), node_limit=1 << 40, progress=progress).value
    return value, nodes, time.thread_time() - begin


def main() -> None:
    """Prints a row for each position, and how many were solved."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--matches", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=2)
    chosen = parser.parse_args()
    positions = list(endings(chosen.matches))
    with contextlib.suppress(TooLarge):
        solver.solve(positions[0].copy(), node_limit=1000)  # Compile first.
    took = []
    for array in positions:
        value, nodes, seconds = measure(array, chosen.seconds)
        if value is not None:
            took.append(seconds)
        print(value, f"{nodes:,} nodes, {seconds:.2f} s", flush=True)
    for limit in (0.1, 0.25, 0.5, 1, 2, 5, 10):
        if limit <= chosen.seconds:
            print(f"{sum(each <= limit for each in took)} of {len(positions)} within {limit} s")


if __name__ == "__main__":
    main()
