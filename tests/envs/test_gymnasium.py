"""Gymnasium's own check, for every game, and what we promise beyond it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.envs.games import CASES, NAMES, worlds

import watermeet as wm
from watermeet.bots.batched import Turns
from watermeet.core.options import Value
from watermeet.envs import gymnasium as gymnasium_envs
from watermeet.envs import vector

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:gymnasium")


@pytest.mark.parametrize("opponents", ["random", "self"])
@pytest.mark.parametrize(("name", "options"), CASES)
def test_gymnasium_env_checker_passes(name: str, options: dict[str, Value], opponents: str) -> None:
    """The checker ignores action masks."""
    told = gymnasium_envs.env_id(wm.game(name))
    settings: dict[str, Any] = {"opponents": opponents, "illegal": "next", **options}
    made = gymnasium.make(told, **settings)
    check_env(made.unwrapped, skip_render_check=True)
    made.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_plays_against_bots_to_the_end(name: str, seat: int) -> None:
    learner = gymnasium_envs.make(name, seat=seat)
    observation, info = learner.reset(seed=5)
    is_over, reward, rng = False, 0.0, np.random.default_rng(0)
    while not is_over:
        assert info["seat"] == seat == learner.position.to_move
        legal = np.flatnonzero(observation["action_mask"])
        assert legal.tolist() == list(learner.game.features.legal_codes(learner.position))
        known = learner.game.features.of(learner.position, seat)
        assert observation["observation"].tobytes() == known.tobytes()
        assert reward == 0.0
        action = int(rng.choice(legal))
        observation, reward, is_over, is_cut, info = learner.step(action)
        assert not is_cut
    outcome = learner.position.outcome
    assert outcome is not None
    assert reward == outcome.returns[seat]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_leads_to_the_same_match(name: str) -> None:
    ends = set()
    for _ in range(2):
        learner = gymnasium_envs.make(name, illegal="next")
        learner.reset(seed=3)
        is_over, action = False, 0
        while not is_over:
            _, _, is_over, _, _ = learner.step(action % learner.game.features.spec.codes)
            action += 7
        ends.add(learner.position.text)
    assert len(ends) == 1


@pytest.mark.parametrize("name", NAMES)
def test_hidden_information_does_not_leak(name: str) -> None:
    for seat, state, world in worlds(name):
        if state.to_move != seat:
            continue  # Bots would move first, using what they know.
        told = []
        for each in (state, world):
            learner = gymnasium_envs.make(name, seat=seat, render_mode="ansi")
            observation, info = learner.reset(seed=1, options={"state": each})
            seen = [array.tobytes() for array in observation.values()]
            told.append((*seen, info["action_mask"].tobytes(), info["seat"], learner.render()))
        assert told[0] == told[1]


def test_bots_get_only_what_their_seat_knows() -> None:
    seen: list[tuple[int, int]] = []

    def listen(turns: Turns) -> Any:
        seen.extend((state.known_to, int(turns.seats[0])) for state in turns.states)
        return turns.sample()

    learner = gymnasium_envs.make("kuhn_poker", seat=1, opponents=listen)
    learner.reset(seed=1)
    assert seen == [(0, 0)]


@pytest.mark.parametrize(("colour", "seat", "gain"), [("r", 0, 1.0), ("b", 1, 1.0)])
def test_self_play_rewards_the_seat_that_moved_last(colour: str, seat: int, gain: float) -> None:
    learner = gymnasium_envs.make("flume", size=3, opponents="self", render_mode="rgb_array")
    _, info = learner.reset(options={"state": f"rbr/brb/rb1 {colour} 0"})
    assert info["seat"] == seat
    picture = learner.render()
    assert picture.ndim == 3
    assert picture.dtype == np.uint8
    observation, reward, is_over, _, info = learner.step(2)
    assert is_over
    assert reward == gain
    known = learner.game.features.of(learner.position, seat)
    assert observation["observation"].tobytes() == known.tobytes()
    assert (info["seat"], observation["action_mask"].sum()) == (wm.OVER, 0)
    with pytest.raises(wm.IllegalMove):
        learner.step(2)


def test_an_illegal_action_is_refused_or_the_next_one_is_played() -> None:
    learner = gymnasium_envs.make("flume", size=3, opponents="self")
    _, info = learner.reset(options={"state": "3/3/rb1 r 0"})
    info["action_mask"][:] = 1  # The mask is a copy: writing to it allows nothing.
    learner.action_masks()[:] = 1
    with pytest.raises(wm.IllegalMove):
        learner.step(0)
    assert learner.position.text == "3/3/rb1 r 0"
    learner = gymnasium_envs.make("flume", size=3, opponents="self", illegal="next")
    learner.reset(options={"state": "3/3/rb1 r 0"})
    learner.step(9)  # The swap is no longer offered: from 0 again, and 2 is the first that is free.
    assert learner.position.text == "3/3/rbr r 0"


@pytest.mark.parametrize(
    "settings", [{"seat": 2}, {"seat": -1}, {"opponents": "nobody"}, {"illegal": "x"}, {"sise": 3}]
)
def test_invalid_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(wm.WatermeetError):
        gymnasium_envs.make("flume", **settings)


# ---- vector environments ------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_vector_observations_fit_their_spaces(name: str) -> None:
    told = gymnasium_envs.env_id(wm.game(name))
    many = gymnasium.make_vec(told, num_envs=3, vectorization_mode="vector_entry_point")
    observations, infos = many.reset(seed=4)
    for _ in range(30):
        assert many.observation_space.contains(observations)
        actions = many.action_space.sample(mask=tuple(infos["action_mask"]))
        observations, rewards, over, cut, infos = many.step(actions)
        assert rewards.shape == over.shape == cut.shape == (3,)
        assert not cut.any()
        assert (rewards[~over] == 0).all()
    many.close()


def test_vector_rewards_go_to_the_last_mover() -> None:
    many = vector.make("flume", num_envs=50, size=3, opponents="self", copy=False)
    _, infos = many.reset(seed=1)
    assert infos["returns"] is many.many.returns
    ended = 0
    for _ in range(10):
        movers = many.many.to_move.copy()
        _, rewards, over, _, infos = many.step(many.many.sample_actions())
        ended += int(over.sum())
        for match in np.flatnonzero(over):
            assert rewards[match] == infos["returns"][match, movers[match]] != 0
    assert ended == 50


@pytest.mark.parametrize("name", NAMES)
def test_vector_environments_do_not_leak(name: str) -> None:
    many = vector.make(name, num_envs=2).many
    for seat, state, world in worlds(name):
        many.reset(states=[state, world])
        seen = many.observe(seat)
        assert seen[0].tobytes() == seen[1].tobytes()
        if state.to_move == seat:
            assert many.masks[0].tobytes() == many.masks[1].tobytes()
