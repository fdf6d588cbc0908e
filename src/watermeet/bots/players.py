"""Bots that do not search: the random one, the one that follows weights, and games' own players."""

from __future__ import annotations

import random
from collections.abc import Mapping

import numpy as np

from watermeet.bots.bot import Answer, Bot
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.levels import Player
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.search.result import Candidate, SearchResult


class PlayerBot(Bot):
    """Chooses by a function."""

    def __init__(self, game: Game, name: str, player: Player, seed: object = 0) -> None:
        super().__init__(game, name)
        self._player = player
        self.begin(seed)

    def begin(self, seed: object) -> None:
        """A match begins."""
        self.reseed(seed)

    def reseed(self, seed: object) -> None:
        """Draws from another seed."""
        self._rng = random.Random(repr(seed))

    def answer(self, state: State, limits: Limits | None = None) -> Answer:
        """Whatever the function says."""
        return Answer(self._player(state, self._rng))


def choose_any(state: State, rng: random.Random) -> int:
    """Every legal action is as likely as any other; but nobody says that time is up."""
    clock = state.game.clock
    actions = [
        action
        for action in state.legal_actions
        if clock is None or state.format(action) != clock.move
    ]
    return rng.choice(actions or state.legal_actions)


def players_of(game: Game) -> Mapping[str, Player]:
    """The players that a game offers to be measured against, by name: ``PLAYERS`` of players.py."""
    module = import_optional(game.package, "players")
    players: Mapping[str, Player] = module.PLAYERS if module else {}
    return players


def think_by_weights(state: State) -> SearchResult:
    """What the game's ``priors`` likes, without looking ahead; weights are values and priors."""
    game = state.game
    actions = np.array(state.legal_actions, dtype=np.int32)
    room = np.zeros(game.sizes.actions, dtype=np.int32)
    room[: len(actions)] = actions
    weights = np.zeros(game.sizes.actions)
    game.evaluation.by_name["priors"](state.array.copy(), room, len(actions), weights)
    shares = weights[: len(actions)] / weights[: len(actions)].sum()
    order = sorted(range(len(actions)), key=lambda place: -shares[place])
    candidates = tuple(
        Candidate(int(actions[place]), float(shares[place]), 1, float(shares[place]))
        for place in order
    )
    return SearchResult(candidates, (candidates[0].action,), 1, 0.0)
