"""The file of a network that engines in browsers read, beside the ONNX file.

Eight 32-bit integers: the version, and the first seven of ``forward.sizes``. Then the weights of
the blocks' convolutions as 8-bit integers, filled up to a multiple of 4; then 32-bit floats. All as
``forward.Net`` has them, little-endian.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.game import Game
from watermeet.nets.forward import BLOCKS, KINDS, LOOSE, NET_TYPES, SEATS, WIDE, Net, work_sizes
from watermeet.nets.shape import logit_places

VERSION = 1
SUFFIX = ".bin"
HEADER = 8


def unpack(content: bytes, game: Game) -> Net:
    """A network for a game, from its file."""
    header = np.frombuffer(content, "<i4", HEADER)
    assert header[0] == VERSION, "a file of this version"
    spec = game.features.spec
    height, width = max(1, spec.height), max(1, spec.width)
    sizes = np.array([*header[1:], height, width], dtype=np.int32)
    channels, start = int(sizes[WIDE]), 4 * HEADER
    count = int(sizes[BLOCKS]) * 2 * 9 * channels * channels
    filters = np.frombuffer(content, np.int8, count, start).astype(np.int16)
    floats = np.frombuffer(content, "<f4", offset=start + -(-count // 4) * 4).copy()
    work = work_sizes(channels, height, width, spec.codes, int(sizes[SEATS]))
    logits = int(sizes[KINDS]) * height * width + int(sizes[LOOSE])
    return Net(
        sizes,
        filters,
        floats,
        features=np.zeros(spec.size, dtype=np.float32),
        places=logit_places(game).astype(np.int32),
        logits=np.zeros(logits, dtype=np.float32),
        **{name: np.zeros(size, dtype=NET_TYPES[name]) for name, size in work.items()},
    )
