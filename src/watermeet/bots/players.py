"""Bots that don't search: the random one, games' own players, and those that follow priors."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from watermeet.bots.bot import Bot, Player, PlayResult
from watermeet.core.errors import InvalidGame
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.search.result import Candidate, SearchResult
from watermeet.search.steps import normalize


class PlayerBot(Bot):
    """A bot that calls a function."""

    def __init__(self, game: Game, name: str, player: Player, seed: object = 0) -> None:
        super().__init__(game, name)
        self._player = player
        self.reseed(seed)

    def new_match(self, seed: object) -> None:
        """Start a match."""
        self.reseed(seed)

    def reseed(self, seed: object) -> None:
        """Take randomness from another seed."""
        self._rng = random.Random(repr(seed))

    def play(self, state: State, limits: Limits | None = None) -> PlayResult:
        """Choose by the function."""
        return PlayResult(self._player(state, self._rng))


def choose_any(state: State, rng: random.Random) -> int:
    """Choose uniformly among the legal actions, except the one that says that time is up."""
    clock = state.game.clock
    actions = [
        action
        for action in state.legal_actions
        if clock is None or state.format(action) != clock.move
    ]
    return rng.choice(actions or state.legal_actions)


def players_of(game: Game) -> Mapping[str, Player]:
    """The players that a game offers to measure bots against: ``PLAYERS`` of its players.py."""
    module = import_optional(game.package, "players")
    players: Any = getattr(module, "PLAYERS", None) if module else {}
    if not isinstance(players, Mapping) or not all(map(callable, players.values())):
        raise InvalidGame(f"{game.package}.players must declare PLAYERS", "functions by name")
    return players


def follow_priors(state: State) -> SearchResult:
    """What the game's ``priors`` say, without looking ahead; priors serve as values too."""
    game, actions = state.game, state.legal_actions
    listed = np.zeros(game.sizes.actions, dtype=np.int32)
    listed[: len(actions)] = actions
    weights = np.zeros(game.sizes.actions)
    game.evaluation.by_name["priors"](state.array.copy(), listed, len(actions), weights)
    normalize(weights, len(actions))  # One after the other; NumPy's sum has an order of its own.
    priors = weights[: len(actions)]
    candidates = tuple(
        Candidate(int(actions[index]), float(priors[index]), 1, float(priors[index]))
        for index in sorted(range(len(actions)), key=lambda index: -priors[index])
    )
    return SearchResult(candidates, (candidates[0].action,), 1, 0.0)
