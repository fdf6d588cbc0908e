"""A simple player that lays tiles quickly: benchmarks and tests take positions from its matches.

It looks one tile ahead and takes a placement that leaves the others' routes long and the own one
short. It is no bot for people.
"""

from __future__ import annotations

from watermeet.core.contract import CHANCE, OVER, ActionArray, FloatArray, RandomArray, StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below, next_weighted
from watermeet.games.flows.board import AXES
from watermeet.games.flows.distances import BLOCKED, tiles_lacking
from watermeet.games.flows.exchanges import mover_axis
from watermeet.games.flows.layout import BY_ROUTE, FINISHED, STAGE, WINNERS
from watermeet.games.flows.rules import apply, chance, legal, to_move
from watermeet.games.flows.seating import axes_taken

_WIN = 1000
_FAR = 30  # Tiles that an axis lacks which is blocked: more than any other.


@kernel
def choose_greedily(
    state: StateArray, actions: ActionArray, trial: StateArray, marks: Scratch, rng: RandomArray
) -> int:
    """The best of all legal actions by ``worth``, at random among equals."""
    count = legal(state, actions)
    axis = mover_axis(state)
    best, equals, chosen = -_WIN, 0, int(actions[0])
    for place in range(count):
        copy_state(state, trial)
        apply(trial, int(actions[place]))
        worth = _worth(trial, axis, marks)
        if worth > best:
            best, equals = worth, 0
        if worth == best:
            equals += 1
            if next_below(rng, equals) == 0:
                chosen = int(actions[place])
    return chosen


@kernel
def _worth(state: StateArray, own: int, marks: Scratch) -> int:
    """What a position is worth to an axis, given as a bit."""
    if state[STAGE] == FINISHED and state[BY_ROUTE]:
        return _WIN if int(state[WINNERS]) & own else 1 - _WIN
    taken = axes_taken(state)
    worth = 0
    for axis in range(AXES):
        if (taken >> axis) & 1:
            lacking = tiles_lacking(state, axis, marks)
            lacking = _FAR if lacking == BLOCKED else lacking
            worth += -2 * lacking if (own >> axis) & 1 else lacking
    return worth


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
    """Plays on until that many more tiles lie on the board, or the match is over.

    Stops when a seat is to move. ``trial`` is room for a state, ``marks`` for a number a cell.
    """
    laid = 0
    mover = to_move(state)
    while mover != OVER:
        if mover == CHANCE:
            count = legal(state, actions)
            chance(state, weights)
            apply(state, int(actions[next_weighted(rng, weights, count)]))
        elif laid == tiles:
            return
        else:
            apply(state, choose_greedily(state, actions, trial, marks, rng))
            laid += 1
        mover = to_move(state)
