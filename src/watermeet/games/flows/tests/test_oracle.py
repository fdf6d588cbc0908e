"""Whole matches in step with the oracle: the same moves, chances, turns and returns."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import watermeet as wm
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.options import Value
from watermeet.games.flows.tests.helpers import flows
from watermeet.games.flows.tests.oracle import Match, Options

SMALL: dict[str, Value] = {"radius": 2}
VARIANTS: tuple[dict[str, Value], ...] = (
    {},
    {"seats": 3},
    {"seats": 4, "sides": "chosen"},
    {"seats": 5, "hold_tile": True},
    {"seats": 6, "legality": "reach"},
    {"seats": 2, "sides": "adjacent", "open_tile": True},
    {"supermove": "full"},
    {"supermove": "single", "supermove_any": True, "seats": 3},
    {"supermove": "full", "hold_tile": True, "seats": 5, "sides": "chosen"},
    {"supermove": "single", "hold_tile": True},
    {"mix0": 9, "mix3": 0, "seats": 3},
)


def _oracle_of(game: wm.Game) -> Match:
    options = Options()
    changed = {name: value for name, value in game.options.items() if hasattr(options, name)}
    assert len(changed) == len(game.options)
    return Match.start(replace(options, **changed))  # type: ignore[arg-type]


def _assert_same_match(game: wm.Game, seed: int) -> None:
    """Play a random match, and compare everything with the oracle."""
    rng = random.Random(seed)
    state, match = game.start(), _oracle_of(game)
    while match.to_move != "over":
        if match.to_move == "chance":
            assert state.to_move == CHANCE
            chances = {state.format(action): weight for action, weight in state.chance_outcomes}
            assert chances == pytest.approx({m: float(w) for m, w in match.chances().items()})
        else:
            assert state.to_move == match.to_move
            assert set(state.legal_moves) == match.moves()
        move = rng.choice(state.legal_moves)
        state = state.play(move)
        match.play(move)
    assert state.to_move == OVER
    assert state.outcome is not None
    assert list(state.outcome.returns) == pytest.approx([float(x) for x in match.returns()])
    assert (state.outcome.reason.code in ("route", "tie")) == (match.why == "route")


@pytest.mark.compiled
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_small_matches_agree_with_the_oracle(options: dict[str, Value]) -> None:
    _assert_same_match(flows(**SMALL | options), seed=1)


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_many_small_matches_agree_with_the_oracle(options: dict[str, Value]) -> None:
    for seed in range(4):
        _assert_same_match(flows(**SMALL | options), seed)


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("seats", range(2, 7))
def test_matches_of_every_number_of_seats_agree_with_the_oracle(seats: int) -> None:
    _assert_same_match(flows(seats=seats), 100)
