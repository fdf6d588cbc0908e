"""The form of a network that kernels read, natively and in browsers; ``packing`` makes it.

Eight 32-bit integers: the version, and the first seven of ``forward.sizes``. Then the weights of
the blocks' convolutions as 8-bit integers, filled up to a multiple of 4; then 32-bit floats. All as
``forward.Net`` has them, little-endian.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core.game import Game
from watermeet.nets.forward import BLOCKS, KINDS, LOOSE, NET_TYPES, WIDE, Net, work_sizes
from watermeet.nets.products import BYTE_CHANNELS, CHANNELS, POSITIONS, TAPS, block_of
from watermeet.nets.shape import Shape, logit_places

VERSION = 2
HEADER = 8


def suits_bytes(content: bytes, game: Game) -> bool:
    """Whether this is a network for this game that can compute with bytes."""
    version, *found = np.frombuffer(content, "<i4", HEADER).tolist()
    channels, shape = found[WIDE], Shape.of(game)
    has_shape = found[:WIDE] == [
        shape.planes, shape.numbers, shape.kinds, shape.loose, shape.seats,
    ]  # fmt: skip
    return version == VERSION and has_shape and channels in BYTE_CHANNELS


def unpack(content: bytes, game: Game, *, with_bytes: bool = False) -> Net:
    """A network for a game, from its file; with bytes it is for processors that have VNNI."""
    header = np.frombuffer(content, "<i4", HEADER)
    assert header[0] == VERSION, "a file of this version"
    spec = game.features.spec
    height, width = max(1, spec.height), max(1, spec.width)
    channels, start = int(header[1 + WIDE]), 4 * HEADER
    block = block_of(channels) if with_bytes else (POSITIONS, CHANNELS)
    sizes = np.array([*header[1:], height, width, *block], dtype=np.int32)
    count = int(sizes[BLOCKS]) * 2 * TAPS * channels * channels
    filters = np.frombuffer(content, np.int8, count, start)
    floats = np.frombuffer(content, "<f4", offset=start + -(-count // 4) * 4).copy()
    work = work_sizes(sizes, spec.codes)
    logits = int(sizes[KINDS]) * height * width + int(sizes[LOOSE])
    types = NET_TYPES | ({"rounded": np.uint8} if with_bytes else {})
    return Net(
        sizes,
        _by_fours(filters, channels) if with_bytes else filters.astype(np.int16),
        floats,
        features=np.zeros(spec.size, dtype=np.float32),
        places=logit_places(game).astype(np.int32),
        logits=np.zeros(logits, dtype=np.float32),
        **{name: np.zeros(size, dtype=types[name]) for name, size in work.items()},
    )


def _by_fours(filters: npt.NDArray[np.int8], channels: int) -> npt.NDArray[np.int8]:
    """The filters of a file in the order that bytes are multiplied in."""
    pairs = filters.reshape(-1, channels // CHANNELS, TAPS, channels // 2, CHANNELS, 2)
    by_channel = pairs.transpose(0, 2, 3, 5, 1, 4).reshape(-1, TAPS, channels // 4, 4, channels)
    return by_channel.transpose(0, 1, 2, 4, 3).ravel()
