"""How Flecks judges its states, for search: by the distances of both colours (distances.py)."""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import ActionArray, FloatArray, StateArray
from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flecks.board import BLUE, FREE, PLACE_OF, RED, STEP
from watermeet.games.flecks.distances import ROOM, SHORTEST, detour, survey
from watermeet.games.flecks.rules import (
    COLOUR,
    LAST,
    OPENING,
    SIDE,
    cell_count,
    stop_action,
)
from watermeet.games.flecks.threats import joins_this_turn

_WIDTH = 0.6
_LACK = 2.2  # This and what follows is divided by the side: on a large board a cell means less.
_STONE_DUE = 1.3
_ROW_DUE = -0.5  # The stone is on the board already, and the other colour's turn comes soon.
_OPENING = 0.6
_SHARE = np.array([1.0, 0.25, 0.0625, 0.015625])
"""By detour: how much a free cell adds to the width."""
_OWN_GAIN = np.array([2.5, 0.9, 0.2])
_BLOCK_GAIN = np.array([3.0, 1.3, 0.5])
"""By detour: what a cell is worth to a colour for its own chains, and against the other's."""
_OPENED = 2.0
"""What a stone is worth besides for each free cell by which it lengthens the other's chain."""
_STOP_GAIN = 0.3
_MOST_GAIN = 30.0
# All these were fitted to matches of the bot against itself: what is said of a state to who won,
# what is said of an action to how often the search tried it.


@kernel
def evaluate(state: StateArray, out: FloatArray) -> None:
    """Whoever lacks fewer free cells, or has more chains that lack as few, expects to win."""
    room = scratch(ROOM)
    survey(state, room)
    lead = _width(state, room, RED) - _width(state, room, BLUE)
    lack = float(room[SHORTEST + BLUE]) - float(room[SHORTEST + RED])
    tempo = _tempo(state) if state[COLOUR] == RED else -_tempo(state)
    red = _WIDTH * lead + (_LACK * lack + tempo) / float(state[SIDE])
    out[0] = 0.98 * np.tanh(red)
    out[1] = -out[0]


@kernel
def _tempo(state: StateArray) -> float:
    """What it is worth to be the mover."""
    if state[OPENING] > 0:
        return _OPENING
    return _STONE_DUE if state[LAST] == 0 else _ROW_DUE


@kernel
def _width(state: StateArray, room: Scratch, colour: int) -> float:
    """How many free cells lie on short chains of a colour, as a logarithm."""
    side = int(state[SIDE])
    width = 1.0
    for number in range(cell_count(side)):
        place = int(PLACE_OF[side, number])
        if state[place] == FREE:
            more = detour(state, room, colour, place)
            if more < len(_SHARE):
                width += _SHARE[more]
    return float(np.log(width))


@kernel
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """By what each action does to the shortest chains of both colours, cell by cell."""
    room = scratch(ROOM)
    survey(state, room)
    side, colour = int(state[SIDE]), int(state[COLOUR])
    for place in range(count):
        action = int(actions[place])
        if action < cell_count(side):
            gain = _worth(state, room, colour, int(PLACE_OF[side, action]))
        elif action == stop_action(side):
            gain = _STOP_GAIN
        else:
            gain = _row_gain(state, room, colour, action)
        out[place] = np.exp(min(gain, _MOST_GAIN))


@kernel
def _worth(state: StateArray, room: Scratch, colour: int, place: int) -> float:
    """How much a cell matters to a colour that would take it, or has it."""
    own = detour(state, room, colour, place)
    other = detour(state, room, RED + BLUE - colour, place)
    gain = 0.0
    if own < len(_OWN_GAIN):
        gain += _OWN_GAIN[own]
    if other < len(_BLOCK_GAIN):
        gain += _BLOCK_GAIN[max(other, 0)] - _OPENED * min(other, 0)
    return gain


@kernel
def _row_gain(state: StateArray, room: Scratch, colour: int, action: int) -> float:
    """What a row wins by the cells in front of it, less those that it leaves."""
    side = int(state[SIDE])
    row, more = divmod(action - cell_count(side), side - 1)
    number, direction = divmod(row, 6)
    step = int(STEP[side, direction])
    rear = int(PLACE_OF[side, number])
    front = rear
    while state[front] == colour:
        front += step
    gain = 0.0
    for index in range(more + 1):
        gain += _worth(state, room, colour, front + index * step)
        gain -= _worth(state, room, colour, rear + index * step)
    return gain


@kernel
def proven_returns(state: StateArray, out: FloatArray) -> int:
    """Certain is the win of a mover who can join the borders in this turn, and does."""
    room = scratch(ROOM)
    if not joins_this_turn(state, room):
        return 0
    out[0] = 1.0 if state[COLOUR] == RED else -1.0
    out[1] = -out[0]
    return 1
