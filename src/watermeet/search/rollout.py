"""What a state is worth to each seat: by judgement, by playing on, or by both."""

from __future__ import annotations

from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    score,
    to_move,
)
from watermeet.core.evaluation import evaluate, proven_returns, rollout_policy
from watermeet.core.kernel import kernel
from watermeet.core.playout import sample_chance
from watermeet.search.settings import JUDGED, LONGEST


@kernel
def play_on(
    state: StateArray,
    actions: ActionArray,
    weights: FloatArray,
    rng: RandomArray,
    longest: int,
    returns: FloatArray,
) -> None:
    """Plays on in place, as ``rollout_policy`` does, and writes what the seats got.

    After ``longest`` actions of seats it stops, and judges.
    """
    played = 0
    mover = to_move(state)
    while mover != OVER:
        if mover == CHANCE:
            apply(state, sample_chance(state, actions, weights, rng))
        elif played == longest:
            evaluate(state, returns)
            return
        else:
            apply(state, rollout_policy(state, actions, rng))
            played += 1
        mover = to_move(state)
    score(state, returns)


@kernel
def value_leaf(
    state: StateArray,
    mover: int,
    actions: ActionArray,
    weights: FloatArray,
    returns: FloatArray,
    judged: FloatArray,
    settings: FloatArray,
    rng: RandomArray,
) -> None:
    """Writes what the seats may expect in a state, which may be played on; ``judged`` is room."""
    if mover == OVER:
        score(state, returns)
        return
    if proven_returns(state, returns) == 1:
        return
    part = settings[JUDGED]
    if part > 0.0:
        evaluate(state, judged)
    if part < 1.0:
        play_on(state, actions, weights, rng, int(settings[LONGEST]), returns)
    for seat in range(len(returns)):
        played = returns[seat] if part < 1.0 else 0.0
        told = judged[seat] if part > 0.0 else 0.0
        returns[seat] = part * told + (1.0 - part) * played
