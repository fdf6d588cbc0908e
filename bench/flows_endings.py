"""Measures the exact solver of Flows, and what a bot loses in the last placements.

python -m bench.flows_endings --matches 100 --bot sea:nodes=4000:solver_nodes=0

Positions come from matches of `sea:nodes=200` against itself, without the solver: from each, the
first with each number of empty cells in which there is a choice. Seconds are the CPU time of the
thread. Losses are shares of a win: half the difference between expected returns.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import watermeet as wm
from watermeet.bots.bot import Bot
from watermeet.bots.specs import make_bot
from watermeet.core.errors import TooLarge
from watermeet.games.flows.solver import empty_cells, solve, warm_up

CELLS = (4, 5, 6, 7, 8, 9)


class Measured(NamedTuple):
    """One position: the solver's effort, and what the bot lost; None if it wasn't solved."""

    nodes: int
    seconds: float
    loss: float | None
    matters: bool


def endings(seats: int, matches: int) -> Iterator[tuple[int, wm.State]]:
    """The number of empty cells and the state, for each match as many as it has."""
    game = wm.game("flows").with_options(seats=seats)
    bot = make_bot(game, "sea:nodes=200:solver_nodes=0", seed=5)
    for seed in range(matches):
        rng = random.Random(f"endings {seed}")
        state = game.start().sample(rng)
        bot.new_match(seed)
        while state.to_move >= 0:
            empty = len(empty_cells(state.array.copy()))
            if empty in CELLS and len(state.legal_actions) > 1:
                yield empty, state
            state = state.play(bot.play(state.conceal(state.to_move)).action).sample(rng)


def measure(state: wm.State, bot: Bot, node_limit: int) -> Measured:
    """Solve a position twice: for one best move, as bots do, and for all."""
    begin = time.thread_time()
    try:
        nodes = solve(state.array.copy(), node_limit=node_limit).nodes
        seconds = time.thread_time() - begin
        values = solve(state.array.copy(), node_limit=1 << 40, every_move=True).values
    except TooLarge:
        return Measured(node_limit, time.thread_time() - begin, None, matters=True)
    assert values is not None, "every move was asked for"
    best = max(values.values())
    played = bot.play(state.conceal(state.to_move)).action
    is_open = best - min(values.values()) > 1e-9
    return Measured(nodes, seconds, (best - values[played]) / 2, is_open)


def main() -> None:
    """Prints a row for each number of empty cells."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seats", type=int, default=2, choices=(2, 4))
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--node-limit", type=int, default=1_000_000)
    parser.add_argument("--bot", default="sea:nodes=4000:solver_nodes=0")
    chosen = parser.parse_args()
    warm_up()
    bot = make_bot(wm.game("flows").with_options(seats=chosen.seats), chosen.bot, seed=1)
    found = defaultdict[int, list[Measured]](list)
    for empty, state in endings(chosen.seats, chosen.matches):
        found[empty].append(measure(state, bot, chosen.node_limit))
    print(
        f"| empty cells | positions of {chosen.matches} matches | solved | nodes: median, 90 % | "
        "CPU s: median, 90 %, most | the choice matters | best played | average loss | most |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for empty in sorted(found):
        print(row(empty, found[empty]))


def row(empty: int, measured: list[Measured]) -> str:
    """A row of the table."""
    losses = [each.loss for each in measured if each.loss is not None]
    nodes = np.quantile([each.nodes for each in measured], (0.5, 0.9))
    seconds = np.quantile([each.seconds for each in measured], (0.5, 0.9, 1))
    return (
        f"| {empty} | {len(measured)} | {len(losses)} | {nodes[0]:,.0f}, {nodes[1]:,.0f} | "
        f"{seconds[0]:.3f}, {seconds[1]:.3f}, {seconds[2]:.3f} | "
        f"{sum(each.matters for each in measured)} | {sum(each < 1e-9 for each in losses)} | "
        f"{100 * np.mean(losses):.2f} % | {100 * max(losses):.1f} % |"
    )


if __name__ == "__main__":
    main()
