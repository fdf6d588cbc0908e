"""Every game for PettingZoo: ``env("NAME", option=value)``, or ``pettingzoo.make`` by its id.

Agents are ``seat_0``, ``seat_1`` and so on. An observation is a dictionary of the seat's features
and its mask, which is empty unless the seat is to move; ``infos`` have the mask too. Chance is
drawn inside, from the seed of ``reset``. The rewards come at the end: the returns of the match. An
action that the mask does not allow raises IllegalMove, and nothing is played.
``reset(options={"state": ...})`` begins with a state, or the text of one.

``parallel_env`` is the same for programs that know PettingZoo's parallel form alone: every agent
gives an action at each step, and only that of the agent whose mask is not empty counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from watermeet.core.contract import OVER
from watermeet.core.errors import InvalidNotation
from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.core.state import State
from watermeet.envs.pictures import MODES, Pixels, render
from watermeet.envs.spaces import ACTION_MASK, OBSERVATION, observation_space
from watermeet.envs.table import AGENT, Table


class SeatsEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game whose seats are agents that move in turn."""

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
        self._table = Table(game)
        space = observation_space(game)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: spaces.Discrete(game.sizes.actions) for agent in self.possible_agents
        }
        self._no_mask = np.zeros(game.sizes.actions, dtype=np.int8)
        self._no_mask.flags.writeable = False  # All infos share it.

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    @property
    def position(self) -> State:
        """The full state, for whoever may know all."""
        return self._table.state

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._table.begin(seed, (options or {}).get("state"))
        if self._table.mover == OVER:
            raise InvalidNotation(
                f"{self._table.state!r} is over", "begin with a state in which somebody can move"
            )
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {ACTION_MASK: self._no_mask} for agent in self.agents}
        self._select(self._table.mover)

    def _select(self, seat: int) -> None:
        self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection] = {ACTION_MASK: self._table.mask.copy()}

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seat_of[agent]
        is_mover = seat == self._table.mover
        mask = self._table.mask.copy() if is_mover else self._no_mask.copy()
        return {OBSERVATION: self._table.features(seat), ACTION_MASK: mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._table.play(-1 if action is None else int(action))
        self.infos[agent] = {ACTION_MASK: self._no_mask}
        if self._table.mover == OVER:
            self._end(agent)
        else:
            self._select(self._table.mover)

    def _end(self, agent: str) -> None:
        """Everybody gets the returns; the agents leave, beginning behind the last mover."""
        gains = self._table.returns.tolist()
        self.rewards = dict(zip(self.agents, gains, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        following = (self._seat_of[agent] + 1) % self.game.seats
        self.agent_selection = self.possible_agents[following]

    def render(self) -> str | Pixels | None:
        return render(self._table.state, self.render_mode)

    def close(self) -> None:
        """There is nothing to give back."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


def env(name: str, *, render_mode: str | None = None, **options: Value) -> SeatsEnv:
    """The environment of a registered game; raises UnknownGame or InvalidOptions."""
    return SeatsEnv(find_game(name, **options), render_mode)


def parallel_env(
    name: str, *, render_mode: str | None = None, **options: Value
) -> ParallelEnv[str, dict[str, Any], int]:
    """As ``env``, turned by PettingZoo into its parallel form."""
    return turn_based_aec_to_parallel(env(name, render_mode=render_mode, **options))


def zoo_id(game: Game) -> str:
    """What PettingZoo calls a game."""
    return f"watermeet/{game.name}-v{game.version}"


def register() -> None:
    """Tells PettingZoo all registered games; importing this module does it."""
    from functools import partial

    from pettingzoo.env_registry import registration

    for name in games():
        told = zoo_id(find_game(name))
        if told not in registration.aec_registry:
            registration.register("aec", told, entry_point=partial(env, name))
            registration.register("parallel", told, entry_point=partial(parallel_env, name))


register()
