"""Evaluating a leaf: by the game's evaluation, by a rollout, or by a mix of both."""

from __future__ import annotations

from watermeet.core.contract import CHANCE, OVER, apply, score, to_move
from watermeet.core.evaluation import evaluate, proven_returns, rollout_policy
from watermeet.core.kernel import kernel
from watermeet.core.playout import sample_chance
from watermeet.search.settings import Settings
from watermeet.search.tree import Scratch


@kernel
def rollout(scratch: Scratch, max_length: int) -> None:
    """Play ``scratch.state`` out by the rollout policy, and write the returns.

    After ``max_length`` actions of seats it stops, and the returns are ``evaluate``'s.
    """
    state, played = scratch.state, 0
    mover = to_move(state)
    while mover != OVER:
        if mover == CHANCE:
            apply(state, sample_chance(state, scratch.actions, scratch.weights, scratch.rng))
        elif played == max_length:
            evaluate(state, scratch.returns)
            return
        else:
            apply(state, rollout_policy(state, scratch.actions, scratch.rng))
            played += 1
        mover = to_move(state)
    score(state, scratch.returns)


@kernel
def evaluate_leaf(scratch: Scratch, settings: Settings, mover: int, proven: int) -> None:
    """Write the returns to expect from ``scratch.state``, which a rollout changes.

    ``proven`` is what the tree has proven: above 0 if seat 0 wins, below if seat 1 does, else 0.
    """
    returns, weight = scratch.returns, settings.evaluation_weight
    if proven != 0:
        returns[0] = settings.best_return if proven > 0 else -settings.best_return
        returns[1] = -returns[0]
        return
    if mover == OVER:
        score(scratch.state, returns)
        return
    if proven_returns(scratch.state, returns) == 1:
        return
    if weight > 0.0:
        evaluate(scratch.state, scratch.evaluation)
    if weight < 1.0:
        rollout(scratch, settings.max_rollout_length)
    for seat in range(len(returns)):
        expected = scratch.evaluation[seat] if weight > 0.0 else 0.0
        played_out = returns[seat] if weight < 1.0 else 0.0
        returns[seat] = weight * expected + (1.0 - weight) * played_out
