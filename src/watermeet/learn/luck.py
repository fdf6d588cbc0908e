"""How lucky a match was: the value of each chance outcome against what could have come instead.

A value here is what the seats can expect after everybody has played one more turn by the game's
priors, as the game's evaluation sees it. The outcome that came and those that could have come are
valued in the same way, with the same random numbers. So luck is zero on average, however anybody
plays and however wrong the evaluation is: it is a sum of martingale differences.

Where the game counts points, values are points instead: those by which a seat is ahead of the mean
of the other teams.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import CHANCE, OVER, apply, legal, score, to_move
from watermeet.core.evaluation import evaluate, priors, proven_returns
from watermeet.core.game import Game
from watermeet.core.kernel import kernel
from watermeet.core.playout import sample_chance
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.search.binding import bind
from watermeet.search.tree import Scratch, make_scratch

MOST_OUTCOMES = 12
"""Up to this many outcomes of chance are all valued; of more, samples are."""
LONGEST_TURN = 6
"""After this many actions for each seat the evaluation judges, even in the middle of a turn."""
FEWEST_ROUNDS, MOST_ROUNDS = 16, 400
"""How many times every draw is valued, with new random numbers."""

Returns = npt.NDArray[np.float64]
"""One number for each seat."""


@kernel
def look_ahead(scratch: Scratch, turns: int, max_length: int) -> None:
    """Play ``scratch.state`` on by the best priors, and write what the seats can expect then.

    It stops after this many turns or actions.
    """
    state, returns, played, last = scratch.state, scratch.returns, 0, CHANCE
    mover = to_move(state)
    while mover != OVER:
        if mover == CHANCE:
            apply(state, sample_chance(state, scratch.actions, scratch.weights, scratch.rng))
        else:
            if last not in (CHANCE, mover):
                turns -= 1
            if proven_returns(state, returns) == 1:
                return
            if turns == 0 or played == max_length:
                evaluate(state, returns)
                return
            last = mover
            count = legal(state, scratch.actions)
            priors(state, scratch.actions, count, scratch.weights)
            best = 0
            for place in range(1, count):
                if scratch.weights[place] > scratch.weights[best]:
                    best = place
            apply(state, int(scratch.actions[best]))
            played += 1
        mover = to_move(state)
    score(state, returns)


class Luck(NamedTuple):
    """By seat: what could be expected at first and what chance gave, with standard errors."""

    start: Returns
    luck: Returns
    luck_error: Returns
    skill_error: Returns
    """That of what is left of the result."""


class _Draw(NamedTuple):
    """Chance outcomes in a row: the states before and after them."""

    before: State
    after: State
    outcomes: tuple[tuple[State, float], ...]
    """All that could have come and its probability, if that isn't too much."""


def _draws_of(states: Sequence[State]) -> Iterator[_Draw]:
    for is_chance, group in groupby(range(len(states)), lambda at: states[at].to_move == CHANCE):
        if is_chance:
            numbers = list(group)
            before, outcomes = states[numbers[0]], states[numbers[0]].chance_outcomes
            if len(numbers) > 1 or len(outcomes) > MOST_OUTCOMES:
                outcomes = ()
            yield _Draw(
                before,
                states[numbers[-1] + 1],
                tuple((before.play(each), part) for each, part in outcomes),
            )


def measure_luck(
    states: Sequence[State],
    *,
    seconds: float | None = None,
    rounds: int = FEWEST_ROUNDS,
    seed: object = "luck",
) -> Luck:
    """Value all draws of a match this many times, or as many times as there is time for."""
    value, draws = Valuer(states[0].game, seed), list(_draws_of(states))
    starts: list[Returns] = []
    lucks: list[Returns] = []
    started = time.perf_counter()
    while len(lucks) < rounds or (
        seconds is not None and len(lucks) < MOST_ROUNDS and time.perf_counter() - started < seconds
    ):
        number = len(lucks)
        starts.append(value(states[0], number))
        each = (_luck_of(draw, value, (number, at)) for at, draw in enumerate(draws))
        lucks.append(sum(each, np.zeros_like(starts[-1])))
    start, luck = np.array(starts), np.array(lucks)
    return Luck(start.mean(0), luck.mean(0), _error(luck), _error(start + luck))


class Valuer:
    """What the seats can expect in a state, by chance and a seed: points ahead, or returns."""

    def __init__(self, game: Game, seed: object) -> None:
        self._game, self._scratch, self._seed = game, make_scratch(game, seed), seed
        self._look_ahead = bind(game, look_ahead)
        self._limits = (game.seats, LONGEST_TURN * game.seats)
        if "evaluate" not in game.evaluation.own:
            self._limits = (game.sizes.max_length, game.sizes.max_length)
        self._has_points = lead_of(game.start()) is not None

    def __call__(self, state: State, seed: object) -> Returns:
        """Play the state on."""
        self._scratch.state[:] = self._game.require_state(state).array
        self._scratch.rng[:] = seeded(self._seed, seed)
        self._look_ahead(self._scratch, *self._limits)
        lead = None
        if self._has_points:
            lead = lead_of(State(self._game, self._scratch.state.copy()))
        return self._scratch.returns.copy() if lead is None else lead


def lead_of(state: State) -> Returns | None:
    """By seat, how many points its team is ahead of the mean of the others; None without points."""
    points = [seat["score"] for seat in state.view(None)["seats"]]
    teams = state.game.teams
    if len(teams) < 2 or any(each is None for each in points):
        return None
    sums = np.array([sum(points[seat] for seat in team) for team in teams], dtype=float)
    lead = np.empty(state.game.seats)
    for place, team in enumerate(teams):
        lead[list(team)] = sums[place] - (sums.sum() - sums[place]) / (len(teams) - 1)
    return lead


def _luck_of(draw: _Draw, value: Valuer, seed: object) -> Returns:
    if not draw.outcomes:
        return value(draw.after, seed) - value(draw.before, seed)
    expected = sum(part * value(state, seed) for state, part in draw.outcomes)
    return value(draw.after, seed) - expected


def _error(samples: Returns) -> Returns:
    found: Returns = samples.std(0, ddof=1) / np.sqrt(len(samples))
    return found
