"""Games with options for the tests of environments, read from the registry."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from _pytest.mark.structures import ParameterSet

import watermeet as wm
from watermeet.core.options import Value
from watermeet.testing import option_sets, random_match

SHORT = 60
"""A match of at most this many actions is short."""


def some_options(name: str) -> list[dict[str, Value]]:
    """The defaults, two short matches, and the most seats."""
    game = wm.game(name)
    sets = option_sets(game)[1:]
    by_length = sorted(sets, key=lambda options: game.with_options(**options).sizes.max_length)
    by_seats = sorted(sets, key=lambda options: game.with_options(**options).seats)
    chosen = [{}, *by_length[:2], *by_seats[-1:]]
    return [options for place, options in enumerate(chosen) if options not in chosen[:place]]


def _marks(game: wm.Game) -> tuple[pytest.MarkDecorator, ...]:
    """Long matches, and kernels that take long to compile, are for the slow run."""
    return () if game.sizes.max_length <= SHORT else (pytest.mark.slow,)


def _cases() -> Iterator[ParameterSet]:
    for name in wm.games():
        for options in some_options(name):
            game = wm.game(name).with_options(**options)
            yield pytest.param(name, options, marks=_marks(game), id=game.describe())


CASES = list(_cases())
"""Names with options."""
NAMES = [pytest.param(name, marks=_marks(wm.game(name))) for name in wm.games()]


def worlds(name: str) -> Iterator[tuple[int, wm.State, wm.State]]:
    """A seat, a state, and another state that this seat can't tell apart from it.

    None for games without hidden information.
    """
    game, rng = wm.game(name), random.Random(name)
    if not game.hidden:
        return
    states = [state for state in random_match(game, rng).states if state.to_move >= 0]
    for state in rng.sample(states, min(6, len(states))):
        for seat in range(game.seats):
            yield seat, state, state.conceal(seat).resample(rng)
