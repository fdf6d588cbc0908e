"""A fair comparison of two turns: each is played, and the positions after it are searched.

A search spends most of its time on what it likes, so it undervalues what it doesn't. That is
harmless for playing, but not for blaming somebody. Here what follows each turn is searched equally
long, with the same draws.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from watermeet.bots.search_bot import SearchBot, hides_something
from watermeet.core.contract import CHANCE
from watermeet.core.state import State
from watermeet.search.limits import Limits

MOST_OUTCOMES = 6
"""Up to this many outcomes of chance are all looked at; of more, samples are."""
MOST_DRAWS = 3
"""How many draws in a row, with forced moves between them; what comes then is sampled."""
FEWEST_SAMPLES, MOST_SAMPLES = 4, 12
"""How many of those, by each searcher."""
_LEAST_S = 0.004
_ENOUGH_S = 0.01
"""What a search needs; what is left is for more samples."""

Sign = Callable[[int, int], int]
"""What one seat's value says about another's: the same (1), the opposite (-1), or nothing (0)."""


Positions = list[tuple[State, float]]
"""Positions with their weights."""


class Looked(NamedTuple):
    """What a seat can expect after a turn, and how far the searches are apart."""

    value: float
    gap: float


class SecondLook:
    """Compares turns, by several searches that differ in their random numbers."""

    def __init__(self, bots: Sequence[SearchBot], sign: Sign) -> None:
        self._bots, self._sign = bots, sign

    def compare(
        self, state: State, turns: Sequence[Sequence[str]], seed: object, limits: Limits
    ) -> list[Looked]:
        """What the seat to move can expect after each of these moves; the limits are for all."""
        seat, known = state.to_move, state.conceal(state.to_move)
        samples = FEWEST_SAMPLES
        if limits.seconds is not None:
            most = limits.seconds / (_ENOUGH_S * len(turns) * len(self._bots))
            samples = max(FEWEST_SAMPLES, min(MOST_SAMPLES, int(most)))
        after = [
            [
                _after(known, turn, random.Random(repr((seed, place))), samples)
                for place in range(len(self._bots))
            ]
            for turn in turns
        ]
        # A longer search finds more: each position gets the same time, however many there are.
        open_ones = sum(
            one.outcome is None for each in after for positions in each for one, _ in positions
        )
        share = _part(limits, max(1, open_ones))
        return [self._look(each, seat, share) for each in after]

    def _look(self, after: Sequence[Positions], seat: int, limits: Limits) -> Looked:
        values = [
            sum(part * self._value(bot, one, seat, limits) for one, part in positions)
            for bot, positions in zip(self._bots, after, strict=True)
        ]
        return Looked(sum(values) / len(values), max(values) - min(values))

    def _value(self, bot: SearchBot, state: State, seat: int, limits: Limits) -> float:
        if state.outcome is not None:
            return float(state.outcome.returns[seat])
        return self._sign(state.to_move, seat) * bot.analyse(state, limits).value


def _part(limits: Limits, count: int) -> Limits:
    if limits.seconds is not None:
        return Limits(seconds=max(_LEAST_S, limits.seconds / count))
    return Limits(nodes=max(1, (limits.nodes or 0) // count))


def _after(known: State, turn: Sequence[str], rng: random.Random, samples: int) -> Positions:
    """The positions in which somebody decides next, or that end the match, with their weights."""
    if hides_something(known):
        starts = [known.resample(rng).play_all(turn) for _ in range(samples)]
        return [(_to_decision(start, rng), 1 / samples) for start in starts]
    start = known.resample(rng).play_all(turn)
    if len(start.chance_outcomes) > MOST_OUTCOMES:
        return [(_to_decision(start, rng), 1 / samples) for _ in range(samples)]
    return list(_all_decisions(start, rng, 1.0, MOST_DRAWS))


def _all_decisions(
    state: State, rng: random.Random, weight: float, draws: int
) -> Iterator[tuple[State, float]]:
    """Where somebody decides next, after every possible outcome of the next few draws."""
    while state.outcome is None and len(state.legal_actions) == 1:
        state = state.play(state.legal_actions[0])
    if state.to_move == CHANCE and draws and len(state.legal_actions) <= MOST_OUTCOMES:
        for outcome, part in state.chance_outcomes:
            yield from _all_decisions(state.play(outcome), rng, weight * part, draws - 1)
    else:
        yield _to_decision(state, rng), weight


def _to_decision(state: State, rng: random.Random) -> State:
    """Play what chance draws and what is forced."""
    while True:
        state = state.sample(rng)
        if state.outcome is not None or len(state.legal_actions) > 1:
            return state
        state = state.play(state.legal_actions[0])
