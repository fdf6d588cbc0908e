"""Searches of many matches grow the trees of single searches."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import watermeet as wm
from watermeet.core.batch import VectorGame
from watermeet.search.batch import BatchSearch
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.settings import Settings

pytestmark = pytest.mark.slow

COUNT, SIMULATIONS = 3, 40
SMALL = [wm.game("flume", size=5), wm.game("flecks", size=5)]


def _batch(game: wm.Game, plies: int = 4) -> VectorGame:
    many = VectorGame(game, COUNT, seed=2)
    for _ in range(plies):
        many.step(many.sample_actions())
    return many


def _require_same_trees(game: wm.Game, settings: Settings) -> None:
    many = _batch(game)
    search = BatchSearch(game, COUNT, settings, seed=4, max_nodes=SIMULATIONS + 1)
    rngs = search._scratches[-1].copy()
    search.run(many, SIMULATIONS)
    for match in range(COUNT):
        single = MonteCarlo(game, settings, max_nodes=SIMULATIONS + 1)
        single._scratches[0].rng[:] = rngs[match]
        state = many.state(match)
        result = single.search(state, Limits(nodes=SIMULATIONS))
        codes = dict(zip(state.legal_actions, game.features.codes_of(state).tolist(), strict=True))
        expected = np.zeros_like(search.visits[match])
        for each in result.candidates:
            expected[codes[each.action]] = each.visits
        assert np.array_equal(search.visits[match], expected)
        assert search.actions[match] == codes[result.action]
        assert search.values[match] == result.value
        assert (search.proven[match] != 0) == result.proven


@pytest.mark.parametrize("settings", [Settings(), Settings(use_priors=True)])
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_trees_are_those_of_a_single_search(game: wm.Game, settings: Settings) -> None:
    _require_same_trees(game, settings)


@pytest.mark.parametrize("name", wm.games())
def test_trees_of_every_game_are_those_of_a_single_search(name: str) -> None:
    _require_same_trees(wm.game(name), Settings())


@pytest.mark.parametrize("ismcts", [False, True])
def test_a_function_evaluates_the_leaves(ismcts: bool) -> None:
    """It sees one leaf of every tree, prefers one action, and is believed."""
    game = wm.game("flume", size=5, pie=False)
    many = VectorGame(game, COUNT, seed=2)
    spec, favourite = game.features.spec, 5
    asked = 0

    def evaluate(
        features: npt.NDArray[np.float32], wanted: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        nonlocal asked
        asked += 1
        assert features.shape == (COUNT, spec.size)
        if asked == 1:
            assert np.array_equal(features, many.features), "the root is evaluated first"
        priors = np.full((COUNT, spec.codes), 0.01)
        priors[:, favourite] = 1.0
        # Whoever has a stone on the favourite point wins.
        mine, theirs = features[:, favourite], features[:, 25 + favourite]
        return priors, np.stack([mine - theirs, theirs - mine], axis=1)

    search = BatchSearch(game, COUNT, seed=1, max_nodes=60, ismcts=ismcts, use_evaluation=False)
    search.run(many, 30, evaluate)
    assert asked == 30
    assert search.actions.tolist() == [favourite] * COUNT
    assert (search.visits.sum(axis=1) == 29).all(), "all but the root's own evaluation"
    assert search.values.tolist() == [1.0] * COUNT


def test_values_of_a_function_begin_with_the_seat_to_move() -> None:
    """After one placement of three seats' the next one is first, and the mover third."""
    game = wm.game("flows", seats=3, radius=2)
    many = VectorGame(game, COUNT, seed=2)

    def evaluate(
        features: npt.NDArray[np.float32], wanted: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        values = np.tile([0.0, 0.5, -0.5], (COUNT, 1))
        return np.ones((COUNT, game.features.spec.codes)), values

    search = BatchSearch(game, COUNT, seed=1, max_nodes=10, use_evaluation=False)
    search.run(many, 2, evaluate)
    assert search.values.tolist() == [-0.5] * COUNT


def test_matches_that_are_over_are_left_alone() -> None:
    game = wm.game("flume", size=3, pie=False)
    many = VectorGame(game, COUNT, seed=2, autoreset=False)
    while (many.to_move >= 0).any():
        many.step(many.sample_actions())
    search = BatchSearch(game, COUNT, max_nodes=10)
    search.run(many, 5)
    assert not search.visits.any()
    assert not search.actions.any()


def test_wrong_arguments_are_refused() -> None:
    game = wm.game("flume", size=3)
    many = VectorGame(game, COUNT)
    with pytest.raises(wm.InvalidArgument, match="isn't a device"):
        BatchSearch(game, COUNT, device="tpu")
    search = BatchSearch(game, COUNT, max_nodes=10)
    with pytest.raises(wm.InvalidArgument, match="aren't 3 of flume"):
        search.run(VectorGame(game, COUNT + 1), 5)
    with pytest.raises(wm.InvalidArgument, match="the evaluator's values"):
        search.run(many, 5, lambda features, wanted: (many.masks * 1.0, features[:, :1]))
