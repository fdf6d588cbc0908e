"""Whole turns, and the greedy player that takes the best one."""

from __future__ import annotations

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.kernel import plain_python
from watermeet.core.rng import seeded
from watermeet.games.qwirkle import benchmarks, greedy
from watermeet.games.qwirkle.placements import (
    BUFFER_COLUMNS,
    BUFFER_ROWS,
    ROW,
    Rows,
    Scratch,
    lay_action,
    list_turns,
)
from watermeet.games.qwirkle.tests.helpers import (
    BLOCKED,
    dealt,
    points,
    qwirkle,
    state_of,
    table,
)
from watermeet.games.qwirkle.turns import best_turns, preview, whole_turns

STATE = table([[("Rd", (0, 0)), ("Rs", (1, 0))]], "RcRbYx")


def test_the_best_turn_is_first() -> None:
    turns = whole_turns(STATE)
    assert turns[0].points == max(turn.points for turn in turns)
    assert best_turns(STATE) == [turn for turn in turns if turn.points == turns[0].points]
    after = STATE.play_all(turns[0].moves)
    assert points(after) == [turns[0].points, 0]


def test_turns_are_found_in_the_movers_concealed_state() -> None:
    assert whole_turns(STATE.conceal(0)) == whole_turns(STATE)
    assert whole_turns(STATE.conceal(1)) == []


def test_there_are_no_turns_while_tiles_are_drawn_or_exchanged() -> None:
    assert whole_turns(STATE.play("trade:Rc")) == []
    assert whole_turns(STATE.play_all(["Rc@-1,0", "end"])) == []
    assert whole_turns(state_of(BLOCKED)) == []
    assert best_turns(state_of(BLOCKED)) == []


def test_midway_through_a_turn_the_rest_is_listed() -> None:
    assert preview(STATE) == 0
    laid = STATE.play("Rc@-1,0")
    turns = whole_turns(laid)
    assert {turn.moves for turn in turns} >= {("end",), ("Rb@2,0", "end"), ("Rb@-2,0", "end")}
    for turn in turns:
        state = laid.play_all(turn.moves[:-1])
        assert preview(state) == turn.points


def test_midway_through_the_first_turn_the_rest_is_listed() -> None:
    laid = dealt("RcRdRvOxYsGb", "RxOdYsGbBvPc").play("Rd@0,0")
    moves = {turn.moves for turn in whole_turns(laid)}
    assert {("end",), ("Rc@1,0", "end"), ("Rc@-1,0", "end"), ("Rv@0,-1", "end")} <= moves
    assert all(move != "Ox" for turn in moves for move in turn)
    for turn in whole_turns(laid):
        assert preview(laid.play_all(turn.moves[:-1])) == turn.points


def test_the_buffer_grows_for_many_turns() -> None:
    """More than expected, so the rows are reallocated."""
    state = table([[("Rd", (0, 0)), ("Rs", (1, 0))]], "RcRxRbRvOdOs")
    turns = whole_turns(state)
    assert len(turns) > 256
    assert len({frozenset(turn.tiles) for turn in turns}) == len(turns)


# ---- greedy -----------------------------------------------------------------------------------


def work() -> tuple[Scratch, Rows]:
    rows = np.zeros((1, ROW), dtype=np.int16)
    return np.zeros((BUFFER_ROWS, BUFFER_COLUMNS), dtype=np.int64), rows


def test_the_greedy_player_takes_any_of_the_best_turns() -> None:
    best = best_turns(STATE)
    assert len(best) > 1
    rng = seeded(1)
    seen = set()
    for _ in range(40 * len(best)):
        buffer, rows = work()
        assert list_turns(STATE.array.copy(), buffer, rows, True, rng) == len(best)
        assert rows[0, 0] == best[0].points
        seen.add(tuple(rows[0].tolist()))
    assert len(seen) == len(best)
    state = STATE
    for index in range(rows[0, 1]):
        state = state.play(lay_action(state.array, rows, 0, index))
    assert preview(state) == best[0].points


@pytest.mark.slow
@pytest.mark.compiled
def test_greedy_matches_end_and_are_the_same_in_plain_python() -> None:
    lot = dealt("RcOxYdGsBbPv", "RxRdOsYbBvPc", "YxYdOxGbBcRv", tie="random")
    for seed, start in enumerate((qwirkle().start(), lot, lot)):
        plain, compiled = start.array.copy(), start.array.copy()
        buffer, rows = work()
        with plain_python():
            greedy.play_greedy_matches(start.array.copy(), plain, buffer, rows, seeded(seed), 1)
        greedy.play_greedy_matches(start.array.copy(), compiled, buffer, rows, seeded(seed), 1)
        assert plain.tobytes() == compiled.tobytes()
        assert wm.State(start.game, plain).to_move == wm.OVER


@pytest.mark.slow
@pytest.mark.compiled
def test_benchmarks_run() -> None:
    ((what, value, unit, note),) = benchmarks.measure(qwirkle(), 0.001)
    assert (what, unit) == ("greedy against greedy", "matches/s")
    assert value > 0
    assert "turns a match" in note
