"""The evaluation of Flecks: wins it must see, what it must prefer, and its symmetries."""

from __future__ import annotations

import random

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.contract import FloatArray
from watermeet.core.hexgrid import cells
from watermeet.games.flecks import layout
from watermeet.games.flecks.board import BLUE, RED, offset_of
from watermeet.games.flecks.tests.positions import flecks, position
from watermeet.testing import random_match

pytestmark = pytest.mark.compiled

GAP_AT_E3 = "g1 f2 d4 c5 b5 a5"


def value(state: wm.State) -> float:
    """Red's value; Blue's is the opposite."""
    out = np.zeros(2)
    state.game.evaluation.by_name["evaluate"](state.array.copy(), out)
    assert out[0] == -out[1]
    return float(out[0])


def priors_by_move(state: wm.State) -> dict[str, float]:
    out, buffer = np.zeros(state.game.sizes.actions), np.zeros(state.game.sizes.actions, np.int32)
    actions = state.legal_actions
    buffer[: len(actions)] = actions
    state.game.evaluation.by_name["priors"](state.array.copy(), buffer, len(actions), out)
    return {state.format(a): float(out[offset]) for offset, a in enumerate(actions)}


def proven(state: wm.State) -> FloatArray | None:
    out, array = np.zeros(2), state.array.copy()
    is_certain = state.game.evaluation.by_name["proven_returns"](array, out)
    assert (array == state.array).all()  # It plays moves in place.
    return out if is_certain else None


def wins_this_turn(state: wm.State) -> bool:
    """By trying everything that the mover can do this turn."""
    mover = state.to_move
    for action in state.legal_actions:
        then = state.play(action)
        if then.to_move < 0 or (
            then.to_move == mover and then.array[layout.LAST] != 0 and wins_this_turn(then)
        ):
            return True
    return False


def turned(state: wm.State, is_mirrored: bool) -> wm.State:
    """The board rotated by half a turn, or mirrored left to right with the colours exchanged."""
    side = int(state.array[0])
    array = state.array.copy()
    exchanged = {0: 0, RED: BLUE, BLUE: RED} if is_mirrored else {0: 0, RED: RED, BLUE: BLUE}
    last = 0
    for q, r in cells(side):
        image = (-q - r, r) if is_mirrored else (-q, -r)
        was, now = offset_of((q, r), side), offset_of(image, side)
        array[now] = exchanged[int(state.array[was])]
        if state.array[layout.LAST] == was:
            last = now
    array[layout.LAST] = last
    array[layout.COLOUR] = exchanged[int(state.array[layout.COLOUR])]
    return wm.State(state.game, array)


def states_of_a_match(seed: int, **options: bool | str) -> list[wm.State]:
    states = random_match(flecks(5, **options), random.Random(seed)).states[:-1]
    return list(states[:: len(states) // 8 + 1])


# ---- evaluate ---------------------------------------------------------------------------------


def test_the_player_with_fewer_cells_to_go_is_ahead() -> None:
    assert value(position("g1 f2 e3", "c3")) > 0.3
    assert value(position("g1", "c3 d3 e3", turn="b")) < -0.3


def test_more_stones_are_better() -> None:
    values = [value(position(red, "c3")) for red in ("g1", "g1 f2", "g1 f2 e3", "g1 f2 e3 d4")]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


def test_having_the_move_is_good() -> None:
    assert value(position("g1 f2", "c3 d3")) > value(position("g1 f2", "c3 d3", turn="b"))


@pytest.mark.parametrize("is_mirrored", [False, True])
def test_rotated_and_mirrored_boards_are_equal(is_mirrored: bool) -> None:
    for state in states_of_a_match(3):
        expected = -value(state) if is_mirrored else value(state)
        assert value(turned(state, is_mirrored)) == pytest.approx(expected)


# ---- priors -----------------------------------------------------------------------------------


def test_the_cell_that_wins_or_saves_has_the_highest_prior() -> None:
    for turn in "rb":
        found = priors_by_move(position(GAP_AT_E3, "e2 e4 f3 d3", turn=turn))
        assert max(found, key=lambda name: found[name]) == "e3"


def test_a_blocking_stone_stays() -> None:
    found = priors_by_move(position(GAP_AT_E3, "e3 e2 f3 d3 h5", turn="b", last="h5"))
    leaving = {name: weight for name, weight in found.items() if name.startswith("e3-")}
    assert leaving
    assert max(leaving.values()) < found["stop"]


# ---- proven_returns ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "winner"),
    [
        (position(GAP_AT_E3), 0),
        (position(GAP_AT_E3, turn="b"), None),
        (position(GAP_AT_E3 + " f3", last="f3"), 0),  # Moves into the gap.
        (position(GAP_AT_E3 + " f3", last="f3", new_stone_fixed=True), None),
        (position("g1 d4 c5 b5 a5 e2", "h5"), 0),  # A stone on one gap, a move into the other.
        (position("g1 f2", "c3 d3"), None),
    ],
)
def test_proven_wins(state: wm.State, winner: int | None) -> None:
    found = proven(state)
    assert (found is None) == (winner is None)
    if found is not None:
        assert found[winner] == 1.0
        assert wins_this_turn(state)


def test_nothing_is_proven_in_the_opening() -> None:
    assert proven(flecks(5).start()) is None


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"new_stone_fixed": True}, {"win_at_end_only": True}])
def test_proven_wins_are_wins_and_few_are_missed(options: dict[str, bool]) -> None:
    seen = missed = 0
    for seed in range(12):
        states = random_match(flecks(5, **options), random.Random(seed)).states
        for state in states[-13:-1]:
            can_win = wins_this_turn(state)
            if proven(state) is not None:
                assert can_win
            seen += can_win
            missed += can_win and proven(state) is None
    assert seen > 10
    assert missed <= seen // 10
