"""Strategies for hypothesis: games, states and matches of any registered game.

Needs hypothesis, which the extra ``testing`` installs.
"""

from __future__ import annotations

import random

from hypothesis import strategies as st

from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games as registered
from watermeet.core.state import State
from watermeet.testing.matches import Match, option_sets, random_match


@st.composite
def games(draw: st.DrawFn, name: str | None = None) -> Game:
    """A registered game, or the one named, with a sample set of options."""
    chosen = find_game(draw(st.sampled_from(registered())) if name is None else name)
    return chosen.with_options(**draw(st.sampled_from(option_sets(chosen))))


@st.composite
def matches(draw: st.DrawFn, name: str | None = None, *, max_length: int | None = None) -> Match:
    """A random match, or the first ``max_length`` actions of one."""
    seed = draw(st.integers(0, 2**32 - 1))
    return random_match(draw(games(name)), random.Random(seed), max_length=max_length)


@st.composite
def states(draw: st.DrawFn, name: str | None = None) -> State:
    """A state of a random match."""
    game = draw(games(name))
    seed = draw(st.integers(0, 2**32 - 1))
    length = draw(st.integers(0, game.sizes.max_length))
    return random_match(game, random.Random(seed), max_length=length).end
