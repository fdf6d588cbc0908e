"""Networks in native code and with onnxruntime: the time for a position, and for a simulation.

Both are for one core, in CPU time, by turns and the shortest of several rounds. onnxruntime gets
batches of 16 positions, native code one at a time.

    python -m bench inference -- --nodes 1000
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
from collections.abc import Callable, Iterator

import numpy as np

import watermeet as wm
from bench.progress import progress
from watermeet.bots.levels import NETWORK, declared_levels
from watermeet.bots.native_network import NativeNetworkSearch, native_network
from watermeet.nets.forward import evaluate_some
from watermeet.nets.onnx import OnnxNetwork, network_file
from watermeet.nets.packed import unpack
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.network_search import NetworkSearch

TITLE = "Networks natively and with onnxruntime"
BATCH, MOVES, ROUNDS = 16, 8, 40


def measure(seconds: float, arguments: list[str]) -> str:
    """The times of both for all networks, as Markdown; empty without VNNI."""
    parser = argparse.ArgumentParser(prog="python -m bench inference --")
    parser.add_argument("--nodes", type=int, default=1_000)
    nodes = parser.parse_args(arguments).nodes
    rows = [
        "| | a position: onnxruntime | native | a simulation: onnxruntime | native |",
        "|---|---:|---:|---:|---:|",
    ]
    for game, name in _networks():
        file = network_file(game, name)
        content = native_network(game, file)
        if content is None:
            return ""
        progress(game.describe())
        state, network = _after(game.start(), 0), OnnxNetwork(game, file)
        net = unpack(content, game, with_bytes=True)
        net.features[:] = game.features.of(state, state.to_move)
        batch = np.repeat(net.features[None], BATCH, axis=0)
        codes = game.features.codes_of(state).astype(np.int32)
        alone = _shortest(
            lambda: network(batch),  # noqa: B023
            lambda: [evaluate_some(net, codes, len(codes)) for _ in range(BATCH)],  # noqa: B023
        )
        searches = (
            NetworkSearch(game, network, leaves=BATCH),
            NativeNetworkSearch(game, content),
        )
        whole = [_search_time(each, state, nodes) for each in searches]
        times = (*(1e6 * each / BATCH for each in alone), *(1e6 * each for each in whole))
        rows.append(f"| {game.describe()} | {' | '.join(f'{each:.0f} µs' for each in times)} |")
    return "\n".join(rows)


def _networks() -> Iterator[tuple[wm.Game, str]]:
    """The games that have a network, with the options that it is for."""
    for name in wm.games():
        for level in declared_levels(wm.game(name)):
            if level.method == NETWORK:
                for values in itertools.product(*level.only.values()):
                    yield wm.game(name, **dict(zip(level.only, values, strict=True))), level.network


def _after(state: wm.State, seed: int) -> wm.State:
    """A position some random moves later."""
    rng, moves = random.Random(seed), 0
    while moves < MOVES or state.to_move < 0:
        state, moves = state.play(rng.choice(state.legal_actions)), moves + 1
    return state


def _shortest(*works: Callable[[], object]) -> list[float]:
    """The CPU time of each, in seconds."""
    shortest = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for index, work in enumerate(works):
            started = time.thread_time()
            work()
            shortest[index] = min(shortest[index], time.thread_time() - started)
    return shortest


def _search_time(search: MonteCarlo, state: wm.State, nodes: int) -> float:
    """The CPU time of a simulation, in seconds, with an empty tree."""
    search.search(state, Limits(nodes=2))
    state = _after(state, 1)
    started = time.thread_time()
    found = search.search(state, Limits(nodes=nodes))
    return (time.thread_time() - started) / found.nodes
