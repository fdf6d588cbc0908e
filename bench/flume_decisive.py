"""Flume 7x7 with many free points and few winning moves: does the top level find one?

Positions are made by random stones that give nothing away, from a seed, and kept if the solver
says that the mover wins, but only by few of the stones. The level's time is CPU time of its thread,
so that a busy machine measures the same.

    python -m bench flume_decisive -- --positions 20
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from unittest.mock import patch

import watermeet as wm
from bench.progress import progress
from watermeet.bots.specs import make_bot
from watermeet.core.errors import TooLarge
from watermeet.games.flume.solver import find_win, warm_up

TITLE = "Flume: decisive positions"
FREE = range(34, 39)
FEW = 4
"""At most this many stones win."""
NODES = 300_000
SECONDS = (0.1, 0.5)


def measure(seconds: float, arguments: list[str]) -> str:
    """The share of positions in which the level plays a winning stone, as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench flume_decisive --")
    parser.add_argument("--positions", type=int, default=50)
    chosen = parser.parse_args(arguments)
    warm_up()
    found = []
    for state, winning in decisive_positions():
        found.append((state, winning))
        progress(f"{len(found)}: {len(state.legal_actions)} free, {len(winning)} win")
        if len(found) == chosen.positions:
            break
    lines = [
        f"{FREE[0]} to {FREE[-1]} free points, of which 1 to {FEW} win; CPU time of the thread.",
        "",
        "| bot | positions | right |",
        "|---|---:|---:|",
    ]
    for limit in SECONDS:
        spec = f"sea:seconds={limit}"
        with patch.object(time, "perf_counter", time.thread_time):
            bot = make_bot(found[0][0].game, spec)
            bot.play(found[0][0])
            right = 0
            for state, winning in found:
                bot.new_match(0)
                right += bot.play(state).action in winning
        lines.append(f"| `{spec}` | {len(found)} | {right} |")
    return "\n".join(lines)


def decisive_positions() -> Iterator[tuple[wm.State, set[int]]]:
    """States in which few stones win, with those stones."""
    game, seed = wm.game("flume", size=7), 0
    while True:
        seed += 1
        state = _random_state(game, random.Random(seed))
        try:
            if find_win(state.array.copy(), node_limit=NODES).action is None:
                continue
            winning = {each for each in state.legal_actions if _wins(state, each)}
        except TooLarge:
            continue
        if len(winning) <= FEW:
            yield state, winning


def _random_state(game: wm.Game, rng: random.Random) -> wm.State:
    """Random stones that give the opponent nothing, until few enough points are free."""
    state, free = game.start(), rng.choice(FREE)
    while len(state.legal_actions) > free:
        stones = [each for each in state.legal_actions if each < size_of(game) ** 2]
        after = [state.play(stone) for stone in rng.sample(stones, len(stones))]
        state = next((each for each in after if not _moves_again(each)), after[0])
    return state


def size_of(game: wm.Game) -> int:
    """The number of points on a side."""
    return int(game.options["size"])


def _moves_again(state: wm.State) -> bool:
    """Whether the mover has a stone that lets them move again."""
    stones = [each for each in state.legal_actions if each < size_of(state.game) ** 2]
    return any(state.play(stone).to_move == state.to_move for stone in stones)


def _wins(state: wm.State, action: int) -> bool:
    after = state.play(action)
    found = find_win(after.array.copy(), node_limit=NODES).action is not None
    return found if after.to_move == state.to_move else not found
