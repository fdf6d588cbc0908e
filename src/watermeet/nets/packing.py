"""Packs a quantized network from its ONNX file into the form that kernels read."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from watermeet.nets.onnx import CARD
from watermeet.nets.onnx_file import OnnxFile
from watermeet.nets.packed import VERSION
from watermeet.nets.products import BYTE_CHANNELS, CHANNELS

QUANTIZED = "quantized"
"""Where a network's card says how a quantized copy compares with the original."""
_AXES = {
    "numbers.weight": (0,),
    "numbers.bias": (0,),
    "board.weight": (0, 1),
    "board.bias": (0,),
    "kinds.weight": (1,),
    "loose.weight": (1,),
    "value.0.weight": (0, 1),
    "value.0.bias": (0,),
    "value.2.weight": (1,),
}
"""Which axes of a layer's parameters have places for channels."""


def packed_network(file: Path) -> tuple[str, bytes] | None:
    """A network as kernels read it, and a hash of that; None if it isn't a quantized one."""
    return _packed(file, file.stat().st_mtime_ns) if file.is_file() else None


@functools.lru_cache(maxsize=16)
def _packed(file: Path, _written: int) -> tuple[str, bytes] | None:
    try:
        model = OnnxFile.read(file)
    except ValueError:  # onnxruntime will say what it finds wrong.
        return None
    if QUANTIZED not in json.loads(model.metadata.get(CARD, "{}")):
        return None
    content = pack(model)
    return hashlib.sha256(content).hexdigest()[:16], content


def pack(model: OnnxFile) -> bytes:
    """A quantized network as kernels read it; see ``nets.packed``.

    Channels of zeros fill it up to a number that kernels are fast with.
    """
    named: Mapping[str, Any] = model.parameters
    nodes = [each for each in model.nodes if each.operation in ("Conv", "QLinearConv")]
    blocks = [[named[name] for name in each.inputs[1:]] for each in nodes if len(each.inputs) > 3]
    planes, bias = (named[name] for name in nodes[0].inputs[1:])
    own = len(bias)
    channels = -(-own // BYTE_CHANNELS.step) * BYTE_CHANNELS.step
    fill = functools.partial(_fill, own, channels)
    named = {
        name: fill(array, *next((_AXES[end] for end in _AXES if name.endswith(end)), ()))
        for name, array in named.items()
    }
    weights = []
    floats = [fill(planes, 0).transpose(1, 2, 3, 0), fill(bias, 0), *_dense(named, "numbers")]
    for index, (scale, zero, kernel, scales, zeros, out, out_zero, biases) in enumerate(blocks):
        if index % 2 == 0:
            floats += _dense(named, f"blocks.{index // 2}.board")
        signed = kernel.astype(np.int16) - zeros.astype(np.int16)[:, None, None, None]
        parts = fill(signed, 0, 1).reshape(channels // CHANNELS, CHANNELS, channels // 2, 2, 9)
        weights.append(parts.transpose(0, 4, 2, 1, 3).astype(np.int8).ravel())
        floats += [scale, zero, out, out_zero, fill(scale * scales / out, 0), fill(biases, 0)]
    if "kinds.weight" in named:
        floats += [named["kinds.weight"][:, :, 0, 0].T, named["kinds.bias"]]
    for name in ("loose", "value.0", "value.2"):
        floats += _dense(named, name)
    count = {name: len(named.get(f"{name}.bias", ())) for name in ("kinds", "loose", "value.2")}
    takes = (planes.shape[1], named["numbers.weight"].shape[1])
    header = [VERSION, *takes, *count.values(), channels, len(blocks) // 2]
    content = np.concatenate(weights).tobytes()
    numbers = np.concatenate([np.ravel(each).astype("<f4") for each in floats])
    padding = bytes(-len(content) % 4)
    return np.array(header, dtype="<i4").tobytes() + content + padding + numbers.tobytes()


def _fill(own: int, channels: int, array: Any, *axes: int) -> Any:
    """Give axes places for more channels; such an axis may have the channels several times over."""
    for axis in axes:
        parts = np.split(array, array.shape[axis] // own, axis)
        more = [(0, channels - own if each == axis else 0) for each in range(array.ndim)]
        array = np.concatenate([np.pad(part, more) for part in parts], axis)
    return array


def _dense(named: Mapping[str, Any], name: str) -> list[Any]:
    """The parameters of a fully connected layer, inputs first; none if there is no such layer."""
    if f"{name}.weight" not in named:
        return []
    return [named[f"{name}.weight"].T, named[f"{name}.bias"]]
