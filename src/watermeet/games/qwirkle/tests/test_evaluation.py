"""The evaluation of Qwirkle: whole turns, tile by tile."""

from __future__ import annotations

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.rng import seeded
from watermeet.games.qwirkle import continuations, evaluation, exchanges, layout, rules
from watermeet.games.qwirkle.tests.helpers import (
    BLOCKED,
    SHAPES,
    dealt,
    place,
    played,
    points,
    row,
    state_of,
    table,
)
from watermeet.games.qwirkle.tiles import add_tile
from watermeet.games.qwirkle.turns import best_turns, whole_turns

pytestmark = pytest.mark.slow

FIVE = "Rc Rx Rd Rs Rb"


def evaluated(state: wm.State) -> list[float]:
    out = np.zeros(state.game.seats)
    evaluation.evaluate(state.array.copy(), out)
    return out.tolist()


def priors_of(state: wm.State) -> dict[str, float]:
    buffer = np.zeros(state.game.sizes.actions, dtype=np.int32)
    count = rules.legal(state.array.copy(), buffer)
    out = np.full(state.game.sizes.actions, np.nan)
    evaluation.priors(state.array.copy(), buffer, count, out)
    return {state.format(int(buffer[slot])): float(out[slot]) for slot in range(count)}


def rollout_action(state: wm.State, seed: object = 0) -> int:
    buffer = np.zeros(state.game.sizes.actions, dtype=np.int32)
    return int(evaluation.rollout_policy(state.array.copy(), buffer, seeded(seed)))


def rollout_turn(state: wm.State, seed: object = 0) -> wm.State:
    """The state after the mover's whole turn as ``rollout_policy`` plays it."""
    mover = state.to_move
    while state.to_move == mover:
        state = state.play(rollout_action(state, seed))
    return state


def with_points(state: wm.State, seats: list[int]) -> wm.State:
    """The same state with other points."""
    array = state.array.copy()
    for seat, number in enumerate(seats):
        array[layout.SCORES + 2 * seat], array[layout.SCORES + 2 * seat + 1] = divmod(number, 100)
    return wm.State(state.game, array)


# ---- evaluate -----------------------------------------------------------------------------------


def test_points_are_worth_more_when_few_tiles_are_left() -> None:
    early = with_points(played(1, 40), [30, 20])
    late = with_points(state_of(BLOCKED), [30, 20])
    assert 0 < evaluated(early)[0] < evaluated(late)[0]


def test_equal_points_favour_the_mover() -> None:
    state = with_points(played(2, 60), [50, 50])
    mover = state.to_move
    values = evaluated(state)
    assert values[mover] > 0 > values[1 - mover]


def test_moving_sooner_is_better() -> None:
    three = with_points(dealt("RcOxYdGsBbPv", "RxRdOsYbBvPc", "YxYdOxGbBcRv"), [9, 9, 9])
    first, second, third = (evaluated(three)[(three.to_move + turn) % 3] for turn in range(3))
    assert first > second > third


def test_the_current_turn_counts_its_best_continuation() -> None:
    state = table([row(FIVE)], "RvYdYsOx")
    begun = place(state, [("Rv", (5, 0))])
    assert evaluated(begun)[0] > evaluated(state)[0]
    assert evaluated(begun)[0] > evaluated(place(state, [("Ox", (1, 1))]))[0]


# ---- priors -------------------------------------------------------------------------------------


def test_the_highest_prior_begins_the_best_turn() -> None:
    """What a turn gives away can't outweigh twelve points or more."""
    state = table([row(FIVE)], "RvYdYsOx")
    weights = priors_of(state)
    heaviest = max(weights, key=lambda move: weights[move])
    assert heaviest in {"Rv@5,0", "Rv@-1,0"}


def test_a_turn_continues_where_it_scores() -> None:
    state = place(table([row("Rc Rx")], "RdRsRbRv"), [("Rd", (2, 0))])
    weights = priors_of(state)
    assert weights["Rs@3,0"] > weights["end"]


def test_a_line_of_five_is_a_gift() -> None:
    """Only while the missing tile can be in another hand."""
    before = table([row("Rc Rx Rd")], "RsRb")
    given = place(before, row("Rs Rb", x=3))
    array = given.array.copy()
    assert continuations.value_of(array, True) < continuations.value_of(array, False)
    own = place(table([row("Rc Rx Rd")], "RsRbRvRvRv"), row("Rs Rb", x=3)).array.copy()
    assert continuations.value_of(own, True) == continuations.value_of(own, False)


# ---- whole turns, tile by tile ------------------------------------------------------------------


def test_ratings_agree_with_all_turns_that_contain_the_tile() -> None:
    state = place(table([row("Rc Rx")], "RdRsOdYd"), [("Rd", (2, 0))])
    array = state.array.copy()
    buffer = np.zeros(64, dtype=np.int32)
    rates = np.zeros(64, dtype=np.int32)
    count = rules.legal(array, buffer)
    continuations.rate_continuations(array, buffer, count, False, rates)
    found = {state.format(int(buffer[slot])): int(rates[slot]) for slot in range(count)}
    best: dict[str, int] = {}
    for turn in whole_turns(state):
        for move in turn.moves if len(turn.moves) == 1 else turn.moves[:-1]:
            best[move] = max(best.get(move, 0), continuations.POINT * turn.points)
    assert max(found.values()) == max(best.values())
    assert found["end"] == best["end"]
    assert all(found[move] <= best[move] for move in found)


@pytest.mark.parametrize("seed", range(4))
def test_the_rollout_policy_plays_the_best_turn(seed: int) -> None:
    state = played(seed, 70)
    turns = best_turns(state)
    if not turns:
        pytest.skip("nothing can be laid")
    mover = state.to_move
    gained = points(rollout_turn(state, seed))[mover] - points(state)[mover]
    assert gained == turns[0].points


def without_bag(state: wm.State, mine: str, others: str) -> wm.State:
    """The same match near its end: an empty bag, and these tiles in the hands."""
    array = state.array.copy()
    array[layout.HANDS : layout.HANDS + 2 * layout.HAND] = 0
    array[layout.BAG : layout.BAG + layout.KINDS] = 0
    array[layout.BAG_LEFT] = 0
    for seat, text in enumerate((mine, others)):
        for start in range(0, len(text), 2):
            kind = 6 * "ROYGBP".index(text[start]) + SHAPES.index(text[start + 1])
            add_tile(array, layout.HANDS + layout.HAND * seat, kind + 1)
    return wm.State(state.game, array)


def test_the_last_tile_scores_six_more() -> None:
    state = without_bag(table([row("Rc Rx")], "RdRs"), "RdRs", "Bb")
    after = rollout_turn(state)
    assert after.to_move == wm.OVER
    laid = place(state, row("Rd Rs", x=2)).array.copy()
    assert continuations.value_of(laid, False) == continuations.POINT * (4 + layout.BONUS)
    assert evaluated(place(state, [("Rd", (2, 0))]))[0] > evaluated(state)[0]


def test_without_a_placement_the_rollout_policy_passes_or_exchanges() -> None:
    assert state_of(BLOCKED).format(rollout_action(state_of(BLOCKED))) == "pass"
    state = state_of("turn=0 hands=OxOdYdGsBbPv/RxOdYsGbBvPc last=1 grid=Rc0,0")
    after = rollout_turn(state)
    assert after.to_move == wm.CHANCE


# ---- exchanges ----------------------------------------------------------------------------------


def test_the_largest_set_is_kept() -> None:
    state = table([row("Pv")], "RcRxRdOxYsGb")
    kept = []
    while (slot := exchanges.slot_to_trade(state.array.copy())) != exchanges.NO_SLOT:
        kept.append(state.format(layout.TRADE + slot))
        state = state.play(layout.TRADE + slot)
    assert kept == ["trade:Ox", "trade:Ys", "trade:Gb"]
    assert state.is_legal(layout.END)
    assert rollout_action(state) == layout.END


def test_duplicates_are_not_kept() -> None:
    state = table([row("Pv")], "RcRcRxRdRsRb")
    state = state.play(layout.TRADE + exchanges.slot_to_trade(state.array.copy()))
    assert exchanges.slot_to_trade(state.array.copy()) == exchanges.NO_SLOT
