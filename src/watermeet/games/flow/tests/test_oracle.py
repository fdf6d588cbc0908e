"""Whole matches in step with the oracle: the same moves, chances, turns and returns."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import watermeet as wm
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.options import Value
from watermeet.games.flow.names import HIDDEN_CARD, hand_of
from watermeet.games.flow.tests.oracle import Match, Options
from watermeet.games.flow.tile_sets import TILE_SETS
from watermeet.testing import option_sets

VARIANTS: tuple[dict[str, Value], ...] = (
    {},
    {"seats": 1, "scenarios": 6},
    {"seats": 3, "clock": "minute"},
    {"seats": 6, "clock": "free", "scenarios": 3},
    {"seats": 4, "obstacles": 4, "not_for_obstacles": True, "obstacles_remain": True},
    {"seats": 2, "single_path": True, "one_card": True, "no_new_cards": True, "turns": 6},
    {"seats": 5, "boat_stops": True, "tiles": "branches", "turns": 14},
    {"no_communication": True, "scenarios": 6, "tiles": "calm"},
    {"seats": 3, "no_communication": True, "obstacles": 4, "clock": "minute"},
)


def _oracle_of(game: wm.Game) -> Match:
    options: dict[str, Any] = dict(game.options)
    options["tiles"] = TILE_SETS[str(options["tiles"])]
    return Match.start(Options(**options, version=game.version))


def _assert_same_hands(state: wm.State, match: Match) -> None:
    """Every seat sees the same cards of the others."""
    for viewer in range(state.game.seats):
        concealed = state.conceal(viewer).array
        for seat in range(state.game.seats):
            known, hidden = match.hand_seen_by(viewer, seat)
            assert Counter(hand_of(concealed, seat)) == known + Counter({HIDDEN_CARD: hidden})


def _assert_same_match(game: wm.Game, seed: int) -> None:
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
        if "silence" in match.rules:
            _assert_same_hands(state, match)
        moves = state.legal_moves
        if "time" in moves and len(moves) > 1 and rng.random() < 0.9:
            moves = tuple(move for move in moves if move != "time")  # Else rounds are too short.
        move = rng.choice(moves)
        state = state.play(move)
        match.play(move)
    assert state.to_move == OVER
    assert state.outcome is not None
    assert list(state.outcome.returns) == pytest.approx([float(x) for x in match.returns()])


@pytest.mark.compiled
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_matches_agree_with_the_oracle(options: dict[str, Value]) -> None:
    _assert_same_match(wm.game("flow").with_options(**options), seed=1)


@pytest.mark.compiled
@pytest.mark.parametrize("version", [1, 2])
def test_a_match_by_the_rules_of_older_versions_agrees_with_the_oracle(version: int) -> None:
    _assert_same_match(wm.game("flow", seats=3, obstacles=4).at_version(version), seed=1)


@pytest.mark.nightly
@pytest.mark.compiled
@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("options", [*VARIANTS, *option_sets(wm.game("flow"))], ids=str)
def test_many_matches_agree_with_the_oracle(options: dict[str, Value], version: int) -> None:
    _assert_same_match(wm.game("flow").at_version(version).with_options(**options), seed=2)
