"""Bots that answer for many matches at once: opponents of a learner, and its examiners.

A batched bot is any function from ``Turns`` to one action for each of them. ``batched`` makes one
of whatever can play: a bot's spec, a ``Bot``, a trained model, or such a function. Like every bot
it gets what the seat to move knows and nothing else.

The bot ``random`` and levels that follow priors, without a search, choose for all turns in one
compiled call, with the random numbers of the matches. All others play the turns one by one, and a
search takes as long for each as it does alone.

``play_matches`` lets batched bots play each other:

>>> import watermeet as wm
>>> returns = play_matches(wm.game("flume", size=3), ["random", "random"], matches=50, seed=1)
>>> returns.shape, float(abs(returns.sum(axis=1)).max())
((50, 2), 0.0)
"""

from __future__ import annotations

import copy
import io
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.bots.bot import Bot
from watermeet.bots.levels import PRIORS, Level
from watermeet.bots.specs import RANDOM, level_of, make_bot
from watermeet.core.batch import VectorGame
from watermeet.core.batch_kernels import MaskArray, Matrix, Rows, bind_features
from watermeet.core.checks import quote, require_integer
from watermeet.core.contract import (
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    conceal,
    legal,
)
from watermeet.core.errors import InvalidArgument
from watermeet.core.evaluation import priors
from watermeet.core.features import NO_CODE, FeatureArray, encode
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.rng import next_weighted
from watermeet.core.state import State
from watermeet.search.tree import NONE
from watermeet.search.wins import find_win

MATCHES_AT_ONCE = 256


class Turns:
    """Matches in which it is somebody's turn, as the seats to move know them: one row for each."""

    def __init__(self, many: VectorGame, rows: npt.NDArray[np.intp]) -> None:
        self.many, self.rows, self.game = many, rows, many.game

    @cached_property
    def seats(self) -> ActionArray:
        """[rows]: the seat to move."""
        return self.many.to_move[self.rows]

    @cached_property
    def masks(self) -> MaskArray:
        """[rows, codes]: whether each action is legal."""
        return self.many.masks[self.rows]

    @cached_property
    def features(self) -> FeatureArray:
        """[rows, features]: what the seat to move sees."""
        return self.many.observe(self.seats, self.rows)

    @cached_property
    def states(self) -> list[State]:
        """The states, as the seats to move know them."""
        pairs = zip(self.rows, self.seats, strict=True)
        return [self.many.state(int(row)).conceal(int(seat)) for row, seat in pairs]

    def sample(self) -> ActionArray:
        """A random legal action for each row, from its match's random numbers."""
        return self.many.sample_actions(self.rows)[self.rows]


BatchedBot = Callable[[Turns], npt.ArrayLike]
"""Chooses an action, by its code, for each of the turns."""
Playable = str | Bot | BatchedBot | Any
"""What ``batched`` takes."""


def choose_randomly(turns: Turns) -> ActionArray:
    """The batched bot of the spec ``random``."""
    return turns.sample()


@kernel
def prefer(
    weights: FloatArray, count: int, temperature: float, rng: RandomArray, chances: FloatArray
) -> int:
    """The index that ``SearchResult.choose`` would choose, were the weights values.

    ``chances`` is a buffer.
    """
    total, best = 0.0, 0
    for index in range(count):
        total += weights[index]
        if weights[index] > weights[best]:
            best = index
    if temperature <= 0.0:
        return best
    whole = 0.0
    for index in range(count):
        chances[index] = np.exp((weights[index] - weights[best]) / total / temperature)
        whole += chances[index]
    for index in range(count):
        chances[index] /= whole
    return int(next_weighted(rng, chances, count))


@kernel
def code_among(known: StateArray, actions: ActionArray, count: int, chosen: int) -> int:
    """The code of a legal action, as a batch lists it.

    If it has none and others have, the first of theirs: no environment can offer it.
    """
    found = encode(known, int(actions[chosen]))
    if found != NO_CODE:
        return int(found)
    for index in range(count):
        found = encode(known, int(actions[index]))
        if found != NO_CODE:
            return int(found)
    return chosen


@kernel
def follow_priors_batch(
    rows: Rows,
    seats: ActionArray,
    temperature: float,
    states: Matrix,
    rngs: Matrix,
    actions: ActionArray,
    weights: FloatArray,
    chances: FloatArray,
    known: StateArray,
    sampled: StateArray,
    after: StateArray,
    returns: FloatArray,
    best_return: float,
    out: ActionArray,
) -> None:
    """Win at once or choose by the game's priors, in each of the rows, as the mover knows it."""
    for index in range(len(rows)):
        match = rows[index]
        conceal(states[match], int(seats[index]), known)
        count, chosen = int(legal(known, actions)), 0
        win = NONE
        if count > 1:
            seat, rng = int(seats[index]), rngs[match]
            win = find_win(known, seat, best_return, rng, actions, sampled, after, returns)
        if win != NONE:
            while actions[chosen] != win:
                chosen += 1
        elif count > 1:
            priors(known, actions, count, weights)
            chosen = prefer(weights, count, temperature, rngs[match], chances)
        out[index] = code_among(known, actions, count, chosen)


class FollowPriors:
    """The batched bot of a level that doesn't search: one compiled call for all turns.

    It plays as ``SearchBot`` does, but takes its random numbers from the matches.
    """

    def __init__(self, game: Game, level: Level) -> None:
        self.game, self.level = game, level
        self._prepare()

    def _prepare(self) -> None:
        game, actions = self.game, self.game.sizes.actions
        self._choose = bind_features(game, follow_priors_batch)
        self._buffers = (
            np.zeros(actions, dtype=np.int32),
            np.zeros(actions),
            np.zeros(actions),
            *(np.zeros(game.sizes.state, dtype=game.dtype) for _ in range(3)),
            np.zeros(game.seats),
            float(game.returns_range[1]),
        )

    def __getstate__(self) -> dict[str, Any]:
        return {"game": self.game, "level": self.level}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._prepare()

    def __call__(self, turns: Turns) -> ActionArray:
        out: ActionArray = np.zeros(len(turns.rows), dtype=np.int32)
        many = turns.many
        if many.game != self.game:
            what = f"{self.level.name!r} plays {self.game.describe()}, not {many.game.describe()}"
            raise InvalidArgument(what, "make a bot for this game")
        self._choose(
            turns.rows, turns.seats, self.level.temperature, many.states, many.rngs,
            *self._buffers, out,
        )  # fmt: skip
        return out


class EachInTurn:
    """Lets a bot play all turns, one after the other. It is one bot, and has one memory."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def __call__(self, turns: Turns) -> ActionArray:
        return np.array([self._code(state) for state in turns.states], dtype=np.int32)

    def _code(self, state: State) -> int:
        action = self.bot.play(state).action
        by_code = state.game.features.legal_codes(state)
        for code, each in by_code.items():
            if each == action:
                return code
        return next(iter(by_code))  # It has no code, so no environment can offer it.

    def close(self) -> None:
        """Close the bot."""
        self.bot.close()


class Snapshot:
    """A trained model as it is now: a copy that doesn't learn any more.

    The model has a method ``predict(features, action_masks=…)``, as those of Stable-Baselines3's
    MaskablePPO do; if it has a ``policy``, only that is copied.
    """

    def __init__(self, model: Any, *, deterministic: bool = False) -> None:
        self.policy = _copy_of(getattr(model, "policy", model))
        self.deterministic = deterministic

    def __call__(self, turns: Turns) -> npt.ArrayLike:
        chosen, _ = self.policy.predict(
            turns.features, action_masks=turns.masks, deterministic=self.deterministic
        )
        return np.asarray(chosen)


def _copy_of(policy: Any) -> Any:
    """A copy; PyTorch refuses to copy a policy that has just learnt, unless it saves itself."""
    if not (hasattr(policy, "save") and hasattr(policy, "load")):
        return copy.deepcopy(policy)
    content = io.BytesIO()
    policy.save(content)
    content.seek(0)
    return type(policy).load(content)


def batched(game: Game, player: Playable, *, seed: object = 0) -> BatchedBot:
    """A batched bot of a spec, a bot, a model with ``predict``, or a function of Turns."""
    if isinstance(player, str) and player == RANDOM:
        return choose_randomly
    if isinstance(player, str):
        level = level_of(game, player)
        if level is not None and level.method == PRIORS:
            return FollowPriors(game, level)
        return EachInTurn(make_bot(game, player, seed=seed))
    if isinstance(player, Bot):
        if player.game != game:
            what = f"{player.name!r} plays {player.game.describe()}, not {game.describe()}"
            raise InvalidArgument(what, "make a bot for this game")
        return EachInTurn(player)
    if hasattr(player, "predict"):
        return Snapshot(player)
    if callable(player):
        found: BatchedBot = player
        return found
    raise InvalidArgument(
        f"{quote(player)} can't play",
        "pass the spec of a bot, a bot, a model with predict, or a function of Turns",
    )


def by_seat(game: Game, players: Playable, *, seed: object = 0) -> list[BatchedBot | None]:
    """A batched bot for each seat, of one for all, a list, or a mapping by seat.

    A seat that has None, or isn't in the mapping, has none.
    """
    if isinstance(players, Mapping):
        listed = [players.get(seat) for seat in range(game.seats)]
        wrong = [seat for seat in players if seat not in range(game.seats)]
    elif isinstance(players, Sequence) and not isinstance(players, str):
        listed, wrong = list(players), []
    else:
        found = batched(game, players, seed=seed)
        return [found] * game.seats
    if wrong or len(listed) != game.seats:
        raise InvalidArgument(
            f"{quote(players)} aren't players for {game.seats} seats", "pass one for each seat"
        )
    return [
        None if each is None else batched(game, each, seed=(seed, seat))
        for seat, each in enumerate(listed)
    ]


def choose(bots: Sequence[BatchedBot | None], many: VectorGame, waiting: MaskArray) -> ActionArray:
    """The bots' actions in all matches that wait for one; zero in the others."""
    if all(bot is choose_randomly for bot in bots):
        return many.sample_actions(waiting)
    actions = np.zeros(many.count, dtype=np.int32)
    distinct = {id(bot): bot for bot in bots if bot is not None}
    for bot in distinct.values():
        mine = waiting
        if len(distinct) > 1:
            seats = [seat for seat, each in enumerate(bots) if each is bot]
            mine = waiting & np.isin(many.to_move, seats)
        rows = np.flatnonzero(mine)
        if len(rows):
            actions[rows] = bot(Turns(many, rows))
    return actions


def play_matches(
    game: Game,
    players: Playable,
    *,
    matches: int,
    seed: object = None,
    at_once: int = MATCHES_AT_ONCE,
    threads: int = 1,
) -> FloatArray:
    """Play matches between batched bots, one for each seat; return each seat's returns.

    [matches, seats]. A list of fewer players than seats is repeated.
    """
    count = require_integer(matches, "a number of matches", low=1)
    if isinstance(players, list | tuple) and players:
        players = [players[seat % len(players)] for seat in range(game.seats)]
    bots = by_seat(game, players, seed=seed)
    if None in bots:
        raise InvalidArgument(f"a seat of {quote(players)} is empty", "pass a player for each seat")
    found = []
    for first in range(0, count, at_once):
        size = min(at_once, count - first)
        part = None if seed is None else (seed, first)
        many = VectorGame(game, size, seed=part, threads=threads, autoreset=False)
        while (waiting := many.to_move >= 0).any():
            many.step(choose(bots, many, waiting))
        found.append(many.returns)
        many.close()
    return np.concatenate(found)
