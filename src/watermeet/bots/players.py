"""Bots that don't search: the random one, games' own players, and those that follow priors."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
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
from watermeet.search.tree import NONE
from watermeet.search.wins import WinFinder


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

    def choose(self, state: State, limits: Limits | None) -> PlayResult:
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


def look_one_ply_ahead(state: State, rng: random.Random) -> int:
    """Play as a beginner does, in any game: win if you can, and don't let the next player win.

    Otherwise take the action after which the game's ``evaluate`` likes the position best.
    """
    win = _finder(state.game).find(state)
    if win != NONE:
        return win
    seat, full = state.to_move, state.resample(rng)
    actions = list(full.legal_actions)
    rng.shuffle(actions)
    after = {action: full.play(action) for action in actions}
    return max(
        actions, key=lambda each: (not _gives_win(after[each], seat), _value(after[each], seat))
    )


@cache
def _finder(game: Game) -> WinFinder:
    return WinFinder(game)


def _gives_win(state: State, seat: int) -> bool:
    """Whether somebody of another team is to move and can win at once."""
    mover = state.to_move
    if mover < 0 or any({mover, seat} <= set(team) for team in state.game.teams):
        return False
    return _finder(state.game).find(state) != NONE


def _value(state: State, seat: int) -> float:
    if state.outcome is not None:
        return state.outcome.returns[seat]
    values = np.zeros(state.game.seats)
    state.game.evaluation.by_name["evaluate"](state.array.copy(), values)
    return float(values[seat])


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
