"""Evaluations: who is close to winning, what wins, and which placements help."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from watermeet.core.contract import CHANCE, OVER
from watermeet.core.kernel import scratch
from watermeet.core.state import State
from watermeet.games.flows import connectivity, layout
from watermeet.games.flows.distances import tiles_to_go
from watermeet.games.flows.evaluation import chance_to_win, evaluate, priors, proven_returns
from watermeet.games.flows.tests.boards import STRAIGHT_DOWN, in_hand, laid, positions
from watermeet.games.flows.tests.helpers import flows
from watermeet.games.flows.tiles import ORIENTATIONS

pytestmark = pytest.mark.costly


def evaluated(state: State) -> list[float]:
    out = np.zeros(state.game.seats)
    evaluate(state.array.copy(), out)
    return [float(value) for value in out]


def priors_by_move(state: State) -> dict[str, float]:
    """The priors of all legal actions, by their texts."""
    actions = np.array(state.legal_actions, dtype=np.int32)
    out = np.zeros(len(actions))
    priors(state.array.copy(), actions, len(actions), out)
    texts = [state.format(int(action)) for action in actions]
    return dict(zip(texts, map(float, out), strict=True))


def proven(state: State) -> list[float] | None:
    out = np.zeros(state.game.seats)
    return [float(value) for value in out] if proven_returns(state.array.copy(), out) else None


def without(*names: str) -> dict[str, str]:
    """The winning strand of seat 0, with gaps."""
    return {name: tile for name, tile in STRAIGHT_DOWN.items() if name not in names}


def walked(state: State, side: int) -> float:
    walked = scratch(connectivity.BUFFER_SIZE).view(np.float32)
    return float(connectivity.sum_walks(state.array.copy(), side, walked))


# ---- walks --------------------------------------------------------------------------------------


def test_walks_weigh_the_same_from_both_sides() -> None:
    for state in positions(4)[:-1]:
        for axis in range(3):
            assert walked(state, axis) == pytest.approx(walked(state, axis + 3), rel=0.05)


def test_an_axis_with_fewer_gaps_has_heavier_walks() -> None:
    gaps = [without("e1", "d4", "b7"), without("e1", "d4"), without("d4")]
    for more, fewer in pairwise(walked(laid(tiles), 0) for tiles in gaps):
        assert fewer > 2 * more


def test_a_blocked_axis_has_no_walks() -> None:
    wall = dict.fromkeys(("a7", "b7", "c7", "d7"), "T3.0")
    state = laid(wall, supermove="full")
    marks = np.zeros(37, dtype=np.int32)
    assert tiles_to_go(state.array.copy(), 0, marks) < 0
    assert walked(state, 0) == 0


# ---- evaluate -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_values_stay_inside_the_range_of_returns(seats: int) -> None:
    for state in positions(5, seats=seats, radius=2):
        if state.to_move != OVER:
            values = evaluated(state)
            assert all(-0.99 < value < 0.99 for value in values)
            assert sum(values) == pytest.approx(0, abs=1e-9)


def test_the_player_with_fewer_tiles_to_go_is_ahead() -> None:
    one_gap, three_gaps = evaluated(laid(without("d4"))), evaluated(laid(without("e1", "d4", "b7")))
    assert one_gap[0] > three_gaps[0] > 0


def test_partners_have_the_same_value() -> None:
    for state in positions(3, seats=4)[:-1]:
        values = evaluated(state)
        assert values[0] == values[2] == -values[1] == -values[3]


def test_on_the_empty_board_only_the_turn_counts() -> None:
    """The board is the same for both: the player to move is valued a little higher."""
    start = flows().start()
    assert evaluated(start) == [0, 0]
    first, second = (evaluated(start.play(action)) for action in start.legal_actions)
    assert first[0] == pytest.approx(second[1], rel=1e-3)
    assert first[0] > 0


def test_the_chance_to_win_agrees_with_trying_every_draw() -> None:
    """Every tile that can be drawn is laid everywhere."""
    state = laid(without("d4"))
    array = state.array.copy()
    fitting = 0
    for draw in state.legal_actions:
        drawn = state.play(draw)
        if any(drawn.play(action).to_move == OVER for action in drawn.legal_actions):
            fitting += int(array[layout.BAG + int(state.format(draw)[-1])])
    assert 0 < fitting < array[layout.BAG : layout.BAG + 4].sum()
    assert chance_to_win(array, 0) == pytest.approx(
        fitting / array[layout.BAG : layout.BAG + 4].sum()
    )
    assert chance_to_win(array, 2) == 0


# ---- proven_returns -----------------------------------------------------------------------------


def test_a_tile_that_connects_is_a_proven_win() -> None:
    gap = laid(without("d4"))
    assert proven(in_hand(gap, 0)) == [1, -1]
    assert proven(in_hand(gap, 3)) is None  # No straight strand.
    assert proven(in_hand(gap, 0, seat=1)) is None
    assert proven(gap) is None


@pytest.mark.compiled
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_proven_returns_agree_with_trying_every_placement(seats: int) -> None:
    rng = random.Random(4)
    certain = 0
    for number in range(3):
        state = flows(seats=seats, radius=2).start()
        while state.to_move != OVER:
            if state.to_move == CHANCE:
                state = state.sample(rng)
                continue
            after = [state.play(action) for action in state.legal_actions]
            ends = [each.outcome.returns for each in after if each.outcome is not None]
            best = max((returns[state.to_move] for returns in ends), default=-1.0)
            found = proven(state)
            assert (found is not None) == (best == 1.0), (number, state.text)
            if found is not None:
                certain += 1
                assert found == pytest.approx(
                    next(list(returns) for returns in ends if returns[state.to_move] == 1.0)
                )
            unfinished = [each for each in after if each.to_move != OVER]
            state = rng.choice(unfinished or after)
    assert certain > 0


# ---- priors -------------------------------------------------------------------------------------


def test_winning_moves_have_the_highest_priors_and_blunders_the_lowest() -> None:
    gap = laid(without("d4"))
    own, other = priors_by_move(in_hand(gap, 0)), priors_by_move(in_hand(gap, 0, seat=1))
    assert max(own, key=own.__getitem__) == "T0.0@d4"
    assert own["T0.0@d4"] > 100 * sorted(own.values())[-2]
    assert min(other, key=other.__getitem__) == "T0.0@d4"


def test_a_shared_win_is_no_blunder() -> None:
    """Two of these placements connect both, which is far better than all others; two lose."""
    board = "afa1/cnf1k/aifbcj/clmmjai/mnfnlc/ejhl1/n1jj"
    found = priors_by_move(flows().parse(f"place=1 tile=T1 board={board}"))
    blunders = {move for move, prior in found.items() if prior < 1e-3 * max(found.values())}
    assert blunders == {"T1.2@b7", "T1.5@b7"}


def test_extending_your_strand_beats_turning_it_away() -> None:
    weights = priors_by_move(in_hand(laid(without("e1", "d4", "b7")), 0))
    assert weights["T0.0@d4"] > 3 * weights["T0.1@d4"]
    assert weights["T0.0@d4"] > weights["T0.0@a4"]


def test_turning_a_rivals_strand_away_beats_extending_it() -> None:
    weights = priors_by_move(in_hand(laid(without("e1", "d4", "b7")), 0, seat=1))
    assert weights["T0.1@d4"] > 3 * weights["T0.0@d4"]


@pytest.mark.parametrize(
    "options",
    [{}, {"seats": 3}, {"seats": 5}, {"supermove": "full"}, {"sides": "chosen"}, {"hold_tile": 1}],
    ids=str,
)
def test_every_decision_has_priors(options: dict[str, int | str]) -> None:
    game = flows(
        radius=2, **{name: bool(v) if name == "hold_tile" else v for name, v in options.items()}
    )
    rng = random.Random(6)
    state = game.start()
    while state.to_move != OVER:
        if state.to_move == CHANCE:
            state = state.sample(rng)
            continue
        weights = priors_by_move(state)
        assert all(0 <= weight < float("inf") for weight in weights.values())
        assert sum(weights.values()) > 0
        state = state.play(rng.choice(state.legal_actions))


def test_estimated_effects_of_placements_are_close() -> None:
    """The weight of walks with one more tile is estimated without laying it."""
    state = in_hand(laid(without("e1", "d4", "b7")), 0)
    array = state.array.copy()
    near, far = (scratch(connectivity.BUFFER_SIZE).view(np.float32) for _ in range(2))
    total = connectivity.sum_walks(array, 0, near)
    connectivity.sum_walks(array, 3, far)
    for action in state.legal_actions[::7]:
        cell, orientation = divmod(action, ORIENTATIONS)
        lost = connectivity.weight_through(near, far, cell)
        guess = total - lost + connectivity.weight_along(near, far, cell, orientation)
        assert guess == pytest.approx(walked(state.play(action), 0), rel=0.35, abs=1e-6)


def test_in_hand_makes_a_seat_the_mover() -> None:
    """Guards the helpers above."""
    state = in_hand(laid({}), 0, seat=1)
    assert state.to_move == int(state.array[layout.MOVER]) == 1
    assert int(state.array[layout.SIDE_OF + 1]) == 3
