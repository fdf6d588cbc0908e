"""The evaluation of Flow: features, priors and the rollout policy."""

from __future__ import annotations

import numpy as np
import pytest

from watermeet.core.kernel import Scratch
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.games.flow import layout
from watermeet.games.flow.board import ANIMAL_COUNT, CELL_COUNT, SIZE
from watermeet.games.flow.distances import BLOCKED, tiles_missing
from watermeet.games.flow.evaluation import evaluate, priors, rollout_policy
from watermeet.games.flow.rules import rebuild_cache
from watermeet.games.flow.shapes import SHAPES, turned
from watermeet.games.flow.tests.positions import number_of
from watermeet.games.flow.tests.scenes import (
    ALL_JOINED,
    LOWER_CROSS,
    changed,
    holding,
    in_hand,
    laid,
    positions,
    shape_of,
)
from watermeet.games.flow.total_distance import (
    FAR,
    total_distance,
    total_distance_after,
    total_distance_without,
)

pytestmark = pytest.mark.slow

ALMOST = {cell: edges for cell, edges in ALL_JOINED.items() if cell != "d3"}
"""A straight or a cross on d3 wins."""
OPTIONS: tuple[dict[str, int | str | bool], ...] = (
    {},
    {"seats": 1, "scenarios": 6},
    {"seats": 4, "clock": "free", "tiles": "branches"},
    {"clock": "minute", "boat_stops": True, "single_path": True},
    {"seats": 3, "no_communication": True, "obstacles": 4},
)


def value_of(state: State) -> float:
    out = np.zeros(state.game.seats)
    evaluate(state.array.copy(), out)
    assert len(set(out.tolist())) == 1, "all seats win or lose together"
    return float(out[0])


def priors_of(state: State) -> dict[str, float]:
    actions = np.zeros(state.game.sizes.actions, dtype=np.int32)
    count = len(state.legal_actions)
    actions[:count] = state.legal_actions
    out = np.zeros(state.game.sizes.actions)
    priors(state.array.copy(), actions, count, out)
    moves = [state.format(action) for action in state.legal_actions]
    return dict(zip(moves, out[:count].tolist(), strict=True))


def rollout_action(state: State, seed: int = 0) -> str:
    actions = np.zeros(state.game.sizes.actions, dtype=np.int32)
    return state.format(rollout_policy(state.array.copy(), actions, seeded(seed)))


def total_missing_of(state: State) -> int:
    """Like ``total_distance``, but from the independent kernel of distances.py."""
    buffer: Scratch = np.zeros(ANIMAL_COUNT, dtype=np.int32)
    tiles_missing(state.array.copy(), buffer)
    return sum(FAR if each == BLOCKED else int(each) for each in buffer)


def rotated(state: State) -> State:
    """The same, seen after a quarter turn of the board clockwise."""
    array = state.array.copy()
    array[layout.CELLS : layout.CELLS + CELL_COUNT] = 0
    for cell in range(CELL_COUNT):
        has_bird, tile = divmod(int(state.array[layout.CELLS + cell]), layout.BIRD_ON)
        if tile == 0:
            continue
        row, column = divmod(cell, SIZE)
        if tile != layout.SCENARIO_TILE:
            tile = 1 + shape_of(turned(SHAPES[tile - 1][1], 1))
        array[layout.CELLS + (SIZE - 1 - column) * SIZE + row] = tile + layout.BIRD_ON * has_bird
    rebuild_cache(array)
    return State(state.game, array)


# ---- routes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS)
def test_total_distance_agrees_with_distances(options: dict[str, int | str | bool]) -> None:
    for state in positions(6, **options):
        assert total_distance(state.array.copy()) == total_missing_of(state)


def test_hypothetical_distances_come_true() -> None:
    for state in positions(40, obstacles=3):
        for action in state.legal_actions:
            move = state.format(action)
            if "@" in move and state.to_move >= 0:
                assert total_distance_after(state.array.copy(), action, 0) == total_missing_of(
                    state.play(action)
                ), (state, move)
            elif move.startswith("support:"):
                cell = number_of(move.removeprefix("support:"))
                assert total_distance_without(state.array.copy(), 1 << cell) == total_missing_of(
                    state.play(action)
                ), (state, move)


def test_a_walled_in_animal_is_far_away() -> None:
    state = laid({"a2": "X", "b1": "X"}, obstacles=1)
    assert total_distance(state.array.copy()) == 3 * 5 + FAR


# ---- evaluate -----------------------------------------------------------------------------------


def test_a_finished_way_is_worth_something() -> None:
    nothing, half, almost = laid({}), laid(LOWER_CROSS), laid(ALMOST)
    assert value_of(nothing) < value_of(half) < value_of(almost)


def test_tiles_are_worth_more_before_the_pile_is_empty() -> None:
    full = laid(LOWER_CROSS)
    few = changed(full, FACE_DOWN=2)
    assert value_of(few) < value_of(full)


def test_an_imminent_wave_lowers_the_value_and_calm_waters_helps() -> None:
    early = laid(ALMOST)
    late = changed(early, TURNS_DONE=9)
    calm = changed(late, CALM_PLAYED=1)
    assert value_of(late) < value_of(calm) < value_of(early)


def test_evaluation_is_invariant_under_rotation() -> None:
    for state in positions(12, obstacles=2):
        if state.to_move >= 0:
            assert value_of(rotated(state)) == value_of(state)


# ---- priors -------------------------------------------------------------------------------------


def test_the_winning_tile_has_the_highest_prior() -> None:
    weights = priors_of(in_hand(laid(ALMOST), "straight"))
    assert max(weights, key=lambda move: weights[move]) == "NS@d3"


def test_priors_never_call_time() -> None:
    for clock in ("minute", "free"):
        state = laid(ALMOST, clock=clock)
        assert layout.TIME in state.legal_actions
        assert priors_of(state)["time"] == 0.0
        assert priors_of(in_hand(state, "bend"))["time"] == 0.0


def test_time_is_called_if_nothing_else_is_legal() -> None:
    out = np.zeros(1)
    priors(laid({}, clock="free").array.copy(), np.array([layout.TIME], dtype=np.int32), 1, out)
    assert out[0] > 0.0


def test_the_boat_faces_the_animals_within_reach() -> None:
    closed = laid({"c4": "X", "d5": "X", "e4": "X"}, obstacles=2, single_path=True)
    state = changed(closed, STAGE=layout.CHOOSE_BOAT_EDGE)
    weights = priors_of(state)
    assert max(weights, key=lambda move: weights[move]) == "boat:S" == rollout_action(state)


# ---- rollout_policy -----------------------------------------------------------------------------


def test_the_winning_tile_is_laid() -> None:
    assert rollout_action(in_hand(laid(ALMOST), "straight")) == "NS@d3"


def test_a_tile_that_helps_nobody_is_swapped() -> None:
    assert rollout_action(in_hand(laid(ALMOST), "bend")) == "swap"


def test_cards_are_played_when_they_win() -> None:
    state = changed(laid(ALMOST), DISCARDED=1)
    assert rollout_action(holding(state, 0, "return")) == "return:straight"
    spare = laid(ALMOST | {"a2": "NS"})
    assert rollout_action(holding(spare, 0, "current")) == "current:a2"


def test_support_removes_what_is_in_the_way() -> None:
    walled = laid({**ALMOST, "d3": "X"}, obstacles=1)
    assert rollout_action(holding(walled, 0, "support")) == "support:d3"


def test_calm_waters_is_saved_for_the_wave() -> None:
    early = holding(laid(ALMOST), 0, "calm")
    assert rollout_action(early) == "draw"
    assert rollout_action(changed(early, TURNS_DONE=9)) == "calm"


def test_a_bird_protects_the_most_valuable_tile() -> None:
    state = holding(changed(laid(LOWER_CROSS), TURNS_DONE=9), 0, "bird")
    assert rollout_action(state) in {"bird:d1", "bird:d2", "bird:d3"}


@pytest.mark.parametrize(
    "tiles",
    [
        {f"a{row}": "NS" for row in (2, 3, 4, 5, 6)},
        {f"{column}1": "EW" for column in "bcdef"},
        LOWER_CROSS,
        {cell: f"{edges}v" if cell in ("b1", "e1") else edges for cell, edges in ALMOST.items()},
    ],
)
def test_the_die_that_costs_less_is_rolled(tiles: dict[str, str]) -> None:
    state = changed(laid(tiles), STAGE=layout.CHOOSE_DIE, CALM_PLAYED=1)
    costs = {}
    for move in state.legal_moves:
        rolled = state.play(move)
        costs[move] = sum(total_missing_of(rolled.play(each)) for each, _ in rolled.chance_outcomes)
    assert costs[rollout_action(state)] == min(costs.values())
