"""Kernels read a network from its ONNX file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from watermeet.bots.network_engine import network_of
from watermeet.core.registry import game, games
from watermeet.nets.onnx_file import OnnxFile
from watermeet.nets.packing import packed_network

FILES = [file for name in games() if (file := network_of(game(name))) is not None]
# A model with metadata and a graph: a node, and parameters in each of the ways that files use.
NODE = b"\x0a\x01a\x0a\x01b\x12\x01c\x22\x04Gemm"
RAW = b"\x08\x02\x10\x01\x42\x01a\x4a\x08" + np.array([1.5, -2], "<f4").tobytes()
FLOATS = b"\x08\x01\x10\x01\x22\x04" + np.array([3.5], "<f4").tobytes() + b"\x42\x01b"
LISTED = b"\x0a\x01\x02\x10\x06\x28\x07\x28\x80\x02\x42\x01c"
PARTS = ((1, NODE), (5, RAW), (5, FLOATS), (5, LISTED))
GRAPH = b"".join(bytes([field << 3 | 2, len(part)]) + part for field, part in PARTS)
MODEL = b"\x08\x08\x3a" + bytes([len(GRAPH)]) + GRAPH + b"\x72\x06\x0a\x01k\x12\x01v"


def test_files_are_read_as_the_format_says(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(MODEL)
    model = OnnxFile.read(file)
    assert model.metadata == {"k": "v"}
    assert [(node.operation, node.inputs) for node in model.nodes] == [("Gemm", ("a", "b"))]
    found = {name: (array.dtype.str, array.tolist()) for name, array in model.parameters.items()}
    assert found == {"a": ("<f4", [1.5, -2]), "b": ("<f4", [3.5]), "c": ("<i4", [7, 256])}


@pytest.mark.parametrize("content", [b"", b"no network", MODEL[:-30], MODEL])
def test_only_quantized_networks_are_packed(tmp_path: Path, content: bytes) -> None:
    """Others are left to onnxruntime, which says what is wrong with them."""
    file = tmp_path / "network.onnx"
    assert packed_network(file) is None
    file.write_bytes(content)
    assert packed_network(file) is None
    file.write_bytes(FILES[0].read_bytes())
    assert packed_network(file) == packed_network(FILES[0]) != None  # noqa: E711
