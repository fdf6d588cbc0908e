"""Networks as kernels, for engines in browsers: they compute what onnxruntime computes."""

from __future__ import annotations

import importlib.util
import itertools
import random

import numpy as np
import pytest

import watermeet as wm
from watermeet.bots.levels import OCEAN, levels_of
from watermeet.bots.network_engine import network_of, read_network
from watermeet.nets.forward import evaluate_features
from watermeet.nets.onnx import OnnxNetwork, network_file
from watermeet.nets.packed import unpack
from watermeet.nets.products import add_products
from watermeet.testing.matches import random_match

pytestmark = [pytest.mark.costly, pytest.mark.compiled]
NAMES = [name for name in wm.games() if network_of(wm.game(name)) is not None]
"""The games with a network that engines can play with."""


def test_products_in_plain_python_are_sums_over_pairs() -> None:
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 256, 100).astype(np.int16)
    weights = rng.integers(-128, 128, 200).astype(np.int16)
    sums = np.arange(40, dtype=np.int32)
    add_products(cells, 3, 16, weights, 5, sums, 4)
    for position in range(4):
        for channel in range(8):
            expected = 4 + 8 * position + channel
            for pair in range(8):
                for half in range(2):
                    weight = int(weights[5 + (pair * 8 + channel) * 2 + half])
                    expected += int(cells[3 + position * 16 + 2 * pair + half]) * weight
            assert sums[4 + 8 * position + channel] == expected


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
