"""SuperSuit's wrappers around PettingZoo's parallel API."""

from __future__ import annotations

import numpy as np
import pytest
import supersuit

from watermeet.envs import pettingzoo

pytestmark = [pytest.mark.nightly, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("processes", [0, 2])
def test_vector_environments_are_concatenated(processes: int) -> None:
    one = supersuit.pettingzoo_env_to_vec_env_v1(pettingzoo.parallel_env("flume", size=3))
    many = supersuit.concat_vec_envs_v1(one, 2, num_cpus=processes, base_class="gymnasium")
    observations, _ = many.reset(seed=1)
    ended = 0
    for _ in range(20):
        actions = np.argmax(observations["action_mask"], axis=1)
        observations, rewards, over, _, _ = many.step(actions)
        ended += int(np.sum(over))
        assert not rewards.reshape(2, 2).sum(axis=1).any()
    assert ended >= 4
    many.close()
