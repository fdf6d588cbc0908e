"""What search thinks of states: who will be connected first, and which placements help."""

from __future__ import annotations

import numpy as np

from watermeet.core.contract import ActionArray, FloatArray, StateArray
from watermeet.core.kernel import kernel, scratch
from watermeet.games.flows.board import AXES
from watermeet.games.flows.exchanges import mover_axis
from watermeet.games.flows.layout import (
    BAG,
    CELLS,
    CHOOSE,
    DEAL,
    LOT,
    MOVER,
    NO_TILE,
    PLACE,
    RADIUS,
    SIDE_OF,
    STAGE,
    TILE,
    UNKNOWN,
    ends_at,
)
from watermeet.games.flows.placements import cells_of
from watermeet.games.flows.seating import axes_taken
from watermeet.games.flows.strands import axes_joined_by
from watermeet.games.flows.tiles import FILLINGS, KIND_OF_FILLING, TYPES
from watermeet.games.flows.walks import ROOM, weigh_walks, weight_along, weight_through

# Fitted to the outcomes of matches.
_NEARNESS = 0.46  # What the logarithm of the walks' weight counts on a full board ...
_NEARNESS_LOST = 0.36  # ... and by how much less on an empty one.
_TEMPO = 0.5  # What it counts to be to move.
_THREAT = 1.5  # What it counts if any tile connects who is not to move.

_PARTS_ROOM = 2 * AXES
_LEAST = 1e-9  # Walks that weigh less count as this.
_SHARPNESS = 1.1  # How much placements differ in weight.
_WINS = 1e6
_HANDS_A_WIN_OVER = 1e-9
_LARGEST = 0.98  # What is not certain is never told as if it were.


@kernel
def evaluate(state: StateArray, out: FloatArray) -> None:
    """Chances of each team to win, as returns."""
    stage = state[STAGE]
    if stage in (LOT, CHOOSE, DEAL):
        for seat in range(len(out)):
            out[seat] = 0.0
        return
    parts = scratch(_PARTS_ROOM).view(np.float64)
    _judge(state, parts)
    _write_returns(state, parts, out)


@kernel
def _judge(state: StateArray, parts: FloatArray) -> None:
    """Writes by axis how likely it is to win."""
    own, taken = mover_axis(state), axes_taken(state)
    room = scratch(ROOM).view(np.float32)
    slope = _NEARNESS - _NEARNESS_LOST * _empty_part(state)
    total = 0.0
    for axis in range(AXES):
        parts[axis] = 0.0
        if (taken >> axis) & 1:
            nearness = np.log(weigh_walks(state, axis, room) + _LEAST)
            if (own >> axis) & 1:
                worth = slope * nearness + _TEMPO
            else:
                worth = slope * nearness + _THREAT * chance_to_win(state, axis)
            parts[axis] = np.exp(worth)
            total += parts[axis]
    at_once = 0.0  # With a tile in hand that wins, the match is settled.
    for axis in range(AXES):
        if (own >> axis) & 1 and state[TILE] == NO_TILE:
            at_once = chance_to_win(state, axis)
    for axis in range(AXES):
        parts[axis] *= (1.0 - at_once) / total
        if (own >> axis) & 1:
            parts[axis] += at_once


@kernel
def _empty_part(state: StateArray) -> float:
    """Which part of the board is empty."""
    empty = 0
    for cell in range(cells_of(state)):
        empty += int(state[CELLS + cell] == 0)
    return empty / cells_of(state)


@kernel
def chance_to_win(state: StateArray, axis: int) -> float:
    """How likely the next tile that is drawn connects an axis, laid somewhere."""
    wanted, size, fitting = 0, 0, 0
    for kind in range(TYPES):
        if state[BAG + kind] > 0:
            wanted |= 1 << kind
            size += int(state[BAG + kind])
    found = _winning_types(state, axis, wanted)
    for kind in range(TYPES):
        if (found >> kind) & 1:
            fitting += int(state[BAG + kind])
    return fitting / size if size > 0 else 0.0


@kernel
def _winning_types(state: StateArray, axis: int, wanted: int) -> int:
    """Those of the wanted types that connect this axis and no other, laid somewhere; as bits.

    Such a tile may always be laid (R5.1).
    """
    ends, radius, taken = ends_at(state), int(state[RADIUS]), axes_taken(state)
    found = 0
    for cell in range(cells_of(state)):
        if state[CELLS + cell] != 0:
            continue
        for filling in range(FILLINGS):
            kind = 1 << int(KIND_OF_FILLING[filling])
            if kind & wanted & ~found != 0:
                joined = axes_joined_by(state, ends, radius, cell, filling)
                if joined & taken == 1 << axis:
                    found |= kind
        if found == wanted:
            break
    return found


@kernel
def _write_returns(state: StateArray, parts: FloatArray, out: FloatArray) -> None:
    """Turns chances to win into what the seats may expect (R6.5)."""
    taken, seats = axes_taken(state), len(out)
    for seat in range(seats):
        out[seat] = 0.0
    for axis in range(AXES):
        if (taken >> axis) & 1 == 0:
            continue
        members = 0
        for seat in range(seats):
            members += int((int(state[SIDE_OF + seat]) - 1) % AXES == axis)
        for seat in range(seats):
            if (int(state[SIDE_OF + seat]) - 1) % AXES == axis:
                out[seat] += _LARGEST * parts[axis]
            else:
                out[seat] -= _LARGEST * parts[axis] * members / (seats - members)


# ---- what is certain ----------------------------------------------------------------------------


@kernel
def proven_returns(state: StateArray, out: FloatArray) -> int:
    """Whether the mover's tile connects the own team, and nobody else, somewhere."""
    if state[STAGE] != PLACE or state[TILE] == UNKNOWN:
        return 0
    axis = (int(state[SIDE_OF + int(state[MOVER])]) - 1) % AXES
    if _winning_types(state, axis, 1 << (int(state[TILE]) - 1)) == 0:
        return 0
    _tell_win(state, 1 << axis, out)
    return 1


@kernel
def _tell_win(state: StateArray, own: int, out: FloatArray) -> None:
    parts = scratch(_PARTS_ROOM).view(np.float64)
    for axis in range(AXES):
        parts[axis] = (own >> axis) & 1
    _write_returns(state, parts, out)
    for seat in range(len(out)):
        out[seat] /= _LARGEST


# ---- placements ---------------------------------------------------------------------------------


@kernel
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """The more a tile eases the own way, and the more it hinders others, the more it weighs."""
    for place in range(count):
        out[place] = 0.0
    if state[STAGE] == CHOOSE:
        for place in range(count):
            out[place] = 1.0
        return
    own, taken = mover_axis(state), axes_taken(state)
    rivals = -1
    for axis in range(AXES):
        rivals += (taken >> axis) & 1
    for axis in range(AXES):
        if (taken >> axis) & 1:
            part = 1.0 if (own >> axis) & 1 else -1.0 / rivals
            _add_nearness(state, axis, part, actions, count, out)
    ends, radius, cells = ends_at(state), int(state[RADIUS]), FILLINGS * cells_of(state)
    for place in range(count):
        out[place] = np.exp(_SHARPNESS * out[place])
        if actions[place] < cells:
            cell, filling = int(actions[place]) // FILLINGS, int(actions[place]) % FILLINGS
            joined = axes_joined_by(state, ends, radius, cell, filling) & taken
            if joined == own:
                out[place] = _WINS
            elif joined != 0:
                out[place] = _HANDS_A_WIN_OVER


@kernel
def _add_nearness(
    state: StateArray, axis: int, part: float, actions: ActionArray, count: int, out: FloatArray
) -> None:
    """Adds what each placement changes in the nearness of an axis, times ``part``."""
    near = scratch(ROOM).view(np.float32)
    far = scratch(ROOM).view(np.float32)
    total = weigh_walks(state, axis, near)
    weigh_walks(state, axis + AXES, far)
    cells = FILLINGS * cells_of(state)
    here, lost = -1, 0.0
    for place in range(count):
        if actions[place] >= cells:
            continue  # An exchange: nobody knows.
        cell, filling = int(actions[place]) // FILLINGS, int(actions[place]) % FILLINGS
        if cell != here:
            here, lost = cell, weight_through(near, far, cell)
        after = max(total - lost, 0.0) + weight_along(near, far, cell, filling)
        out[place] += part * np.log((after + _LEAST) / (total + _LEAST))
