"""The oracle, which was written by another hand from the rules alone, agrees with the kernels."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.core.options import Value
from watermeet.games.qwirkle.names import tile_name
from watermeet.games.qwirkle.tests import oracle
from watermeet.games.qwirkle.tests.helpers import (
    bag_of,
    hands_of,
    played,
    points,
    position_of,
    qwirkle,
    random_move,
    table_of,
)
from watermeet.games.qwirkle.tests.oracle import Position
from watermeet.games.qwirkle.turns import preview, whole_turns

TIES = ("oldest", "youngest", "random")


def assert_agrees(state: wm.State, position: Position) -> None:
    assert set(state.legal_moves) == position.legal(), state
    assert points(state) == position.scores, state
    assert hands_of(state) == position.hands, state
    assert bag_of(state) == +position.bag, state
    assert (state.to_move == wm.OVER) == position.over, state
    if position.placed:
        assert preview(state) == oracle.placement_score(position.grid, position.placed), state


def compare_match(seed: int, **options: Value) -> wm.State:
    """Legal moves, mover, hands, bag, points and winners after every action."""
    rng = random.Random(f"{seed} {options}")
    state = qwirkle(**options).start()
    while state.to_move < 0:
        state = state.play(random_move(state, rng))
    position = position_of(state)
    while state.to_move != wm.OVER:
        assert_agrees(state, position)
        move = random_move(state, rng)
        state, position = state.play(move), position.play(move)
    assert_agrees(state, position)
    outcome = state.outcome
    assert outcome is not None
    best = max(outcome.returns)
    winners = [seat for seat, gain in enumerate(outcome.returns) if gain == best]
    assert winners == sorted(position.winners())
    return state


@pytest.mark.compiled
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_oracle_agrees_along_random_matches(seats: int) -> None:
    full = seats % 2 == 1
    compare_match(1, seats=seats, tie=TIES[seats % 3], first_play_full=full)


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_oracle_agrees_along_many_matches(seats: int) -> None:
    for seed in range(3):
        compare_match(
            100 + seed,
            seats=seats,
            tie=TIES[seed % 3],
            first_play_full=seed % 2 == 1,
            exchange_limit=1 + seed % 5,
        )


def compare_turns(state: wm.State) -> int:
    """Whole turns: complete, without duplicates, with their points, and playable."""
    turns = whole_turns(state)
    placements = [frozenset((cell, tile_name(kind)) for cell, kind in turn.tiles) for turn in turns]
    grid, hand = table_of(state), hands_of(state)[state.to_move]
    assert len(set(placements)) == len(placements), state
    assert set(placements) == oracle.all_placements(grid, hand), state
    for turn, placement in zip(turns, placements, strict=True):
        assert turn.points == oracle.placement_score(grid, sorted(placement)), (state, turn)
    for turn in turns[:3]:
        laid = state.play_all(turn.moves[:-1])
        assert preview(laid) == turn.points
        assert points(laid.play("end"))[state.to_move] >= points(state)[state.to_move] + turn.points
    return len(turns)


@pytest.mark.parametrize("moves", [12, 30, 60])
def test_whole_turns_agree_with_the_oracle(moves: int) -> None:
    assert sum(compare_turns(played(seed, moves)) for seed in range(2)) > 0


def test_whole_turns_in_endgames_agree_with_the_oracle() -> None:
    """With an empty bag hands get short, and there may be nothing to place."""
    state = played("end", 300)
    while len(hands_of(state)[state.to_move]) > 3:
        state = state.play_all(whole_turns(state)[0].moves if whole_turns(state) else ["pass"])
    compare_turns(state)


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_whole_turns_agree_with_the_oracle_at_many_states(seats: int) -> None:
    rng = random.Random(seats)
    for seed in range(12):
        state = played(f"many {seed}", rng.randrange(12, 330), seats=seats)
        if state.to_move >= 0:
            compare_turns(state)
