"""Every game for Gymnasium: one learner at one seat against bots, or at all seats in turn.

Importing this module registers them: ``gymnasium.make("watermeet/NAME-vVERSION", seat=0,
opponents="drop", option=value)``. An observation is a dictionary of features and action mask, as in
PettingZoo's board games. The mask is also in ``info`` and, for Stable-Baselines3, in
``action_masks()``. The reward comes at the end.

``opponents`` names the bot that plays all other seats (see ``watermeet bots``). With SELF the
learner plays every seat in turn: each observation is that of the seat to move, ``info["seat"]``,
and the reward is the return of the seat that moved last.

An action that the mask forbids raises IllegalMove and changes nothing. For code that doesn't know
masks, ``illegal="next"`` plays the next legal action instead, wrapping around to 0.
``reset(options={"state": ...})`` starts from a state or its text.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from watermeet.bots.bot import Bot
from watermeet.bots.specs import RANDOM, make_bot
from watermeet.core.batch import MaskArray
from watermeet.core.contract import OVER
from watermeet.core.errors import InvalidOptions, NoSuchSeat
from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.core.state import State
from watermeet.envs.rendering import MODES, Pixels, render
from watermeet.envs.simulator import Simulator
from watermeet.envs.spaces import ACTION_MASK, OBSERVATION, observation_space

SELF = "self"
RAISE, NEXT = "raise", "next"
Observation = dict[str, Any]
Info = dict[str, Any]


class GameEnv(gymnasium.Env[Observation, Any]):
    """A game from the point of view of one seat."""

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        game: Game,
        *,
        seat: int = 0,
        opponents: str = RANDOM,
        illegal: str = RAISE,
        render_mode: str | None = None,
    ) -> None:
        if not 0 <= seat < game.seats:
            raise NoSuchSeat(
                f"{game.name} has no seat {seat!r}", f"seats are 0 to {game.seats - 1}"
            )
        if illegal not in (RAISE, NEXT):
            raise InvalidOptions(f"illegal={illegal!r} isn't known", f"use {RAISE!r} or {NEXT!r}")
        self.game, self.seat, self.render_mode = game, seat, render_mode
        self._takes_next = illegal == NEXT
        self.observation_space = observation_space(game)
        self.action_space = gymnasium.spaces.Discrete(game.sizes.actions)
        self._simulator = Simulator(game)
        self._bot: Bot | None = None if opponents == SELF else make_bot(game, opponents)

    @property
    def position(self) -> State:
        """The full state, hidden information included."""
        return self._simulator.state

    def action_masks(self) -> MaskArray:
        """The mask of legal actions."""
        return self._simulator.mask.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        super().reset(seed=seed)
        self._begin((options or {}).get("state"))
        while self._simulator.mover == OVER:  # A match can end before the learner's first turn.
            self._begin()
        return self._observation(), self._info()

    def _begin(self, state: State | str | None = None) -> None:
        seed = int(self.np_random.integers(2**62))
        self._simulator.reset(seed, state)
        if self._bot is not None:
            self._bot.new_match(seed)
        self._play_opponents()

    def _play_opponents(self) -> None:
        """Let the other seats move until it is the learner's turn."""
        while self._bot is not None and self._simulator.mover not in (self.seat, OVER):
            known = self._simulator.state.conceal(self._simulator.mover)
            self._simulator.play(self._bot.play(known).action)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        seat = self._simulator.mover if self._bot is None else self.seat
        self._simulator.play(self._legal(int(action)))
        self._play_opponents()
        is_over = self._simulator.mover == OVER
        reward = float(self._simulator.returns[seat]) if is_over else 0.0
        return self._observation(seat), reward, is_over, False, self._info()

    def _legal(self, action: int) -> int:
        """The action, or the next legal one with ``illegal="next"``."""
        if self._takes_next:
            legal = np.flatnonzero(self._simulator.mask)
            return int(legal[np.searchsorted(legal, action) % len(legal)]) if len(legal) else action
        return action

    def _observation(self, at_the_end: int = 0) -> Observation:
        """The learner's observation: from its seat, or from the seat to move in self-play."""
        seat = self.seat if self._bot is not None else self._simulator.mover
        seen_from = at_the_end if seat == OVER else seat
        mask = self._simulator.mask.copy()
        return {OBSERVATION: self._simulator.features(seen_from), ACTION_MASK: mask}

    def _info(self) -> Info:
        return {ACTION_MASK: self._simulator.mask.copy(), "seat": self._simulator.mover}

    def render(self) -> Any:
        picture: str | Pixels | None = render(self._simulator.state, self.render_mode)
        return picture

    def close(self) -> None:
        if self._bot is not None:
            self._bot.close()


def make(name: str, **settings: Any) -> GameEnv:
    """Make the environment of a registered game; takes GameEnv's settings and game options."""
    names = ("seat", "opponents", "illegal", "render_mode")
    own = {key: settings.pop(key) for key in names if key in settings}
    options: dict[str, Value] = settings
    return GameEnv(find_game(name, **options), **own)


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
