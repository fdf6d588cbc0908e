"""Networks as kernels, for engines in browsers: they compute what onnxruntime computes."""

from __future__ import annotations

import importlib.util
import itertools
import random
from typing import Any

import numpy as np
import pytest

import watermeet as wm
from watermeet.bots.levels import OCEAN, levels_of
from watermeet.bots.network_engine import network_of, read_network
from watermeet.core.kernel import kernel
from watermeet.nets.forward import evaluate_features, evaluate_some
from watermeet.nets.onnx import OnnxNetwork, network_file
from watermeet.nets.packed import VERSION, suits_bytes, unpack
from watermeet.nets.products import CHANNELS, POSITIONS, block_of, convolve
from watermeet.testing.matches import random_match

pytestmark = [pytest.mark.slow, pytest.mark.compiled]
NAMES = [name for name in wm.games() if network_of(wm.game(name)) is not None]
"""The games with a network that engines can play with."""


def _naive(cells: Any, filters: Any, biases: Any, place: int, row: int) -> list[int]:
    """The sums of a convolution at one place, by its definition."""
    return [
        int(biases[channel])
        + sum(
            int(cells[place + (tap // 3 - 1) * row + tap % 3 - 1, other])
            * int(filters[channel, tap, other])
            for tap in range(9)
            for other in range(cells.shape[1])
        )
        for channel in range(len(filters))
    ]


@pytest.mark.parametrize("with_bytes", [False, True])
def test_a_convolution_is_what_its_definition_says(with_bytes: bool) -> None:
    """Compiled and in plain Python, for all channels of a block."""
    rng, width, row, first = np.random.default_rng(0), 16, 6, 8
    positions, channels = block_of(width) if with_bytes else (POSITIONS, CHANNELS)
    cells = rng.integers(0, 256, (first + positions + row + 2, width))
    filters = rng.integers(-128, 128, (channels, 9, width))
    group = 4 if with_bytes else 2
    grouped = filters.reshape(channels, 9, width // group, group).transpose(1, 2, 0, 3)
    floats = rng.normal(size=4 + 2 * width).astype(np.float32)
    floats[2:4], floats[4 : 4 + width] = (0.03, 90), 0.001
    floats[4 + width :] = rng.integers(-900, 900, width)
    added = rng.normal(size=len(cells) * width).astype(np.float32)
    kinds = (np.uint8, np.int8) if with_bytes else (np.int16, np.int16)
    given, weights = cells.astype(kinds[0]).ravel(), grouped.astype(kinds[1]).ravel()
    for step in (0, width):
        found = []
        for run in (convolve, _convolve):
            out = np.zeros(cells.size, dtype=np.float32)
            run(given, first, width, row, weights, 0, floats, 0, 0, added, 5, step, out)
            found.append(out.reshape(-1, width)[first : first + positions, :channels])
        assert np.array_equal(found[0], found[1])
        for position in range(positions):
            sums = _naive(cells, filters, floats[4 + width :], first + position, row)
            values = np.clip(np.array(sums) * 0.001, -90, 165).round() * 0.03
            values += added[5 + position * step :][:channels]
            assert np.allclose(found[0][position], np.maximum(values, 0.0), atol=0.04)


@kernel
def _convolve(
    cells: Any, first: int, width: int, row: int, weights: Any, at: int, floats: Any,
    parameters: int, channel: int, added: Any, start: int, step: int, out: Any,
) -> None:  # fmt: skip
    convolve(
        cells, first, width, row, weights, at, floats, parameters, channel, added, start, step, out
    )


@pytest.mark.parametrize("name", NAMES)
def test_bytes_compute_what_browsers_compute(name: str) -> None:
    """Bit for bit."""
    game = wm.game(name)
    file = network_of(game)
    assert file is not None
    nets = [unpack(read_network(file)[1], game, with_bytes=each) for each in (False, True)]
    for state in random_match(game, random.Random(0)).states[::9]:
        if state.to_move >= 0:
            for net in nets:
                net.features[:] = game.features.of(state, state.to_move)
                evaluate_features(net)
            assert np.array_equal(nets[0].priors, nets[1].priors)
            assert np.array_equal(nets[0].values, nets[1].values)
            codes = game.features.codes_of(state).astype(np.int32)
            nets[1].priors[:], nets[1].values[:] = -1.0, 0.0
            evaluate_some(nets[1], codes, len(codes))
            all_priors, some = (net.priors[codes] / net.priors[codes].sum() for net in nets)
            assert np.allclose(all_priors, some, rtol=1e-12)
            assert np.array_equal(nets[0].values, nets[1].values)


def test_networks_that_do_not_fit_are_left_to_onnxruntime() -> None:
    """It says what is wrong; kernels would read beyond their arrays."""
    game = wm.game(NAMES[0])
    file = network_of(game)
    assert file is not None
    content = read_network(file)[1]
    assert suits_bytes(content, game)
    assert not any(suits_bytes(content, wm.game(name)) for name in wm.games() if name != game.name)
    assert not suits_bytes(bytes([VERSION - 1]) + content[1:], game)


if importlib.util.find_spec("onnxruntime"):  # Nothing is collected otherwise; CI allows no skips.

    @pytest.mark.parametrize("name", NAMES)
    def test_kernels_compute_what_onnxruntime_computes(name: str) -> None:
        file = network_of(wm.game(name))
        assert file is not None
        level = next(each for each in levels_of(wm.game(name)) if each.name == OCEAN)
        for values in itertools.product(*level.only.values()):
            game = wm.game(name, **dict(zip(level.only, values, strict=True)))
            network = OnnxNetwork(game, network_file(game, level.network))
            net, rng = unpack(read_network(file)[1], game), random.Random(0)
            for state in random_match(game, rng).states[::9]:
                if state.to_move < 0:
                    continue
                net.features[:] = game.features.of(state, state.to_move)
                evaluate_features(net)
                (priors,), (returns,) = network(net.features[None])
                # Both round to 8 bits on the way: a last bit can become one step of a channel.
                assert np.allclose(net.priors / net.priors.sum(), priors / priors.sum(), atol=0.02)
                assert np.allclose(net.values, returns, atol=0.02)
                assert np.abs(net.values).max() > 0.0
