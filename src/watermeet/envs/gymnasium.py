"""Every game for Gymnasium: one learner at one seat, against bots, or at all seats in turn.

``gymnasium.make("watermeet/NAME-vVERSION", seat=0, opponents="drop", option=value)``, once this
module is imported. An observation is a dictionary of features and mask, as in ``zoo``; the mask is
in ``info`` too, and ``action_masks()`` gives it to those who ask so. The reward comes at the end.

``opponents`` is the text of a bot, as ``watermeet bots`` lists them, for all other seats; or SELF:
then the learner chooses for every seat in turn. Each observation is then that of the seat to move,
``info["seat"]``, and the reward what the seat got that moved last.

An action that the mask does not allow raises IllegalMove, and nothing is played. For programs that
know of no mask there is ``illegal="next"``: then the next legal action is played instead, counted
upwards from it and from 0 again. ``reset(options={"state": ...})`` begins with a state, or the text
of one.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from watermeet.bots.bot import Bot
from watermeet.bots.making import RANDOM, make_bot
from watermeet.core.batch import MaskArray
from watermeet.core.contract import OVER
from watermeet.core.errors import InvalidOptions, NotYourTurn
from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.core.state import State
from watermeet.envs.pictures import MODES, Pixels, render
from watermeet.envs.spaces import ACTION_MASK, OBSERVATION, observation_space
from watermeet.envs.table import Table

SELF = "self"
RAISE, NEXT = "raise", "next"
Observation = dict[str, Any]
Info = dict[str, Any]


class SeatEnv(gymnasium.Env[Observation, Any]):
    """A game as one of its seats sees it."""

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
            raise NotYourTurn(
                f"{game.name} has no seat {seat!r}", f"seats are 0 to {game.seats - 1}"
            )
        if illegal not in (RAISE, NEXT):
            raise InvalidOptions(
                f"illegal actions cannot be met with {illegal!r}", f"write {RAISE!r} or {NEXT!r}"
            )
        self.game, self.seat, self.render_mode = game, seat, render_mode
        self._takes_next = illegal == NEXT
        self.observation_space = observation_space(game)
        self.action_space = gymnasium.spaces.Discrete(game.sizes.actions)
        self._table = Table(game)
        self._bot: Bot | None = None if opponents == SELF else make_bot(game, opponents)

    @property
    def position(self) -> State:
        """The full state, for whoever may know all."""
        return self._table.state

    def action_masks(self) -> MaskArray:
        """What can be played now."""
        return self._table.mask.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        super().reset(seed=seed)
        self._begin((options or {}).get("state"))
        while self._table.mover == OVER:  # Some match ends before the learner has a choice.
            self._begin()
        return self._observation(), self._info()

    def _begin(self, state: State | str | None = None) -> None:
        drawn = int(self.np_random.integers(2**62))
        self._table.begin(drawn, state)
        if self._bot is not None:
            self._bot.begin(drawn)
        self._wait()

    def _wait(self) -> None:
        """The others move until it is the learner's turn."""
        while self._bot is not None and self._table.mover not in (self.seat, OVER):
            known = self._table.state.conceal(self._table.mover)
            self._table.play(self._bot.answer(known).action)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        seat = self._table.mover if self._bot is None else self.seat
        self._table.play(self._legal(int(action)))
        self._wait()
        is_over = self._table.mover == OVER
        reward = float(self._table.returns[seat]) if is_over else 0.0
        return self._observation(seat), reward, is_over, False, self._info()

    def _legal(self, action: int) -> int:
        """The action, or where that is wanted the next legal one."""
        if self._takes_next:
            legal = np.flatnonzero(self._table.mask)
            return int(legal[np.searchsorted(legal, action) % len(legal)]) if len(legal) else action
        return action

    def _observation(self, at_the_end: int = 0) -> Observation:
        """What the learner sees: from its seat, or in turn from every seat."""
        seat = self.seat if self._bot is not None else self._table.mover
        seen_from = at_the_end if seat == OVER else seat
        mask = self._table.mask.copy()
        return {OBSERVATION: self._table.features(seen_from), ACTION_MASK: mask}

    def _info(self) -> Info:
        return {ACTION_MASK: self._table.mask.copy(), "seat": self._table.mover}

    def render(self) -> Any:
        picture: str | Pixels | None = render(self._table.state, self.render_mode)
        return picture

    def close(self) -> None:
        if self._bot is not None:
            self._bot.close()


def make(name: str, **settings: Any) -> SeatEnv:
    """The environment of a registered game: settings of ``SeatEnv``, and the game's options."""
    names = ("seat", "opponents", "illegal", "render_mode")
    own = {key: settings.pop(key) for key in names if key in settings}
    options: dict[str, Value] = settings
    return SeatEnv(find_game(name, **options), **own)


def gym_id(game: Game) -> str:
    """What Gymnasium calls a game."""
    return f"watermeet/{game.name}-v{game.version}"


def register() -> None:
    """Tells Gymnasium all registered games; importing this module does it."""
    for name in games():
        told = gym_id(find_game(name))
        if told not in gymnasium.registry:
            gymnasium.register(
                told,
                entry_point="watermeet.envs.gymnasium:make",
                vector_entry_point="watermeet.envs.vector:make",
                kwargs={"name": name},
            )


register()
