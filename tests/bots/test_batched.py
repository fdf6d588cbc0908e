"""Bots that answer for many matches at once."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

import watermeet as wm
from watermeet.bots.batched import FollowPriors, Snapshot, Turns, batched, play_matches
from watermeet.bots.levels import levels_of
from watermeet.bots.players import follow_priors
from watermeet.bots.specs import make_bot

pytestmark = pytest.mark.slow

GAME = wm.game("flume", size=3, pie=False)
BROOK = {name: levels_of(wm.game(name))[1].temperature for name in ("flume", "flows")}


class Model:
    """Has what the models of Stable-Baselines3 have."""

    def __init__(self) -> None:
        self.policy = self
        self.prefers_last = False

    def predict(self, features: Any, action_masks: Any, deterministic: bool) -> tuple[Any, None]:
        assert features.shape == (len(action_masks), GAME.features.spec.size)
        if self.prefers_last:
            return action_masks.shape[1] - 1 - np.argmax(action_masks[:, ::-1], axis=1), None
        return np.argmax(action_masks, axis=1), None


def test_bots_play_all_seats_of_many_matches() -> None:
    returns = play_matches(GAME, ["brook", "random"], matches=12, seed=1, at_once=5)
    assert returns.shape == (12, 2)
    assert (returns.sum(axis=1) == 0).all()
    assert returns[:, 0].mean() > 0.5, "it beats random moves"
    assert play_matches(GAME, "random", matches=30, seed=1).tolist() == (
        play_matches(GAME, "random", matches=30, seed=1).tolist()
    )


def test_whatever_can_play_plays() -> None:
    many = wm.VectorGame(GAME, 3, seed=1)
    turns = Turns(many, np.array([0, 2]))
    for player in ("random", "drop", make_bot(GAME, "drop"), Model(), lambda turns: turns.sample()):
        chosen = np.asarray(batched(GAME, player)(turns))
        assert chosen.shape == (2,)
        assert turns.masks[[0, 1], chosen].all()
    for wrong in (3, None, "nobody"):
        with pytest.raises(wm.WatermeetError):
            batched(GAME, wrong)
    with pytest.raises(wm.InvalidArgument):
        play_matches(GAME, [None, "random"], matches=1)


@pytest.mark.parametrize("name", ["flume", "flows"])
def test_levels_without_a_search_choose_for_all_at_once(name: str) -> None:
    """They choose what the level does: the best of the priors, or near it by the temperature."""
    game = wm.game(name, **({"size": 3} if name == "flume" else {"radius": 2, "hold_tile": True}))
    many = wm.VectorGame(game, 200, seed=1)
    many.reset(states=many.state(0))
    turns = Turns(many, np.arange(200))
    coldest = batched(game, "brook:temperature=0")
    best = follow_priors(turns.states[0]).action
    assert isinstance(coldest, FollowPriors)
    codes = game.features.legal_codes(turns.states[0])
    assert {codes[code] for code in np.asarray(coldest(turns)).tolist()} == {best}
    chosen = np.asarray(pickle.loads(pickle.dumps(batched(game, "brook")))(turns))
    assert turns.masks[np.arange(200), chosen].all()
    rng = random.Random(1)
    expected = [follow_priors(turns.states[0]).choose(BROOK[name], rng) for _ in range(2000)]
    found = [codes[code] for code in chosen.tolist()]
    for action in set(expected):
        share = expected.count(action) / 2000
        assert (
            abs(found.count(action) / 200 - share) < 5 * (share * (1 - share) / 200) ** 0.5 + 0.01
        )


def test_a_snapshot_no_longer_learns() -> None:
    model = Model()
    snapshot = Snapshot(model)
    model.prefers_last = True
    turns = Turns(wm.VectorGame(GAME, 1), np.array([0]))
    assert (np.asarray(snapshot(turns)).tolist(), Snapshot(model)(turns)) == ([0], [8])


def test_turns_show_what_the_mover_knows() -> None:
    many = wm.VectorGame(wm.game("kuhn_poker"), 2, seed=1)
    turns = Turns(many, np.array([1]))
    assert [state.known_to for state in turns.states] == [0]
    expected = many.game.features.of(many.state(1), 0)
    assert turns.features[0].tobytes() == expected.tobytes()
