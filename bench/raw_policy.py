"""Flume's network without any search: how often does it choose a winning move?

Positions come from random matches, at a random length, and are kept if the solver says that the
mover wins. Among them are many where every move wins; the share without those is given, too.

    python -m bench raw_policy -- --positions 300
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import watermeet as wm
from bench.progress import progress
from watermeet.bots.levels import declared_levels
from watermeet.core.errors import TooLarge
from watermeet.games.flume.solver import solve, warm_up
from watermeet.nets.onnx import OnnxNetwork, network_file

TITLE = "Flume: the network without search"
LONGEST = {5: 24, 7: 30}
"""The most free points of a position, by size."""
NODES = 400_000


def measure(seconds: float, arguments: list[str]) -> str:
    """The share of winning moves on both sizes, as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench raw_policy --")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--network", help="an .onnx file; by default the one that ships")
    chosen = parser.parse_args(arguments)
    warm_up()
    rows = ["| size | winning moves chosen | where some move loses |", "|---|---:|---:|"]
    for size in LONGEST:
        game = wm.game("flume", size=size)
        network = OnnxNetwork(game, chosen.network or shipped_network(game))
        right, hard = [], []
        progress(f"{size}x{size}")
        for state, values in won_positions(game, chosen.positions):
            right.append(values[likeliest(network, state)] > 0)
            if any(value <= 0 for value in values.values()):
                hard.append(right[-1])
        rows.append(f"| {size}x{size} | {_share(right)} | {_share(hard)} |")
    return "\n".join(rows)


def shipped_network(game: wm.Game) -> Path:
    """The file of the network that the game's strongest level uses."""
    return network_file(game, declared_levels(game)[-1].network)


def likeliest(network: OnnxNetwork, state: wm.State) -> int:
    """The legal action that the network likes best."""
    features = state.game.features
    priors, _ = network(features.of(state, state.to_move)[None])
    codes = features.codes_of(state)
    return max(zip(codes, state.legal_actions, strict=True), key=lambda each: priors[0, each[0]])[1]


def _share(right: list[bool]) -> str:
    return f"{sum(right)} of {len(right)} ({100 * sum(right) / max(1, len(right)):.1f} %)"


def won_positions(game: wm.Game, count: int) -> Iterator[tuple[wm.State, dict[int, int]]]:
    """Positions that the mover wins, with the value of every move."""
    size = game.options.number("size")
    rng, found = random.Random(size), 0
    while found < count:
        state, free = game.start(), rng.randint(2, LONGEST[size])
        while state.to_move >= 0 and len(state.legal_actions) > free:
            state = state.play(rng.choice([a for a in state.legal_actions if a != size * size]))
        if state.to_move < 0:
            continue
        try:
            solution = solve(state.array.copy(), every_move=True, node_limit=NODES)
        except TooLarge:
            continue
        if solution.value > 0 and solution.values:
            found += 1
            yield state, {int(action): value for action, value in solution.values.items()}
