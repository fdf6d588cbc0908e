"""Evaluations: who is close to winning, what wins, and which placements help."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from watermeet.core.contract import OVER
from watermeet.core.kernel import scratch
from watermeet.core.state import State
from watermeet.games.flows import connectivity, layout
from watermeet.games.flows.distances import tiles_to_go
from watermeet.games.flows.evaluation import chance_to_win, evaluate, priors, proven_returns
from watermeet.games.flows.tests.boards import STRAIGHT_DOWN, in_hand, laid, positions
from watermeet.games.flows.tests.helpers import flows
from watermeet.games.flows.tiles import ORIENTATIONS

pytestmark = pytest.mark.slow


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


def test_the_player_with_fewer_tiles_to_go_is_ahead() -> None:
    one_gap, three_gaps = evaluated(laid(without("d4"))), evaluated(laid(without("e1", "d4", "b7")))
    assert one_gap[0] > three_gaps[0] > 0


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
