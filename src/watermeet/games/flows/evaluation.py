"""Evaluation for search: each team's chance to win, and priors of placements."""

from __future__ import annotations

import numpy as np

from watermeet.core import portable_math
from watermeet.core.contract import ActionArray, FloatArray, StateArray
from watermeet.core.kernel import kernel, scratch
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES
from watermeet.games.flows.connectivity import BUFFER_SIZE, sum_walks, weight_along, weight_through
from watermeet.games.flows.exchanges import mover_axis
from watermeet.games.flows.sides import axes_taken
from watermeet.games.flows.strand_ends import axes_connected_by
from watermeet.games.flows.tiles import ORIENTATIONS, TYPE_OF_ORIENTATION, TYPES

# Fitted to the outcomes of matches.
_CONNECTIVITY = 0.46  # Of the logarithm of the connectivity, on a full board ...
_CONNECTIVITY_LOST = 0.36  # ... and how much less on an empty one.
_TEMPO = 0.5  # Of being to move.
_THREAT = 1.5  # Of the chance that the next tile connects a team that isn't to move.

_CHANCES_SIZE = 2 * AXES
_LEAST = 1e-9  # The connectivity of an axis that has none.
_SHARPNESS = 1.1  # The inverse temperature of the priors.
_WINS = 1e6
_GIVES_A_WIN = 1e-9
_MAX_UNPROVEN = 0.98  # An evaluation that isn't proven never looks like one that is.


@kernel
def evaluate(state: StateArray, out: FloatArray) -> None:
    """The expected returns, from each team's chance to win."""
    stage = state[layout.STAGE]
    if stage in (layout.LOT, layout.CHOOSE, layout.DEAL):
        for seat in range(len(out)):
            out[seat] = 0.0
        return
    chances = scratch(_CHANCES_SIZE).view(np.float64)
    _write_chances(state, chances)
    _write_returns(state, chances, out)


@kernel
def _write_chances(state: StateArray, chances: FloatArray) -> None:
    """Writes the chance of each axis to win: a softmax, unless the next tile decides."""
    own, taken = mover_axis(state), axes_taken(state)
    walks = scratch(BUFFER_SIZE).view(np.float32)
    slope = _CONNECTIVITY - _CONNECTIVITY_LOST * _empty_part(state)
    total = 0.0
    for axis in range(AXES):
        chances[axis] = 0.0
        if (taken >> axis) & 1:
            log_connectivity = portable_math.log(sum_walks(state, axis, walks) + _LEAST)
            if (own >> axis) & 1:
                logit = slope * log_connectivity + _TEMPO
            else:
                logit = slope * log_connectivity + _THREAT * chance_to_win(state, axis)
            chances[axis] = portable_math.exp(logit)
            total += chances[axis]
    at_once = 0.0  # The chance to win with the tile about to be drawn.
    for axis in range(AXES):
        if (own >> axis) & 1 and state[layout.TILE] == layout.NO_TILE:
            at_once = chance_to_win(state, axis)
    for axis in range(AXES):
        chances[axis] *= (1.0 - at_once) / total
        if (own >> axis) & 1:
            chances[axis] += at_once


@kernel
def _empty_part(state: StateArray) -> float:
    """The share of the board that is empty."""
    empty = 0
    for cell in range(layout.board_size(state)):
        empty += int(state[layout.CELLS + cell] == 0)
    return empty / layout.board_size(state)


@kernel
def chance_to_win(state: StateArray, axis: int) -> float:
    """The chance that the next tile drawn can connect an axis."""
    wanted, size, fitting = 0, 0, 0
    for kind in range(TYPES):
        if state[layout.BAG + kind] > 0:
            wanted |= 1 << kind
            size += int(state[layout.BAG + kind])
    found = _winning_types(state, axis, wanted)
    for kind in range(TYPES):
        if (found >> kind) & 1:
            fitting += int(state[layout.BAG + kind])
    return fitting / size if size > 0 else 0.0


@kernel
def _winning_types(state: StateArray, axis: int, wanted: int) -> int:
    """Those of the wanted types, as bits, that can connect this axis and no other.

    Such a placement is always legal (R5.1).
    """
    ends, radius, taken = layout.ends_at(state), int(state[layout.RADIUS]), axes_taken(state)
    found = 0
    for cell in range(layout.board_size(state)):
        if state[layout.CELLS + cell] != 0:
            continue
        for orientation in range(ORIENTATIONS):
            kind = 1 << int(TYPE_OF_ORIENTATION[orientation])
            if kind & wanted & ~found != 0:
                joined = axes_connected_by(state, ends, radius, cell, orientation)
                if joined & taken == 1 << axis:
                    found |= kind
        if found == wanted:
            break
    return found


@kernel
def _write_returns(state: StateArray, chances: FloatArray, out: FloatArray) -> None:
    """Turns chances to win into expected returns (R6.5)."""
    taken, seats = axes_taken(state), len(out)
    for seat in range(seats):
        out[seat] = 0.0
    for axis in range(AXES):
        if (taken >> axis) & 1 == 0:
            continue
        members = 0
        for seat in range(seats):
            members += int((int(state[layout.SIDE_OF + seat]) - 1) % AXES == axis)
        for seat in range(seats):
            if (int(state[layout.SIDE_OF + seat]) - 1) % AXES == axis:
                out[seat] += _MAX_UNPROVEN * chances[axis]
            else:
                out[seat] -= _MAX_UNPROVEN * chances[axis] * members / (seats - members)


# ---- proven wins --------------------------------------------------------------------------------


@kernel
def proven_returns(state: StateArray, out: FloatArray) -> int:
    """A win for the mover, if the tile in hand can connect that team and no other."""
    if state[layout.STAGE] != layout.PLACE or state[layout.TILE] == layout.UNKNOWN:
        return 0
    axis = (int(state[layout.SIDE_OF + int(state[layout.MOVER])]) - 1) % AXES
    if _winning_types(state, axis, 1 << (int(state[layout.TILE]) - 1)) == 0:
        return 0
    _write_win(state, 1 << axis, out)
    return 1


@kernel
def _write_win(state: StateArray, own: int, out: FloatArray) -> None:
    chances = scratch(_CHANCES_SIZE).view(np.float64)
    for axis in range(AXES):
        chances[axis] = (own >> axis) & 1
    _write_returns(state, chances, out)
    for seat in range(len(out)):
        out[seat] /= _MAX_UNPROVEN


# ---- priors -------------------------------------------------------------------------------------


@kernel
def priors(state: StateArray, actions: ActionArray, count: int, out: FloatArray) -> None:
    """Higher for placements that raise the mover's connectivity and lower that of the others."""
    for place in range(count):
        out[place] = 0.0
    if state[layout.STAGE] == layout.CHOOSE:
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
            _add_connectivity(state, axis, part, actions, count, out)
    ends, radius, cells = (
        layout.ends_at(state),
        int(state[layout.RADIUS]),
        layout.exchange_base(state),
    )
    for place in range(count):
        out[place] = portable_math.exp(_SHARPNESS * out[place])
        if actions[place] < cells:
            action = int(actions[place])
            cell, orientation = layout.placement_cell(action), layout.placement_orientation(action)
            joined = axes_connected_by(state, ends, radius, cell, orientation) & taken
            if joined == own:
                out[place] = _WINS
            elif joined != 0 and joined & own == 0:  # To share a win may be the best there is.
                out[place] = _GIVES_A_WIN


@kernel
def _add_connectivity(
    state: StateArray, axis: int, part: float, actions: ActionArray, count: int, out: FloatArray
) -> None:
    """Adds ``part`` times the change in the log-connectivity of an axis by each placement."""
    near = scratch(BUFFER_SIZE).view(np.float32)
    far = scratch(BUFFER_SIZE).view(np.float32)
    total = sum_walks(state, axis, near)
    sum_walks(state, axis + AXES, far)
    cells = layout.exchange_base(state)
    here, lost = -1, 0.0
    for place in range(count):
        if actions[place] >= cells:
            continue  # Exchanges are not estimated.
        action = int(actions[place])
        cell, orientation = layout.placement_cell(action), layout.placement_orientation(action)
        if cell != here:
            here, lost = cell, weight_through(near, far, cell)
        after = max(total - lost, 0.0) + weight_along(near, far, cell, orientation)
        out[place] += part * portable_math.log((after + _LEAST) / (total + _LEAST))
