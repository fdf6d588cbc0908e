"""Gumbel search and search with a network: halving, certain wins, a policy that improves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.batch import VectorGame
from watermeet.core.kernel import plain_python
from watermeet.core.state import State
from watermeet.search.gumbel import GumbelSearch, halving_table
from watermeet.search.limits import Limits
from watermeet.search.network_search import NetworkSearch
from watermeet.search.settings import Settings

GAME = wm.game("flume", size=3)
FEW = 5
"""So few free points that a short search sees the end."""


def _likes_the_first_action(features: Any, wanted: Any = None) -> tuple[Any, Any]:
    priors = np.full((len(features), GAME.features.spec.codes), 0.01, dtype=np.float32)
    priors[:, 0] = 1.0
    return priors, np.zeros((len(features), GAME.seats), dtype=np.float32)


@pytest.mark.parametrize("considered", [1, 2, 3, 7, 16])
@pytest.mark.parametrize("simulations", [1, 5, 32])
def test_halving_tries_actions_as_often_as_the_table_says(
    considered: int, simulations: int
) -> None:
    visits = [0] * considered
    for wanted in halving_table(16, simulations)[considered]:
        visits[visits.index(wanted)] += 1  # Raises if no action was tried so often.
    assert sum(count > 0 for count in visits) == min(considered, simulations)


def _wins(state: State) -> set[int]:
    """The codes of actions after which the mover wins, whatever follows."""
    seat = state.to_move
    codes = zip(state.legal_actions, GAME.features.codes_of(state), strict=True)
    return {int(code) for action, code in codes if _is_won(state.play(action), seat)}


def _is_won(state: State, seat: int) -> bool:
    if state.outcome is not None:
        return bool(state.outcome.returns[seat] > 0)
    found = (_is_won(state.play(action), seat) for action in state.legal_actions)
    return any(found) if state.to_move == seat else all(found)


def _endings(count: int) -> VectorGame:
    """Matches with few free points."""
    many = VectorGame(GAME, count, seed=5, autoreset=False)
    for _ in range(GAME.sizes.max_length):
        many.step(many.sample_actions(), many.masks.sum(axis=1) > FEW)
    return many


@pytest.mark.slow
def test_certain_wins_are_played_and_learnt() -> None:
    count = 32
    many = _endings(count)
    search = GumbelSearch(GAME, count, considered=8, seed=1, max_nodes=2_000, use_evaluation=False)
    search.run(many, 1_000, _likes_the_first_action)
    checked = 0
    for match in map(int, np.flatnonzero(np.asarray(many.to_move) >= 0)):
        wins = _wins(many.state(match))
        legal = int(many.masks[match].sum())
        assert search.policies[match].sum() == pytest.approx(1.0, abs=1e-4)
        assert not search.policies[match][~many.masks[match]].any()
        if 0 < len(wins) < legal:
            checked += 1
            assert int(search.actions[match]) in wins
            assert search.policies[match, sorted(wins)].sum() > 0.8
            assert search.values[match] <= GAME.returns_range[1]
    assert checked > 5


def test_nothing_stays_of_the_last_search_where_nobody_is_to_move() -> None:
    with plain_python():
        many = VectorGame(GAME, 2, seed=1, autoreset=False)
        search = GumbelSearch(GAME, 2, considered=4, max_nodes=20, use_evaluation=False)
        search.actions[:] = 7
        search.values[:] = 1.0
        while (many.to_move >= 0).any():
            many.step(many.sample_actions())
        search.run(many, 2, _likes_the_first_action)
    assert search.actions.tolist() == [0, 0]
    assert search.values.tolist() == [0.0, 0.0]


@pytest.mark.slow
def test_a_search_with_a_network_finds_certain_wins() -> None:
    many = _endings(24)
    checked = 0
    for match in map(int, np.flatnonzero(np.asarray(many.to_move) >= 0)):
        state = many.state(match)
        wins = _wins(state)
        if 0 < len(wins) < len(state.legal_actions):
            checked += 1
            search = NetworkSearch(GAME, _likes_the_first_action, max_nodes=2_000)
            result = search.search(state, Limits(nodes=1_000))
            assert result.proven
            assert int(GAME.features.encode(state.array.copy(), result.action)) in wins
    assert checked > 5


def test_the_network_is_asked_once_for_each_position() -> None:
    asked: list[bytes] = []

    def evaluate(features: Any) -> tuple[Any, Any]:
        asked.extend(row.tobytes() for row in features)
        return _likes_the_first_action(features)

    search = NetworkSearch(GAME, evaluate, max_nodes=2_000)
    result = search.search(GAME.start(), Limits(nodes=1_000))
    assert result.nodes >= 1_000
    assert len(asked) == len(set(asked)) < 900


@pytest.mark.slow
def test_the_games_own_evaluation_has_its_share() -> None:
    """In priors and in values, as far as the setting says."""
    state, weight = GAME.start(), 0.25
    settings = Settings(evaluation_weight=weight)

    def evaluate(features: Any) -> tuple[Any, Any]:
        priors, values = _likes_the_first_action(features)
        values[:] = 0.5, -0.5  # Whoever is to move is better off.
        return priors, values

    result = NetworkSearch(GAME, evaluate, settings).search(state, Limits(nodes=2))
    count = len(state.legal_actions)
    own = np.zeros(count)
    actions = np.array(state.legal_actions, dtype=np.int32)
    GAME.evaluation.by_name["priors"](state.array.copy(), actions, count, own)
    given, _ = _likes_the_first_action(np.zeros((1, 1)))
    codes = GAME.features.codes_of(state)
    expected = weight * own / own.sum() + (1 - weight) * given[0, codes] / given[0, codes].sum()
    found = {each.action: each.prior for each in result.candidates}
    assert [found[each] for each in state.legal_actions] == pytest.approx(expected)

    tried = result.candidates[0]
    after, returns = state.play(tried.action), np.zeros(GAME.seats)
    GAME.evaluation.by_name["evaluate"](after.array.copy(), returns)
    assert after.to_move != state.to_move
    assert returns[state.to_move] != 0.0
    share = weight * returns[state.to_move]
    assert tried.value == pytest.approx(share - (1 - weight) * 0.5)


@pytest.mark.slow
def test_a_root_that_is_proven_before_it_was_searched_has_an_action() -> None:
    """As after a move into a loss that the search saw, but had no need to look at."""
    for match in range(24):
        state = _endings(24).state(match)
        if state.outcome is not None:
            continue
        search = NetworkSearch(GAME, _likes_the_first_action, Settings(evaluation_weight=0.5))
        result = search.search(state, Limits(nodes=400))
        for action in (each.action for each in result.candidates):
            after = state.play(action)
            if after.outcome is None:
                assert search.search(after, Limits(nodes=4)).action in after.legal_actions
                search.search(state, Limits(nodes=400))


@pytest.mark.slow
@pytest.mark.parametrize("name", wm.games())
def test_every_game_can_be_searched_with_a_network(name: str) -> None:
    game = wm.game(name)
    many = VectorGame(game, 2, seed=3)

    def evaluate(features: Any, wanted: Any = None) -> tuple[Any, Any]:
        priors = np.ones((len(features), game.features.spec.codes), dtype=np.float32)
        return priors, np.zeros((len(features), game.seats), dtype=np.float32)

    search = GumbelSearch(game, 2, considered=4, max_nodes=20, use_evaluation=False)
    single = NetworkSearch(game, evaluate, max_nodes=100)
    for _ in range(6):
        search.run(many, 8, evaluate)
        assert np.asarray(search.policies).sum(axis=1) == pytest.approx([1.0, 1.0], abs=1e-3)
        state = many.state(0)
        assert single.search(state, Limits(nodes=20)).action in state.legal_actions
        many.step(search.actions)
