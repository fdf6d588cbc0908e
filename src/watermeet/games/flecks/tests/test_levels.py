"""The levels and players of Flecks."""

from __future__ import annotations

import random

import pytest

import watermeet as wm
from watermeet.bots.specs import make_bot
from watermeet.games.flecks.players import PLAYERS, nearest
from watermeet.games.flecks.tests.positions import flecks, position

pytestmark = pytest.mark.compiled


def wins(game: wm.Game, strong: str, weak: str, matches: int) -> int:
    """How many matches the first of two bots wins; they alternate seats."""
    bots = [make_bot(game, strong), make_bot(game, weak)]
    won = 0
    for match in range(matches):
        for bot in bots:
            bot.new_match(match)
        state = game.start()
        while state.to_move >= 0:
            state = state.play(bots[(state.to_move + match) % 2].play(state).action)
        assert state.outcome is not None
        won += state.outcome.returns[match % 2] > 0
    return won


def test_the_nearest_player_takes_a_win_and_is_listed() -> None:
    state = position("g1 f2 d4 c5 b5 a5", "i5")
    assert state.format(nearest(state, random.Random(0))) == "e3"
    assert PLAYERS["nearest"] is nearest


@pytest.mark.slow
def test_search_beats_the_nearest_player_which_beats_random() -> None:
    game = flecks(5)
    assert wins(game, "nearest", "random", 10) >= 9
    assert wins(game, "stream", "nearest", 10) >= 7
