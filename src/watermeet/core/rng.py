"""Random numbers inside kernels: one word of state, and the same numbers in both faces.

The generator is Thomas's MWC64X, a multiply-with-carry generator with 64 bits of state and 32 bits
of output. No step overflows 64 bits, so NumPy's scalars and machine code agree without a warning,
and a step costs one multiplication. It is for play and search, not for secrets.
"""

from __future__ import annotations

import hashlib
from typing import Protocol

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import FloatArray, RandomArray
from watermeet.core.kernel import kernel

_MULTIPLIER = np.uint64(4294883355)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class RandomSource(Protocol):
    """The source of ``State.sample``: ``random.Random`` or ``numpy.random.Generator``."""

    def random(self) -> float:
        """A number of at least 0 and below 1."""


def seeded(*seed: object) -> RandomArray:
    """A generator seeded by anything with a repr; different seeds give unrelated numbers.

    >>> seeded(1).tolist() == seeded(1).tolist() != seeded(1, "b").tolist()
    True
    """
    digest = hashlib.blake2b(repr(seed).encode(), digest_size=8).digest()
    # The carry (upper half) must be below the multiplier, and all zeros would stay zeros.
    carry = int.from_bytes(digest[:4], "little") % (int(_MULTIPLIER) - 1) + 1
    low = int.from_bytes(digest[4:], "little")
    return np.array([carry << 32 | low], dtype=np.uint64)


def seeded_many(count: int, seed: object) -> npt.NDArray[np.uint64]:
    """As ``seeded``, for many generators at once, one per row: [count, 1]."""
    source = np.random.SeedSequence(int(seeded(seed)[0]))
    words = source.generate_state(2 * count).astype(np.uint64)
    carries = words[:count] % (_MULTIPLIER - np.uint64(1)) + np.uint64(1)
    return (carries << _HALF | words[count:]).reshape(count, 1)


@kernel
def next_word(rng: RandomArray) -> np.uint64:
    """The next 32 random bits, as a 64-bit word."""
    word = rng[0]
    low = word & _LOW_HALF
    carry = word >> _HALF
    rng[0] = low * _MULTIPLIER + carry
    drawn: np.uint64 = low ^ carry
    return drawn


@kernel
def next_below(rng: RandomArray, count: int) -> int:
    """A number from 0 to ``count`` - 1, all equally likely (Lemire's multiply and reject)."""
    span = np.uint64(count)
    product = next_word(rng) * span
    rest = product & _LOW_HALF
    if rest < span:
        limit = ((_LOW_HALF - span) + np.uint64(1)) % span
        while rest < limit:
            product = next_word(rng) * span
            rest = product & _LOW_HALF
    # Signed, because Numba adds signed and unsigned numbers as floats.
    return int(np.int64(product >> _HALF))


@kernel
def next_weighted(rng: RandomArray, weights: FloatArray, count: int) -> int:
    """One of the first ``count`` indices, by their weights, which sum to 1."""
    drawn = (float(next_word(rng)) + 0.5) / 4294967296.0
    for index in range(count - 1):
        drawn -= weights[index]
        if drawn < 0.0:
            return index
    return count - 1
