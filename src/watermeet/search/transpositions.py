"""Transpositions: a hash of a state, and the node that a hash belongs to."""

from __future__ import annotations

import numpy as np

from watermeet.core import atomics
from watermeet.core.contract import StateArray
from watermeet.core.kernel import kernel
from watermeet.search.steps import add_node
from watermeet.search.tree import NONE, Tree

_MULTIPLIER = np.uint64(4294883355)  # As in core.rng: no step overflows.
_START = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_PROBES = 8


@kernel
def hash_state(state: StateArray, identity: int) -> np.uint64:
    """A 64-bit hash of the first ``identity`` numbers of a state, which tell states apart."""
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
def find_or_add_node(tree: Tree, key: np.uint64, mover: int) -> int:
    """The node of a hash, added if there is none yet; NONE if the tree is full.

    If two threads add the same state at once, both nodes exist and the later one is found again.
    """
    slots = len(tree.key_hash)
    slot = int(np.int64(key % np.uint64(slots)))
    for _ in range(_PROBES):
        found = int(tree.key_node[slot])
        if found == 0:
            node = add_node(tree, mover)
            if node != NONE:
                tree.key_hash[slot] = key
                atomics.exchange(tree.key_node, slot, node + 1)
            return node
        if tree.key_hash[slot] == key:
            return found - 1
        slot = slot + 1 if slot + 1 < slots else 0
    return add_node(tree, mover)
