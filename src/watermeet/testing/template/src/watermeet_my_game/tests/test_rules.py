"""The rules of My Game: ``test_r2_1_…`` tests paragraph R2.1 of RULES.md."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet_my_game.tests.oracle import Position


def start(**options: int) -> wm.State:
    return wm.game("my_game", **options).start()


def test_r1_1_the_board_is_a_square_of_cells() -> None:
    assert len(start().legal_moves) == 16
    assert len(start(size=9).legal_moves) == 81
    with pytest.raises(wm.InvalidOptions, match="from 3 to 9"):
        start(size=10)


def test_r1_2_the_board_starts_empty() -> None:
    assert start().text == "4/4/4/4"


def test_r2_1_seats_take_turns() -> None:
    state = start()
    for index, move in enumerate(("a1", "b3", "c1", "d4")):
        assert state.to_move == index % state.game.seats
        state = state.play(move)


def test_r2_2_only_an_empty_cell_can_be_taken() -> None:
    state = start().play("b2")
    assert "b2" not in state.legal_moves
    with pytest.raises(wm.IllegalMove, match="b2 already holds a red stone"):
        state.play("b2")


def test_r2_3_nobody_may_pass() -> None:
    with pytest.raises(wm.InvalidNotation):
        start().play("pass")


@pytest.mark.parametrize("row", ["a1 b1 c1", "d2 d3 d4", "a1 b2 c3", "d1 c2 b3"])
def test_r3_1_three_in_a_row_win(row: str) -> None:
    state = start()
    others = [move for move in ("a4", "b4", "d1", "c4", "a3", "d3", "a2") if move not in row]
    for move in row.split():
        state = state.play(move)
        while state.to_move not in (0, wm.OVER):
            state = state.play(others.pop(0))
    assert state.outcome is not None
    assert state.outcome.winners == (0,)
    assert state.outcome.reason.code == "three_in_a_row"


def test_r3_2_a_full_board_is_a_draw() -> None:
    states = (random_end(seed) for seed in range(1000))
    drawn = next(state for state in states if state.outcome and not state.outcome.winners)
    assert drawn.outcome is not None
    assert drawn.outcome.reason.code == "board_full"
    assert "." not in "".join(drawn.view(None)["board"]["rows"])


def random_end(seed: int) -> wm.State:
    """The end of a random match on the smallest board."""
    rng, state = random.Random(seed), start(size=3)
    while state.to_move != wm.OVER:
        state = state.play(rng.choice(state.legal_actions))
    return state


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [3, 4])
def test_the_oracle_agrees_along_random_matches(size: int, seed: int) -> None:
    rng, state = random.Random(seed), start(size=size)
    position = Position(size, state.game.seats)
    while state.to_move != wm.OVER:
        assert set(state.legal_moves) == position.legal()
        assert state.to_move == position.mover
        move = rng.choice(state.legal_moves)
        state = state.play(move)
        position.play(move)
    assert position.mover is None
    assert state.outcome is not None
    assert state.outcome.winners == (() if position.winner is None else (position.winner,))
