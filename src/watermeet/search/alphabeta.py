"""Alpha-beta search, deeper and deeper, for two seats that see everything.

Values are those of seat 0, which wants them large; seat 1 wants them small. A seat may move several
times in succession, so nobody is assumed to alternate. The search keeps its place in arrays instead
of recursion: so it can stop after any node and go on later.

| array | row | columns |
| --- | --- | --- |
| frames | ply | COUNT of actions, PLACE of the next one, MOVER, BEST action, DEPTH left, REDUCED |
| bounds | ply | ALPHA, BETA, VALUE of the best so far, FLOOR and CEILING: alpha and beta at first |
| table_marks | slot | DEPTH_KEPT, BOUND, ACTION_KEPT |
| control | - | PLY, SEARCHED: nodes so far |
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import (
    OVER,
    FloatArray,
    StateArray,
    apply,
    legal,
    score,
    to_move,
)
from watermeet.core.evaluation import evaluate, priors, proven_returns
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.search.ordering import sort_by_weight
from watermeet.search.transpositions import hash_state

COUNT, PLACE, MOVER, BEST, DEPTH = range(5)
FRAME_WIDTH = 5
ALPHA, BETA, VALUE, FLOOR, CEILING = range(5)
BOUND_WIDTH = 5
DEPTH_KEPT, BOUND, ACTION_KEPT = range(3)
MARK_WIDTH = 3
NO_BOUND, EXACT, AT_LEAST, AT_MOST = range(4)
PLY, SEARCHED = range(2)

FINISHED, PAUSED = 1, 0
INFINITE = 1e9
SURE = 0.999
"""A value beyond this part of the best return is no opinion."""

Frames = npt.NDArray[np.int32]
Bounds = npt.NDArray[np.float64]
TableKeys = npt.NDArray[np.uint64]
Control = npt.NDArray[np.int64]
States = npt.NDArray[np.int64]  # [plies, state size] of the game's integer type
Lists = npt.NDArray[np.int32]  # [plies, actions]


@kernel
def open_root(
    states: States,
    lists: Lists,
    frames: Frames,
    bounds: Bounds,
    control: Control,
    table_keys: TableKeys,
    table_marks: Frames,
    history: FloatArray,
    weights: FloatArray,
    identity: int,
    depth: int,
    alpha: float,
    beta: float,
) -> None:
    """Makes the search ready to look at ``states[0]`` to a depth, within a window."""
    control[PLY] = 0
    bounds[0, ALPHA] = alpha
    bounds[0, BETA] = beta
    frames[0, DEPTH] = depth
    _open(states, lists, frames, bounds, table_keys, table_marks, history, weights, identity, 0)


@kernel
def search_on(
    states: States,
    lists: Lists,
    frames: Frames,
    bounds: Bounds,
    control: Control,
    table_keys: TableKeys,
    table_marks: Frames,
    table_values: FloatArray,
    history: FloatArray,
    weights: FloatArray,
    returns: FloatArray,
    root_values: FloatArray,
    margin: float,
    identity: int,
    most: int,
) -> int:
    """Goes on for ``most`` nodes at the most; FINISHED when the root's value is known.

    ``root_values`` gets the value of each action in the root's list. With a ``margin`` those that
    are worse than the best by less than it are exact too.
    """
    left = most
    while True:
        ply = int(control[PLY])
        if frames[ply, PLACE] >= frames[ply, COUNT]:
            _keep(states, frames, bounds, table_keys, table_marks, table_values, identity, ply)
            if ply == 0:
                return FINISHED
            control[PLY] = ply - 1
            _take(lists, frames, bounds, history, root_values, margin, ply - 1, bounds[ply, VALUE])
            continue
        if left == 0:
            return PAUSED
        left -= 1
        control[SEARCHED] += 1
        copy_state(states[ply], states[ply + 1])
        apply(states[ply + 1], int(lists[ply, int(frames[ply, PLACE])]))
        frames[ply, PLACE] += 1
        frames[ply + 1, DEPTH] = frames[ply, DEPTH] - 1
        bounds[ply + 1, ALPHA] = bounds[ply, ALPHA]
        bounds[ply + 1, BETA] = bounds[ply, BETA]
        if _known(
            states,
            frames,
            bounds,
            table_keys,
            table_marks,
            table_values,
            returns,
            identity,
            ply + 1,
        ):
            _take(lists, frames, bounds, history, root_values, margin, ply, bounds[ply + 1, VALUE])
        else:
            control[PLY] = ply + 1
            _open(
                states, lists, frames, bounds, table_keys, table_marks, history, weights, identity,
                ply + 1,
            )  # fmt: skip


@kernel
def _known(
    states: States,
    frames: Frames,
    bounds: Bounds,
    table_keys: TableKeys,
    table_marks: Frames,
    table_values: FloatArray,
    returns: FloatArray,
    identity: int,
    ply: int,
) -> bool:
    """Whether a state's value is known without looking further; then it is in ``bounds``."""
    state = states[ply]
    if to_move(state) == OVER:
        score(state, returns)
        bounds[ply, VALUE] = returns[0]
        return True
    if proven_returns(state, returns) == 1:
        bounds[ply, VALUE] = returns[0]
        return True
    depth = int(frames[ply, DEPTH])
    if depth <= 0 or ply == len(frames) - 1:
        evaluate(state, returns)
        bounds[ply, VALUE] = returns[0]
        return True
    key = hash_state(state, identity)
    slot = int(np.int64(key % np.uint64(len(table_keys))))
    if table_keys[slot] != key or table_marks[slot, DEPTH_KEPT] < depth:
        return False
    value, bound = table_values[slot], int(table_marks[slot, BOUND])
    bounds[ply, VALUE] = value
    return (
        bound == EXACT
        or (bound == AT_LEAST and value >= bounds[ply, BETA])
        or (bound == AT_MOST and value <= bounds[ply, ALPHA])
    )


@kernel
def _open(
    states: States,
    lists: Lists,
    frames: Frames,
    bounds: Bounds,
    table_keys: TableKeys,
    table_marks: Frames,
    history: FloatArray,
    weights: FloatArray,
    identity: int,
    ply: int,
) -> None:
    """Lists what can be played in a state, the most promising first."""
    state = states[ply]
    actions = lists[ply]
    count = legal(state, actions)
    mover = to_move(state)
    frames[ply, COUNT] = count
    frames[ply, PLACE] = 0
    frames[ply, MOVER] = mover
    frames[ply, BEST] = actions[0]
    bounds[ply, VALUE] = -INFINITE if mover == 0 else INFINITE
    bounds[ply, FLOOR] = bounds[ply, ALPHA]
    bounds[ply, CEILING] = bounds[ply, BETA]
    priors(state, actions, count, weights)
    key = hash_state(state, identity)
    slot = int(np.int64(key % np.uint64(len(table_keys))))
    kept = int(table_marks[slot, ACTION_KEPT]) if table_keys[slot] == key else -1
    most = 0.0
    for place in range(count):
        most = max(most, weights[place])
    for place in range(count):
        action = int(actions[place])
        weights[place] = weights[place] / most + history[action]
        if action == kept:
            weights[place] = INFINITE
    sort_by_weight(actions, weights, count)


@kernel
def _take(
    lists: Lists,
    frames: Frames,
    bounds: Bounds,
    history: FloatArray,
    root_values: FloatArray,
    margin: float,
    ply: int,
    value: float,
) -> None:
    """Tells a state what its last action is worth; closes it if nobody would let it come so far."""
    place = int(frames[ply, PLACE]) - 1
    action = int(lists[ply, place])
    is_large = frames[ply, MOVER] == 0
    slack = 0.0
    if ply == 0:
        root_values[place] = value
        slack = margin
    if (value > bounds[ply, VALUE]) if is_large else (value < bounds[ply, VALUE]):
        bounds[ply, VALUE] = value
        frames[ply, BEST] = action
    if is_large:
        bounds[ply, ALPHA] = max(bounds[ply, ALPHA], value - slack)
    else:
        bounds[ply, BETA] = min(bounds[ply, BETA], value + slack)
    if bounds[ply, ALPHA] >= bounds[ply, BETA]:
        frames[ply, PLACE] = frames[ply, COUNT]
        depth = float(frames[ply, DEPTH])
        history[action] += depth * depth * 0.0001 * (1.0 - history[action])


@kernel
def _keep(
    states: States,
    frames: Frames,
    bounds: Bounds,
    table_keys: TableKeys,
    table_marks: Frames,
    table_values: FloatArray,
    identity: int,
    ply: int,
) -> None:
    """Notes in the table what was found out about a state; what is deeper or newer stays."""
    key = hash_state(states[ply], identity)
    slot = int(np.int64(key % np.uint64(len(table_keys))))
    depth = int(frames[ply, DEPTH])
    if table_keys[slot] == key and table_marks[slot, DEPTH_KEPT] > depth:
        return
    value = bounds[ply, VALUE]
    bound = EXACT
    if value <= bounds[ply, FLOOR]:
        bound = AT_MOST
    elif value >= bounds[ply, CEILING]:
        bound = AT_LEAST
    table_keys[slot] = key
    table_marks[slot, DEPTH_KEPT] = depth
    table_marks[slot, BOUND] = bound
    table_marks[slot, ACTION_KEPT] = frames[ply, BEST]
    table_values[slot] = value


@kernel
def table_action(
    state: StateArray, identity: int, table_keys: TableKeys, table_marks: Frames
) -> int:
    """The best action that the table knows in a state, or -1."""
    key = hash_state(state, identity)
    slot = int(np.int64(key % np.uint64(len(table_keys))))
    return int(table_marks[slot, ACTION_KEPT]) if table_keys[slot] == key else -1
