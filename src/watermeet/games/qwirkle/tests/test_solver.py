"""The exact solver against brute force."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.core.errors import TooLarge
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.players import choose_greedily
from watermeet.games.qwirkle.rules import points_of
from watermeet.games.qwirkle.solver import solve

pytestmark = [pytest.mark.costly, pytest.mark.compiled]


def best_margin(state: wm.State, seen: dict[wm.State, int]) -> int:
    """The final margin of seat 0 with best play on both sides, action by action."""
    if state.to_move == wm.OVER:
        array = state.array.copy()
        return int(points_of(array, 0)) - int(points_of(array, 1))
    if state not in seen:
        values = [best_margin(state.play(action), seen) for action in state.legal_actions]
        seen[state] = max(values) if state.to_move == 0 else min(values)
    return seen[state]


def ending(seed: int, tiles: int) -> wm.State:
    """A position with an empty bag in which the players hold this many tiles together."""
    rng = random.Random(seed)
    state = wm.game("qwirkle").start().sample(rng)
    while state.to_move >= 0:
        array = state.array
        held = sum(array[layout.HANDS : layout.HANDS + 2 * layout.HAND] > 0)
        if array[layout.BAG_LEFT] == 0 and array[layout.LAID] == 0 and held <= tiles:
            return state
        state = state.play(choose_greedily(state, rng)).sample(rng)
    return ending(seed + 1000, tiles)


@pytest.mark.parametrize("seed", range(6))
def test_the_solver_finds_what_brute_force_finds(seed: int) -> None:
    state, seen = ending(seed, 6), dict[wm.State, int]()
    sign = 1 if state.to_move == 0 else -1
    solution = solve(state.conceal(state.to_move).array.copy(), every_move=True)
    assert solution.value == sign * best_margin(state, seen)
    assert solution.values is not None
    for action, value in solution.values.items():
        assert value == sign * best_margin(state.play(action), seen)
    quick = solve(state.array.copy())
    assert quick.value == solution.value
    assert quick.best_actions[0] in solution.best_actions
    after = state.play(quick.best_actions[0])
    if after.to_move == state.to_move:  # The rest of the turn is solved, too.
        assert solve(after.array.copy()).value == solution.value


def test_the_solver_says_what_is_out_of_reach() -> None:
    with pytest.raises(TooLarge, match="hidden"):
        solve(wm.game("qwirkle").start().sample(random.Random(1)).array.copy())
    with pytest.raises(TooLarge, match="nodes"):
        solve(ending(1, 12).array.copy(), node_limit=10)
