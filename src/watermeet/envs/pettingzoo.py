"""Every game for PettingZoo: ``env("NAME", option=value)``, or ``pettingzoo.make`` by its id.

As with PettingZoo's own games, ``from watermeet.envs.pettingzoo import NAME_vVERSION`` has ``env``,
``raw_env`` and ``parallel_env`` for one game. Agents are ``player_0``, ``player_1`` and so on. An
observation is a dictionary of the seat's features and its action mask, which is empty unless the
seat is to move; ``infos`` has the mask too. Chance outcomes are sampled inside, from the seed of
``reset``; without one, the random numbers continue. Rewards come at the end: the match's returns.
Actions are codes, see ``watermeet.core.features``. An action that the mask forbids raises
IllegalMove and changes nothing.
``reset(options={"state": ...})`` starts from a state or its text. ``state()`` is what all seats see
together, for centralised critics.

``parallel_env`` is the same for code that needs PettingZoo's parallel API: every agent gives an
action at each step, and only that of the agent with a non-empty mask counts.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from watermeet.core.batch import VectorGame
from watermeet.core.contract import OVER
from watermeet.core.features import FeatureArray
from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.core.state import State
from watermeet.envs.extra import from_extra
from watermeet.envs.matches import state_option
from watermeet.envs.rendering import MODES, Pixels, render
from watermeet.envs.spaces import (
    ACTION_MASK,
    OBSERVATION,
    action_space,
    observation_space,
    state_space,
)

with from_extra():
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

AGENT = "player_{}"
"""An agent's name, by seat."""


class GameAECEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game whose seats are agents taking turns."""

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.game, self.render_mode = game, render_mode
        self.possible_agents = [AGENT.format(seat) for seat in range(game.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._many = VectorGame(game, 1, autoreset=False)
        space = observation_space(game)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: action_space(game) for agent in self.possible_agents}
        self.state_space = state_space(game)
        self._no_mask = np.zeros(game.features.spec.codes, dtype=np.int8)
        self._no_mask.flags.writeable = False  # Shared by all infos.

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    @property
    def position(self) -> State:
        """The full state, hidden information included."""
        return self._many.state(0)

    @property
    def _mover(self) -> int:
        """The seat to move, or OVER."""
        return self._many.to_move.item(0)

    def state(self) -> FeatureArray:
        """What all seats see together, for a centralised critic."""
        return self._many.observe_all().reshape(-1)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._many.reseed([seed])
        self._many.reset(states=state_option(options))
        while self._mover == OVER:  # A match can end before the first turn.
            self._many.reset()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {ACTION_MASK: self._no_mask} for agent in self.agents}
        self._select(self._mover)

    def _select(self, seat: int) -> None:
        self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection] = {ACTION_MASK: self._many.mask_bytes[0].copy()}

    def observe(self, agent: str) -> dict[str, Any]:
        many, seat = self._many, self._seat_of[agent]
        mask = many.mask_bytes[0] if seat == many.to_move.item(0) else self._no_mask
        return {OBSERVATION: many.observe_one(0, seat), ACTION_MASK: mask.copy()}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._many.play(0, -1 if action is None else int(action))
        self.infos[agent] = {ACTION_MASK: self._no_mask}
        mover = self._many.to_move.item(0)
        if mover == OVER:
            self._end(agent)
        else:
            self._select(mover)

    def _end(self, agent: str) -> None:
        """Give everybody their returns; agents leave in turn, starting after the last mover."""
        gains = self._many.returns[0].tolist()
        self.rewards = dict(zip(self.agents, gains, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        following = (self._seat_of[agent] + 1) % self.game.seats
        self.agent_selection = self.possible_agents[following]

    def render(self) -> str | Pixels | None:
        return render(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing to release."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def env(name: str, *, render_mode: str | None = None, **options: Value) -> GameAECEnv:
    """Make the environment of a registered game; raises UnknownGame or InvalidOptions."""
    return GameAECEnv(find_game(name, **options), render_mode)


raw_env = env
"""The same: nothing is wrapped around it, since it checks what it is given."""


def parallel_env(
    name: str, *, render_mode: str | None = None, **options: Value
) -> ParallelEnv[str, dict[str, Any], int]:
    """Like ``env``, converted by PettingZoo to its parallel API."""
    return turn_based_aec_to_parallel(env(name, render_mode=render_mode, **options))


def env_id(game: Game) -> str:
    """A game's id in PettingZoo."""
    return f"watermeet/{game.name}-v{game.version}"


def __getattr__(wanted: str) -> SimpleNamespace:
    """A game as a module of PettingZoo: ``flume_v1.env(size=5)``."""
    name, _, version = wanted.rpartition("_v")
    if name not in games() or str(find_game(name).version) != version:
        raise AttributeError(f"module {__name__!r} has no attribute {wanted!r}")
    makers = {"env": env, "raw_env": raw_env, "parallel_env": parallel_env}
    return SimpleNamespace(**{key: partial(maker, name) for key, maker in makers.items()})


def register() -> None:
    """Register all games with PettingZoo; importing this module does it."""
    from pettingzoo.env_registry import registration

    for name in games():
        game_id = env_id(find_game(name))
        if game_id not in registration.aec_registry:
            registration.register("aec", game_id, entry_point=partial(env, name))
            registration.register("parallel", game_id, entry_point=partial(parallel_env, name))


register()
