"""Reads the weights of a network's file, so that training can begin with them.

A file has no batch normalization: it has become part of the convolutions. While a network learns,
every batch is normalized, so here the means and variances are measured again, in positions that
the network meets, and the network is the same before and after.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from watermeet.core.game import Game
from watermeet.nets.network import Network, Size, split
from watermeet.nets.onnx import OnnxNetwork
from watermeet.nets.shape import common_shape
from watermeet.train.quantize import boards_of, card_of, convolutions_of, sample_positions

POSITIONS = 200
"""Of each board, to measure means and variances."""


def weights_of(file: Path) -> dict[str, Tensor]:
    """The weights of a network's file, quantized or not, by their names in ``Network``."""
    card = card_of(file)
    boards, settings = boards_of(card), card["settings"]
    network = Network(common_shape(boards), Size(settings["channels"], settings["blocks"])).eval()
    network.load_state_dict(network.state_dict() | _read(file))
    _measure(network, file, boards)
    weights: dict[str, Tensor] = network.state_dict()
    return weights


def _read(file: Path) -> dict[str, Tensor]:
    """The weights as they are in the file, with a normalization that adds the biases alone."""
    import onnx

    graph = onnx.load(file).graph
    named = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    layers = [each for each in convolutions_of(graph) if "kinds.weight" not in each.input]
    found = {name: array for name, array in named.items() if name.endswith((".weight", ".bias"))}
    for index, layer in enumerate(layers):
        block, part = divmod(index - 1, 2)
        place = f"blocks.{block}.{('first', 'second')[part]}"
        weights, norm = (place, f"{place}_norm") if index else ("planes", "norm")
        found[f"{weights}.weight"], found[f"{norm}.bias"] = _convolution(layer, named)
        found[f"{norm}.weight"] = np.ones_like(found[f"{norm}.bias"])
        found[f"{norm}.running_var"] = found[f"{norm}.weight"] - nn.BatchNorm2d(1).eps
    return {name: torch.from_numpy(np.array(array)) for name, array in found.items()}


def _convolution(layer: Any, named: dict[str, Any]) -> tuple[Any, Any]:
    """The weights and biases of a convolution, as floats."""
    if layer.op_type == "Conv":
        return tuple(named[name] for name in layer.input[1:])
    scale, _, weights, scales, zeros, _, _, biases = (named[name] for name in layer.input[1:])
    wide = weights.astype(np.float32) - zeros.astype(np.float32)[:, None, None, None]
    return wide * scales[:, None, None, None], (biases * scale * scales).astype(np.float32)


def _measure(network: Network, file: Path, boards: list[Game]) -> None:
    """Normalize as batches of the boards' positions would be, without changing any output."""
    norms = [each for each in network.modules() if isinstance(each, nn.BatchNorm2d)]
    inputs: list[list[Tensor]] = [[] for _ in norms]
    hooks = [
        norm.register_forward_pre_hook(
            lambda _, given, kept=kept: kept.append(given[0].transpose(0, 1).flatten(1))
        )
        for norm, kept in zip(norms, inputs, strict=True)
    ]
    with torch.no_grad():
        for game in boards:
            met = sample_positions(game, OnnxNetwork(game, file), POSITIONS, 0)
            features = torch.from_numpy(np.array([each.features for each in met]))
            network(*split(features, game.features.spec.shape, torch.float32))
        for norm, hook, kept in zip(norms, hooks, inputs, strict=True):
            hook.remove()
            variance, mean = torch.var_mean(torch.cat(kept, dim=1), dim=1, correction=0)
            norm.running_mean, norm.running_var = mean, variance
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias += mean
