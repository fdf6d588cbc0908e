"""Writes a network as an ONNX file."""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from watermeet.nets.network import Network
from watermeet.nets.onnx import CARD

OPSET = 18


def export(
    network: Network, file: Path, card: Mapping[str, Any], board: tuple[int, int] = (5, 5)
) -> None:
    """Write a network that takes planes of any size; the card is kept with it.

    Another module with the inputs and outputs of ``Network``, and its ``shape``, will do. If it
    isn't for any size, ``board`` is the height and width of its planes.
    """
    import onnx

    shape = network.shape
    copied = copy.deepcopy(network).float().cpu().eval()
    example = (
        torch.zeros(2, max(1, shape.planes), *board),
        torch.zeros(2, max(1, shape.numbers)),
    )
    batch = {0: "batch"}
    with warnings.catch_warnings():
        # The newer exporter needs one more package.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            copied,
            example,
            str(file),
            input_names=["planes", "numbers"],
            output_names=["logits", "values"],
            dynamic_axes={
                "planes": {0: "batch", 2: "height", 3: "width"},
                "numbers": batch,
                "logits": {0: "batch", 1: "actions"},
                "values": batch,
            },
            opset_version=OPSET,
            dynamo=False,
        )
    model = onnx.load(file)
    entry = model.metadata_props.add()
    entry.key, entry.value = CARD, json.dumps(dict(card))
    onnx.save(model, file)
