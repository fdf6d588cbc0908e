"""Gymnasium's vector API on top of ``VectorGame``: many matches at once.

``gymnasium.make_vec("watermeet/NAME-vVERSION", num_envs=1024)``, once ``watermeet.envs.gymnasium``
is imported. The settings are those of ``make`` and mean the same: a row is the match that a single
environment would play with that row's seed. ``threads`` says how many share the work.

``autoreset_mode`` is one of Gymnasium's: with NEXT_STEP, the default, the step after a match has
ended ignores its action and starts the next one; with SAME_STEP that happens at once, and
``infos["final_obs"]`` and ``infos["final_info"]`` have what the match ended with; with DISABLED it
is for you to call ``reset(options={"reset_mask": …})``. The option ``state`` is what to start from:
one for all, or a list with one for each match that is reset.

With ``device="cuda"`` everything lives on a GPU: see ``watermeet.envs.cuda``.

With ``copy=False`` infos are the arrays of ``VectorGame`` itself, which the next step overwrites.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.bots.batched import Playable
from watermeet.core.batch import VectorGame
from watermeet.core.batch_kernels import MaskArray
from watermeet.core.checks import quote
from watermeet.core.errors import InvalidArgument
from watermeet.core.features import FeatureArray
from watermeet.core.game import Game
from watermeet.envs.extra import from_extra
from watermeet.envs.gymnasium import split_settings
from watermeet.envs.matches import Matches, state_option
from watermeet.envs.spaces import ACTION_MASK, OBSERVATION, action_space, observation_space

with from_extra():
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Observations = dict[str, npt.NDArray[Any]]
Infos = dict[str, Any]
Array = npt.NDArray[Any]


class GameVectorEnv(VectorEnv[Observations, Any, Array]):
    """Many matches of one game; takes the settings of ``Matches``."""

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **settings: Any,
    ) -> None:
        self._describe(game, num_envs, autoreset_mode)
        self.copy = copy
        self.matches = Matches(game, num_envs, **settings)
        self.many: VectorGame = self.matches.many
        """The matches: their states, and what every seat sees."""
        self._ended: MaskArray = np.zeros(num_envs, dtype=np.bool_)

    def _describe(self, game: Game, num_envs: int, autoreset_mode: AutoresetMode | str) -> None:
        """Set what Gymnasium asks for."""
        self.game, self.num_envs = game, num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(game)
        self.single_action_space = action_space(game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def action_masks(self) -> MaskArray:
        """The masks of legal actions, as booleans."""
        return self.many.masks.copy()

    def state(self) -> FeatureArray:
        """What all seats see together in each match, for a centralised critic."""
        return self.matches.state()

    def set_opponents(self, opponents: Playable) -> None:
        """Replace the opponents, from their next turn on."""
        self.matches.set_opponents(opponents)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, Infos]:
        super().reset(seed=seed if isinstance(seed, int) else None)
        rows = self._reset_mask(options)
        self.matches.reset(self._seeds(seed), state_option(options), rows)
        self._ended[rows] = False
        return self._observations(), self._infos(rows)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None] | None:
        """A seed for each match, if there are any."""
        if isinstance(seed, int):
            return [seed + row for row in range(self.num_envs)]
        if seed is not None and len(seed) != self.num_envs:
            raise InvalidArgument(
                f"{quote(seed)} aren't seeds for {self.num_envs} environments", "pass one for each"
            )
        return seed

    def _reset_mask(self, options: dict[str, Any] | None) -> MaskArray:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        is_mask = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
        if not is_mask or mask.shape != (self.num_envs,) or not mask.any():
            raise InvalidArgument(
                f"{quote(mask)} isn't a reset_mask for {self.num_envs} environments",
                "pass an array with a boolean for each, at least one of them true",
            )
        found: MaskArray = mask
        return found

    def step(self, actions: Any) -> tuple[Observations, Array, Array, Array, Infos]:
        matches, restarted = self.matches, self._ended
        if self.autoreset_mode == AutoresetMode.DISABLED and restarted.any():
            raise InvalidArgument(
                f"the matches {np.flatnonzero(restarted).tolist()} have ended",
                "reset them with options={'reset_mask': …}",
            )
        matches.step(actions, ~restarted)
        if restarted.any():
            matches.reset(rows=restarted)
        rewards, terminated = matches.rewards, matches.terminated.copy()
        truncated = matches.truncated.copy()
        self._ended = terminated | truncated
        infos: Infos = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            infos = self._final_infos()
            matches.reset(rows=self._ended)
            self._ended = np.zeros_like(self._ended)
        return self._observations(), rewards, terminated, truncated, {**infos, **self._infos()}

    def _final_infos(self) -> Infos:
        """What the matches ended with, in Gymnasium's form."""
        observations, infos = self._observations(), self._info_arrays()
        found: Infos = {}
        for row in np.flatnonzero(self._ended):
            final = {
                "final_obs": {key: array[row] for key, array in observations.items()},
                "final_info": {key: array[row] for key, array in infos.items()},
            }
            found = self._add_info(found, final, int(row))
        return found

    def _observations(self) -> Observations:
        return {
            OBSERVATION: self.matches.new_features(),
            ACTION_MASK: self.many.mask_bytes.copy(),
        }

    def _info_arrays(self) -> Infos:
        """The seat to move, the mask and, where a match has ended, every seat's return."""
        many = self.many
        return {ACTION_MASK: many.mask_bytes, "seat": many.to_move, "returns": many.returns}

    def _infos(self, rows: MaskArray | None = None) -> Infos:
        """The infos of some rows, with a mask for each key that says which rows have it."""
        found: Infos = {}
        have = np.ones(self.num_envs, dtype=np.bool_) if rows is None else rows
        for key, array in self._info_arrays().items():
            found[key] = array.copy() if self.copy else array
            found[f"_{key}"] = have.copy()
        return found

    def close_extras(self, **kwargs: Any) -> None:
        """Close the bots, and stop the threads."""
        self.matches.close()


def make(name: str, num_envs: int = 1, **settings: Any) -> GameVectorEnv:
    """Make many matches of a registered game; takes the settings and the game's options."""
    device = settings.pop("device", "cpu")
    names = ("autoreset_mode", "copy", "convert")
    vector = {key: settings.pop(key) for key in names if key in settings}
    game, own = split_settings(name, settings)
    if device == "cpu":
        return GameVectorEnv(game, num_envs, **vector, **own)
    if device != "cuda":
        raise InvalidArgument(f"{quote(device)} isn't a device", "choose 'cpu' or 'cuda'")
    from watermeet.envs.cuda import CudaVectorEnv

    return CudaVectorEnv(game, num_envs, **vector, **own)
