"""The evaluation of Flecks states for search, from both colours' distances (distances.py)."""

from __future__ import annotations

import numpy as np

from watermeet.core import portable_math
from watermeet.core.contract import ActionArray, FloatArray, StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import BLUE, FREE, OFFSET_OF, RED, STEP
from watermeet.games.flecks.distances import BUFFER_SIZE, SHORTEST, compute_distances, detour
from watermeet.games.flecks.rules import cell_count, stop_action
from watermeet.games.flecks.threats import can_connect_this_turn

_WIDTH = 0.6
_MISSING = 2.2  # Divided by the side, like the next three: on a large board a cell matters less.
_STONE_DUE = 1.3
_ROW_DUE = -0.5  # The stone is already on the board, and the opponent is about to move.
_OPENING = 0.6
_SHARE = np.array([1.0, 0.25, 0.0625, 0.015625])
"""By detour: how much a free cell adds to the width."""
_OWN_GAIN = np.array([2.5, 0.9, 0.2])
_BLOCK_GAIN = np.array([3.0, 1.3, 0.5])
"""By detour: what a cell is worth for a colour's own chains, and against the opponent's."""
_OPENED = 2.0
"""Bonus per free cell by which a stone lengthens the opponent's shortest chain."""
_STOP_GAIN = 0.3
_MOST_GAIN = 30.0
# Fitted to self-play: the state weights to results, the action weights to visit counts.


@kernel
def evaluate(state: StateArray, out: FloatArray) -> None:
    """Favour the colour with the shorter shortest chain and more alternatives to it."""
    buffer = scratch(BUFFER_SIZE)
    compute_distances(state, buffer)
    lead = _width(state, buffer, RED) - _width(state, buffer, BLUE)
    missing = float(buffer[SHORTEST + BLUE]) - float(buffer[SHORTEST + RED])
    tempo = _tempo(state) if state[layout.COLOUR] == RED else -_tempo(state)
    red = _WIDTH * lead + (_MISSING * missing + tempo) / float(state[layout.SIDE])
    out[0] = 0.98 * portable_math.tanh(red)
    out[1] = -out[0]


@kernel
def _tempo(state: StateArray) -> float:
    """The value of being to move."""
    if state[layout.OPENING] > 0:
        return _OPENING
    return _STONE_DUE if state[layout.LAST] == 0 else _ROW_DUE


@kernel
def _width(state: StateArray, buffer: Scratch, colour: int) -> float:
    """The logarithm of the number of free cells on short chains of a colour."""
    side = int(state[layout.SIDE])
    width = 1.0
    for number in range(cell_count(side)):
        offset = int(OFFSET_OF[side, number])
        if state[offset] == FREE:
            more = detour(state, buffer, colour, offset)
            if more < len(_SHARE):
                width += _SHARE[more]
    return portable_math.log(width)


@kernel
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """Rate each action by what it does to the shortest chains of both colours."""
    buffer = scratch(BUFFER_SIZE)
    compute_distances(state, buffer)
    side, colour = int(state[layout.SIDE]), int(state[layout.COLOUR])
    for index in range(count):
        action = int(actions[index])
        if action < cell_count(side):
            gain = _worth(state, buffer, colour, int(OFFSET_OF[side, action]))
        elif action == stop_action(side):
            gain = _STOP_GAIN
        else:
            gain = _row_gain(state, buffer, colour, action)
        out[index] = portable_math.exp(min(gain, _MOST_GAIN))


@kernel
def _worth(state: StateArray, buffer: Scratch, colour: int, offset: int) -> float:
    """How much a cell is worth to a colour that takes it or holds it."""
    own = detour(state, buffer, colour, offset)
    other = detour(state, buffer, RED + BLUE - colour, offset)
    gain = 0.0
    if own < len(_OWN_GAIN):
        gain += _OWN_GAIN[own]
    if other < len(_BLOCK_GAIN):
        gain += _BLOCK_GAIN[max(other, 0)] - _OPENED * min(other, 0)
    return gain


@kernel
def _row_gain(state: StateArray, buffer: Scratch, colour: int, action: int) -> float:
    """The worth of the cells that a row fills, minus those it leaves."""
    side = int(state[layout.SIDE])
    row, more = divmod(action - cell_count(side), side - 1)
    number, direction = divmod(row, 6)
    step = int(STEP[side, direction])
    rear = int(OFFSET_OF[side, number])
    front = rear
    while state[front] == colour:
        front += step
    gain = 0.0
    for index in range(more + 1):
        gain += _worth(state, buffer, colour, front + index * step)
        gain -= _worth(state, buffer, colour, rear + index * step)
    return gain


@kernel
def proven_returns(state: StateArray, out: FloatArray) -> int:
    """A win for the mover if they can connect their borders this turn."""
    buffer = scratch(BUFFER_SIZE)
    if not can_connect_this_turn(state, buffer):
        return 0
    out[0] = 1.0 if state[layout.COLOUR] == RED else -1.0
    out[1] = -out[0]
    return 1
