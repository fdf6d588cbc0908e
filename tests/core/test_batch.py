"""Many matches at once: they follow the same rules as states, on any number of threads."""

from __future__ import annotations

import random

import numpy as np
import pytest

import watermeet as wm
from watermeet.core.batch import MIN_MATCHES_PER_THREAD, VectorGame
from watermeet.core.kernel import runs_plain_python

QUICK = ("kuhn_poker", "flume")
"""Those that compile, or run in plain Python, quickly."""
GAMES = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.costly)
    for name in wm.games()
    if name in QUICK or not runs_plain_python()
]


def _check(many: VectorGame) -> None:
    """The arrays agree with the state of each match."""
    for match in range(many.count):
        state = many.state(match)
        seat = int(many.to_move[match])
        assert seat == state.to_move >= 0
        assert np.flatnonzero(many.masks[match]).tolist() == list(state.legal_actions)
        expected = many.game.features.of(state, seat)
        assert many.features[match].tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_arrays_agree_with_states(name: str) -> None:
    many = VectorGame(wm.game(name), 3, seed=name)
    for _ in range(12):
        _check(many)
        many.step(many.sample_actions())
    _check(many)


@pytest.mark.parametrize("name", ["kuhn_poker", "flume"])
def test_a_finished_match_restarts(name: str) -> None:
    game = wm.game(name, size=3) if name == "flume" else wm.game(name)
    many = VectorGame(game, 8, seed=1)
    ended = 0
    for _ in range(25):
        actions = many.sample_actions().copy()
        before = [many.state(match) for match in range(many.count)]
        many.step(actions)
        for match in range(many.count):
            after = before[match].play(int(actions[match]))
            outcome = after.sample(random.Random(0)).outcome
            if many.terminated[match]:
                ended += 1
                assert outcome is not None
                assert tuple(many.returns[match].tolist()) == outcome.returns
                assert many.to_move[match] == game.start().sample(random.Random(0)).to_move
            elif after.to_move >= 0:
                assert many.state(match) == after
    assert ended > 8


def test_the_number_of_threads_changes_nothing() -> None:
    count = 3 * MIN_MATCHES_PER_THREAD
    alone = VectorGame(wm.game("kuhn_poker"), count, seed="a")
    shared = VectorGame(wm.game("kuhn_poker"), count, seed="a", threads=3)
    assert len(shared._slices) == 3
    for _ in range(20):
        assert alone.sample_actions().tolist() == shared.sample_actions().tolist()
        alone.step(alone.sample_actions())
        shared.step(shared.sample_actions())
        assert alone.states.tobytes() == shared.states.tobytes()
        assert alone.features.tobytes() == shared.features.tobytes()
    shared.close()
    shared.close()


def test_seeds_determine_chance_outcomes() -> None:
    one, same, other = (VectorGame(wm.game("kuhn_poker"), 40, seed=seed) for seed in (1, 1, 2))
    assert one.states.tobytes() == same.states.tobytes() != other.states.tobytes()
    one.step(one.sample_actions())
    one.reset(2)
    assert one.states.tobytes() == other.states.tobytes()
    cards = {int(code) for code in one.states[:, 0]} | {int(code) for code in one.states[:, 1]}
    assert len(cards) > 2, "matches are not all dealt the same"


def test_an_illegal_action_leaves_all_matches_unchanged() -> None:
    many = VectorGame(wm.game("flume", size=3), 4)
    before = many.states.tobytes()
    with pytest.raises(wm.IllegalMove, match="action 9 is illegal in match 2"):
        many.step([0, 1, 9, 2])
    for wrong in (-1, 10):
        with pytest.raises(wm.WatermeetError):
            many.step([0, 1, wrong, 2])
    with pytest.raises(wm.IllegalMove, match="in match 3"):
        many.step([0, 1, 2, 2**32])
    assert many.states.tobytes() == before
