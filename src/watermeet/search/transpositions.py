"""Equal states found again: a hash of a state, and a table from hashes to nodes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core import atomics
from watermeet.core.contract import FloatArray, StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.search.tree import NONE, Rows, Used, add_node

Keys = npt.NDArray[np.uint64]  # [slots, 2]: hash, node + 1
_MULTIPLIER = np.uint64(4294883355)  # As in core.rng: no step overflows.
_START = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_PROBES = 8


@kernel
def hash_state(state: StateArray, identity: int) -> np.uint64:
    """64 bits of the first ``identity`` numbers of a state: equal states, equal hashes."""
    found = _START
    for index in range(identity):
        number = np.int64(state[index])
        found = _mix(found, np.uint64(number & 0xFFFFFFFF))
        if state.itemsize > 4:
            found = _mix(found, np.uint64((number >> 32) & 0xFFFFFFFF))
    return _mix(_mix(found, _LOW), _LOW)


@kernel
def _mix(word: np.uint64, half: np.uint64) -> np.uint64:
    mixed: np.uint64 = ((word & _LOW) ^ half) * _MULTIPLIER + (word >> _HALF)
    return mixed


@kernel
def find_or_add(
    keys: Keys,
    key: np.uint64,
    nodes: Rows,
    sums: FloatArray,
    used: Used,
    claims: Scratch,
    mover: int,
) -> int:
    """The node of a hash, a new one if there is none yet; NONE if there is no room for one.

    If two threads come at once, both get one of their own, and the later one is found again.
    """
    slots = len(keys)
    place = int(np.int64(key % np.uint64(slots)))
    for _ in range(_PROBES):
        found = int(np.int64(keys[place, 1]))
        if found == 0:
            node = add_node(nodes, sums, used, claims, mover)
            if node != NONE:
                keys[place, 0] = key
                atomics.exchange(keys, 2 * place + 1, np.uint64(node + 1))
            return node
        if keys[place, 0] == key:
            return found - 1
        place = place + 1 if place + 1 < slots else 0
    return add_node(nodes, sums, used, claims, mover)
