"""Alpha-beta against plain recursion and the solver."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.kernel import runs_plain_python
from watermeet.games.flume.solver import solve
from watermeet.search.alphabeta import EXACT, LOWER_BOUND, UPPER_BOUND, AlphaBeta, _probe
from watermeet.search.limits import Limits
from watermeet.search.transpositions import hash_state

pytestmark = pytest.mark.slow

FREE = 6 if runs_plain_python() else 9


@cache
def exact(state: wm.State) -> float:
    """What seat 0 gets under best play, by memoised recursion."""
    if state.outcome is not None:
        return state.outcome.returns[0]
    values = [exact(state.play(action)) for action in state.legal_actions]
    return max(values) if state.to_move == 0 else min(values)


def small_states(count: int, free: int) -> list[wm.State]:
    """States of the small board with few free points."""
    found = []
    for seed in range(count):
        rng = random.Random(seed)
        state = wm.game("flume", size=3, pie=seed % 2 == 0).start()
        while len(state.legal_actions) > free:
            state = state.play(rng.choice(state.legal_actions))
        if state.to_move >= 0:
            found.append(state)
    return found


def test_alphabeta_agrees_with_recursion() -> None:
    for state in small_states(12, 5):
        result = AlphaBeta(state.game, table_slots=512, use_evaluation=False).search(
            state, Limits(nodes=1 << 30)
        )
        sign = 1 if state.to_move == 0 else -1
        assert result.value == sign * exact(state)
        assert exact(state.play(result.action)) == exact(state)


def test_alphabeta_agrees_with_the_solver() -> None:
    for state in small_states(8, FREE):
        result = AlphaBeta(state.game, use_evaluation=False).search(state, Limits(nodes=1 << 30))
        solved = solve(state, every_move=False, progress=lambda _: None)
        assert result.value == np.sign(solved.value)
        assert result.proven


def test_the_pv_is_playable() -> None:
    state = small_states(1, FREE)[0]
    result = AlphaBeta(state.game, use_evaluation=False).search(state, Limits(nodes=1 << 30))
    assert result.pv[0] == result.action
    assert state.play_all(result.pv).to_move in (0, 1, wm.OVER)


@pytest.mark.parametrize("nodes", [1, 2, 10, 100])
def test_the_search_stops_at_the_node_limit_with_a_result(nodes: int) -> None:
    state = wm.game("flume", size=5).start()
    result = AlphaBeta(state.game, use_evaluation=False).search(state, Limits(nodes=nodes))
    assert result.nodes == nodes
    assert result.action in state.legal_actions
    assert len(result.candidates) == len(state.legal_actions)


def test_an_unfinished_iteration_is_no_worse_than_the_last_one() -> None:
    """Whenever the search stops, its move is at least as good as that of the last full depth."""
    state = small_states(1, FREE)[0]
    value = exact(state)
    full = AlphaBeta(state.game, use_evaluation=False).search(state, Limits(nodes=1 << 30))
    for nodes in range(full.nodes - 3, full.nodes + 1):
        result = AlphaBeta(state.game, use_evaluation=False).search(state, Limits(nodes=nodes))
        assert exact(state.play(result.action)) == value


def test_values_within_the_margin_are_exact() -> None:
    for state in small_states(6, 5):
        result = AlphaBeta(state.game, margin=10.0, use_evaluation=False).search(
            state, Limits(nodes=1 << 30)
        )
        sign = 1 if state.to_move == 0 else -1
        if result.depth >= len(state.legal_actions):
            for each in result.candidates:
                assert each.value == sign * exact(state.play(each.action))
    assert AlphaBeta(state.game).margin == 0.0, "by default only the best one's is"


@pytest.mark.parametrize(
    ("bound", "value", "depth", "decides"),
    [
        (EXACT, 0.25, 2, True),
        (EXACT, 0.25, 1, False),
        (LOWER_BOUND, 0.25, 2, False),
        (LOWER_BOUND, 1.0, 3, True),
        (UPPER_BOUND, 0.25, 2, False),
        (UPPER_BOUND, -1.0, 2, True),
    ],
)
def test_the_table_decides_a_node(bound: int, value: float, depth: int, decides: bool) -> None:
    game = wm.game("flume", size=3)
    search = AlphaBeta(game, table_slots=16)
    stack, table, identity = search._stack, search._table, game.sizes.identity
    stack.states[1] = game.start().array
    stack.depth[1], stack.alpha[1], stack.beta[1], stack.value[1] = 2, -1.0, 1.0, 9.0
    key = hash_state(stack.states[1], identity)
    slot = int(key) % 16
    table.keys[slot], table.bound[slot], table.value[slot] = key, bound, value
    table.depth[slot] = depth
    assert _probe(stack, table, identity, 1) == decides
    assert not decides or stack.value[1] == value


def test_alphabeta_needs_two_seats_and_perfect_information() -> None:
    for name in ("qwirkle", "flows", "flow"):
        with pytest.raises(wm.InvalidGame, match="alpha-beta"):
            AlphaBeta(wm.game(name))
