"""Matches of one learner, at one seat or at all, against bots: the inside of every Gym environment.

``gymnasium`` has one of them, ``vector`` and ``stable_baselines3`` have many. So they mean the same
by the same settings, and a row of a batch is the match that a single environment with that row's
seed would play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.bots.batched import (
    BatchedBot,
    EachInTurn,
    Playable,
    by_seat,
    choose,
    choose_randomly,
)
from watermeet.bots.specs import RANDOM
from watermeet.core.batch import VectorGame
from watermeet.core.batch_kernels import MaskArray
from watermeet.core.checks import integer, quote, require_type
from watermeet.core.contract import OVER, ActionArray, FloatArray
from watermeet.core.errors import InvalidArgument, InvalidOptions, NoSuchSeat
from watermeet.core.features import FeatureArray
from watermeet.core.game import Game
from watermeet.core.state import State

SELF = "self"
RANDOM_SEAT = "random"
RAISE, NEXT = "raise", "next"
SETTINGS = ("seat", "opponents", "illegal", "max_episode_steps", "threads")
"""The settings that all environments take."""


def check_settings(game: Game, seat: int | str, illegal: str) -> None:
    """Raise NoSuchSeat or InvalidOptions unless the settings are valid."""
    if seat != RANDOM_SEAT and integer(seat) not in range(game.seats):
        raise NoSuchSeat(
            f"{game.name} has no seat {seat!r}",
            f"seats are 0 to {game.seats - 1}, or {RANDOM_SEAT!r}",
        )
    if illegal not in (RAISE, NEXT):
        raise InvalidOptions(f"illegal={illegal!r} isn't known", f"use {RAISE!r} or {NEXT!r}")


class Matches:
    """Some matches; see ``watermeet.envs.gymnasium`` for the settings."""

    def __init__(
        self,
        game: Game,
        count: int = 1,
        *,
        seat: int | str = 0,
        opponents: Playable = RANDOM,
        illegal: str = RAISE,
        max_episode_steps: int | None = None,
        threads: int = 1,
    ) -> None:
        check_settings(game, seat, illegal)
        self.game, self.count, self.seat = game, count, seat
        self.max_episode_steps, self._takes_next = max_episode_steps, illegal == NEXT
        self.many = VectorGame(game, count, threads=threads, autoreset=False)
        self.set_opponents(opponents)
        self._all = np.ones(count, dtype=np.bool_)
        self._numbers = np.arange(count)
        self._seats: ActionArray = np.zeros(count, dtype=np.int32)
        self.steps = np.zeros(count, dtype=np.int64)
        """[count]: the learner's actions in this match."""
        self.truncated: MaskArray = np.zeros(count, dtype=np.bool_)

    def set_opponents(self, opponents: Playable) -> None:
        """Replace the opponents, from their next turn on."""
        self._opponents: list[BatchedBot | None] = []
        self.is_self_play = isinstance(opponents, str) and opponents == SELF
        if self.is_self_play:
            return
        self._opponents = by_seat(self.game, opponents, seed=self.many.sample_below(2**31 - 1)[0])
        played = range(self.game.seats) if self.seat == RANDOM_SEAT else {self.seat}
        for seat, bot in enumerate(self._opponents):
            if bot is None and (self.seat == RANDOM_SEAT or seat not in played):
                raise InvalidArgument(
                    f"seat {seat} has no player in {quote(opponents)}", "pass one for each seat"
                )

    # ---- playing ----

    def reset(
        self,
        seeds: Sequence[int | None] | None = None,
        states: State | str | Sequence[State | str] | None = None,
        rows: MaskArray | None = None,
    ) -> None:
        """Start some matches, and play up to the learner's first turn."""
        chosen = self._all if rows is None else rows
        if seeds is not None:
            given = [row for row, seed in enumerate(seeds) if seed is not None and chosen[row]]
            self.many.reseed([seeds[row] for row in given], given)
            for bot in self._opponents if given else ():
                if isinstance(bot, EachInTurn):
                    bot.bot.new_match(seeds[given[0]])
        self._begin(chosen, states)
        while (over := chosen & (self.many.to_move == OVER)).any():
            self._begin(over, None)  # A match can end before the learner's first turn.

    def _begin(self, rows: MaskArray, states: Any) -> None:
        self.many.reset(rows=None if rows is self._all else rows, states=states)
        self.steps[rows] = 0
        self.truncated[rows] = False
        if self.seat == RANDOM_SEAT:
            self._seats[rows] = self.many.sample_below(self.game.seats, rows)
        else:
            self._seats[rows] = self.seat
        self._play_opponents(rows)

    def step(self, actions: npt.ArrayLike, rows: MaskArray | None = None) -> None:
        """Play the learner's actions, then the opponents'; nothing in matches that are over."""
        if self._takes_next:
            actions = self._legal_ones(actions)
        self.many.step(actions, rows)
        chosen = self._all if rows is None else rows
        self.steps += chosen
        self._play_opponents(chosen)
        if self.max_episode_steps is not None:
            self.truncated = self.steps >= self.max_episode_steps  # As Gymnasium's TimeLimit.

    def step_one(self, action: int) -> None:
        """``step`` for a single match, without the cost of arrays."""
        if self._takes_next:
            action = int(self._legal_ones([action])[0])
        self.many.play(0, action)
        self.steps[0] += 1
        if not self.is_self_play:
            self._play_opponents_of_one()
        if self.max_episode_steps is not None:
            self.truncated[0] = self.steps.item(0) >= self.max_episode_steps

    def _play_opponents(self, rows: MaskArray) -> None:
        """Let the other seats move until it is the learner's turn."""
        many = self.many
        if self.is_self_play:
            return
        if self.count == 1:
            if rows[0]:
                self._play_opponents_of_one()
            return
        while True:
            waiting = (many.to_move >= 0) & (many.to_move != self._seats)
            if rows is not self._all:
                waiting &= rows
            if not waiting.any():
                return
            many.step(choose(self._opponents, many, waiting), waiting)

    def _play_opponents_of_one(self) -> None:
        """The same for a single match, without the cost of arrays."""
        many, learner = self.many, self._seats.item(0)
        while (mover := many.to_move.item(0)) >= 0 and mover != learner:
            if self._opponents[mover] is choose_randomly:
                many.play(0, many.sample_action(0))
            else:
                many.play(0, int(choose(self._opponents, many, self._all)[0]))

    def _legal_ones(self, actions: npt.ArrayLike) -> ActionArray:
        """The actions, or the next legal ones."""
        chosen = np.array(actions, dtype=np.int64).reshape(self.count)
        for row, mask in enumerate(self.many.masks):
            legal = np.flatnonzero(mask)
            if len(legal):
                chosen[row] = legal[np.searchsorted(legal, chosen[row]) % len(legal)]
        return chosen.astype(np.int32)

    # ---- results ----

    @property
    def seats(self) -> ActionArray:
        """[count]: the learner's seat; in self-play, the seat that moves or moved last."""
        return self.many.observers if self.is_self_play else self._seats

    @property
    def terminated(self) -> MaskArray:
        """[count]: whether the match is over."""
        return self.many.terminated

    @property
    def rewards(self) -> FloatArray:
        """[count]: the return of the learner's seat once the match is over; zero before."""
        return self.many.returns[self._numbers, self.seats]

    def new_features(self) -> FeatureArray:
        """[count, features]: what the learner sees, in an array of its own."""
        return self.many.observe(self.seats)

    def state(self) -> FeatureArray:
        """[count, seats x features]: what all seats see together, for a centralised critic."""
        return self.many.observe_all().reshape(self.count, -1)

    def close(self) -> None:
        """Close the bots, and stop the threads."""
        for bot in self._opponents:
            if isinstance(bot, EachInTurn):
                bot.close()
        self.many.close()


def state_option(options: Mapping[str, Any] | None) -> Any:
    """The states to start from, in the options of a ``reset``: ``{"state": …}``."""
    require_type(options, (Mapping, type(None)), "a mapping of options")
    return (options or {}).get("state")
