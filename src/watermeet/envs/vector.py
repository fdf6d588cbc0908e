"""Gymnasium's vector API on top of ``VectorGame``: self-play in many matches at once.

``gymnasium.make_vec("watermeet/NAME-vVERSION", num_envs=1024)``, once ``watermeet.envs.gymnasium``
is imported. In each match the learner plays the seat to move, ``infos["seat"]``; the reward is the
return of the seat that moved last. A finished match restarts in the same step. Matches are never
truncated, so there is no final observation.

With ``copy=False`` observations are the arrays of ``VectorGame`` itself, which the next step
overwrites.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from watermeet.core.batch import VectorGame
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.envs.spaces import ACTION_MASK, OBSERVATION, observation_space

Observations = dict[str, npt.NDArray[Any]]
Infos = dict[str, Any]


class GameVectorEnv(VectorEnv[Observations, Any, npt.NDArray[Any]]):
    """Many matches of one game; the learner plays every seat."""

    def __init__(
        self, game: Game, num_envs: int = 1, *, threads: int = 1, copy: bool = True
    ) -> None:
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
        self.num_envs, self.copy = num_envs, copy
        self.single_observation_space = observation_space(game)
        self.single_action_space = gymnasium.spaces.Discrete(game.sizes.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.many = VectorGame(game, num_envs, threads=threads)
        self._rows = np.arange(num_envs)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        super().reset(seed=seed)
        self.many.reset(int(self.np_random.integers(2**62)))
        return self._observations(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[Observations, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Infos]:
        movers = self.many.to_move.copy()
        self.many.step(actions)
        over = self.many.terminated.astype(np.bool_)
        rewards = np.where(over, self.many.returns[self._rows, movers], 0.0)
        return self._observations(), rewards, over, np.zeros_like(over), self._infos()

    def _observations(self) -> Observations:
        many = self.many
        arrays: Observations = {OBSERVATION: many.features, ACTION_MASK: many.masks}
        return {key: array.copy() for key, array in arrays.items()} if self.copy else arrays

    def _infos(self) -> Infos:
        """The seat to move, the mask and, where a match has ended, every seat's return."""
        many = self.many
        arrays: Infos = {"seat": many.to_move, ACTION_MASK: many.masks, "returns": many.returns}
        return {key: array.copy() for key, array in arrays.items()} if self.copy else arrays

    def close_extras(self, **kwargs: Any) -> None:
        """Shut down the threads."""
        self.many.close()


def make(name: str, num_envs: int = 1, **settings: Any) -> GameVectorEnv:
    """Make many matches of a registered game; takes GameVectorEnv's settings and options."""
    own = {key: settings.pop(key) for key in ("threads", "copy") if key in settings}
    return GameVectorEnv(find_game(name, **settings), num_envs, **own)
