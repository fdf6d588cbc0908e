"""Kernels that do one thing many times over, for the clock; they serve every game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import ActionArray, StateArray, apply, legal
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state

Batch = npt.NDArray[Any]  # [number of states, state size] of the game's integer type
Numbers = npt.NDArray[np.int64]


@kernel
def list_many(states: Batch, actions: ActionArray, count: int) -> int:
    """Lists the legal actions ``count`` times, of one state after the other; returns how many."""
    listed = 0
    index = 0
    for _ in range(count):
        listed += legal(states[index], actions)
        index += 1
        if index == len(states):
            index = 0
    return listed


@kernel
def copy_many(states: Batch, target: StateArray, count: int) -> int:
    """Copies a state ``count`` times, one after the other; returns how often."""
    index = 0
    for _ in range(count):
        copy_state(states[index], target)
        index += 1
        if index == len(states):
            index = 0
    return count


@kernel
def replay_many(
    start: StateArray, state: StateArray, taken: Numbers, bounds: Numbers, count: int
) -> int:
    """Replays ``count`` matches, one recorded match after the other; returns all actions.

    The actions of match i are ``taken[bounds[i] : bounds[i + 1]]``; ``state`` is the workplace.
    """
    played = 0
    match = 0
    for _ in range(count):
        copy_state(start, state)
        for index in range(bounds[match], bounds[match + 1]):
            apply(state, int(taken[index]))
        played += bounds[match + 1] - bounds[match]
        match += 1
        if match == len(bounds) - 1:
            match = 0
    return played
