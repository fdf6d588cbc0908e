"""The greedy player, which bots are measured against."""

from __future__ import annotations

import random

import pytest

from watermeet.games.qwirkle.players import PLAYERS
from watermeet.games.qwirkle.tests.helpers import BLOCKED, dealt, played, points, state_of
from watermeet.games.qwirkle.turns import best_turns

pytestmark = pytest.mark.compiled


def test_greedy_scores_the_most_points_each_turn() -> None:
    rng = random.Random(1)
    for seed in range(4):
        state = played(seed, 60)
        turns = best_turns(state)
        mover, before = state.to_move, points(state)
        while state.to_move == mover:
            state = state.play(PLAYERS["greedy"](state.conceal(mover), rng))
        gained = points(state)[mover] - before[mover]
        assert gained == (turns[0].points if turns else 0)


def test_greedy_begins_a_match_with_its_largest_set() -> None:
    rng = random.Random(2)
    state = dealt("RcRxRdRsBbPv", "RxOdYsGbBvPc")
    while state.to_move == 0:
        state = state.play(PLAYERS["greedy"](state.conceal(0), rng))
    assert points(state) == [4, 0]


def test_greedy_exchanges_everything_or_passes_when_nothing_fits() -> None:
    rng = random.Random(3)
    state = state_of("turn=0 hands=OxOdYdGsBbPv/RxOdYsGbBvPc last=1 grid=Rc0,0")
    moves = []
    while state.to_move == 0:
        action = PLAYERS["greedy"](state.conceal(0), rng)
        moves.append(state.format(action))
        state = state.play(action)
    assert moves == [f"trade:{tile}" for tile in ("Ox", "Od", "Yd", "Gs", "Bb", "Pv")] + ["end"]
    blocked = state_of(BLOCKED)
    assert blocked.format(PLAYERS["greedy"](blocked, rng)) == "pass"
