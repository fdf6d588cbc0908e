"""Every game as a ``VecEnv`` of Stable-Baselines3: ``make("NAME", num_envs=64, option=value)``.

All matches are in one ``VectorGame``, so a step of 64 of them is one call and no processes are
needed. The settings are those of ``watermeet.envs.gymnasium``. An observation is the features
alone; MaskablePPO of sb3-contrib gets the masks from ``env_method("action_masks")``. A finished
match restarts in the same step, and its ``info`` has ``terminal_observation``,
``TimeLimit.truncated`` and every seat's ``returns``. ``set_options({"state": …})`` says what the
next ``reset`` starts from.

Stable-Baselines3 isn't part of the extra ``envs``, as it needs PyTorch: install it yourself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from watermeet.bots.batched import Playable
from watermeet.core.features import FeatureArray
from watermeet.core.game import Game
from watermeet.envs.gymnasium import split_settings
from watermeet.envs.matches import Matches, state_option
from watermeet.envs.spaces import action_space, feature_space

Array = npt.NDArray[Any]
Rows = None | int | Iterable[int]


class GameVecEnv(VecEnv):  # type: ignore[misc]
    """Many matches of one game; takes the settings of ``Matches``."""

    render_mode = None

    def __init__(self, game: Game, num_envs: int = 1, **settings: Any) -> None:
        self.game, self.matches = game, Matches(game, num_envs, **settings)
        super().__init__(num_envs, feature_space(game), action_space(game))

    def set_opponents(self, opponents: Playable) -> None:
        """Replace the opponents, from their next turn on."""
        self.matches.set_opponents(opponents)

    def action_masks(self) -> Array:
        """The masks of legal actions, as booleans."""
        return self.matches.many.masks.copy()

    def state(self) -> FeatureArray:
        """What all seats see together in each match, for a centralised critic."""
        return self.matches.state()

    def reset(self) -> FeatureArray:
        states = [state_option(each) for each in self._options]
        has_state = np.array([state is not None for state in states])
        if not has_state.all():
            self.matches.reset(self._seeds, rows=~has_state)
        if has_state.any():
            given = [state for state in states if state is not None]
            self.matches.reset(self._seeds, given, has_state)
        self._reset_seeds()
        self._reset_options()
        return self._observations()

    def _observations(self) -> FeatureArray:
        return self.matches.new_features()

    def step_async(self, actions: Array) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[FeatureArray, Array, Array, list[dict[str, Any]]]:
        matches = self.matches
        matches.step(self._actions)
        rewards = matches.rewards.astype(np.float32)
        is_cut = matches.truncated & ~matches.terminated
        ended = matches.terminated | matches.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if ended.any():
            final = self._observations()
            for row in np.flatnonzero(ended):
                infos[row] = {
                    "terminal_observation": final[row],
                    "TimeLimit.truncated": bool(is_cut[row]),
                    "returns": matches.many.returns[row].copy(),
                }
            matches.reset(rows=ended)
        return self._observations(), rewards, ended, infos

    def close(self) -> None:
        self.matches.close()

    # ---- what Stable-Baselines3 asks of each environment ----

    def get_attr(self, attr_name: str, indices: Rows = None) -> list[Any]:
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Rows = None) -> None:
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Rows = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method once, for all; a row of its result, if it has one, for each."""
        found = getattr(self, method_name)(*method_args, **method_kwargs)
        rows = self._get_indices(indices)
        return [found[row] if isinstance(found, np.ndarray) else found for row in rows]

    def env_is_wrapped(self, wrapper_class: type, indices: Rows = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]


def make(name: str, num_envs: int = 1, **settings: Any) -> GameVecEnv:
    """Make many matches of a registered game; takes the settings and the game's options."""
    game, own = split_settings(name, settings)
    return GameVecEnv(game, num_envs, **own)
