"""Perft: how many sequences of actions of a given length a state has. Known counts catch rule bugs.

Actions of chance count like any other. Sequences that end before the length is reached do not.
"""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import ActionArray, StateArray, apply, legal
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.state import State


@kernel
def _count_sequences(
    states: StateArray,  # [depth + 1, state size]; the first row is where the counting starts
    actions: ActionArray,  # [depth + 1, actions]
    counts: ActionArray,  # [depth + 1]: how many actions each level has
    places: ActionArray,  # [depth + 1]: which of them is next
    depth: int,
) -> int:
    """Walks the tree with a stack of its own; the last level is counted, not walked."""
    total = 0
    level = 0
    counts[0] = legal(states[0], actions[0])
    places[0] = 0
    while level >= 0:
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif places[level] == counts[level]:
            level -= 1
        else:
            copy_state(states[level], states[level + 1])
            apply(states[level + 1], int(actions[level, places[level]]))
            places[level] += 1
            level += 1
            counts[level] = legal(states[level], actions[level])
            places[level] = 0
    return total


def perft(state: State, depth: int) -> int:
    """The number of sequences of exactly ``depth`` actions from here."""
    if depth < 1:
        return 1
    game = state.game
    states = np.zeros((depth + 1, game.sizes.state), dtype=game.dtype)
    states[0] = state.array
    actions = np.zeros((depth + 1, game.sizes.actions), dtype=np.int32)
    counts, places = (np.zeros(depth + 1, dtype=np.int32) for _ in range(2))
    count = game.specialize(_count_sequences)
    return int(count(states, actions, counts, places, depth))


def divide(state: State, depth: int) -> dict[str, int]:
    """The same count, split by the first move: for finding where two programs part."""
    if depth < 1:
        return {}
    return {
        move: perft(state.play(action), depth - 1)
        for action, move in zip(state.legal_actions, state.legal_moves, strict=True)
    }
