"""Every game for Gymnasium: one learner at one seat against bots, or at all seats in turn.

Importing this module registers them: ``gymnasium.make("watermeet/NAME-vVERSION", seat=0,
opponents="drop", option=value)``, or ``make_vec`` with the same settings for a batch, which
``watermeet.envs.vector`` plays. An observation is a dictionary of features and action mask, as in
PettingZoo's board games. The mask is also in ``info`` and, for Stable-Baselines3, in
``action_masks()``. Actions are codes, see ``watermeet.core.features``.

``seat`` is the learner's, or "random": each match draws one. The reward is the return of that seat
and comes at the end; ``info["returns"]`` has every seat's. ``info["seat"]`` is the seat to move, or
OVER.

``opponents`` play the other seats: the spec of a bot (see ``watermeet bots``), a ``Bot``, a trained
model with ``predict(features, action_masks=…)`` (of which a copy is kept), a function of
``watermeet.bots.batched.Turns``, or a list or mapping with one of these for each seat.
``set_opponents`` replaces them. With SELF the learner plays every seat in turn: each observation is
that of the seat to move, and the reward is the return of the seat that moved last.

An action that the mask forbids raises IllegalMove and changes nothing. For code that doesn't know
masks, ``illegal="next"`` plays the next legal action instead, wrapping around to 0.
``reset(options={"state": ...})`` starts from a state or its text. Without a seed, ``reset``
continues with the random numbers it has, which are different in every program.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from watermeet.bots.batched import Playable
from watermeet.core.batch_kernels import MaskArray
from watermeet.core.checks import quote
from watermeet.core.errors import IllegalMove
from watermeet.core.features import FeatureArray
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.core.state import State
from watermeet.envs.extra import from_extra
from watermeet.envs.matches import SELF, SETTINGS, Matches, state_option
from watermeet.envs.rendering import MODES, Pixels, render
from watermeet.envs.spaces import (
    ACTION_MASK,
    OBSERVATION,
    action_space,
    observation_space,
    state_space,
)

with from_extra():
    import gymnasium

__all__ = ["SELF", "GameEnv", "env_id", "make", "register"]

Observation = dict[str, Any]
Info = dict[str, Any]


class GameEnv(gymnasium.Env[Observation, Any]):
    """A game from the point of view of one seat; takes the settings of ``Matches``."""

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's form

    def __init__(self, game: Game, *, render_mode: str | None = None, **settings: Any) -> None:
        self.game, self.render_mode = game, render_mode
        self.observation_space, self.action_space = observation_space(game), action_space(game)
        self.state_space = state_space(game)
        self.matches = Matches(game, 1, **settings)

    @property
    def position(self) -> State:
        """The full state, hidden information included."""
        return self.matches.many.state(0)

    def action_masks(self) -> MaskArray:
        """The mask of legal actions, as booleans."""
        mask: MaskArray = self.matches.many.masks[0].copy()
        return mask

    def state(self) -> FeatureArray:
        """What all seats see together, for a centralised critic."""
        found: FeatureArray = self.matches.state()[0]
        return found

    def set_opponents(self, opponents: Playable) -> None:
        """Replace the opponents, from their next turn on."""
        self.matches.set_opponents(opponents)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        super().reset(seed=seed)
        self.matches.reset([seed], state_option(options))
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        matches = self.matches
        if matches.terminated.item(0):
            raise IllegalMove(f"the match is over, so {quote(action)} can't be played", "reset it")
        matches.step_one(action if isinstance(action, int) else np.asarray(action).item())
        is_over, is_cut = matches.terminated.item(0), matches.truncated.item(0)
        reward = matches.rewards.item(0) if is_over else 0.0
        return self._observation(), reward, is_over, is_cut, self._info()

    def _observation(self) -> Observation:
        many = self.matches.many
        features = many.observe_one(0, self.matches.seats.item(0))
        return {OBSERVATION: features, ACTION_MASK: many.mask_bytes[0].copy()}

    def _info(self) -> Info:
        many = self.matches.many
        return {
            ACTION_MASK: many.mask_bytes[0].copy(),
            "seat": many.to_move.item(0),
            "returns": many.returns[0].copy(),
        }

    def render(self) -> Any:
        picture: str | Pixels | None = render(self.position, self.render_mode)
        return picture

    def close(self) -> None:
        self.matches.close()


def make(name: str, *, render_mode: str | None = None, **settings: Any) -> GameEnv:
    """Make the environment of a registered game; takes the settings and the game's options."""
    game, own = split_settings(name, settings)
    return GameEnv(game, render_mode=render_mode, **own)


def split_settings(name: str, settings: dict[str, Any]) -> tuple[Game, dict[str, Any]]:
    """The game with its options, and the settings of the environment."""
    own = {key: value for key, value in settings.items() if key in SETTINGS}
    options = {key: value for key, value in settings.items() if key not in SETTINGS}
    return find_game(name, **options), own


def env_id(game: Game) -> str:
    """A game's id in Gymnasium."""
    return f"watermeet/{game.name}-v{game.version}"


def register() -> None:
    """Register all games with Gymnasium; importing this module does it."""
    for name in games():
        game_id = env_id(find_game(name))
        if game_id not in gymnasium.registry:
            gymnasium.register(
                game_id,
                entry_point="watermeet.envs.gymnasium:make",
                vector_entry_point="watermeet.envs.vector:make",
                kwargs={"name": name},
            )


register()
