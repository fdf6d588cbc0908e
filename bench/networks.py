"""Networks natively and with onnxruntime: positions a second of one core.

onnxruntime gets batches of 16 positions, native code one at a time.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import numpy as np

import watermeet as wm
from bench.report import Missing, Row, is_installed, label, progress, unit_rates, versus
from watermeet.bots.levels import NETWORK, declared_levels
from watermeet.bots.native_network import native_network
from watermeet.nets.forward import evaluate_some
from watermeet.nets.onnx import OnnxNetwork, network_file
from watermeet.nets.packed import unpack
from watermeet.testing.speed import Task, Worker, time_in_turns

TITLE = "Networks"
ABOUT = (
    "Positions that the network of the level `ocean` evaluates a second, with 8-bit integers: our "
    "code, one at a time, beside onnxruntime with batches of 16."
)
COLUMNS: dict[str, str] = {}
BATCH, MOVES = 16, 8


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """The networks of all games."""
    if not is_installed("onnxruntime"):
        return []
    rows = []
    for game, name in _networks(games or wm.games()):
        progress(label(game))
        ours, theirs = _workers(game, name)
        tasks = [Task("ours", ours), Task("onnxruntime", theirs)]
        rates = map(unit_rates, time_in_turns(tasks, seconds=seconds))
        one, two = rates
        rows.append(versus(label(game), "positions", "positions/s", one, "onnxruntime", two))
    return rows


def _networks(names: Sequence[str]) -> Iterator[tuple[wm.Game, str]]:
    """The games that have a network, with the options that it is for."""
    for name in names:
        for level in declared_levels(wm.game(name)):
            if level.method == NETWORK:
                for values in itertools.product(*level.only.values()):
                    yield wm.game(name, **dict(zip(level.only, values, strict=True))), level.network


def _workers(game: wm.Game, name: str) -> tuple[Worker, Worker]:
    """Our code's and onnxruntime's, for the same position."""
    file = network_file(game, name)
    content = native_network(game, file)
    if content is None:
        raise Missing("the processor has no AVX-512 VNNI")
    state, network = _after(game.start(), 0), OnnxNetwork(game, file)
    net = unpack(content, game, with_bytes=True)
    net.features[:] = game.features.of(state, state.to_move)
    batch = np.repeat(net.features[None], BATCH, axis=0)
    codes = game.features.codes_of(state).astype(np.int32)

    def ours(count: int) -> int:
        for _ in range(count):
            evaluate_some(net, codes, len(codes))
        return count

    def theirs(count: int) -> int:
        for _ in range(count):
            network(batch)
        return count * BATCH

    return ours, theirs


def _after(state: wm.State, seed: int) -> wm.State:
    """A position some random moves later."""
    rng, moves = random.Random(seed), 0
    while moves < MOVES or state.to_move < 0:
        state, moves = state.play(rng.choice(state.legal_actions)), moves + 1
    return state
