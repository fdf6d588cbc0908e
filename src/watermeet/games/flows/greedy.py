"""A fast greedy player: benchmarks and tests take positions from its matches.

It looks one ply ahead and prefers placements after which its own team has few tiles to go and the
others many. It isn't offered as an opponent.
"""

from __future__ import annotations

from watermeet.core.contract import CHANCE, OVER, ActionArray, FloatArray, RandomArray, StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below, next_weighted
from watermeet.games.flows import layout
from watermeet.games.flows.board import AXES
from watermeet.games.flows.distances import BLOCKED, tiles_to_go
from watermeet.games.flows.exchanges import mover_axis
from watermeet.games.flows.rules import apply, chance, legal, to_move
from watermeet.games.flows.sides import axes_taken

_WIN = 1000
_FAR = 30  # Tiles to go of a blocked axis: more than of any other.


@kernel
def choose_greedily(
    state: StateArray, actions: ActionArray, trial: StateArray, marks: Scratch, rng: RandomArray
) -> int:
    """The best of all legal actions by ``_value``, at random among equals."""
    count = legal(state, actions)
    axis = mover_axis(state)
    best, equals, chosen = -_WIN, 0, int(actions[0])
    for place in range(count):
        copy_state(state, trial)
        apply(trial, int(actions[place]))
        value = _value(trial, axis, marks)
        if value > best:
            best, equals = value, 0
        if value == best:
            equals += 1
            if next_below(rng, equals) == 0:
                chosen = int(actions[place])
    return chosen


@kernel
def _value(state: StateArray, own: int, marks: Scratch) -> int:
    """The value of a position to an axis, given as a bit."""
    if state[layout.STAGE] == layout.FINISHED and state[layout.BY_ROUTE]:
        return _WIN if int(state[layout.WINNERS]) & own else 1 - _WIN
    taken = axes_taken(state)
    value = 0
    for axis in range(AXES):
        if (taken >> axis) & 1:
            to_go = tiles_to_go(state, axis, marks)
            to_go = _FAR if to_go == BLOCKED else to_go
            value += -2 * to_go if (own >> axis) & 1 else to_go
    return value


@kernel
def play_greedily(
    state: StateArray,
    actions: ActionArray,
    weights: FloatArray,
    trial: StateArray,
    marks: Scratch,
    rng: RandomArray,
    tiles: int,
) -> None:
    """Plays until ``tiles`` more tiles are on the board or the match is over.

    Stops when a seat is to move. ``trial`` is a buffer for a state, ``marks`` one number per cell.
    """
    placed = 0
    mover = to_move(state)
    while mover != OVER:
        if mover == CHANCE:
            count = legal(state, actions)
            chance(state, weights)
            apply(state, int(actions[next_weighted(rng, weights, count)]))
        elif placed == tiles:
            return
        else:
            apply(state, choose_greedily(state, actions, trial, marks, rng))
            placed += 1
        mover = to_move(state)
