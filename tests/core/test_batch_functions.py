"""Rules for many states at once agree with those for one."""

from __future__ import annotations

import numpy as np

import watermeet as wm
from watermeet.core.batch_functions import BatchFunctions
from watermeet.core.contract import OVER
from watermeet.core.state import State

COUNT = 3


def test_functions_agree_with_states() -> None:
    game = wm.game("flecks", size=5)
    rules = BatchFunctions(game, COUNT)
    states = rules.start()
    chosen = np.zeros(COUNT, dtype=np.int32)
    for step in range(60):
        rules.play_chance(states)
        rules.legal(states)
        for match in range(COUNT):
            state = State(game, states[match].copy())
            assert rules.to_move(states)[match] == state.to_move
            assert rules.actions[match, : rules.counts[match]].tolist() == [*state.legal_actions]
            if state.to_move == OVER:
                assert state.outcome is not None
                assert rules.score(states)[match].tolist() == [*state.outcome.returns]
                assert rules.evaluate(states)[match].tolist() == [*state.outcome.returns]
                continue
            assert not rules.score(states)[match].any()
            seats = np.full(COUNT, 1, dtype=np.int32)
            seen = rules.observe(states, seats)[match]
            assert seen.tobytes() == game.features.of(state, 1).tobytes()
            place = (step * 7 + match) % int(rules.counts[match])
            chosen[match] = rules.actions[match, place]
        rules.apply(states, chosen)


def test_playouts_count_actions() -> None:
    rules = BatchFunctions(wm.game("flume", size=5, pie=False), COUNT, seed=1)
    assert rules.playouts(2).tolist() == [[50], [50], [50]], "25 points in each of two matches"
    assert rules.playouts().tolist() == [[75], [75], [75]]
    rules.synchronize()


def test_playouts_sample_chance() -> None:
    name = next(name for name in wm.games() if wm.game(name).chance)
    rules = BatchFunctions(wm.game(name), 1, seed=1)
    assert rules.playouts()[0, 0] > 10
