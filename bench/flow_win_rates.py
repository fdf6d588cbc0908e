"""Win rates of Flow by difficulty and length of rounds: a table for RESULTS.md.

python -m bench.flow_win_rates                  prints it
python -m bench.flow_win_rates --write          and writes it into RESULTS.md
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import watermeet as wm
from bench.report import machine, with_section
from watermeet.core.playout import playout_with_chance
from watermeet.core.rng import seeded
from watermeet.games.flow.benchmarks import greedy_wins
from watermeet.games.flow.tile_sets import TILE_SETS
from watermeet.testing.speed import Task, playout_worker, time_in_turns

RESULTS = Path(__file__).parent / "RESULTS.md"
TURNS = range(6, 15)
SCENARIOS = range(7)


def main() -> None:
    """Play the matches and print the win rates."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--matches", type=int, default=1000, help="for each figure")
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    chosen = parser.parse_args()
    text = "\n\n".join(
        [
            (
                f"Win rates of {chosen.matches:,} matches each, with two players; most are off by "
                f"less than {1 / math.sqrt(chosen.matches):.1%}. The random player plays "
                "uniformly random legal moves."
            ),
            _speeds(),
            _table("greedy", greedy_wins, chosen.matches),
            _table("random", random_wins, chosen.matches),
            _tile_sets(chosen.matches),
        ]
    )
    print(text)
    if chosen.write:
        heading = f"## Flow: how often it is won\n\n`bench/flow_win_rates.py`; {machine()}."
        page = RESULTS.read_text(encoding="utf-8")
        section = with_section(page, "flow win rates", f"{heading}\n\n{text}")
        RESULTS.write_text(section, encoding="utf-8")


def _table(player: str, wins: Callable[[wm.Game, int], int], matches: int) -> str:
    lines = [
        f"| {player}: scenario cards | " + " | ".join(f"{turns} turns" for turns in TURNS) + " |",
        "|---|" + "---:|" * len(TURNS),
    ]
    for scenarios in SCENARIOS:
        print(f"{player}, {scenarios} scenario cards ...", file=sys.stderr, flush=True)
        shares = [
            wins(wm.game("flow", scenarios=scenarios, turns=turns), matches) / matches
            for turns in TURNS
        ]
        lines.append(f"| {scenarios} | " + " | ".join(f"{share:.1%}" for share in shares) + " |")
    return "\n".join(lines)


def _speeds() -> str:
    """Random matches per second on one core, without and with all scenario cards."""
    games = [wm.game("flow", scenarios=scenarios) for scenarios in (0, 6)]
    tasks = [Task(game.describe(), playout_worker(game)) for game in games]
    timed = time_in_turns(tasks, seconds=1.0)
    rates = [
        f"`{task.label}` {statistics.median(sample.rate for sample in samples):,.0f}"
        for task, samples in zip(tasks, timed, strict=True)
    ]
    return f"Random matches per second of CPU time, medians of five rounds: {', '.join(rates)}."


def _tile_sets(matches: int) -> str:
    lines = ["| greedy: tile set | 8 turns | 10 turns | 12 turns |", "|---|---:|---:|---:|"]
    for name in TILE_SETS:
        shares = [
            greedy_wins(wm.game("flow", tiles=name, turns=turns), matches) / matches
            for turns in (8, 10, 12)
        ]
        lines.append(f"| `{name}` | " + " | ".join(f"{share:.1%}" for share in shares) + " |")
    return "\n".join(lines)


def random_wins(game: wm.Game, count: int) -> int:
    """The number of matches that random players win."""
    play, rng = game.specialize(playout_with_chance), seeded("random")
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    weights = np.zeros(game.sizes.actions)
    returns = np.zeros(game.seats)
    won = 0
    for _ in range(count):
        array = game.start().array.copy()
        play(array, actions, weights, rng)
        game.kernels.score(array, returns)
        won += int(returns[0] > 0)
    return won


if __name__ == "__main__":
    main()
