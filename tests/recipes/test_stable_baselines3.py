"""Stable-Baselines3 on our VecEnv."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor
from tests.recipes.programs import recipe

from watermeet.envs import stable_baselines3 as vec_envs
from watermeet.envs import vector

pytestmark = pytest.mark.nightly


def _first_legal(env: Any) -> Any:
    return np.argmax(get_action_masks(env), axis=1)


def test_matches_are_those_of_the_vector_environment() -> None:
    env = vec_envs.make("kuhn_poker", num_envs=6, seat="random")
    many = vector.make("kuhn_poker", num_envs=6, seat="random", autoreset_mode="SameStep")
    env.seed(3)
    assert is_masking_supported(env)
    assert env.reset().tolist() == many.reset(seed=3)[0]["observation"].tolist()
    ended = 0
    for _ in range(20):
        assert get_action_masks(env).tolist() == many.action_masks().tolist()
        actions = _first_legal(env)
        features, rewards, dones, infos = env.step(actions)
        observations, gains, over, _, final = many.step(actions)
        assert features.tolist() == observations["observation"].tolist()
        assert (rewards.tolist(), dones.tolist()) == (gains.tolist(), over.tolist())
        for row in np.flatnonzero(dones):
            ended += 1
            last = final["final_obs"][row]["observation"]
            assert infos[row]["terminal_observation"].tolist() == last.tolist()
            assert not infos[row]["TimeLimit.truncated"]
    assert ended > 6


def test_truncation_states_and_copies() -> None:
    env = vec_envs.make("flume", num_envs=2, size=3, max_episode_steps=1)
    env.set_options([{"state": "3/3/rb1 r 0"}, {}])
    env.reset()
    assert env.matches.many.state(0).text == "3/3/rb1 r 0"
    again = pickle.loads(pickle.dumps(env))
    _, _, dones, infos = again.step(_first_legal(again))
    assert dones.all()
    assert infos[0]["TimeLimit.truncated"]
    env.env_method("set_opponents", "drop")
    env.close()


def test_sb3_wrappers_work() -> None:
    env = VecMonitor(vec_envs.make("kuhn_poker", num_envs=3))
    env.reset()
    found = [info for _ in range(9) for info in env.step(_first_legal(env))[3]]
    assert any("episode" in info for info in found)


def test_maskable_ppo_learns_flume() -> None:
    assert recipe("sb3_flume").train() > 0.8


def test_maskable_ppo_learns_kuhn_poker_with_hidden_cards() -> None:
    """It finds the best answer to random moves; betting on every card would win 0.37."""
    found = recipe("sb3_kuhn_poker")
    assert found.train(seed=5) > found.BEST - 0.03
